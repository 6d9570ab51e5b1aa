//! How texts of actions become words of a command line, as a server's launchers split them. Recorded answers of its own
//! classes are in `fixtures/reference/launcher`.

/// What `java-opts` may not hold on a server, and what to write in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// What is wrong with it.
    pub why: String,
    /// The same as a whole sentence, with the text.
    pub words: String,
}

/// Options of Spark (`SparkOptionsSplitter`): a value runs to the next `--key`, and loses the quotes around all of it. What
/// stands before the first key is lost.
pub fn spark_options(text: &str) -> Vec<String> {
    let keys = keys(text);
    let mut words = Vec::new();
    let end = |at: usize| keys.get(at).map_or(text.len(), |(start, _)| *start);
    if keys.is_empty() {
        words.extend(value(text));
    }
    for (at, (start, behind)) in keys.iter().enumerate() {
        words.push(trimmed(&text[*start..*behind]).replace('=', ""));
        words.extend(value(&text[*behind..end(at + 1)]));
    }
    words
}

/// Values of Spark's options that keep the quotes around all of them, as a server splits them.
pub fn spark_quoted(text: &str) -> Vec<String> {
    let is_kept = |word: &&String| {
        let value = match word.split_once('=') {
            Some((_, value)) if !word.starts_with(['"', '\'']) => value,
            _ => word,
        };
        let is_within = |mark: char| value.len() > 1 && value.starts_with(mark) && value.ends_with(mark);
        is_within('"') || is_within('\'')
    };
    spark_options(text).iter().filter(is_kept).cloned().collect()
}

/// Where keys begin, with the white space before them, and where they end, with the `=` behind them.
fn keys(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let is_word = |at: usize| bytes.get(at).is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'.');
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("--").map(|at| from + at) {
        if !is_word(at + 2) {
            from = at + 1;
            continue;
        }
        let mut end = at + 2;
        while is_word(end) || bytes.get(end) == Some(&b'-') {
            end += 1;
        }
        end += usize::from(bytes.get(end) == Some(&b'='));
        let last = found.last().map_or(0, |(_, end)| *end);
        let is_space = |it: &u8| matches!(it, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r');
        let spaces = bytes[last..at].iter().rev().take_while(|it| is_space(it)).count();
        found.push((at - spaces, end));
        from = end;
    }
    found
}

/// A value, when there is one, without the quotes around all of it.
fn value(text: &str) -> Option<String> {
    let text = trimmed(text);
    if text.is_empty() {
        return None;
    }
    let quoted = match text.split_once('=') {
        Some((name, rest)) if is_plain(name) => rest,
        _ => text,
    };
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
    // A dot of Java's patterns is no end of a line.
    let is_whole = !inner.is_empty() && !inner.contains(['"', '\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']);
    Some(if is_whole { text.replace('"', "") } else { text.to_owned() })
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'.')
}

/// `String.trim` of Java.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|c| c <= ' ')
}

/// The command of Sqoop (`SqoopActionExecutor.splitCommand`): cut at every blank, or as `ShellSplitter` does where the
/// configuration says so, with the code of its error.
pub fn sqoop_command(text: &str, as_shell: bool) -> Result<Vec<String>, Unreadable> {
    let text = trimmed(text);
    if !as_shell {
        return Ok(text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect());
    }
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    let (mut escapes, mut counts) = (false, false);
    for c in text.chars() {
        match (escapes, quote) {
            (true, _) => {
                word.push(c);
                escapes = false;
            }
            (_, quote) if c == '\\' && quote != Some('\'') => escapes = true,
            (_, Some(mark)) if c == mark => (quote, counts) = (None, true),
            (_, None) if c == '\'' || c == '"' => quote = Some(c),
            (_, None) if is_java_space(c) => {
                if !word.is_empty() || counts {
                    words.push(std::mem::take(&mut word));
                    counts = false;
                }
            }
            _ => word.push(c),
        }
    }
    // An empty word at the end is lost there.
    if !word.is_empty() {
        words.push(word);
    }
    if quote.is_some() || escapes {
        let words = format!("Unable to parse command {text}");
        return Err(Unreadable { why: words.clone(), words });
    }
    Ok(words)
}

/// `Character.isWhitespace`: no-break spaces are none.
fn is_java_space(c: char) -> bool {
    (c.is_whitespace() && !matches!(c, '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}'))
        || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Without the name of the program, which some write before the tool.
pub fn without_sqoop(mut words: Vec<String>) -> Vec<String> {
    let is_doubled = words.len() > 1 && words[0].eq_ignore_ascii_case("sqoop") && !words[1].starts_with('-');
    if is_doubled {
        words.remove(0);
    }
    words
}

/// Options of the Java machine. A server puts them into a line that bash reads twice, once within double quotes
/// (`JavaActionExecutor.setJavaOpts` and the launch script of YARN), so single quotes group, double quotes are lost, and
/// what a shell would do something with ends the launcher or becomes something else; such is refused.
pub fn java_options(text: &str) -> Result<Vec<String>, Unreadable> {
    let refused = |what: &str| {
        let words = format!(
            "the options `{text}` do not reach Java on a server, where bash reads them twice: {what}; group with \
             single quotes, as in -Dname='two words'"
        );
        Err(Unreadable { why: what.to_owned(), words })
    };
    // Within double quotes.
    let mut line = String::new();
    let mut is_bare = false;
    let mut chars = trimmed(text).chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '$' | '`' => return refused("it expands `$` and backquotes, within single quotes too"),
            '"' => is_bare = !is_bare,
            '\\' if is_bare || chars.peek().is_some_and(|next| matches!(next, '"' | '\\')) => {
                line.extend(chars.next());
            }
            c if is_bare && is_special(c) => return refused("double quotes do not group"),
            c => line.push(c),
        }
    }
    if is_bare {
        return refused("a double quote is not closed");
    }
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('\'') => break,
                        Some(c) => word.push(c),
                        None => return refused("a single quote is not closed"),
                    }
                }
            }
            '\\' => match chars.next() {
                Some(next) => word.get_or_insert_default().push(next),
                None => return refused("a backslash stands at its end"),
            },
            '"' => return refused("double quotes do not group"),
            '#' if word.is_none() => return refused("a `#` begins a comment"),
            c if is_special(c) => return refused(&format!("`{}` means something to it", c.escape_default())),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

/// Whether a shell does something with a character.
fn is_special(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' | '{' | '}')
}
