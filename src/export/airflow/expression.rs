//! Oozie's expressions as Jinja and as Python. What depends on the run becomes code over the run; properties become
//! parameters of the DAG; what has no counterpart is told, never guessed.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::losses::{ERROR_TEXT, EXPRESSION, LossKind};
use super::python::{Expr, jinja_string, jinja_text, string};
use crate::analysis::parameters::JobConf;
use crate::el::{self, Binary, NodeId, NodeKind, Part, Template, Unary};
use crate::model::functions::{self, ConstantValue, Phase};
use crate::source::Text;

/// The language of a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// Inside of `{{ }}`.
    Jinja,
    /// In the body of a function with `params` and `ti`.
    Python,
}

/// What a piece of code gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Long,
    Bool,
    Null,
    Map,
}

/// Code with what it gives.
#[derive(Clone, Debug)]
struct Piece {
    code: String,
    kind: Kind,
    /// Whether operators around it need parentheses.
    is_compound: bool,
    /// Whether it is texts put together.
    is_sum: bool,
}

/// Why an expression has no counterpart.
#[derive(Clone, Debug)]
pub(super) struct Unsupported {
    /// The kind of loss.
    pub(super) kind: &'static LossKind,
    /// What is missing.
    pub(super) what: String,
}

impl Unsupported {
    fn new(what: impl Into<String>) -> Unsupported {
        Unsupported { kind: &EXPRESSION, what: what.into() }
    }
}

/// What the expressions of a workflow see.
pub(super) struct Scope<'c> {
    /// The configuration.
    pub(super) conf: &'c JobConf,
    /// The name of the workflow.
    pub(super) workflow: &'c str,
    /// The names of properties whose value is a secret.
    pub(super) secrets: &'c BTreeSet<String>,
    /// The task of each node that hands over what it printed.
    pub(super) captured: &'c BTreeMap<String, String>,
    /// The parameters that code uses.
    pub(super) used: RefCell<BTreeSet<String>>,
    /// The secrets that code uses.
    pub(super) used_secrets: RefCell<BTreeSet<String>>,
}

/// A part of a text.
#[derive(Clone, Debug)]
pub(super) enum Chunk {
    /// Text.
    Literal(String),
    /// Code that gives text.
    Code(String),
}

/// Sums of texts that are longer become lists, which can be laid out.
const SHORT: usize = 40;

/// Names that are methods of a dictionary, which Jinja finds first.
const METHODS: &[&str] = &[
    "keys",
    "values",
    "items",
    "get",
    "pop",
    "update",
    "copy",
    "clear",
    "setdefault",
    "popitem",
    "fromkeys",
];

impl Scope<'_> {
    /// The parts of a text; what has no counterpart stays as it was written.
    pub(super) fn chunks(&self, text: &Text, language: Language) -> (Vec<Chunk>, Vec<Unsupported>) {
        let (template, _) = el::parse_for(text, self.conf.engine());
        if template.broken.is_some() {
            let missing = Unsupported::new(text.value.clone());
            return (vec![Chunk::Literal(text.value.clone())], vec![missing]);
        }
        let (mut chunks, mut missing) = (Vec::new(), Vec::new());
        for part in &template.parts {
            match part {
                Part::Literal { value, .. } => chunks.push(Chunk::Literal(value.clone())),
                Part::Expression { root, range, .. } => match self.piece(&template, *root, language) {
                    Ok(piece) => chunks.push(Chunk::Code(as_text(&piece, language))),
                    Err(fault) => {
                        chunks.push(Chunk::Literal(match fault.kind.name == ERROR_TEXT.name {
                            true => "see the log of the failed task".to_owned(),
                            false => text.value[range.clone()].to_owned(),
                        }));
                        missing.push(fault);
                    }
                },
            }
        }
        (chunks, missing)
    }

    /// A text as a Jinja template.
    pub(super) fn jinja(&self, text: &Text) -> (String, Vec<Unsupported>) {
        let (chunks, missing) = self.chunks(text, Language::Jinja);
        let mut out = String::new();
        for chunk in chunks {
            match chunk {
                Chunk::Literal(text) => out.push_str(&jinja_text(&text)),
                Chunk::Code(code) => out.push_str(&format!("{{{{ {code} }}}}")),
            }
        }
        (out, missing)
    }

    /// The parts of a text, each an expression of Python.
    fn python_parts(&self, text: &Text) -> (Vec<String>, Vec<Unsupported>) {
        let (chunks, missing) = self.chunks(text, Language::Python);
        let (mut parts, mut literal) = (Vec::new(), String::new());
        for chunk in chunks {
            match chunk {
                Chunk::Literal(text) => literal.push_str(&text),
                Chunk::Code(code) => {
                    if !literal.is_empty() {
                        parts.push(string(&std::mem::take(&mut literal)));
                    }
                    parts.push(code);
                }
            }
        }
        if !literal.is_empty() || parts.is_empty() {
            parts.push(string(&literal));
        }
        (parts, missing)
    }

    /// A text as an expression of Python on one line.
    fn python(&self, text: &Text) -> (String, Vec<Unsupported>) {
        let (parts, missing) = self.python_parts(text);
        (parts.join(" + "), missing)
    }

    /// A text as an expression of Python that can be laid out.
    pub(super) fn python_expr(&self, text: &Text) -> (Expr, Vec<Unsupported>) {
        let (parts, missing) = self.python_parts(text);
        let flat = parts.join(" + ");
        let is_short = parts.len() < 2 || flat.chars().count() <= SHORT;
        let list = || Expr::List(parts.iter().cloned().map(Expr::Code).collect());
        let joined = || Expr::Call("\"\".join".to_owned(), vec![(None, list())]);
        (if is_short { Expr::Code(flat) } else { joined() }, missing)
    }

    /// A predicate as a condition of Python: true where its text is `true`.
    pub(super) fn condition(&self, text: &Text) -> Result<String, Unsupported> {
        let (template, _) = el::parse_for(text, self.conf.engine());
        let one = match template.parts.as_slice() {
            _ if template.broken.is_some() => return Err(Unsupported::new(text.value.clone())),
            [Part::Expression { root, .. }] => Some(*root),
            _ => None,
        };
        if let Some(root) = one {
            let piece = self.piece(&template, root, Language::Python)?;
            return Ok(match piece.kind {
                Kind::Bool => piece.code,
                _ => format!("{} == \"true\"", closed(&piece)),
            });
        }
        match self.python(text) {
            (code, missing) if missing.is_empty() => {
                let is_literal = !template.has_expressions();
                Ok(match is_literal {
                    true => if code == "\"true\"" { "True" } else { "False" }.to_owned(),
                    false => format!("{code} == \"true\""),
                })
            }
            (_, mut missing) => Err(missing.remove(0)),
        }
    }

    fn parameter(&self, name: &str, language: Language) -> Piece {
        if self.secrets.contains(name) {
            self.used_secrets.borrow_mut().insert(name.to_owned());
            let variable = variable_of(name);
            let code = match language {
                Language::Jinja => format!("var.value.{variable}"),
                Language::Python => format!("Variable.get({})", string(&variable)),
            };
            return Piece { code, kind: Kind::Text, is_compound: false, is_sum: false };
        }
        self.used.borrow_mut().insert(name.to_owned());
        let code = match language {
            Language::Jinja if is_attribute(name) => format!("params.{name}"),
            Language::Jinja => format!("params[{}]", jinja_string(name)),
            Language::Python => format!("params[{}]", string(name)),
        };
        Piece { code, kind: Kind::Text, is_compound: false, is_sum: false }
    }

    /// The code of a node. Children come before their parents, so that no depth is a danger.
    fn piece(&self, template: &Template, root: NodeId, language: Language) -> Result<Piece, Unsupported> {
        let end = root.0 as usize;
        let start = end + 1 - template.node(root).size as usize;
        let mut pieces: Vec<Result<Piece, Unsupported>> = Vec::with_capacity(end + 1 - start);
        for index in start..=end {
            let made = {
                let get = |id: &NodeId| pieces[id.0 as usize - start].clone();
                self.node(template, NodeId(index as u32), &get, language)
            };
            // Code of a node is part of its parent's: without a limit a hostile text could grow and grow.
            let made = made.and_then(|piece| match piece.code.len() {
                0..=20_000 => Ok(piece),
                _ => Err(Unsupported::new("an expression that is very long")),
            });
            pieces.push(made);
        }
        pieces.pop().unwrap_or_else(|| Err(Unsupported::new("nothing")))
    }

    fn node(
        &self,
        template: &Template,
        id: NodeId,
        get: &dyn Fn(&NodeId) -> Result<Piece, Unsupported>,
        language: Language,
    ) -> Result<Piece, Unsupported> {
        let simple = |code: String, kind| Ok(Piece { code, kind, is_compound: false, is_sum: false });
        let compound = |code: String, kind| Ok(Piece { code, kind, is_compound: true, is_sum: false });
        let quoted = |text: &str| match language {
            Language::Jinja => jinja_string(text),
            Language::Python => string(text),
        };
        match &template.node(id).kind {
            NodeKind::Null => simple("None".to_owned(), Kind::Null),
            NodeKind::Bool(value) => simple(if *value { "True" } else { "False" }.to_owned(), Kind::Bool),
            NodeKind::Long(number) => simple(number.to_string(), Kind::Long),
            NodeKind::TooLong(_) | NodeKind::Double(_) => Err(Unsupported::new("a number with a fraction")),
            NodeKind::String(text) => simple(quoted(text), Kind::Text),
            NodeKind::Variable(name) => {
                if self.conf.contains(name) || self.secrets.contains(&**name) {
                    return Ok(self.parameter(name, language));
                }
                match functions::constant(Phase::Workflow, name).map(|constant| constant.value) {
                    Some(ConstantValue::Long(number)) => simple(number.to_string(), Kind::Long),
                    Some(ConstantValue::Text(text)) => simple(quoted(text), Kind::Text),
                    None => Ok(self.parameter(name, language)),
                }
            }
            // Written without a `not` where Python has a word of its own.
            NodeKind::Unary(Unary::Not, of) => match &template.node(*of).kind {
                NodeKind::Unary(Unary::Empty, inner) => emptiness(&get(inner)?, "!=", &quoted("")),
                NodeKind::Binary(Binary::Equal, left, right) => {
                    binary(Binary::NotEqual, &get(left)?, &get(right)?, language)
                }
                NodeKind::Binary(Binary::NotEqual, left, right) => {
                    binary(Binary::Equal, &get(left)?, &get(right)?, language)
                }
                _ => compound(format!("not {}", condition_of(&get(of)?, language)?), Kind::Bool),
            },
            NodeKind::Unary(Unary::Empty, of) => emptiness(&get(of)?, "==", &quoted("")),
            NodeKind::Unary(Unary::Negative, of) => match get(of)? {
                piece if piece.kind == Kind::Long => compound(format!("-{}", closed(&piece)), Kind::Long),
                _ => Err(Unsupported::new("a minus before a text")),
            },
            NodeKind::Binary(sign, left, right) => binary(*sign, &get(left)?, &get(right)?, language),
            NodeKind::Choice { condition, yes, no } => {
                let (condition, yes, no) = (condition_of(&get(condition)?, language)?, get(yes)?, get(no)?);
                if yes.kind != no.kind {
                    return Err(Unsupported::new("a choice between values of two kinds"));
                }
                compound(format!("{} if {condition} else {}", closed(&yes), closed(&no)), yes.kind)
            }
            NodeKind::Property { base, key, arguments: None } => {
                let (base, key) = (get(base)?, get(key)?);
                match (base.kind, key.kind) {
                    // What a map lacks is null, which prints as nothing.
                    (Kind::Map, Kind::Text) => {
                        simple(format!("{}.get({}, {})", base.code, key.code, quoted("")), Kind::Text)
                    }
                    _ => Err(Unsupported::new("a property of what has none")),
                }
            }
            NodeKind::Property { .. } => Err(Unsupported::new("the call of a method")),
            NodeKind::Call { prefix, name, arguments } => {
                let full = if prefix.is_empty() { name.to_string() } else { format!("{prefix}:{name}") };
                let given: Vec<Result<Piece, Unsupported>> = arguments.iter().map(get).collect();
                let literal = |index: usize| match arguments.get(index).map(|id| &template.node(*id).kind) {
                    Some(NodeKind::String(text)) => Some(&**text),
                    _ => None,
                };
                let argument = |index: usize| {
                    given.get(index).cloned().unwrap_or_else(|| Err(Unsupported::new("an argument")))
                };
                match full.as_str() {
                    "wf:conf" => match literal(0) {
                        Some(name) if self.conf.contains(name) || self.secrets.contains(name) => {
                            Ok(self.parameter(name, language))
                        }
                        Some(name) => {
                            self.used.borrow_mut().insert(name.to_owned());
                            simple(format!("params.get({}, {})", quoted(name), quoted("")), Kind::Text)
                        }
                        None => Err(Unsupported::new("`wf:conf` of a name that only the run knows")),
                    },
                    "wf:id" => simple(
                        if language == Language::Jinja { "run_id" } else { "ti.run_id" }.to_owned(),
                        Kind::Text,
                    ),
                    "wf:name" => simple(quoted(self.workflow), Kind::Text),
                    "wf:user" => Ok(self.parameter("user.name", language)),
                    "wf:appPath" => Ok(self.parameter("oozie.wf.application.path", language)),
                    "wf:actionData" => match literal(0).and_then(|node| self.captured.get(node)) {
                        Some(task) => simple(format!("ti.xcom_pull(task_ids={})", quoted(task)), Kind::Map),
                        None => Err(Unsupported::new("`wf:actionData` of an action that captures nothing")),
                    },
                    "wf:errorCode"
                    | "wf:errorMessage"
                    | "wf:lastErrorNode"
                    | "wf:actionExternalId"
                    | "wf:actionTrackerUri"
                    | "wf:actionExternalStatus" => {
                        Err(Unsupported { kind: &ERROR_TEXT, what: format!("`{full}`") })
                    }
                    "fs:exists" | "fs:isDir" | "fs:fileSize" if language == Language::Python => {
                        let path = argument(0)?;
                        let path = if path.kind == Kind::Text { path.code } else { as_text(&path, language) };
                        let (method, kind) = match &**name {
                            "exists" => ("exists()", Kind::Bool),
                            "isDir" => ("is_dir()", Kind::Bool),
                            _ => ("stat().st_size", Kind::Long),
                        };
                        simple(format!("ObjectStoragePath({path}).{method}"), kind)
                    }
                    "concat" => {
                        // A sum of texts needs no parentheses in another one.
                        let sign = if language == Language::Jinja { " ~ " } else { " + " };
                        let operand = |piece: &Piece| match piece.is_sum {
                            true => piece.code.clone(),
                            false => as_text(&Piece { code: closed(piece), ..piece.clone() }, language),
                        };
                        let code = format!("{}{sign}{}", operand(&argument(0)?), operand(&argument(1)?));
                        Ok(Piece { code, kind: Kind::Text, is_compound: true, is_sum: true })
                    }
                    "trim" => match argument(0)? {
                        piece if piece.kind == Kind::Text => {
                            simple(format!("{}.strip()", closed(&piece)), Kind::Text)
                        }
                        _ => Err(Unsupported::new("`trim` of no text")),
                    },
                    "firstNotNull" => {
                        let (left, right) = (argument(0)?, argument(1)?);
                        if left.kind != Kind::Text || right.kind != Kind::Text {
                            return Err(Unsupported::new("`firstNotNull` of no text"));
                        }
                        compound(format!("{} or {}", closed(&left), closed(&right)), Kind::Text)
                    }
                    "replaceAll" => {
                        let is_plain = |text: &str| {
                            !text.is_empty()
                                && !text.contains([
                                    '\\', '^', '$', '.', '|', '?', '*', '+', '(', ')', '[', ']', '{', '}',
                                ])
                        };
                        match (argument(0)?, literal(1), literal(2)) {
                            (piece, Some(from), Some(to))
                                if piece.kind == Kind::Text
                                    && is_plain(from)
                                    && !to.contains(['\\', '$']) =>
                            {
                                simple(
                                    format!("{}.replace({}, {})", closed(&piece), quoted(from), quoted(to)),
                                    Kind::Text,
                                )
                            }
                            _ => Err(Unsupported::new("`replaceAll` with a pattern")),
                        }
                    }
                    _ => Err(Unsupported::new(format!("`{full}`"))),
                }
            }
        }
    }
}

fn binary(sign: Binary, left: &Piece, right: &Piece, language: Language) -> Result<Piece, Unsupported> {
    let made = |code: String, kind| Ok(Piece { code, kind, is_compound: true, is_sum: false });
    let number = |piece: &Piece| match (piece.kind, language) {
        (Kind::Long, _) => Ok(closed(piece)),
        (Kind::Text, Language::Python) => Ok(format!("int({})", piece.code)),
        (Kind::Text, Language::Jinja) => Ok(format!("({} | int)", closed(piece))),
        _ => Err(Unsupported::new("arithmetic without numbers")),
    };
    let word = sign.sign();
    match sign {
        Binary::And | Binary::Or => made(
            format!("{} {word} {}", condition_of(left, language)?, condition_of(right, language)?),
            Kind::Bool,
        ),
        Binary::Equal
        | Binary::NotEqual
        | Binary::Less
        | Binary::Greater
        | Binary::LessEqual
        | Binary::GreaterEqual => {
            let is_equality = matches!(sign, Binary::Equal | Binary::NotEqual);
            match (left.kind, right.kind) {
                (Kind::Text, Kind::Text) => {
                    made(format!("{} {word} {}", closed(left), closed(right)), Kind::Bool)
                }
                (Kind::Text | Kind::Long, Kind::Text | Kind::Long) => {
                    made(format!("{} {word} {}", number(left)?, number(right)?), Kind::Bool)
                }
                (Kind::Bool, Kind::Text) if sign == Binary::Equal && is_true(right) => Ok(left.clone()),
                (Kind::Text, Kind::Bool) if sign == Binary::Equal && is_true(left) => Ok(right.clone()),
                (Kind::Bool | Kind::Text, Kind::Bool | Kind::Text) if is_equality => made(
                    format!("{} {word} {}", condition_of(left, language)?, condition_of(right, language)?),
                    Kind::Bool,
                ),
                (Kind::Null, Kind::Text) | (Kind::Text, Kind::Null) if is_equality => {
                    let text = if left.kind == Kind::Text { left } else { right };
                    let nothing = if language == Language::Jinja { "''" } else { "\"\"" };
                    emptiness(text, word, nothing)
                }
                _ => Err(Unsupported::new("a comparison of two kinds of values")),
            }
        }
        Binary::Plus | Binary::Minus | Binary::Times => {
            if left.kind == Kind::Text && right.kind == Kind::Text {
                return Err(Unsupported::new("arithmetic with two texts"));
            }
            made(format!("{} {word} {}", number(left)?, number(right)?), Kind::Long)
        }
        Binary::Divide | Binary::Modulo => Err(Unsupported::new(format!("`{word}`"))),
    }
}

/// Whether a text is empty (`==`), or is not (`!=`).
fn emptiness(piece: &Piece, sign: &str, nothing: &str) -> Result<Piece, Unsupported> {
    match piece.kind {
        Kind::Text => Ok(Piece {
            code: format!("{} {sign} {nothing}", closed(piece)),
            kind: Kind::Bool,
            is_compound: true,
            is_sum: false,
        }),
        _ => Err(Unsupported::new("`empty` of no text")),
    }
}

/// Whether code is the text `true`.
fn is_true(piece: &Piece) -> bool {
    matches!(piece.code.as_str(), "\"true\"" | "'true'")
}

/// Code that can stand beside operators.
fn closed(piece: &Piece) -> String {
    if piece.is_compound { format!("({})", piece.code) } else { piece.code.clone() }
}

/// Code that is true where the value counts as true.
fn condition_of(piece: &Piece, language: Language) -> Result<String, Unsupported> {
    match (piece.kind, language) {
        (Kind::Bool, _) => Ok(closed(piece)),
        (Kind::Text, Language::Python) => Ok(format!("({}.lower() == \"true\")", closed(piece))),
        (Kind::Text, Language::Jinja) => Ok(format!("({}.lower() == 'true')", closed(piece))),
        (Kind::Null, _) => Ok("False".to_owned()),
        (Kind::Long | Kind::Map, _) => Err(Unsupported::new("a condition that is no boolean")),
    }
}

/// Code that gives the text of a value.
fn as_text(piece: &Piece, language: Language) -> String {
    match (piece.kind, language) {
        (Kind::Text, Language::Jinja) => piece.code.clone(),
        (Kind::Text, Language::Python) => closed(piece),
        (Kind::Null, Language::Jinja) => "''".to_owned(),
        (Kind::Null, Language::Python) => "\"\"".to_owned(),
        (Kind::Bool, Language::Jinja) => format!("({}) | lower", piece.code),
        (Kind::Bool, Language::Python) => format!("str({}).lower()", piece.code),
        (_, Language::Jinja) => format!("({}) | string", piece.code),
        (_, Language::Python) => format!("str({})", piece.code),
    }
}

/// The Airflow variable for a secret property.
pub(super) fn variable_of(name: &str) -> String {
    let mut variable: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    if !variable.starts_with(|c: char| c.is_ascii_alphabetic()) {
        variable.insert_str(0, "oozie_");
    }
    variable
}

fn is_attribute(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    begins && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !METHODS.contains(&name)
}
