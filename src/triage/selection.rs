//! The choice of rules: which are on, and how grave their findings are.

use crate::diag::{Diagnostic, Severity, closest};

/// Names one rule, all rules whose names begin with the same words, or all rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    text: String,
    /// It is a rule's whole name.
    is_rule: bool,
}

/// The selector of all rules.
const ALL: &str = "all";

impl Selector {
    /// Understands a selector among the names of all rules: `all`, `fork-without-join`, or `fork` for all that begin
    /// with `fork-`. Else says why not.
    pub fn parse(text: &str, names: &[&str]) -> Result<Selector, String> {
        let text = text.trim();
        let text = text.strip_suffix("-*").unwrap_or(text);
        let is_rule = names.contains(&text);
        if is_rule || text == ALL || names.iter().any(|name| begins_with(name, text)) {
            return Ok(Selector { text: text.to_owned(), is_rule });
        }
        Err(match closest(text, names.iter().copied()) {
            Some(near) => format!("no rule is named `{text}`; did you mean `{near}`?"),
            None => format!("no rule is named `{text}` or begins so; `ankus rules` lists them"),
        })
    }

    /// How exactly it names a rule: the longer the more; none when it does not.
    fn exactness(&self, rule: &str) -> Option<usize> {
        match (self.is_rule, self.text.as_str()) {
            (_, text) if text == rule => Some(usize::MAX),
            (_, ALL) => Some(0),
            (false, text) if begins_with(rule, text) => Some(text.len()),
            _ => None,
        }
    }
}

fn begins_with(rule: &str, words: &str) -> bool {
    !words.is_empty() && rule.strip_prefix(words).is_some_and(|rest| rest.starts_with('-'))
}

/// What the findings of a rule are to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Of this severity.
    Severity(Severity),
    /// Left out.
    Off,
}

impl Level {
    /// The words that name a level.
    pub const NAMES: [&str; 4] = ["error", "warning", "info", "off"];

    /// The level of this name.
    pub fn from_name(name: &str) -> Option<Level> {
        let severities = [Severity::Error, Severity::Warning, Severity::Info];
        let severity = severities.into_iter().find(|severity| severity.name() == name);
        severity.map(Level::Severity).or((name == "off").then_some(Level::Off))
    }
}

/// One place that chooses rules: the configuration, one for some paths, the command line. Later layers win.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// Only these; none leaves the choice as it was.
    pub select: Option<Vec<Selector>>,
    /// Not these.
    pub ignore: Vec<Selector>,
    /// How grave the findings of some are.
    pub severity: Vec<(Selector, Level)>,
}

/// What the layers make of one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Choice {
    is_on: bool,
    level: Option<Level>,
}

impl Layer {
    fn apply(&self, rule: &str, choice: &mut Choice) {
        let exactness = |list: &[Selector]| list.iter().filter_map(|selector| selector.exactness(rule)).max();
        let selected = self.select.as_deref().and_then(exactness);
        match (selected, exactness(&self.ignore)) {
            // The more exact one wins; of equals, the one that leaves out.
            (Some(selected), Some(ignored)) => choice.is_on = selected > ignored,
            (Some(_), None) => choice.is_on = true,
            (None, Some(_)) => choice.is_on = false,
            (None, None) => choice.is_on &= self.select.is_none(),
        }
        if selected.is_some() && choice.level == Some(Level::Off) {
            choice.level = None;
        }
        let level =
            self.severity.iter().rev().filter_map(|(selector, level)| {
                selector.exactness(rule).map(|exactness| (exactness, *level))
            });
        // Of equals the last one, which `rev` puts first, wins.
        if let Some((_, level)) = level.reduce(|best, next| if next.0 > best.0 { next } else { best }) {
            choice.level = Some(level);
        }
    }
}

/// Whether a rule is on after all layers.
pub fn is_on<'a>(rule: &str, layers: impl IntoIterator<Item = &'a Layer>) -> bool {
    let choice = choose(rule, layers);
    choice.is_on && choice.level != Some(Level::Off)
}

/// Gives a finding the severity that the layers ask for; none when they leave it out.
///
/// Where a rule speaks more mildly than usual (`must be supplied` instead of an error), it is never made graver by
/// this: the level says how grave the rule's usual findings are.
pub fn judge<'a>(finding: Diagnostic, layers: impl IntoIterator<Item = &'a Layer>) -> Option<Diagnostic> {
    let choice = choose(finding.rule.name, layers);
    match choice.level {
        _ if !choice.is_on => None,
        None => Some(finding),
        Some(Level::Off) => None,
        Some(Level::Severity(severity)) => {
            let is_mild = finding.severity > finding.rule.severity;
            let severity = if is_mild { severity.max(finding.severity) } else { severity };
            Some(finding.severity(severity))
        }
    }
}

fn choose<'a>(rule: &str, layers: impl IntoIterator<Item = &'a Layer>) -> Choice {
    let mut choice = Choice { is_on: true, level: None };
    if !super::is_always_told(rule) {
        for layer in layers {
            layer.apply(rule, &mut choice);
        }
    }
    choice
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Group;

    const NAMES: &[&str] = &["el-syntax", "el-function-unknown", "fork-many-joins", "internal-error"];

    fn selectors(list: &[&str]) -> Vec<Selector> {
        list.iter().map(|text| Selector::parse(text, NAMES).expect("it is known")).collect()
    }

    #[test]
    fn unknown_names_are_refused_with_the_nearest() {
        let fault = |text| Selector::parse(text, NAMES).expect_err("it is unknown");
        assert!(fault("fork-mny-joins").ends_with("did you mean `fork-many-joins`?"));
        assert!(fault("elephant").contains("`elephant`"));
        assert!(fault("el-").contains("`el-`"));
        assert!(fault("").contains("``"));
    }

    #[test]
    fn the_more_exact_and_the_later_win() {
        let check = |layers: &[(Option<&[&str]>, &[&str])], expected: &[&str]| {
            let layers: Vec<_> = layers
                .iter()
                .map(|(select, ignore)| Layer {
                    select: select.map(selectors),
                    ignore: selectors(ignore),
                    severity: Vec::new(),
                })
                .collect();
            let on: Vec<_> = NAMES.iter().copied().filter(|name| is_on(name, &layers)).collect();
            assert_eq!(on, expected, "{layers:?}");
        };
        check(&[], NAMES);
        check(&[(None, &["el"])], &["fork-many-joins", "internal-error"]);
        check(&[(None, &["el-*"])], &["fork-many-joins", "internal-error"]);
        check(&[(Some(&["el-syntax"]), &["el"])], &["el-syntax", "internal-error"]);
        check(&[(Some(&["el"]), &["el-syntax"])], &["el-function-unknown", "internal-error"]);
        check(&[(Some(&["all"]), &["all"])], &["internal-error"]);
        check(&[(None, &["all"]), (Some(&["el-syntax"]), &[])], &["el-syntax", "internal-error"]);
        check(&[(Some(&["el"]), &[]), (None, &["el-syntax"])], &["el-function-unknown", "internal-error"]);
    }

    #[test]
    fn levels_are_those_of_usual_findings() {
        static INFO: crate::diag::Info = crate::diag::Info {
            name: "el-syntax",
            group: Group::Expression,
            severity: Severity::Error,
            stage: None,
            mirrors: &[],
            explanation: "",
        };
        let span = crate::source::Span::new(crate::source::Sources::new().add("a", ""), 0..0);
        let finding = Diagnostic::new(&INFO, span, "x");
        let layer = |list: &[(&str, &str)]| Layer {
            severity: list
                .iter()
                .map(|(selector, level)| {
                    (selectors(&[selector]).remove(0), Level::from_name(level).expect("a level"))
                })
                .collect(),
            ..Layer::default()
        };
        let said = |finding: &Diagnostic, layers: &[Layer]| {
            judge(finding.clone(), layers).map(|finding| finding.severity)
        };
        assert_eq!(
            said(&finding, &[layer(&[("el", "info"), ("el-syntax", "warning"), ("all", "off")])]),
            Some(Severity::Warning)
        );
        assert_eq!(said(&finding, &[layer(&[("el", "off")])]), None);
        assert_eq!(
            said(&finding, &[layer(&[("el", "off")]), layer(&[("el", "info")])]),
            Some(Severity::Info)
        );
        let mild = finding.severity(Severity::Info);
        assert_eq!(said(&mild, &[layer(&[("el", "warning")])]), Some(Severity::Info));
        let back = Layer { select: Some(selectors(&["el-syntax"])), ..Layer::default() };
        assert_eq!(said(&mild, &[layer(&[("el", "off")]), back]), Some(Severity::Info));
    }
}
