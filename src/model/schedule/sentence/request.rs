//! The request of the web services that a sentence stands for.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::{Named, Sentence, Verb};
use crate::model::schedule::write;
use crate::model::schedule::{DEFAULT_NAMESPACE, DEFAULT_VERSION, ScheduleName};

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The method.
    pub method: &'static str,
    /// The path.
    pub path: String,
    /// The body, where there is one.
    pub body: Option<Value>,
}

/// What may stand in a part of a path as it is.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The request for a sentence; none where the sentence leaves the application open, which only a store knows.
pub fn request(sentence: &Sentence) -> Option<Request> {
    Some(match sentence {
        Sentence::Put { schedule, is_update } => {
            let path = path_of(&schedule.id);
            let body = Some(write::body(schedule));
            match is_update {
                false => Request { method: "PUT", path, body },
                true => Request { method: "POST", path: path + "/update", body },
            }
        }
        Sentence::Change { verb, name } => {
            let path = path_of(&name.schedule()?);
            match verb {
                Verb::Delete => Request { method: "DELETE", path, body: None },
                verb => Request { method: "POST", path: format!("{path}/{}", verb.name()), body: None },
            }
        }
        Sentence::Status { name } => {
            Request { method: "GET", path: path_of(&name.schedule()?) + "/status", body: None }
        }
        Sentence::Schedules { program: Named { application, name } } => {
            let app = app_path(DEFAULT_NAMESPACE, application.as_ref()?, DEFAULT_VERSION);
            Request {
                method: "GET",
                path: format!("{app}/workflows/{}/schedules", encoded(name)),
                body: None,
            }
        }
    })
}

fn path_of(name: &ScheduleName) -> String {
    let app = app_path(&name.namespace, &name.application, &name.version);
    format!("{app}/schedules/{}", encoded(&name.name))
}

fn app_path(namespace: &str, application: &str, version: &str) -> String {
    let [namespace, application, version] = [namespace, application, version].map(encoded);
    format!("/v3/namespaces/{namespace}/apps/{application}/versions/{version}")
}

fn encoded(part: &str) -> String {
    // `.` and `..` alone would be steps of the path.
    if part.bytes().all(|byte| byte == b'.') {
        return part.replace('.', "%2E");
    }
    utf8_percent_encode(part, PLAIN).to_string()
}
