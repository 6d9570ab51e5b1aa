//! The functions of workflows and bundles.

use super::Phase::{BundleSubmit, Workflow};
use super::{Definition, functions};

#[rustfmt::skip]
pub(super) static FUNCTIONS: &[Definition] = functions! {
    "bundle" "conf" (name: String) -> String, "a property of the bundle's job; null when it is missing", now [BundleSubmit];
    "" "firstNotNull" (first: Any, second: Any) -> Any, "the first value that is not null", now [Workflow];
    "" "concat" (first: String, second: String) -> String, "both texts, one after the other", now [Workflow];
    "" "replaceAll" (text: String, regex: String, replacement: String) -> String, "the text with every match of a Java regular expression replaced", now [Workflow];
    "" "appendAll" (text: String, addition: String, separator: String) -> String, "the text with an addition behind each part; the separator is a regular expression", now [Workflow];
    "" "trim" (text: String) -> String, "the text without blanks around it", now [Workflow];
    "" "timestamp" () -> String, "the present time, to the minute", now [Workflow];
    "" "urlEncode" (text: String) -> String, "the text encoded for a URL's query", now [Workflow];
    "" "toJsonStr" (map: Map) -> String, "a map as JSON, escaped for XML", now [Workflow];
    "" "toPropertiesStr" (map: Map) -> String, "a map as Java properties, escaped for XML", now [Workflow];
    "" "toConfigurationStr" (map: Map) -> String, "a map as a Hadoop configuration, escaped for XML", now [Workflow];
    "wf" "id" () -> String, "the id of the job", now [Workflow];
    "wf" "name" () -> String, "the name of the application", now [Workflow];
    "wf" "appPath" () -> String, "the path of the application", now [Workflow];
    "wf" "conf" (name: String) -> String, "a property of the job; null when it is missing", now [Workflow];
    "wf" "user" () -> String, "the user of the job", now [Workflow];
    "wf" "group" () -> String, "the group of the job", now [Workflow];
    "wf" "callback" (status: String) -> String, "the URL at which the present action reports its end", now [Workflow];
    "wf" "transition" (node: String) -> String, "where a node went", now [Workflow];
    "wf" "lastErrorNode" () -> String, "the last node that ended in error; null when there is none", now [Workflow];
    "wf" "errorCode" (node: String) -> String, "the error code of a node; null when there is none", now [Workflow];
    "wf" "errorMessage" (node: String) -> String, "the error message of a node; null when there is none", now [Workflow];
    "wf" "run" () -> Int, "which run of the job it is, from 0", now [Workflow];
    "wf" "actionData" (node: String) -> Map, "the output that an action captured", now [Workflow];
    "wf" "actionExternalId" (node: String) -> String, "the id of an action's own job", now [Workflow];
    "wf" "actionTrackerUri" (node: String) -> String, "the address of the server that ran an action", now [Workflow];
    "wf" "actionExternalStatus" (node: String) -> String, "how an action's own job ended", now [Workflow];
    "hadoop" "counters" (node: String) -> Map, "the counters of a map-reduce action, by group and name", now [Workflow];
    "fs" "exists" (path: String) -> Bool, "is there a file or folder that matches?", now [Workflow];
    "fs" "isDir" (path: String) -> Bool, "is it a folder?", now [Workflow];
    "fs" "dirSize" (path: String) -> Long, "bytes of the files directly in a folder; -1 when it is none", now [Workflow];
    "fs" "fileSize" (path: String) -> Long, "bytes of a file; -1 when there is none", now [Workflow];
    "fs" "blockSize" (path: String) -> Long, "the block size of a file; -1 when there is none", now [Workflow];
    "hcat" "exists" (uri: String) -> Bool, "does the partition exist?", now [Workflow];
};
