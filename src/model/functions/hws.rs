//! The functions of `hadoop-workflow` (section 4.2 of its specification), and the names that its examples use beside.

use super::Phase::Hws;
use super::{Definition, functions};

#[rustfmt::skip]
pub(super) static FUNCTIONS: &[Definition] = functions! {
    "" "firstNotNull" (first: Any, second: Any) -> Any, "the first value that is not null", now [Hws];
    "" "concat" (first: String, second: String, third: String) optional 1 -> String, "two or three texts, one after the other", now [Hws];
    "" "trim" (text: String) -> String, "the text without blanks around it", now [Hws];
    "" "urlEncode" (text: String) -> String, "the text encoded for a URL's query", now [Hws];
    "" "timestamp" () -> String, "the present time in UTC, to the second", now [Hws];
    "wf" "appName" () -> String, "the name of the application", now [Hws];
    "wf" "id" () -> String, "the id of the job", now [Hws];
    "wf" "conf" (name: String) -> String, "a property of the job; null when it is missing", now [Hws];
    "wf" "callback" (state: String) -> String, "the URL at which the present action reports its end", now [Hws];
    "wf" "exitState" (node: String) -> String, "`OK` or `ERROR`; null before the action has finished", now [Hws];
    "wf" "errorNode" () -> String, "the last action that ended in ERROR; null when there is none", now [Hws];
    "wf" "errorCode" (node: String) -> String, "the error code of an action; null unless it ended in ERROR", now [Hws];
    "wf" "errorMessage" (node: String) -> String, "the error message of an action; null unless it ended in ERROR", now [Hws];
    "wf" "recovery" () -> Int, "which recovery of the job it is; 0 outside one", now [Hws];
    "hadoop" "jobId" (node: String) -> String, "the id of an action's Hadoop job; null before it starts", now [Hws];
    "hadoop" "jobTracker" (node: String) -> String, "the job tracker of an action's Hadoop job; null before it starts", now [Hws];
    "hadoop" "jobStatus" (node: String) -> String, "the status of an action's Hadoop job; null before it starts", now [Hws];
    "hadoop" "jobCounters" (node: String) -> Map, "the counters of an action's Hadoop job, by group and name; null before it starts", now [Hws];
    "hdfs" "exists" (fs: String, path: String) -> Bool, "is there a file or folder?", now [Hws];
    "hdfs" "isDir" (fs: String, path: String) -> Bool, "is it a folder?", now [Hws];
    "hdfs" "dirSize" (fs: String, path: String) -> Long, "bytes of the files directly in a folder; -1 when it is none", now [Hws];
    "hdfs" "fileSize" (fs: String, path: String) -> Long, "bytes of a file; -1 when it is none", now [Hws];
    "hdfs" "blockSize" (fs: String, path: String) -> Long, "the block size of a file; -1 when it is none", now [Hws];
    "action" "output" (node: String, key: String) -> String, "a value that an ssh or http action captured; null when there is none", now [Hws];
    "wf" "nodeStatus" (node: String) -> String, "in the specification's examples: `wf:exitState`", now [Hws];
    "wf" "callbackUrl" (state: String) -> String, "in the specification's prose: `wf:callback`", now [Hws];
    "hadoop" "counters" (node: String) -> Map, "in the specification's examples: `hadoop:jobCounters`", now [Hws];
    "hdfs" "size" (path: String) -> Long, "in the specification's examples: bytes of a file or folder", now [Hws];
};

/// Names that are accepted, with the names that the specification defines; `None`: for a function of other arguments.
pub const ALIASES: &[(&str, &str, Option<&str>)] = &[
    ("wf", "nodeStatus", Some("wf:exitState")),
    ("wf", "callbackUrl", Some("wf:callback")),
    ("hadoop", "counters", Some("hadoop:jobCounters")),
    ("hdfs", "size", None),
];

/// Functions of Oozie, with their counterparts here.
pub(super) const COUNTERPARTS: &[(&str, &str)] = &[
    ("wf:name", "wf:appName"),
    ("wf:lastErrorNode", "wf:errorNode"),
    ("wf:run", "wf:recovery"),
    ("wf:transition", "wf:exitState"),
    ("wf:user", "wf:conf('user.name')"),
    ("wf:actionData", "action:output"),
    ("wf:actionExternalId", "hadoop:jobId"),
    ("wf:actionTrackerUri", "hadoop:jobTracker"),
    ("wf:actionExternalStatus", "hadoop:jobStatus"),
    ("fs:exists", "hdfs:exists"),
    ("fs:isDir", "hdfs:isDir"),
    ("fs:dirSize", "hdfs:dirSize"),
    ("fs:fileSize", "hdfs:fileSize"),
    ("fs:blockSize", "hdfs:blockSize"),
];
