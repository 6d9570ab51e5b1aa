//! Elements of other namespaces: which schema declares them, and which namespace was meant where none does.

use super::files::SchemaFile;
use super::findings::{MISSING_NAMESPACE, UNKNOWN_NAMESPACE, VIOLATION};
use super::grammar::Grammar;
use super::model::Wildcard;
use super::relatives::numbers;
use super::types;
use super::walk::{Guess, Scope, Walk};
use super::words::{list, quoted};
use crate::diag::{Diagnostic, Edit, closest};
use crate::xml::Element;

/// The way out for what no stock schema declares.
const EXTENSION: &str = "use an action that Oozie has, or have the server name your schema in \
                         `oozie.service.SchemaService.wf.ext.schemas`";

/// How many faults an element has when it is taken for one of a schema, up to a number.
pub(super) type Trial<'a> = fn(&Walk<'a>, &'a Element, &'static SchemaFile, usize) -> usize;

impl<'a> Walk<'a> {
    /// An element that must be declared by the schema of its own namespace.
    pub(super) fn foreign(&mut self, element: &'a Element) {
        let (namespace, local) = (element.name.namespace.as_str(), element.name.local.as_str());
        let grammar = self.selection().file(namespace).map(Grammar::of);
        if let Some((grammar, index)) = grammar.and_then(|one| Some((one, one.elements.get(local)?))) {
            let scope = Scope { grammar, entered: element, declared: true, alias: None };
            return self.later(element, &grammar.types[*index], scope);
        }
        if let Some((its_type, grammar)) = types::of_undeclared(self.document, element) {
            let scope = Scope { grammar, entered: element, declared: false, alias: None };
            return self.later(element, its_type, scope);
        }
        let Some(grammar) = grammar else {
            return self.unknown_namespace(element);
        };
        let names = || grammar.elements.keys().map(String::as_str);
        match closest(local, names()) {
            Some(name) => {
                self.misspelt(element, name);
                let scope = Scope { grammar, entered: element, declared: true, alias: None };
                self.later(element, &grammar.types[grammar.elements[name]], scope);
            }
            None => {
                let known: Vec<String> = names().map(quoted).collect();
                let message = format!("{} is no element of {}", quoted(local), quoted(namespace));
                let finding = Diagnostic::new(&VIOLATION, element.name_span, message);
                self.tell(finding.help(format!("use {}", list(&known, "or"))));
            }
        }
    }

    /// An element whose namespace has no schema.
    pub(super) fn unknown_namespace(&mut self, element: &'a Element) {
        let finding = self.without_schema(element);
        self.guess(element, finding, None);
    }

    /// Says that an element's namespace has no schema.
    pub(super) fn without_schema(&self, element: &Element) -> Diagnostic {
        let namespace = element.name.namespace.as_str();
        if namespace.is_empty() {
            let message = format!("{} has no namespace", quoted(&element.name.local));
            return Diagnostic::new(&MISSING_NAMESPACE, element.name_span, message);
        }
        let message = match self.selection().later(namespace) {
            Some(file) => {
                format!("the namespace {} came with Oozie {}", quoted(namespace), file.since())
            }
            None => format!("no schema of this version has the namespace {}", quoted(namespace)),
        };
        let finding = Diagnostic::new(&UNKNOWN_NAMESPACE, element.name_span, message);
        match &element.declaration {
            Some(declaration) => finding.label(declaration.value, "named here"),
            None => finding,
        }
    }

    /// Walks an element as if its namespace were another.
    pub(super) fn assumed(&mut self, element: &'a Element, file: &'static SchemaFile) {
        let grammar = Grammar::of(file);
        let alias = Some((element.name.namespace.as_str(), file.namespace));
        match grammar.elements.get(element.name.local.as_str()) {
            Some(index) => {
                self.later(
                    element,
                    &grammar.types[*index],
                    Scope { grammar, entered: element, declared: true, alias },
                );
            }
            None => self.tell(Diagnostic::new(&VIOLATION, element.name_span, "no such element")),
        }
    }
}

/// Reports that an element has the wrong namespace, with the one that it should have when that can be said, and goes on as
/// if it had it.
pub(super) fn guess<'a>(walk: &mut Walk<'a>, guess: Guess<'a>, trial: Trial<'a>) {
    let Guess { element, finding, wildcard } = guess;
    let local = element.name.local.as_str();
    let found = element.name.namespace.as_str();
    let (family, version) = found.rsplit_once(':').map_or(("", found), |(f, v)| (f, v));
    let declares = |file: &&'static SchemaFile| match wildcard {
        Some(wildcard) => has_own_schema(file, wildcard, local),
        None => Grammar::of(file).elements.contains_key(local),
    };
    // Newest first; but of a version that does not exist, first those below it.
    let mut candidates: Vec<_> = walk.selection().files().filter(declares).collect();
    candidates.reverse();
    if file_family(&candidates, family) {
        let wanted = numbers(version);
        candidates.retain(|file| file.family.trim_end_matches(':') == family);
        candidates.sort_by_key(|file| numbers(file.version) > wanted);
    } else if let Some(near) = closest(found, candidates.iter().map(|file| file.namespace)) {
        candidates.sort_by_key(|file| file.namespace != near);
    }
    if walk.trial || candidates.is_empty() {
        let near = closest(found, walk.selection().files().map(|file| file.namespace));
        return walk.tell(match near {
            Some(near) if !found.is_empty() => finding.help(format!("did you mean {}?", quoted(near))),
            None if !walk.trial => finding.help(EXTENSION),
            _ => finding,
        });
    }
    let (faults, file) = best(walk, element, &candidates, trial);
    let mut finding = match (file.namespace, &element.declaration) {
        ("", Some(declared)) if !declared.prefixed => {
            let edit = Edit { span: declared.span, text: String::new() };
            let finding = finding.help("remove the namespace: this dialect has none");
            if faults == 0 { finding.fix(false, vec![edit]) } else { finding }
        }
        ("", _) => finding.help("remove the namespace: this dialect has none"),
        (namespace, _) => finding.help(format!("name the namespace {}", quoted(namespace))),
    };
    if !file.namespace.is_empty()
        && let Some(edit) = walk.rename_namespace(element, file.namespace).filter(|_| faults == 0)
    {
        finding = finding.fix(false, vec![edit]);
    }
    walk.tell(finding);
    walk.assumed(element, file);
}

/// The first schema by which an element has the fewest faults, and how many.
fn best<'a>(
    walk: &Walk<'a>,
    element: &'a Element,
    files: &[&'static SchemaFile],
    trial: Trial<'a>,
) -> (usize, &'static SchemaFile) {
    let mut best = (usize::MAX, files[0]);
    for file in files {
        let faults = trial(walk, element, file, best.0);
        if faults < best.0 {
            best = (faults, file);
        }
        if faults == 0 {
            break;
        }
    }
    best
}

/// Is one of the candidates of this family.
fn file_family(candidates: &[&'static SchemaFile], family: &str) -> bool {
    candidates.iter().any(|file| file.family.trim_end_matches(':') == family)
}

/// Is there an element of this name in the schema, and would the wildcard take it.
pub(super) fn has_own_schema(file: &'static SchemaFile, wildcard: &Wildcard, local: &str) -> bool {
    let action = matches!(wildcard, Wildcard::OneOf(_)) || file.family.ends_with("-action:");
    action && wildcard.takes(file.namespace) && Grammar::of(file).elements.contains_key(local)
}
