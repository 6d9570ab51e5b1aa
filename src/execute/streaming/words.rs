//! How streaming reads its commands: `URLDecoder.decode`, then words at spaces, quoted or not (`PipeMapRed.splitArgs`).
//! No shell looks at them.

/// The words of a command as a configuration holds it; in words why it has none.
pub fn words(text: &str) -> Result<Vec<String>, String> {
    let text = decoded(text).ok_or_else(|| format!("`{text}` has a `%` without two hexadecimal digits"))?;
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for sign in text.chars() {
        let is_mark = match (sign, quote) {
            ('\'' | '"', None) => {
                quote = Some(sign);
                true
            }
            (sign, Some(open)) if sign == open => {
                quote = None;
                true
            }
            (' ', None) => true,
            _ => false,
        };
        if !is_mark {
            word.push(sign);
        } else if !word.is_empty() {
            // A quotation mark ends a word, wherever it stands.
            words.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    if words.is_empty() { Err("there is no program in it".to_owned()) } else { Ok(words) }
}

/// `URLDecoder.decode` with UTF-8.
fn decoded(text: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        match first {
            b'+' => bytes.push(b' '),
            b'%' => {
                let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
                if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                    return None;
                }
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
                rest = &rest[2..];
            }
            byte => bytes.push(*byte),
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_streaming_does() {
        for (text, expected) in [
            ("/bin/cat", vec!["/bin/cat"]),
            ("  a   b ", vec!["a", "b"]),
            ("awk '{print $1 \" \" $2}' \"x y\"", vec!["awk", "{print $1 \" \" $2}", "x y"]),
            ("a'b c'd", vec!["a", "b c", "d"]),
            ("a '' b", vec!["a", "b"]),
            ("a 'open b", vec!["a", "open b"]),
            ("a+b%2Bc%C3%A9", vec!["a", "b+cé"]),
            ("a;b $(c) `d` | e > f", vec!["a;b", "$(c)", "`d`", "|", "e", ">", "f"]),
        ] {
            assert_eq!(
                words(text).as_deref(),
                Ok(&expected.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()[..])
            );
        }
        for text in ["", "  ", "%", "%zz", "%+1", "''"] {
            assert!(words(text).is_err(), "{text}");
        }
    }
}
