//! Email actions (`EmailActionExecutor`): one letter, handed to the mail server that `[run.email]` names.
//!
//! It is sent by the supervisor, so that its end is known whatever becomes of the executor. All errors are of the kind
//! ERROR, as they are there.

use std::io::Read;
use std::time::Duration;

use lettre::message::header::ContentType;
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{Message, SmtpTransport, Transport};
use serde::{Deserialize, Serialize};

use super::{Action, Needs, fault, paths, shown, text_of};
use crate::engine::{Fault, TroubleKind};
use crate::execute::attempt::Outcome;
use crate::execute::storage::Storage;
use crate::shell::config::outward::EmailConfig;
use crate::xml::Element;

/// All attachments of a letter together are no larger, in bytes: mail servers seldom take more.
const MAX_ATTACHED: usize = 50 * 1024 * 1024;

/// A letter.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Mail {
    /// The mail server.
    server: EmailConfig,
    /// Where attachments lie.
    storage: Storage,
    to: String,
    cc: Option<String>,
    bcc: Option<String>,
    subject: String,
    body: String,
    content_type: String,
    attachments: Vec<String>,
}

/// Why a letter was not sent: code and words.
type Unsent = (&'static str, String);

/// What email actions need.
pub(super) fn needs(server: Option<&EmailConfig>) -> Needs {
    let give = "under `[run.email]` in ankus.toml";
    let Some(server) = server else {
        return Needs::Missing(format!("a mail server, and none is named; give its `host` {give}"));
    };
    let missing = |words: String| Needs::Missing(format!("the password of the mail server: {words}"));
    match &server.password_env {
        _ if !server.auth => Needs::Nothing,
        None => missing(format!("name the environment variable that holds it as `password-env` {give}")),
        Some(name) if std::env::var_os(name).is_none() => {
            missing(format!("the environment variable `{name}`, named {give}, is not set; set it"))
        }
        Some(_) => Needs::Nothing,
    }
}

/// The letter of an action.
pub(super) fn mail(action: &Action<'_>, root: &Element) -> Result<Mail, Fault> {
    let server = action.outward.email.clone();
    let missing =
        || fault("EM007", "no mail server is named; give its `host` under `[run.email]` in ankus.toml");
    let server = server.ok_or_else(missing)?;
    let attachments = text_of(root, "attachment").map_or_else(Vec::new, |text| split(&text));
    let attachments = attachments.into_iter().map(|path| on_default(action, path)).collect();
    let content_type = text_of(root, "content_type").filter(|text| !text.is_empty());
    Ok(Mail {
        server,
        storage: action.storage.clone(),
        to: text_of(root, "to").unwrap_or_default(),
        cc: text_of(root, "cc"),
        bcc: text_of(root, "bcc"),
        subject: text_of(root, "subject").unwrap_or_default(),
        body: text_of(root, "body").unwrap_or_default(),
        content_type: content_type.unwrap_or_else(|| "text/plain".to_owned()),
        attachments,
    })
}

/// A letter in plain text that no action sends.
pub fn plain(server: EmailConfig, to: String, subject: String, body: String) -> Mail {
    Mail {
        server,
        storage: Storage::default(),
        to,
        cc: None,
        bcc: None,
        subject,
        body,
        content_type: "text/plain".to_owned(),
        attachments: Vec::new(),
    }
}

/// Sends a letter.
///
/// # Errors
/// In words, where it cannot be put together or the mail server does not take it.
pub fn post(mail: &Mail) -> Result<(), String> {
    let sent = message(mail).and_then(|message| hand_over(mail, &message));
    sent.map_err(|(code, words)| format!("{code}: {}", shown(&words)))
}

/// A path without scheme lies on the default storage of the job.
fn on_default(action: &Action<'_>, path: String) -> String {
    match action.conf.get("fs.defaultFS").or_else(|| action.conf.get("fs.default.name")) {
        Some(default) if path.starts_with('/') => format!("{}{path}", paths::authority(default.trim())),
        _ => path,
    }
}

/// Java's `split(",")`: what is empty at the end is left out, unless there is nothing else.
fn split(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = text.split(',').map(str::to_owned).collect();
    if parts.len() > 1 {
        parts.truncate(parts.iter().rposition(|part| !part.is_empty()).map_or(0, |last| last + 1));
    }
    parts
}

/// Sends a letter.
pub fn send(mail: &Mail) -> Outcome {
    match message(mail).and_then(|message| hand_over(mail, &message)) {
        Ok(()) => Outcome::well("OK", None),
        Err((code, words)) => Outcome::troubled(TroubleKind::Error, code, shown(&words)),
    }
}

/// Puts a letter together.
fn message(mail: &Mail) -> Result<Message, Unsent> {
    if mail.to.is_empty() {
        return Err(("EM001", "no recipients were specified in the to-address field".to_owned()));
    }
    let from: Mailbox = mail.server.from.trim().parse().map_err(|error| {
        (
            "EM002",
            format!("`{}`, from whom mail comes (`[run.email]`), is no address: {error}", mail.server.from),
        )
    })?;
    let mut builder = Message::builder().message_id(None).from(from);
    for address in addresses(Some(&mail.to))? {
        builder = builder.to(address);
    }
    for address in addresses(mail.cc.as_deref())? {
        builder = builder.cc(address);
    }
    for address in addresses(mail.bcc.as_deref())? {
        builder = builder.bcc(address);
    }
    builder = builder.subject(&mail.subject);
    let sends = mail.server.attachments;
    let mut body = mail.body.clone();
    if !mail.attachments.is_empty() && !sends {
        body.push_str(
            "\n Note: its attachments are left out, since `[run.email]` says `attachments = false`.",
        );
    }
    let body = SinglePart::builder().header(content_type(&mail.content_type)?).body(body);
    let unbuilt = |error: lettre::error::Error| match error {
        // Nobody is named, as in `<to>,</to>`; the server finds that when it sends.
        lettre::error::Error::MissingTo => ("EM007", "there is nobody to send it to".to_owned()),
        error => ("EM005", format!("the message cannot be put together: {error}")),
    };
    if mail.attachments.is_empty() || !sends {
        return builder.singlepart(body).map_err(unbuilt);
    }
    let mut parts = MultiPart::mixed().singlepart(body);
    let mut left = MAX_ATTACHED;
    for uri in &mail.attachments {
        let bytes = attached(&mail.storage, uri, left)?;
        left -= bytes.len();
        let name = uri.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
        let kind = ContentType::parse("application/octet-stream")
            .map_err(|error| ("EM007", format!("cannot attach `{uri}`: {error}")))?;
        parts = parts.singlepart(Attachment::new(name).body(bytes, kind));
    }
    builder.multipart(parts).map_err(unbuilt)
}

/// The addresses of a list; an element that is not there has none, an empty one has a wrong one.
fn addresses(list: Option<&str>) -> Result<Vec<Mailbox>, Unsent> {
    let parts = list.map_or_else(Vec::new, split);
    let read = |part: &String| {
        part.trim().parse::<Mailbox>().map_err(|error| {
            ("EM004", format!("bad address format in <to> or <cc> or <bcc>: `{}`: {error}", part.trim()))
        })
    };
    parts.iter().map(read).collect()
}

fn content_type(text: &str) -> Result<ContentType, Unsent> {
    let is_text = text.to_ascii_lowercase().starts_with("text/");
    let full = match text.to_ascii_lowercase().contains("charset") {
        false if is_text => format!("{text}; charset=utf-8"),
        _ => text.to_owned(),
    };
    ContentType::parse(&full).map_err(|_| ("EM007", format!("`{text}` is no content type")))
}

/// What is attached.
fn attached(storage: &Storage, uri: &str, left: usize) -> Result<Vec<u8>, Unsent> {
    let bad = |words: String| ("EM008", format!("encountered an error when attaching a file: {words}"));
    if uri.starts_with("file:") {
        return Err(bad(format!("a local file cannot be attached: {uri}")));
    }
    if uri.contains(char::is_whitespace) {
        return Err(bad(format!("`{uri}` is no URI")));
    }
    let spot = storage.spot(uri).map_err(|fault| bad(fault.to_string()))?;
    let unread = |words: String| ("EM007", format!("cannot attach `{uri}`: {words}"));
    let mut bytes = Vec::new();
    let file = spot.backend.open(&spot.path).map_err(|fault| unread(fault.to_string()))?;
    let most = u64::try_from(left).unwrap_or(u64::MAX).saturating_add(1);
    file.take(most).read_to_end(&mut bytes).map_err(|error| unread(error.to_string()))?;
    if bytes.len() > left {
        return Err(bad(format!("`{uri}` makes the attachments larger than {MAX_ATTACHED} bytes")));
    }
    Ok(bytes)
}

/// Hands a letter to the mail server.
fn hand_over(mail: &Mail, message: &Message) -> Result<(), Unsent> {
    let server = &mail.server;
    let unsent = |words: String| {
        let place = format!("{}:{}", server.host, server.port);
        (
            "EM007",
            format!("encountered an error while sending the email message over SMTP to {place}: {words}"),
        )
    };
    let mut transport = SmtpTransport::builder_dangerous(&server.host)
        .port(server.port)
        .timeout(Some(Duration::from_millis(server.timeout_ms.max(1))));
    if server.starttls {
        let mut tls = TlsParameters::builder(server.host.clone());
        if let Some(path) = &server.certificate {
            let read =
                std::fs::read(path).map_err(|error| unsent(format!("`{}`: {error}", path.display())))?;
            let known = Certificate::from_pem(&read).map_err(|error| unsent(words(&error)))?;
            tls = tls.add_root_certificate(known);
        }
        transport = transport.tls(Tls::Required(tls.build().map_err(|error| unsent(words(&error)))?));
    }
    if server.auth {
        let name = server.password_env.as_deref().unwrap_or_default();
        let password = std::env::var(name)
            .map_err(|_| unsent(format!("the environment variable `{name}` with the password is not set")))?;
        transport = transport.credentials(Credentials::new(server.username.clone(), password));
    }
    transport.build().send(message).map(|_| ()).map_err(|error| unsent(words(&error)))
}

/// An error with what lies behind it.
fn words(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        let more = error.to_string();
        if !words.contains(&more) {
            words = format!("{words}: {more}");
        }
        next = error.source();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter(to: &str, cc: Option<&str>) -> Mail {
        Mail {
            server: toml::from_str("host = \"127.0.0.1\"").expect("a server"),
            storage: Storage::default(),
            to: to.to_owned(),
            cc: cc.map(str::to_owned),
            bcc: None,
            subject: "s".to_owned(),
            body: "b".to_owned(),
            content_type: "text/plain".to_owned(),
            attachments: Vec::new(),
        }
    }

    #[test]
    fn letters_that_cannot_be_put_together_have_the_codes_of_a_server() {
        let code = |mail: &Mail| message(mail).err().map(|(code, _)| code);
        assert_eq!(code(&letter("a@example.org, Bob <b@localhost>,", None)), None);
        assert_eq!(code(&letter("", None)), Some("EM001"));
        assert_eq!(code(&letter("a@b@c", None)), Some("EM004"));
        assert_eq!(code(&letter("a@x.org,,b@x.org", None)), Some("EM004"));
        assert_eq!(code(&letter("a@x.org", Some(""))), Some("EM004"));
        let mut mail = letter("a@x.org", None);
        mail.server.from = "nobody".to_owned();
        assert_eq!(code(&mail), Some("EM002"));
        let mut mail = letter("a@x.org", None);
        mail.content_type = "plain".to_owned();
        assert_eq!(code(&mail), Some("EM007"));
        for uri in ["file:/etc/passwd", "hdfs://nowhere/x", "a b"] {
            let mut mail = letter("a@x.org", None);
            mail.attachments = vec![uri.to_owned()];
            assert_eq!(code(&mail), Some("EM008"), "{uri}");
            mail.server.attachments = false;
            assert_eq!(code(&mail), None, "{uri}");
        }
    }
}
