//! Http actions of 2009: one request, made once for each attempt, by the supervisor, and perhaps a callback.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use ureq::Agent;
use ureq::http::Uri;

use super::callback::Waiting;
use super::{fault, shown, text_of};
use crate::engine::{Fault, TroubleKind};
use crate::execute::attempt::{Attempt, Outcome};
use crate::properties;
use crate::source::Sources;
use crate::xml::Element;

/// The longest body that is captured, in bytes.
pub const MAX_CAPTURED: u64 = 2_048;

/// The type of a body that is captured.
const CAPTURED_TYPE: &str = "x-application/java-properties";

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Request {
    url: String,
    /// The body of a POST and its type; a GET without.
    post: Option<(String, String)>,
    captures: bool,
    /// The id of the action, if it waits for a callback.
    waits: Option<String>,
}

/// The request of an action.
pub(super) fn request(root: &Element, action_id: &str) -> Result<Request, Fault> {
    let mode = text_of(root, "mode").unwrap_or_default();
    if !matches!(mode.as_str(), "" | "CONTINUE" | "WAIT") {
        return Err(fault("HTTP003", format!("`{mode}` is not a mode: CONTINUE or WAIT")));
    }
    let url = text_of(root, "url").unwrap_or_default();
    let uri: Uri = url.parse().map_err(|error| fault("HTTP002", format!("`{url}` is not a URL: {error}")))?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none_or(str::is_empty) {
        return Err(fault("HTTP002", format!("`{url}` is not a URL of http or https")));
    }
    let post = root.child("post").map(|post| {
        let kind = post.attribute("content-type").map(|kind| kind.value.value.trim().to_owned());
        (post.text().value, kind.unwrap_or_default())
    });
    let waits = (mode == "WAIT").then(|| action_id.to_owned());
    Ok(Request { url, post, captures: root.child("capture-output").is_some(), waits })
}

/// Makes the request, and waits for the callback where one is to come.
pub fn run(attempt: &Attempt, request: &Request) -> std::io::Result<Outcome> {
    let Some(action) = &request.waits else { return Ok(send(request)) };
    let waiting = Waiting::open()?;
    let post = match &request.post {
        Some((body, kind)) => Some((waiting.put_in(body, action)?, kind.clone())),
        None => None,
    };
    let asked = Request { url: waiting.put_in(&request.url, action)?, post, captures: false, waits: None };
    let sent = send(&asked);
    if sent.trouble.is_some() || sent.fault.is_some() {
        return Ok(sent);
    }
    // The request is made; from here on the action runs.
    attempt.tell_started()?;
    let Some(callback) = waiting.wait(&|| attempt.is_to_be_killed())? else { return Ok(Outcome::killed()) };
    let captured = match request.captures {
        false => Ok(None),
        true => captured(&callback.kind, callback.body).map(Some),
    };
    Ok(match captured {
        Err((code, words)) => Outcome::failed("ERROR", code, words),
        Ok(data) if callback.is_ok => Outcome::well("OK", data),
        Ok(data) => {
            let words = "the callback says ERROR".to_owned();
            Outcome { data, ..Outcome::failed("ERROR", "HTTP009", words) }
        }
    })
}

/// The text of a body that is captured, or why it is refused.
fn captured(kind: &str, body: Option<Vec<u8>>) -> Result<String, (&'static str, String)> {
    if kind.split(';').next().map(str::trim) != Some(CAPTURED_TYPE) {
        let words = format!("the body has the type `{}`, not `{CAPTURED_TYPE}`", shown(kind));
        return Err(("HTTP006", words));
    }
    let Some(body) = body else {
        return Err(("HTTP007", format!("the body is longer than {MAX_CAPTURED} bytes")));
    };
    let text = String::from_utf8(body).map_err(|_| ("HTTP008", "the body is not UTF-8".to_owned()))?;
    if is_properties(&text) {
        Ok(text)
    } else {
        Err(("HTTP008", "the body is not a properties text".to_owned()))
    }
}

/// Makes the request.
fn send(request: &Request) -> Outcome {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_connect(Some(TIMEOUT))
        .timeout_recv_response(Some(TIMEOUT))
        .timeout_recv_body(Some(TIMEOUT))
        .timeout_resolve(Some(TIMEOUT));
    let agent = Agent::new_with_config(config.build());
    let answer = match &request.post {
        None => agent.get(&request.url).call(),
        Some((body, kind)) => agent.post(&request.url).header("Content-Type", kind).send(body.as_str()),
    };
    let error = |code: &str, words: String| Outcome::failed("ERROR", code, shown(&words));
    let mut answer = match answer {
        Ok(answer) => answer,
        Err(why) => {
            // Nobody has answered: that may pass by itself.
            let words = format!("no answer from `{}`: {why}", request.url);
            return Outcome::troubled(TroubleKind::Transient, "HTTP001", shown(&words));
        }
    };
    let status = answer.status();
    if !status.is_success() {
        return error("HTTP005", format!("the answer was {}", status.as_u16()));
    }
    if !request.captures {
        return Outcome::well("OK", None);
    }
    let kind = answer.headers().get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.to_owned();
    let body = match answer.body_mut().with_config().limit(MAX_CAPTURED + 1).read_to_vec() {
        Ok(body) => Some(body).filter(|body| body.len() as u64 <= MAX_CAPTURED),
        Err(ureq::Error::BodyExceedsLimit(_)) => None,
        Err(why) => return error("HTTP005", format!("the answer cannot be read: {why}")),
    };
    match captured(&kind, body) {
        Ok(text) => Outcome::well("OK", Some(text)),
        Err((code, words)) => error(code, words),
    }
}

/// Whether a text can be read as Java properties.
fn is_properties(text: &str) -> bool {
    let file = Sources::new().add("", text);
    properties::read(file, text).1.iter().all(|finding| finding.severity != crate::diag::Severity::Error)
}
