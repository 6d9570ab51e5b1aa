//! A password, a token or a key stands in clear text in a definition, a properties file or a URI.
//!
//! Everybody who reads the repository, and everybody who looks at the job on the server, sees it.
//! Keep it in a credential store (`hadoop.security.credential.provider.path`, a `jceks` file), in a file with narrow
//! permissions (`--password-file` of sqoop), or in a `credential` of the workflow.
//!
//! ```properties
//! db.password=hunter2                       # wrong
//! db.password.alias=db-password             # right: looked up in the credential store
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::settings::Setting;
use crate::diag::{Diagnostic, Info, Severity};
use crate::source::Text;
use std::ops::Range;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "secret-plaintext",
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("secret_plaintext.rs"),
    },
    check: Check::Setting(check),
};

/// What the names of secrets end in, as words without what separates them.
const SECRETS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "secretkey",
    "accesskey",
    "privatekey",
    "authkey",
];

/// What stands where a secret will be put in.
const PLACEHOLDERS: &[&str] = &[
    "changeit",
    "changeme",
    "dummy",
    "example",
    "false",
    "fixme",
    "foo",
    "bar",
    "hidden",
    "mypassword",
    "na",
    "none",
    "null",
    "pass",
    "passwd",
    "password",
    "placeholder",
    "pwd",
    "redacted",
    "replaceme",
    "secret",
    "tbd",
    "todo",
    "token",
    "true",
    "undefined",
    "yes",
    "no",
];

fn check(setting: &Setting<'_>, sink: &mut Sink) {
    let text = setting.value.value.as_str();
    let found = if setting.is_property && names_secret(setting.name) && is_secret(text) {
        vec![(format!("`{}` holds a secret in clear text", shown(setting.name)), whole(setting.value))]
    } else {
        let mut found = within(text);
        if found.is_empty() {
            found.extend(element(setting));
        }
        found
    };
    for (message, range) in found {
        let finding = Diagnostic::new(&RULE.info, setting.value.span_of(range), message);
        sink.push(finding.help("keep it in a credential store or in a file that only the job may read"));
    }
}

/// What is found, and where in the text.
type Found = (String, Range<usize>);

/// All secrets in a text, each told once.
fn within(text: &str) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let in_uri =
        in_uri(text).into_iter().map(|range| ("a URI holds a password in clear text".to_owned(), range));
    for (message, range) in in_uri.chain(in_command(text)).chain(by_shape(text)) {
        if !found.iter().any(|(_, known)| known.start < range.end && range.start < known.end) {
            found.push((message, range));
        }
    }
    found
}

/// The text without the blanks around it.
fn whole(text: &Text) -> Range<usize> {
    let start = text.value.len() - text.value.trim_start().len();
    start..text.value.trim_end().len().max(start)
}

/// The name as it may stand in a message.
fn shown(name: &str) -> &str {
    name.trim_start_matches('-')
}

/// Elements whose name alone says it: `password` of a hive2 action.
fn element(setting: &Setting<'_>) -> Option<(String, Range<usize>)> {
    let says = !setting.is_property && matches!(setting.name, "password" | "secret" | "token");
    (says && is_secret(&setting.value.value))
        .then(|| (format!("`{}` holds a secret in clear text", setting.name), whole(setting.value)))
}

/// Whether the name says that the value is a secret: its last words do.
fn names_secret(name: &str) -> bool {
    let words: String =
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    SECRETS.iter().any(|end| words.ends_with(end)) && name.len() <= 200
}

/// Whether a value is itself a secret, and neither a reference to one nor what stands for one.
fn is_secret(value: &str) -> bool {
    let value = value.trim();
    let plain: String =
        value.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let refers = ["${", "#{", "$(", "{{", "://", "ENC(", "{cipher}"].iter().any(|mark| value.contains(mark));
    let is_framed = [('<', '>'), ('@', '@'), ('%', '%'), ('[', ']'), ('{', '}')]
        .iter()
        .any(|(open, close)| value.starts_with(*open) && value.ends_with(*close));
    let is_path = value.starts_with('/') || value.ends_with(".jceks");
    let stands_for = plain.is_empty()
        || PLACEHOLDERS.contains(&plain.as_str())
        || plain.starts_with("your")
        || plain.chars().all(|c| c == 'x')
        || value.contains("xxx")
        || value.starts_with('$');
    let is_text = value.contains(char::is_whitespace) || value.len() < 3;
    !(value.is_empty() || refers || is_framed || is_path || stands_for || is_text)
}

/// The passwords in `scheme://user:password@host` and behind `password=` in URIs.
fn in_uri(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("://") {
        let from = at + 3;
        let authority = &text[from..];
        let end =
            authority.find(|c: char| c == '/' || c == '?' || c.is_whitespace()).unwrap_or(authority.len());
        let authority = &authority[..end];
        if let Some((user_info, _)) = authority.rsplit_once('@')
            && let Some((_, password)) = user_info.split_once(':')
            && !user_info.contains("${")
            && is_secret(password)
        {
            let start = from + user_info.len() - password.len();
            found.push(start..start + password.len());
        }
    }
    let lower = text.to_ascii_lowercase();
    for mark in ["?password=", "&password=", ";password=", "?passwd=", "&passwd=", ";passwd="] {
        for (at, _) in lower.match_indices(mark) {
            let start = at + mark.len();
            let length = text[start..].find(|c: char| matches!(c, '&' | ';') || c.is_whitespace());
            let range = start..length.map_or(text.len(), |length| start + length);
            if is_secret(&text[range.clone()]) {
                found.push(range);
            }
        }
    }
    found
}

/// The secrets behind options of a command: `--password x`, `-Ddb.password=x`, `PASSWORD=x`.
fn in_command(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut option: Option<&str> = None;
    let offset = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    for word in text.split_whitespace() {
        let start = offset(word);
        if let Some(name) = option.take()
            && names_secret(name)
            && !word.starts_with('-')
            && is_secret(word)
        {
            found.push((format!("`{name}` gives a secret in clear text"), start..start + word.len()));
            continue;
        }
        match word.split_once('=') {
            Some((name, value)) if names_secret(name) && !name.contains("${") && is_secret(value) => {
                let from = start + name.len() + 1;
                let message = format!("`{}` gives a secret in clear text", shown(name));
                found.push((message, from..from + value.len()));
            }
            _ if word.starts_with('-') => option = Some(word),
            _ => {}
        }
    }
    found
}

/// Keys that show by their shape.
fn by_shape(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("-----BEGIN ") {
        let line = text[at..].lines().next().unwrap_or_default();
        if line.contains("PRIVATE KEY") {
            let end = text[at..].find("-----END ").map_or(text.len(), |end| {
                at + end + text[at + end..].lines().next().unwrap_or_default().len()
            });
            found.push(("a private key stands in clear text".to_owned(), at..end));
        }
    }
    // The id of an access key of Amazon Web Services.
    for (at, _) in text.match_indices("AKIA") {
        let word: String = text[at..].chars().take_while(char::is_ascii_alphanumeric).collect();
        let is_key = word.len() == 20 && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
        if is_key && !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric()) {
            found.push(("an access key stands in clear text".to_owned(), at..at + word.len()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_what_stands_for_them() {
        for (value, expected) in [
            ("hunter2", true),
            ("s3cr3t!", true),
            ("${dbPassword}", false),
            ("changeme", false),
            ("CHANGE_ME", false),
            ("xxxxx", false),
            ("***", false),
            ("<password>", false),
            ("@db.password@", false),
            ("jceks://hdfs/user/x.jceks", false),
            ("/etc/security/pw", false),
            ("your_password_here", false),
            ("", false),
        ] {
            assert_eq!(is_secret(value), expected, "{value}");
        }
        for (name, expected) in [
            ("db.password", true),
            ("dbPassword", true),
            ("fs.s3a.secret.key", true),
            ("db.password.file", false),
            ("password.alias", false),
            ("hadoop.security.token.service.use_ip", false),
        ] {
            assert_eq!(names_secret(name), expected, "{name}");
        }
    }

    #[test]
    fn secrets_within_texts() {
        let check = |text: &str, expected: Option<&str>| {
            let found: Vec<&str> = within(text).into_iter().map(|(_, range)| &text[range]).collect();
            assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{text}");
        };
        check("jdbc:mysql://bob:hunter2@db/x", Some("hunter2"));
        check("jdbc:mysql://db/x?user=bob&password=hunter2", Some("hunter2"));
        check("import --connect jdbc:x --password hunter2 --table t", Some("hunter2"));
        check("import --password-file /x/y --table t", None);
        check("-Ddb.password=hunter2", Some("hunter2"));
        check("-Ddb.password=${pw}", None);
        check("hdfs://nn:8020/x@y", None);
        check("hdfs://${user}:${pw}@nn/x", None);
        check("--password ${pw}", None);
        check("AKIAIOSFODNN7EXAMPLE", Some("AKIAIOSFODNN7EXAMPLE"));
        let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----";
        check(&format!("x {key}\ny"), Some(key));
        let both = "import --connect jdbc:mysql://bob:hunter2@db/x --password s3cr3t -Dapi.token=abc123";
        let found: Vec<&str> = within(both).into_iter().map(|(_, range)| &both[range]).collect();
        assert_eq!(found, ["hunter2", "s3cr3t", "abc123"]);
    }
}
