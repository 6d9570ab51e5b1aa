//! Which texts are URIs, as `java.net.URI` judges them.

/// What is wrong with a URI and at which byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UriError {
    pub(crate) offset: usize,
    pub(crate) message: String,
}

/// Checks a text (`new URI(text)`), and returns its scheme.
pub(crate) fn check(text: &str) -> Result<Option<&str>, UriError> {
    let fail = |offset: usize, message: &str| Err(UriError { offset, message: message.to_owned() });
    let bytes = text.as_bytes();
    let end_of_main = text.find('#').unwrap_or(bytes.len());
    let colon = text.find([':', '/', '?', '#']).filter(|at| bytes[*at] == b':');
    let (scheme, rest) = match colon {
        Some(0) => return fail(0, "a URI does not begin with `:`"),
        Some(at) => {
            let name = &bytes[..at];
            let good = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
            if !name[0].is_ascii_alphabetic() {
                return fail(0, "a scheme begins with a letter");
            }
            if let Some(bad) = name.iter().position(|b| !good(b)) {
                return fail(bad, "a scheme has letters, digits, `+`, `-` and `.` only");
            }
            if at + 1 == end_of_main {
                return fail(at + 1, "something must follow the scheme");
            }
            (Some(&text[..at]), at + 1)
        }
        None => (None, 0),
    };
    let opaque = scheme.is_some() && bytes.get(rest) != Some(&b'/');
    let mut at = rest;
    if opaque {
        scan(text, at..end_of_main, is_uri)?;
    } else {
        let query = text[at..end_of_main].find('?').map_or(end_of_main, |q| at + q);
        if text[at..query].starts_with("//") {
            at += 2;
            let authority_end = text[at..query].find('/').map_or(query, |slash| at + slash);
            if authority_end == at {
                // Java allows an empty authority only when a path or a query follows.
                if at == end_of_main {
                    return fail(at, "a server or a path must follow `//`");
                }
            } else {
                scan(text, at..authority_end, |b| {
                    is_unreserved(b)
                        || matches!(b, b'$' | b',' | b';' | b':' | b'@' | b'&' | b'=' | b'+' | b'[' | b']')
                })?;
            }
            at = authority_end;
        }
        scan(text, at..query, |b| {
            is_unreserved(b) || matches!(b, b':' | b'@' | b'&' | b'=' | b'+' | b'$' | b',' | b'/' | b';')
        })?;
        if query < end_of_main {
            scan(text, query + 1..end_of_main, is_uri)?;
        }
    }
    if end_of_main < bytes.len() {
        scan(text, end_of_main + 1..bytes.len(), is_uri)?;
    }
    Ok(scheme)
}

fn is_unreserved(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')')
}

fn is_uri(b: u8) -> bool {
    is_unreserved(b)
        || matches!(b, b';' | b'/' | b'?' | b':' | b'@' | b'&' | b'=' | b'+' | b'$' | b',' | b'[' | b']')
}

/// Java also lets through whatever is not ASCII, neither a control character nor a blank, and `%` with two digits.
fn scan(text: &str, range: std::ops::Range<usize>, accept: impl Fn(u8) -> bool) -> Result<(), UriError> {
    let bytes = &text.as_bytes()[..range.end];
    let mut at = range.start;
    while at < range.end {
        let byte = bytes[at];
        if accept(byte) {
            at += 1;
        } else if byte == b'%' {
            let hex = bytes.get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
            if !hex {
                return Err(UriError { offset: at, message: "`%` needs two hexadecimal digits".to_owned() });
            }
            at += 3;
        } else {
            let found = text[at..].chars().next().unwrap_or(' ');
            if found.is_ascii() || found.is_control() || found.is_whitespace() {
                let what =
                    if found == ' ' { "a blank".to_owned() } else { format!("`{}`", found.escape_default()) };
                return Err(UriError { offset: at, message: format!("{what} may not stand here") });
            }
            at += found.len_utf8();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_judged_as_java_judges_them() {
        for good in [
            "",
            "/a/b",
            "hdfs://nn:8020/a//b",
            "hdfs:///a",
            "a b".trim_end_matches(" b"),
            "file:/x",
            "x:y",
            "hdfs://nn/é",
            "hdfs://nn/a%20b",
            "hdfs://nn/a?b=c#d",
            "hcat://h:1/db/t/a=1;b=2",
            "hdfs://n/a/*/{".trim_end_matches('{'),
        ] {
            assert!(check(good).is_ok(), "{good}");
        }
        let check_bad =
            |text: &str, offset: usize| assert_eq!(check(text).unwrap_err().offset, offset, "{text}");
        check_bad("hdfs://nn1:8020//x/y z/2024", 20);
        check_bad("${nn}/a", 1);
        check_bad("hdfs:", 5);
        check_bad("hdfs://", 7);
        check_bad(":x", 0);
        check_bad("1a:x", 0);
        check_bad("a/%2", 2);
        check_bad("a/^", 2);
    }
}
