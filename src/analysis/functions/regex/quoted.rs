//! `\Q…\E`: what is quoted, with a backslash before each character that could mean something.

/// A pattern without quotations (`Pattern.RemoveQEQuoting`).
pub(super) fn escaped(pattern: &str) -> Vec<char> {
    let mut escaped = Vec::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            escaped.push(c);
            continue;
        }
        let behind = rest.as_str();
        let Some(quoted) = behind.strip_prefix('Q') else {
            // What is escaped, be it a backslash, begins no quotation.
            escaped.push(c);
            escaped.extend(rest.next());
            continue;
        };
        let (text, behind) = quoted.split_once("\\E").unwrap_or((quoted, ""));
        for c in text.chars() {
            if !c.is_ascii_alphanumeric() {
                escaped.push('\\');
            }
            escaped.push(c);
        }
        rest = behind.chars();
    }
    escaped
}
