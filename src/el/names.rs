//! Which names an expression may use.

/// Words of Java, which the engine refuses as names of variables and of properties after a dot.
const RESERVED: [&str; 53] = [
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "while",
];

/// True for what the engine takes as a variable (`org.apache.el.util.Validation.isIdentifier`). The name is one that
/// the grammar has let through, so its signs are known; those beyond ASCII must be letters, marks or digits.
pub fn is_identifier(name: &str) -> bool {
    if name.starts_with('#') || RESERVED.contains(&name) {
        return false;
    }
    let mut signs = name.chars();
    let begins = signs.next().is_some_and(|c| c == '$' || c == '_' || c.is_alphabetic());
    begins && signs.all(|c| c.is_ascii() || c.is_alphanumeric() || is_mark(c))
}

/// Combining marks below U+0370 and the joiners of the scripts that the grammar admits, as far as they are no letters.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{487}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61c}')
}
