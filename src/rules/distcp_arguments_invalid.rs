//! The arguments of a distcp action hold an option that DistCp does not have, or too few paths.
//!
//! DistCp takes the first word that is none of its options, and all behind it, for paths: a misspelt option becomes a source
//! that is not there. Its options have one dash, and each of those with a value has it in the next `arg`. What is left are
//! one source or more and the target.
//!
//! ```xml
//! <arg>-updat</arg> <arg>${source}</arg> <arg>${target}</arg>
//! <arg>-update</arg> <arg>${source}</arg> <arg>${target}</arg>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, closest};
use crate::model::action::{Details, Distcp};
use crate::source::Span;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "distcp-arguments-invalid",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("distcp_arguments_invalid.rs"),
    },
    check: Check::Workflow(check),
};

/// `DistCpOptionSwitch`, all releases together, and the options of every tool: those with a value.
const WITH_VALUE: &[&str] = &[
    "-D",
    "-archives",
    "-bandwidth",
    "-blocksperchunk",
    "-conf",
    "-copybuffersize",
    "-f",
    "-files",
    "-filelimit",
    "-filters",
    "-fs",
    "-jt",
    "-libjars",
    "-log",
    "-m",
    "-mapredSslConf",
    "-numListstatusThreads",
    "-sizelimit",
    "-strategy",
    "-tmp",
    "-tokenCacheFile",
];
/// Those with two.
const WITH_TWO: &[&str] = &["-diff", "-rdiff"];
/// Those without one.
const ALONE: &[&str] = &[
    "-append",
    "-async",
    "-atomic",
    "-delete",
    "-direct",
    "-i",
    "-overwrite",
    "-p",
    "-skipcrccheck",
    "-update",
    "-updateRoot",
    "-useiterator",
    "-v",
    "-xtrack",
];
/// What `-p` preserves.
const PRESERVED: &str = "rbugpcaxte";

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let Details::Distcp(distcp) = &action.details else { continue };
        if let Some((span, message, help)) = fault(app, distcp) {
            let finding = Diagnostic::new(&RULE.info, span, message).help(help);
            sink.push(actions::at_start(&app.flow, action, finding));
        }
    }
}

/// The first fault: where, what, and what to do.
fn fault(app: &Workflow<'_>, distcp: &Distcp) -> Option<(Span, String, String)> {
    let mut words = distcp.args.iter();
    let mut paths = 0;
    let mut is_listed = false;
    while let Some(written) = words.next() {
        // What cannot be known is a path most likely.
        let Some(word) = actions::known(app.values, written) else {
            paths += 1;
            continue;
        };
        let text = word.value.as_str();
        let name = text.split(['=', ' ']).next().unwrap_or_default();
        let single = name.strip_prefix("--").map(|name| format!("-{name}"));
        let name = single.as_deref().unwrap_or(name);
        let is_whole = name.len() == text.trim_start_matches("--").len() + usize::from(single.is_some())
            || single.is_none() && name.len() == text.len();
        is_listed |= name == "-f";
        if !text.starts_with('-') || text == "-" {
            paths += 1;
        } else if is_whole && WITH_VALUE.contains(&name) {
            words.next();
        } else if is_whole && WITH_TWO.contains(&name) {
            words.nth(1);
        } else if is_whole && (ALONE.contains(&name) || preserves(name))
            || text.starts_with("-D")
            // The parser takes `-m 20` for `-m` and its value, and no longer option so.
            || name.len() == 2 && WITH_VALUE.contains(&name)
            || WITH_VALUE.contains(&name) && text[name.len()..].starts_with('=')
        {
        } else if let Some(value) = text.split_once(' ').filter(|_| is_option(name)) {
            let message = format!("`{text}` is one argument, and DistCp knows no option of this name");
            let help = format!("write `<arg>{}</arg> <arg>{}</arg>`", value.0, value.1.trim());
            return Some((word.span, message, help));
        } else {
            let options = WITH_VALUE.iter().chain(WITH_TWO).chain(ALONE).copied();
            let help = match closest(name, options) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "remove it: DistCp takes it for a path".to_owned(),
            };
            return Some((word.span, format!("DistCp does not have an option `{name}`"), help));
        }
    }
    let needed = if is_listed { 1 } else { 2 };
    let first = distcp.args.first()?.trimmed().span;
    let last = distcp.args.last()?.trimmed().span;
    (paths < needed).then(|| {
        let message = match paths {
            0 => "DistCp gets options only, and no path",
            _ => "DistCp gets one path only, and needs a source and a target",
        };
        let place = if paths == 0 { first } else { last };
        (place, message.to_owned(), "add an `arg` for each path".to_owned())
    })
}

fn is_option(name: &str) -> bool {
    WITH_VALUE.contains(&name) || WITH_TWO.contains(&name) || ALONE.contains(&name)
}

/// `-p` with what is preserved behind it.
fn preserves(word: &str) -> bool {
    word.strip_prefix("-p").is_some_and(|kept| kept.chars().all(|letter| PRESERVED.contains(letter)))
}
