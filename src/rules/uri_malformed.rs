//! The scheme or the port of a URI is misspelt.
//!
//! `hfds://nn:8020` has a scheme that no file system is registered for, `hdfs:/nn:8020` has no host, and `8O20` with the letter
//! O is no port. A resource manager is
//! `host:port` and has no scheme. Nothing looks at them before an action starts, which then fails. A URI is looked at where it begins a
//! value; only schemes that are nearly known ones are reported.
//!
//! ```xml
//! nameNode=hfds://nn1:8020
//! nameNode=hdfs://nn1:8020
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::settings::Setting;
use crate::diag::{Diagnostic, Group, Info, Severity, distance};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "uri-malformed",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("uri_malformed.rs"),
    },
    check: Check::Setting(check),
};

/// Schemes of file systems and services.
const SCHEMES: &[&str] = &[
    "abfs", "abfss", "adl", "alluxio", "file", "ftp", "ftps", "gs", "har", "hbase", "hcat", "hdfs", "hftp",
    "hive", "hive2", "hsftp", "http", "https", "jceks", "jdbc", "kafka", "local", "maprfs", "mesos",
    "mongodb", "o3fs", "ofs", "oss", "redis", "s3", "s3a", "s3n", "scp", "sftp", "spark", "ssh", "swebhdfs",
    "swift", "tcp", "thrift", "viewfs", "wasb", "wasbs", "webhdfs", "ws", "wss", "zk", "ldap", "ldaps",
    "nfs", "ssl", "tls", "uri", "urn", "git", "smtp", "amqp", "cosn", "k8s", "yarn",
];
/// Those of file systems that have a host.
const WITH_HOST: &[&str] = &["hdfs", "webhdfs", "swebhdfs", "viewfs"];
/// Elements and usual names of properties for the resource manager.
const RESOURCE_MANAGERS: &[&str] =
    &["job-tracker", "resource-manager", "jobTracker", "resourceManager", "job_tracker", "resource_manager"];
/// Shorter schemes are near to each other by chance.
const MIN_LENGTH: usize = 4;

fn check(setting: &Setting<'_>, sink: &mut Sink) {
    let value = setting.value.trimmed();
    let text = value.value.as_str();
    if RESOURCE_MANAGERS.contains(&setting.name) || ["name-node", "nameNode"].contains(&setting.name) {
        if let Some(rest) = text.strip_prefix('{').filter(|_| text.ends_with('}')) {
            let message = "a `$` is missing before the `{`".to_owned();
            let finding = Diagnostic::new(&RULE.info, value.span, message);
            return sink.push(finding.help(format!("write `${{{rest}`")));
        }
        if text.starts_with('>') {
            let finding = Diagnostic::new(&RULE.info, value.span, "a `>` is too many before the address");
            return sink.push(finding.help("remove it"));
        }
    }
    let length = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    let (scheme, rest) = text.split_at(length);
    if scheme.is_empty() || !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return;
    }
    let mut say = |range: std::ops::Range<usize>, message: String, help: String| {
        sink.push(Diagnostic::new(&RULE.info, value.span_of(range), message).help(help));
    };
    let lower = scheme.to_ascii_lowercase();
    if RESOURCE_MANAGERS.contains(&setting.name)
        && ["http", "https", "hdfs"].contains(&lower.as_str())
        && rest.starts_with("://")
    {
        let message = format!("a resource manager is a host and a port, without `{scheme}://`");
        return say(0..length + "://".len(), message, "write `host:port`".to_owned());
    }
    if rest.starts_with("//") && length >= MIN_LENGTH && SCHEMES.contains(&lower.as_str()) {
        say(0..length, format!("`{scheme}` has no `:` before the `//`"), format!("write `{scheme}://`"));
        return;
    }
    if rest.starts_with("://") && length >= MIN_LENGTH && !SCHEMES.contains(&lower.as_str()) {
        let near = SCHEMES.iter().filter(|known| known.len() >= MIN_LENGTH);
        if let Some(near) = near.copied().find(|known| distance(&lower, known, 1).is_some()) {
            let message = format!("no file system or service has the scheme `{scheme}`");
            say(0..length, message, format!("did you mean `{near}`?"));
        }
        return;
    }
    if !WITH_HOST.contains(&lower.as_str()) {
        return;
    }
    let Some(authority) = rest.strip_prefix("://") else {
        // One slash and a port: a host was meant.
        let is_host = rest.strip_prefix(":/").is_some_and(|rest| {
            let host = rest.trim_start_matches('/').split('/').next().unwrap_or_default();
            !rest.starts_with('/') && host.rsplit_once(':').is_some_and(|(_, port)| is_port(port))
                || !rest.starts_with('/') && !rest.contains(['/', '$']) && rest.contains('.')
        });
        if is_host || rest.starts_with("//") {
            say(
                0..length,
                format!("`{lower}:` is not followed by `//` and a host"),
                format!("write `{lower}://`"),
            );
        }
        return;
    };
    let first = authority.strip_prefix('/').and_then(|path| path.split('/').next());
    if first
        .and_then(|first| first.rsplit_once(':'))
        .is_some_and(|(host, port)| !host.is_empty() && is_port(port))
    {
        return say(
            length..length + ":///".len(),
            "a slash too many stands before the host, which is taken for a folder".to_owned(),
            format!("write `{lower}://`"),
        );
    }
    let host = authority.split(['/', '?', '#', ',']).next().unwrap_or_default();
    let at = length + "://".len();
    if host.contains("${") {
        return;
    }
    if host.contains(['{', '}']) {
        let range = at..at + host.len();
        say(
            range,
            format!("the host `{host}` has a brace"),
            "write `${name}` where a value is to be put in".to_owned(),
        );
    } else if host.contains(char::is_whitespace) {
        say(
            at..at + host.len(),
            format!("the host `{host}` contains a blank"),
            "remove the blank".to_owned(),
        );
    } else if let Some((name, port)) = host.rsplit_once(':')
        && !port.is_empty()
        && !is_port(port)
        && !name.contains('[')
    {
        let start = at + name.len() + 1;
        say(
            start..start + port.len(),
            format!("`{port}` is not a port"),
            "write the port as a number".to_owned(),
        );
    }
}

fn is_port(text: &str) -> bool {
    text.parse::<u16>().is_ok()
}
