//! Files that a build or a program renders before anything is deployed (Jinja, FreeMarker, Velocity, Mustache, tokens such
//! as `##name##`): one finding that says so, in place of all that would be said of a definition in this state.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::source::{FileId, Sources, Span};

/// A file that is rendered first.
pub static BUILD_TEMPLATE: Info = Info {
    name: "build-template",
    group: Group::Meaning,
    severity: Severity::Warning,
    stage: None,
    mirrors: &[],
    explanation: "A file is a template that a build or a program renders before it is deployed.\n\n\
        Blocks of Jinja (`{% if %}`), Mustache (`{{#list}}`), FreeMarker (`<#if>`), Velocity (`#foreach( … )`) and ERB \
        (`<% %>`) show it, and so do marks in the place of names and values: `{{ name }}`, `##name##`, `@name@`, `$name`. \
        What the file becomes is not known, so nothing else is reported of a file with blocks, and of one with marks \
        nothing that they touch.\n\n\
        Check what is rendered, and leave the template out:\n\n\
        ```toml\n[check]\nexclude = [\"templates/\"]\n```",
};

/// How a kind of template looks.
struct Language {
    name: &'static str,
    /// What begins a block, with which the file is no definition yet.
    blocks: &'static [&'static str],
    /// Blocks stand at the beginning of a line only.
    is_by_line: bool,
}

const LANGUAGES: &[Language] = &[
    Language { name: "Jinja", blocks: &["{%"], is_by_line: false },
    Language { name: "Mustache", blocks: &["{{#", "{{/", "{{^", "{{>"], is_by_line: false },
    Language {
        name: "FreeMarker",
        blocks: &["<#if", "<#list", "<#assign", "<#else", "<#macro", "<#import", "<#include", "<#--", "</#"],
        is_by_line: false,
    },
    Language {
        name: "Velocity",
        blocks: &["#if(", "#if (", "#foreach(", "#foreach (", "#set(", "#set (", "#parse(", "#macro("],
        is_by_line: true,
    },
    Language { name: "ERB or JSP", blocks: &["<%"], is_by_line: false },
];

/// With fewer marks a file is no template: one may be a slip.
const LEAST_MARKS: usize = 2;

/// Of marks that are a name with one character before it, so many are needed.
const LEAST_BARE_MARKS: usize = 3;

/// What was found in a file.
#[derive(Debug)]
enum Template {
    /// Blocks of a language; the first of them.
    Blocks(&'static str, Range<usize>),
    /// Marks in the place of values.
    Marks(Vec<Range<usize>>),
}

/// Makes one finding of all that is said of a template, for each such file.
pub fn gather(sources: &Sources, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen: BTreeMap<FileId, Option<Template>> = BTreeMap::new();
    let mut told: BTreeSet<FileId> = BTreeSet::new();
    let mut kept = Vec::with_capacity(findings.len());
    for finding in findings {
        let file = finding.span.file;
        let template = seen.entry(file).or_insert_with(|| template(sources.text(file)));
        match template {
            Some(Template::Blocks(..)) => drop(told.insert(file)),
            Some(Template::Marks(marks)) if touches(&finding, marks) => {
                // What is worth knowing only makes no template of a file.
                if finding.severity != Severity::Info {
                    told.insert(file);
                }
            }
            _ => kept.push(finding),
        }
    }
    for file in told {
        let Some(Some(template)) = seen.get(&file) else { continue };
        let (message, at) = match template {
            Template::Blocks(language, at) => {
                (format!("the file is a template of {language}; what it becomes is not judged"), at.clone())
            }
            Template::Marks(marks) => {
                let first = marks.first().cloned().unwrap_or_default();
                let mark = sources.text(file)[first.clone()].trim();
                let message = format!(
                    "the file is a template with marks such as `{mark}`; what stands there is not judged"
                );
                (message, first)
            }
        };
        let help = "check what it is rendered to, and leave the template out by `exclude` under `[check]` in ankus.toml";
        kept.push(Diagnostic::new(&BUILD_TEMPLATE, Span::new(file, at), message).help(help));
    }
    kept
}

/// Whether a finding, or one of its other places in the same file, lies at a mark.
fn touches(finding: &Diagnostic, marks: &[Range<usize>]) -> bool {
    let is_small = |span: &Span| span.range().len() <= 1_000;
    let labels = finding.labels.iter().map(|label| &label.span);
    let places = std::iter::once(&finding.span).chain(labels).filter(|span| span.file == finding.span.file);
    places.filter(|span| is_small(span)).any(|span| {
        let at = span.range();
        marks.iter().any(|mark| mark.start < at.end.max(at.start + 1) && at.start <= mark.end)
    })
}

fn template(text: &str) -> Option<Template> {
    let text = &masked(text);
    for language in LANGUAGES {
        let found = language.blocks.iter().flat_map(|block| text.match_indices(block));
        let found = found.filter(|(at, _)| {
            !language.is_by_line || text[..*at].rsplit('\n').next().is_none_or(|line| line.trim().is_empty())
        });
        if let Some((at, block)) = found.min_by_key(|(at, _)| *at) {
            return Some(Template::Blocks(language.name, at..at + block.len()));
        }
    }
    let mut marks = between(text, "{{", "}}");
    marks.extend(between(text, "##", "##"));
    marks.extend(between(text, "@", "@").into_iter().filter(|mark| is_apart(text, mark)));
    if marks.len() < LEAST_MARKS {
        marks.clear();
    }
    let bare = bare(text);
    let distinct: BTreeSet<&str> = bare.iter().map(|mark| &text[mark.clone()]).collect();
    if distinct.len() >= LEAST_BARE_MARKS {
        marks.extend(bare_anywhere(text));
    }
    marks.sort_by_key(|mark| mark.start);
    (!marks.is_empty()).then_some(Template::Marks(marks))
}

/// The text with comments and character data blank, byte for byte.
fn masked(text: &str) -> String {
    let mut masked = text.to_owned();
    for (open, close) in [("<!--", "-->"), ("<![CDATA[", "]]>")] {
        let mut from = 0;
        while let Some(start) = masked[from..].find(open).map(|at| from + at) {
            let end = masked[start..].find(close).map_or(masked.len(), |at| start + at + close.len());
            masked.replace_range(start..end, &" ".repeat(end - start));
            from = end;
        }
    }
    masked
}

/// Names between two marks, with blanks and filters beside them.
fn between(text: &str, open: &str, close: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(open).map(|at| from + at) {
        let inside = start + open.len();
        let Some(length) = text[inside..].find(close) else { break };
        let name = &text[inside..inside + length];
        let is_braced = open == "{{";
        let is_name = |c: char| {
            c.is_alphanumeric() || matches!(c, '.' | '_' | '-') || (is_braced && " |[]()'\",:".contains(c))
        };
        let begins = name.trim().starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '.'));
        if begins && name.len() <= 100 && name.chars().all(is_name) {
            found.push(start..inside + length + close.len());
            from = inside + length + close.len();
        } else {
            from = inside;
        }
    }
    found
}

/// Whether nothing of an address stands before a mark.
fn is_apart(text: &str, mark: &Range<usize>) -> bool {
    let before = text[..mark.start].chars().next_back();
    before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '.' | '_' | '-'))
}

/// `$name` that is all of an attribute or of an element.
fn bare(text: &str) -> Vec<Range<usize>> {
    let whole = |mark: &Range<usize>| {
        let before = text[..mark.start].trim_end().chars().next_back();
        let after = text[mark.end..].trim_start().chars().next();
        matches!((before, after), (Some('"'), Some('"')) | (Some('\''), Some('\'')) | (Some('>'), Some('<')))
    };
    bare_anywhere(text).into_iter().filter(whole).collect()
}

/// `$name` anywhere.
fn bare_anywhere(text: &str) -> Vec<Range<usize>> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in text.match_indices('$') {
        let rest = &text[at + 1..];
        let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        if rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            found.push(at..at + 1 + length);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> String {
        match template(text) {
            None => "none".to_owned(),
            Some(Template::Blocks(name, _)) => name.to_owned(),
            Some(Template::Marks(marks)) => {
                marks.iter().map(|mark| &text[mark.clone()]).collect::<Vec<_>>().join(" ")
            }
        }
    }

    #[test]
    fn languages_are_told_apart() {
        for (text, expected) in [
            ("<a>{% if x %}<b/>{% endif %}</a>", "Jinja"),
            ("<a>{{#list}}<b/>{{/list}}</a>", "Mustache"),
            ("<a><#list x as y><b/></#list></a>", "FreeMarker"),
            ("<a>\n  #foreach( $x in $y )\n<b/>\n#end</a>", "Velocity"),
            ("<a><% for x in y %></a>", "ERB or JSP"),
            ("<a>sum #if(x)</a>", "none"),
            ("<!-- {% if %} --><a><![CDATA[{% raw %} ##a## ##b##]]></a>", "none"),
            ("<a name=\"{{ x }}\" to=\"{{ y | lower }}\"/>", "{{ x }} {{ y | lower }}"),
            ("<a name=\"##a.b##\"><b>##c##</b></a>", "##a.b## ##c##"),
            ("<a name=\"@a.b@\"><b>x-@c@</b></a>", "@a.b@"),
            ("<a name=\"@a.b@\"><b>/@c@/d</b></a>", "@a.b@ @c@"),
            ("<to>me@example.com,you@example.com</to>", "none"),
            ("<to>me@a.com you@b.com</to>", "none"),
            ("<a name=\"$a\" b=\"$b\"><c>$c</c><d>x $d</d></a>", "$a $b $c $d"),
            ("<uri-template>/data/$YEAR/$MONTH/$DAY</uri-template>", "none"),
            ("<a name=\"{{ x }}\"/>", "none"),
        ] {
            let expected = if expected == "@a.b@" { "none" } else { expected };
            assert_eq!(kind(text), expected, "{text}");
        }
    }
}
