//! Reads templates. The only file that knows pest.
//!
//! Linear in the text: each expression is scanned once for its depth and then read once by the grammar. What the
//! engine would refuse to parse breaks the template ([`super::ast::Broken`]) and gives one finding.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::LazyLock;

use pest::Parser as _;
use pest::error::ErrorVariant;
use pest::iterators::Pair;
use pest::pratt_parser::{Assoc, Op, PrattParser};

use crate::diag::Diagnostic;
use crate::source::Text;

use super::ast::{Binary, Broken, Engine, Node, NodeId, NodeKind, Part, Template, Unary};
use super::findings::{EL_SYNTAX, EL_TOO_DEEP};
use super::scan::{self, Piece};
use super::{names, program};

#[derive(pest_derive::Parser)]
#[grammar = "../grammar/el.pest"]
struct Grammar;

static PRECEDENCE: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    let left = |rule| Op::infix(rule, Assoc::Left);
    PrattParser::new()
        .op(Op::infix(Rule::choice, Assoc::Right))
        .op(left(Rule::or))
        .op(left(Rule::and))
        .op(left(Rule::equal) | left(Rule::not_equal))
        .op(left(Rule::less) | left(Rule::greater) | left(Rule::less_equal) | left(Rule::greater_equal))
        .op(left(Rule::plus) | left(Rule::minus))
        .op(left(Rule::times) | left(Rule::divide) | left(Rule::modulo))
        .op(Op::prefix(Rule::negative) | Op::prefix(Rule::not) | Op::prefix(Rule::empty))
});

/// Reads a text. Never fails: a text that the engine refuses gives a broken template and a finding.
pub fn parse(text: &Text) -> (Template, Vec<Diagnostic>) {
    parse_for(text, Engine::Current)
}

/// [`parse`] as an engine reads it.
pub fn parse_for(text: &Text, engine: Engine) -> (Template, Vec<Diagnostic>) {
    let source = text.value.as_str();
    let builder = Builder { source, offset: 0, nodes: RefCell::default() };
    let mut reader = Reader {
        builder,
        engine,
        parts: Vec::new(),
        program: Vec::new(),
        sign: None,
        broken: None,
        too_deep: false,
    };
    reader.read();
    let Reader { builder, parts, program, broken, too_deep, .. } = reader;
    let nodes = builder.nodes.into_inner();
    let is_call = |node: &Node| matches!(node.kind, NodeKind::Call { .. });
    let calls = (0u32..).zip(&nodes).filter(|(_, node)| is_call(node)).map(|(id, _)| NodeId(id)).collect();
    let findings = broken.iter().map(|broken| finding(text, broken, too_deep)).collect();
    (Template { text: text.clone(), parts, nodes, broken, engine, program, calls }, findings)
}

fn finding(text: &Text, broken: &Broken, too_deep: bool) -> Diagnostic {
    let rest = &text.value[broken.offset..];
    let length = rest.chars().next().map_or(0, char::len_utf8);
    let span = text.span_of(broken.offset..broken.offset + length);
    let info = if too_deep { &EL_TOO_DEEP } else { &EL_SYNTAX };
    let finding = Diagnostic::new(info, span, broken.message.clone());
    match hint(rest) {
        Some(hint) if !too_deep => finding.help(hint),
        _ => finding,
    }
}

struct Reader<'t> {
    builder: Builder<'t>,
    engine: Engine,
    parts: Vec<Part>,
    program: Vec<program::Op>,
    /// `$` or `#`, whichever came first: a text may not have both.
    sign: Option<char>,
    broken: Option<Broken>,
    too_deep: bool,
}

impl Reader<'_> {
    fn read(&mut self) {
        let source = self.builder.source;
        let mut at = 0;
        while at < source.len() && self.broken.is_none() {
            at = match scan::piece(source, at, self.engine) {
                Piece::Literal { value, end } => {
                    match self.parts.last_mut() {
                        Some(Part::Literal { value: before, range }) => {
                            before.push_str(&value);
                            range.end = end;
                        }
                        _ => self.parts.push(Part::Literal { value: value.into_owned(), range: at..end }),
                    }
                    end
                }
                Piece::Expression { sign } => {
                    if *self.sign.get_or_insert(sign) == sign {
                        self.expression(at)
                    } else {
                        self.fail(at, "`${…}` and `#{…}` do not go together in one text".to_owned())
                    }
                }
            };
        }
    }

    fn fail(&mut self, offset: usize, message: String) -> usize {
        self.broken = Some(Broken { offset, message });
        self.builder.source.len()
    }

    /// Reads the expression whose sign stands at `at`; returns where it ends.
    fn expression(&mut self, at: usize) -> usize {
        let source = self.builder.source;
        let start = at + 2;
        let limit = match scan::check_depth(source, start) {
            Ok(limit) => limit,
            Err(offset) => {
                self.too_deep = true;
                let message = format!("the expression is nested more than {} levels deep", scan::MAX_DEPTH);
                return self.fail(offset, message);
            }
        };
        // The grammar sees no more than one expression: it looks at all that it is given for the ends of lines.
        let braced = match Grammar::parse(Rule::braced, &source[start..limit]) {
            Ok(mut pairs) => pairs.next(),
            Err(error) => {
                let (pest::error::InputLocation::Pos(offset) | pest::error::InputLocation::Span((offset, _))) =
                    error.location;
                let offset = start + offset;
                let message = complaint(&source[start..offset], &source[offset..], &error.variant);
                return self.fail(offset, message);
            }
        };
        let Some(braced) = braced else { return source.len() };
        let end = start + braced.as_span().end();
        self.builder.offset = start;
        let first = self.builder.nodes.borrow().len();
        let root = braced.into_inner().next().map(|pair| self.builder.expression(pair));
        if self.engine == Engine::Legacy
            && let Some(offset) = self.builder.method(first)
        {
            return self.fail(offset, "the older engine knows no calls of methods".to_owned());
        }
        if let Some((offset, name)) = self.builder.bad_name(first) {
            return self.fail(offset, format!("`{name}` is no name that an expression can use"));
        }
        if let Some(root) = root {
            let first = self.program.len();
            program::compile(&self.builder.nodes.borrow(), root, &mut self.program);
            self.parts.push(Part::Expression { root, range: at..end, ops: first..self.program.len() });
        }
        end
    }
}

/// What is missing at the end of an expression that otherwise could end there.
fn unclosed(before: &str, error: &ErrorVariant<Rule>) -> Option<char> {
    let ErrorVariant::ParsingError { positives, .. } = error else { return None };
    let has_operand = positives.contains(&Rule::plus);
    has_operand.then(|| scan::open_bracket(before).unwrap_or(':'))
}

/// The name with a prefix that ends a text: only functions have one, and functions have arguments. A choice has a colon too.
fn bare_call(before: &str) -> Option<&str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
    let call = &before[before.trim_end_matches(is_name).len()..];
    let (prefix, name) = call.split_once(':')?;
    let is_word = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic()) && !word.contains(':');
    (is_word(prefix) && is_word(name) && !before.contains('?')).then_some(call)
}

/// What is wrong at the place where the grammar gave up.
fn complaint(before: &str, rest: &str, error: &ErrorVariant<Rule>) -> String {
    if let Some(call) = bare_call(before) {
        return format!("`{call}` is a function: its arguments in brackets are missing");
    }
    match rest.chars().next() {
        None => "the expression does not end: `}` is missing".to_owned(),
        Some('\'' | '"') => {
            "this text is not closed, or a backslash in it stands before another sign than `\\`, `'`, `\"`"
                .to_owned()
        }
        Some('}') => match unclosed(before, error) {
            Some(sign) => format!("`{sign}` is missing before `}}`"),
            None => "an operand is missing before `}`".to_owned(),
        },
        Some('[') => "a list cannot be written here".to_owned(),
        Some('{') => "a map or a set cannot be written here".to_owned(),
        Some(';') => "one expression only can stand here".to_owned(),
        Some('=') if !rest.starts_with("==") => "a value cannot be assigned here".to_owned(),
        Some('+') if rest.starts_with("+=") => "`+=` cannot be used here".to_owned(),
        Some('-') if rest.starts_with("->") => "a function cannot be written here".to_owned(),
        Some(_) => format!("`{}` is not expected here", scan::word(rest)),
    }
}

/// The way out, where there is one.
fn hint(rest: &str) -> Option<&'static str> {
    if rest.starts_with("+=") {
        return Some("join texts with `concat(a, b)`");
    }
    if rest.starts_with("->") {
        return Some("call one of the functions that exist");
    }
    match rest.chars().next()? {
        '[' | '{' => Some("pass the values one by one"),
        '=' if !rest.starts_with("==") => Some("compare with `==`"),
        ';' => Some("write each expression in its own `${…}`"),
        '&' => Some("write `&&` or `and`"),
        '|' => Some("write `||` or `or`"),
        _ => None,
    }
}

/// Makes nodes from what the grammar found. The closures of the precedence parser share it, hence the cell.
struct Builder<'t> {
    source: &'t str,
    /// Where the text that the grammar saw begins.
    offset: usize,
    nodes: RefCell<Vec<Node>>,
}

impl Builder<'_> {
    fn range(&self, pair: &Pair<'_, Rule>) -> Range<u32> {
        let span = pair.as_span();
        (self.offset + span.start()) as u32..(self.offset + span.end()) as u32
    }

    fn node_range(&self, id: NodeId) -> Range<u32> {
        self.nodes.borrow()[id.0 as usize].range.clone()
    }

    /// Adds a node whose first child is `first`.
    fn push(&self, kind: NodeKind, range: Range<u32>, first: Option<NodeId>) -> NodeId {
        let mut nodes = self.nodes.borrow_mut();
        let id = nodes.len() as u32;
        let begin = first.map_or(id, |NodeId(first)| first + 1 - nodes[first as usize].size);
        nodes.push(Node { kind, range, size: id + 1 - begin });
        NodeId(id)
    }

    fn expression(&self, pair: Pair<'_, Rule>) -> NodeId {
        PRECEDENCE
            .map_primary(|value| self.value(value))
            .map_prefix(|sign, operand| {
                let operator = match sign.as_rule() {
                    Rule::negative => Unary::Negative,
                    Rule::not => Unary::Not,
                    _ => Unary::Empty,
                };
                let range = self.range(&sign).start..self.node_range(operand).end;
                self.push(NodeKind::Unary(operator, operand), range, Some(operand))
            })
            .map_infix(|left, sign, right| {
                let range = self.node_range(left).start..self.node_range(right).end;
                let rule = sign.as_rule();
                let kind = if rule == Rule::choice {
                    match sign.into_inner().next() {
                        Some(yes) => {
                            NodeKind::Choice { condition: left, yes: self.expression(yes), no: right }
                        }
                        None => NodeKind::Null,
                    }
                } else {
                    NodeKind::Binary(binary(rule), left, right)
                };
                self.push(kind, range, Some(left))
            })
            .parse(pair.into_inner())
    }

    /// Where the first call of a method begins, among the nodes from `first` on.
    fn method(&self, first: usize) -> Option<usize> {
        let is_method = |node: &&Node| matches!(node.kind, NodeKind::Property { arguments: Some(_), .. });
        self.nodes.borrow()[first..].iter().find(is_method).map(|node| node.range.start as usize)
    }

    fn value(&self, pair: Pair<'_, Rule>) -> NodeId {
        let mut inner = pair.into_inner().peekable();
        let Some(first) = inner.next() else { return self.push(NodeKind::Null, 0..0, None) };
        let mut base = self.primary(first);
        while let Some(suffix) = inner.next() {
            let mut end = self.range(&suffix).end;
            let is_property = suffix.as_rule() == Rule::property;
            let Some(written) = suffix.into_inner().next() else { continue };
            let key = if is_property {
                let range = self.range(&written);
                self.push(NodeKind::String(written.as_str().into()), range, None)
            } else {
                self.expression(written)
            };
            let arguments = inner.next_if(|next| next.as_rule() == Rule::arguments).map(|arguments| {
                end = self.range(&arguments).end;
                self.arguments(arguments)
            });
            let range = self.node_range(base).start..end;
            base = self.push(NodeKind::Property { base, key, arguments }, range, Some(base));
        }
        base
    }

    fn arguments(&self, pair: Pair<'_, Rule>) -> Box<[NodeId]> {
        pair.into_inner().map(|argument| self.expression(argument)).collect()
    }

    fn primary(&self, pair: Pair<'_, Rule>) -> NodeId {
        let (rule, range, text) = (pair.as_rule(), self.range(&pair), pair.as_str());
        let kind = match rule {
            Rule::true_ => NodeKind::Bool(true),
            Rule::false_ => NodeKind::Bool(false),
            Rule::null => NodeKind::Null,
            Rule::long => text.parse().map_or_else(|_| NodeKind::TooLong(text.into()), NodeKind::Long),
            Rule::double => NodeKind::Double(super::number::parse_double(text).unwrap_or(f64::NAN)),
            Rule::string => NodeKind::String(scan::unquote(text).into()),
            Rule::name => NodeKind::Variable(text.into()),
            Rule::call => {
                let mut inner = pair.into_inner();
                let (mut prefix, mut name) = ("", "");
                let mut arguments = Box::default();
                for part in &mut inner {
                    if part.as_rule() == Rule::arguments {
                        arguments = self.arguments(part);
                    } else {
                        prefix = std::mem::replace(&mut name, part.as_str());
                    }
                }
                let first = arguments.first().copied();
                let kind = NodeKind::Call { prefix: prefix.into(), name: name.into(), arguments };
                return self.push(kind, range, first);
            }
            _ => {
                let Some(inner) = pair.into_inner().next() else {
                    return self.push(NodeKind::Null, range, None);
                };
                let id = self.expression(inner);
                self.nodes.borrow_mut()[id.0 as usize].range = range;
                return id;
            }
        };
        self.push(kind, range, None)
    }

    /// The first variable or property among the nodes from `first` on whose name the engine refuses.
    fn bad_name(&self, first: usize) -> Option<(usize, String)> {
        let nodes = self.nodes.borrow();
        let wrong = |node: &Node| match &node.kind {
            NodeKind::Variable(name) => !names::is_identifier(name),
            // The key of `a.b` is the only text node without quotes.
            NodeKind::String(name) => {
                node.range.len() == name.len()
                    && self.source.get(node.range.start as usize..node.range.end as usize) == Some(&**name)
                    && !names::is_identifier(name)
            }
            _ => false,
        };
        let node = nodes[first..].iter().find(|node| wrong(node))?;
        let range = node.range.start as usize..node.range.end as usize;
        Some((range.start, self.source.get(range)?.to_owned()))
    }
}

fn binary(rule: Rule) -> Binary {
    match rule {
        Rule::or => Binary::Or,
        Rule::and => Binary::And,
        Rule::equal => Binary::Equal,
        Rule::not_equal => Binary::NotEqual,
        Rule::less => Binary::Less,
        Rule::greater => Binary::Greater,
        Rule::less_equal => Binary::LessEqual,
        Rule::greater_equal => Binary::GreaterEqual,
        Rule::plus => Binary::Plus,
        Rule::minus => Binary::Minus,
        Rule::times => Binary::Times,
        Rule::divide => Binary::Divide,
        _ => Binary::Modulo,
    }
}
