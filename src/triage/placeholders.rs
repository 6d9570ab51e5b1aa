//! Values that a build fills in before anything is deployed (`${project.version}`, `@version@`, `{{ nn }}`): what is
//! said of them is one finding, not one for each.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::source::{FileId, Sources, Span};

/// Values that a build fills in.
pub static BUILD_PLACEHOLDER: Info = Info {
    name: "build-placeholder",
    group: Group::Meaning,
    severity: Severity::Warning,
    stage: None,
    mirrors: &[],
    explanation: "A definition holds values that a build fills in before it is deployed, as Maven's resource filters do \
        with `${project.version}`.\n\n\
        What stands there is not judged, and this is said once. Where `[check] placeholders` in ankus.toml names them, it \
        is worth knowing only; where names with dots in `src/main/resources` look like them, it is a warning, because a \
        server that gets such a name as it is fails: name them in ankus.toml (`ankus init` proposes them), or ask for \
        the property by `wf:conf('a.b')`.\n\n\
        ```toml\n[check]\nplaceholders = [\"project.*\", \"{{*}}\"]\n```",
};

/// A finding about more than this is not about one value.
const MOST_BYTES: usize = 1_000;

/// Where Maven and Gradle keep what they filter.
const FILTERED: &str = "src/main/resources/";

/// What a build fills in.
#[derive(Clone, Copy, Debug)]
pub struct Placeholders<'p> {
    /// Names with `*`, for `${name}` and `@name@`; else whole marks, such as `{{*}}`.
    pub patterns: &'p [String],
}

impl Placeholders<'_> {
    /// Makes one finding of all that concern values which a build fills in. `is_given` tells of the names that some
    /// parameter gives a value.
    pub fn gather(
        &self,
        sources: &Sources,
        findings: Vec<Diagnostic>,
        is_given: &dyn Fn(&str) -> bool,
    ) -> Vec<Diagnostic> {
        let mut marks: BTreeMap<FileId, Vec<Mark>> = BTreeMap::new();
        let (mut named, mut seen): (Option<Span>, Option<Span>) = (None, None);
        let mut prefixes: BTreeSet<String> = BTreeSet::new();
        let mut kept = Vec::with_capacity(findings.len());
        for finding in findings {
            let file = finding.span.file;
            let text = sources.text(file);
            let marks = marks.entry(file).or_insert_with(|| self.marks(text));
            let at = finding.span.range();
            let is_small = at.len() <= MOST_BYTES && finding.rule.group != Group::Xml;
            let touches =
                |mark: &&Mark| mark.range.start < at.end.max(at.start + 1) && at.start < mark.range.end;
            let mark = marks.iter().filter(|_| is_small).find(touches);
            let place = |mark: &Mark| Span::new(file, mark.range.clone());
            match mark {
                Some(mark) if mark.is_named => {
                    named.get_or_insert(place(mark));
                }
                Some(mark)
                    if is_filtered(&finding, sources.path(file), &mark.name) && !is_given(&mark.name) =>
                {
                    seen.get_or_insert(place(mark));
                    prefixes.extend(mark.name.split('.').next().map(|first| format!("\"{first}.*\"")));
                }
                _ => kept.push(finding),
            }
        }
        if let Some(place) = named {
            let patterns: Vec<String> = self.patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
            let message = format!("values that the build fills in are not judged: {}", patterns.join(", "));
            kept.push(Diagnostic::new(&BUILD_PLACEHOLDER, place, message).severity(Severity::Info));
        }
        if let Some(place) = seen {
            let message = "names with dots in `src/main/resources` look like values that a build fills in";
            let prefixes: Vec<String> = prefixes.into_iter().collect();
            let help = format!(
                "write `placeholders = [{}]` under `[check]` in ankus.toml, or ask for the property by `wf:conf`",
                prefixes.join(", ")
            );
            kept.push(Diagnostic::new(&BUILD_PLACEHOLDER, place, message).help(help));
        }
        kept
    }

    /// What may be filled in, in order.
    fn marks(&self, text: &str) -> Vec<Mark> {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
        let mut marks = Vec::new();
        for (open, close) in [("${", "}"), ("@", "@")] {
            for (at, _) in text.match_indices(open) {
                let start = at + open.len();
                let rest = &text[start..];
                let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
                if length == 0 || !rest[length..].starts_with(close) {
                    continue;
                }
                let name = rest[..length].to_owned();
                let is_named = self.patterns.iter().any(|pattern| fits(pattern, &name));
                if is_named || open == "${" {
                    marks.push(Mark { range: at..start + length + close.len(), name, is_named });
                }
            }
        }
        for (open, close) in self.patterns.iter().filter_map(|pattern| pattern.split_once('*')) {
            if open.is_empty() || close.is_empty() || open.chars().all(is_name) {
                continue;
            }
            for (at, _) in text.match_indices(open) {
                let Some(end) = text[at + open.len()..].find(close) else { break };
                let range = at..at + open.len() + end + close.len();
                marks.push(Mark { range, name: String::new(), is_named: true });
            }
        }
        marks
    }
}

/// Something that may be filled in.
#[derive(Debug)]
struct Mark {
    range: Range<usize>,
    name: String,
    /// A pattern names it.
    is_named: bool,
}

/// Whether a name that no server reads stands where builds put values in.
fn is_filtered(finding: &Diagnostic, path: &str, name: &str) -> bool {
    let path = path.replace('\\', "/");
    finding.rule.name == "el-variable-dotted"
        && name.contains('.')
        && (path.starts_with(FILTERED) || path.contains(&format!("/{FILTERED}")))
}

/// Whether a name fits a pattern in which `*` stands for any part.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The first parts of the names with dots that a text of a filtered folder asks for.
pub fn proposed(path: &str, text: &str) -> BTreeSet<String> {
    let path = path.replace('\\', "/");
    if !path.starts_with(FILTERED) && !path.contains(&format!("/{FILTERED}")) {
        return BTreeSet::new();
    }
    let marks = Placeholders { patterns: &[] }.marks(text);
    let dotted = marks.iter().filter_map(|mark| mark.name.split_once('.'));
    dotted.map(|(first, _)| format!("{first}.*")).filter(|name| name.len() > 2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_whole_names() {
        for (pattern, name, expected) in [
            ("project.*", "project.version", true),
            ("project.*", "projects", false),
            ("*.version", "project.version", true),
            ("a*b*c", "axxbyc", true),
            ("a*b*c", "axxcyb", false),
            ("env", "env", true),
            ("env", "env2", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn marks_are_seen_in_every_form() {
        let patterns = ["project.*".to_owned(), "{{*}}".to_owned()];
        let text = "a ${project.version} @project.name@ {{ nn }} ${other} b@c.d";
        let marks = Placeholders { patterns: &patterns }.marks(text);
        let named: Vec<_> =
            marks.iter().filter(|mark| mark.is_named).map(|mark| &text[mark.range.clone()]).collect();
        assert_eq!(named, ["${project.version}", "@project.name@", "{{ nn }}"]);
    }
}
