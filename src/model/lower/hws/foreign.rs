//! Elements that only the other dialect has at their place, with the word of this one.

use crate::model::workflow::Foreign;
use crate::xml::Element;

/// A word of another dialect, or of the specification's own prose: the parent (empty for any), the word, what to write.
type Word = (&'static str, &'static str, &'static str);

/// What Oozie has, and earlier or later drafts had, in the words of 2009.
const IN_HWS: &[Word] = &[
    ("hadoop-workflow", "action", "put the element of the action itself here, such as `<hadoop name=…>`"),
    ("hadoop-workflow", "kill", "use `fail`, which ends the job as FAILED"),
    ("hadoop-workflow", "parameters", "give defaults in `configuration.xml` beside the definition"),
    ("hadoop-workflow", "global", "give the properties in each action"),
    ("hadoop-workflow", "credentials", "this dialect has no credentials"),
    ("hadoop-workflow", "map-reduce", "use `hadoop`"),
    ("hadoop-workflow", "fs", "use `hdfs`"),
    ("decision", "switch", "use `eval`, `default` and `transition` directly in the decision"),
    ("decision", "case", "use `eval` with the name of a transition"),
    ("fork", "path", "use `<transition to=…/>` for each path"),
    ("", "ok", "use `<transition name=\"OK\" to=…/>`"),
    ("", "error", "use `<transition name=\"ERROR\" to=…/>`"),
    ("", "job-tracker", "use the property `mapred.job.tracker`"),
    ("", "resource-manager", "use the property `mapred.job.tracker`"),
    ("hdfs", "name-node", "use `file-system`"),
    ("", "name-node", "use the property `fs.default.name`"),
    ("hdfs", "delete", "put the command into `commands`"),
    ("hdfs", "mkdir", "put the command into `commands`"),
    ("hdfs", "move", "put the command into `commands`"),
    ("hadoop", "file", "name the file in `files` of `streaming`"),
    ("hadoop", "archive", "name the archive in `cacheArchives` of `streaming`"),
    ("pig", "host", "use `pig-host`"),
    ("pig", "script", "use `pig-script`"),
    ("pig", "params", "use `parameters`"),
    ("pig", "param", "put it into `parameters`"),
    ("ssh", "arg", "use `args`"),
    ("sub-workflow", "app-path", "name the application in `hadoop-workflow`"),
    (
        "sub-workflow",
        "propagate-configuration",
        "list the properties in `configuration`; a child inherits nothing",
    ),
    ("email", "body", "use `message`"),
    ("email", "cc", "name all recipients in `to`"),
    ("email", "bcc", "name all recipients in `to`"),
    ("property", "property", "use `value`"),
];

/// The words of 2009 in those of Oozie.
const IN_OOZIE: &[Word] = &[
    ("workflow-app", "fail", "use `kill`"),
    ("workflow-app", "hadoop", "use `map-reduce` within `action`"),
    ("workflow-app", "hdfs", "use `fs` within `action`"),
    ("workflow-app", "http", "no action of Oozie makes HTTP calls; `shell` can run a program that does"),
    ("workflow-app", "pig", "put it into an `action`"),
    ("workflow-app", "ssh", "put it into an `action`"),
    ("workflow-app", "sub-workflow", "put it into an `action`"),
    ("workflow-app", "email", "put it into an `action`"),
    ("decision", "eval", "use `switch` with `case`"),
    ("decision", "transition", "name the node in `to` of the case"),
    ("fork", "transition", "use `<path start=…/>`"),
    ("join", "transition", "name the node in `to` of the join"),
];

/// In a definition of 2009.
pub(super) fn in_hws(root: &Element) -> Vec<Foreign> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(parent) = open.pop() {
        for element in parent.elements() {
            match word(IN_HWS, parent, element) {
                // What is in there is of the other dialect as well.
                Some(foreign) => found.push(foreign),
                None => open.push(element),
            }
        }
    }
    found
}

/// In a workflow of Oozie: the nodes and their transitions alone, as what actions hold is theirs.
pub(in crate::model::lower) fn in_oozie(root: &Element) -> Vec<Foreign> {
    let mut found = Vec::new();
    for element in root.elements() {
        found.extend(word(IN_OOZIE, root, element));
        if matches!(element.name.local.as_str(), "decision" | "fork" | "join") {
            found.extend(element.elements().filter_map(|child| word(IN_OOZIE, element, child)));
        }
    }
    found
}

fn word(words: &[Word], parent: &Element, element: &Element) -> Option<Foreign> {
    let local = element.name.local.as_str();
    let (_, _, instead) = words
        .iter()
        .find(|(above, word, _)| *word == local && (above.is_empty() || parent.name.local == **above))?;
    Some(Foreign { tag_span: element.name_span, word: element.name.local.clone(), instead })
}
