//! Lines as Hadoop reads them: ended by a line feed, a carriage return or both (`LineReader.readDefaultLine`).

use std::io::BufRead;

/// A longer line is refused, in bytes.
const MAX_LINE: usize = 256 << 20;

/// Reads lines and knows where they began.
pub(super) struct Lines<R> {
    reader: R,
    /// How many bytes were read.
    at: u64,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// Lines of what begins at a position.
    pub(super) fn new(reader: R, at: u64) -> Lines<R> {
        Lines { reader, at, line: Vec::new() }
    }

    /// The next line and where it began; nothing at the end.
    pub(super) fn next(&mut self) -> std::io::Result<Option<(u64, &[u8])>> {
        let start = self.at;
        self.line.clear();
        let mut after_return = false;
        loop {
            let chunk = self.reader.fill_buf()?;
            if chunk.is_empty() {
                return Ok((self.at > start).then_some((start, &self.line)));
            }
            if after_return {
                // A line feed belongs to the carriage return before it.
                let feeds = usize::from(chunk[0] == b'\n');
                self.reader.consume(feeds);
                self.at += feeds as u64;
                return Ok(Some((start, &self.line)));
            }
            let end = memchr::memchr2(b'\n', b'\r', chunk);
            self.line.extend_from_slice(&chunk[..end.unwrap_or(chunk.len())]);
            let used = end.map_or(chunk.len(), |end| end + 1);
            let feeds = end.is_some_and(|end| chunk[end] == b'\n');
            self.reader.consume(used);
            self.at += used as u64;
            if self.line.len() > MAX_LINE {
                return Err(std::io::Error::other(format!("a line is longer than {MAX_LINE} bytes")));
            }
            match end {
                Some(_) if feeds => return Ok(Some((start, &self.line))),
                Some(_) => after_return = true,
                None => {}
            }
        }
    }
}

/// Key and value of a line (`TextOutputReader.splitKeyVal`).
pub(super) fn split<'l>(line: &'l [u8], separator: &[u8], keys: usize) -> (&'l [u8], &'l [u8]) {
    let (mut from, mut found) = (0, None);
    for _ in 0..keys.max(1) {
        match memchr::memmem::find(&line[from..], separator) {
            Some(at) => {
                found = Some(from + at);
                from += at + separator.len();
            }
            None => {
                found = None;
                break;
            }
        }
    }
    found.map_or((line, &[]), |at| (&line[..at], &line[at + separator.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_hadoop_ends_them() {
        for capacity in [1, 2, 3, 64] {
            let text = &b"a\nb\r\nc\rd\n\r\ne\r"[..];
            let mut lines = Lines::new(std::io::BufReader::with_capacity(capacity, text), 10);
            let mut found = Vec::new();
            while let Some((at, line)) = lines.next().expect("memory can be read") {
                found.push((at, String::from_utf8_lossy(line).into_owned()));
            }
            let found: Vec<_> = found.iter().map(|(at, line)| (*at, line.as_str())).collect();
            assert_eq!(found, [(10, "a"), (12, "b"), (15, "c"), (17, "d"), (19, ""), (21, "e")]);
        }
    }

    #[test]
    fn lines_have_keys_and_values() {
        let split = |line, separator, keys| {
            let (key, value) = split(line, separator, keys);
            (String::from_utf8_lossy(key).into_owned(), String::from_utf8_lossy(value).into_owned())
        };
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(split(b"a\tb\tc", b"\t", 1), pair("a", "b\tc"));
        assert_eq!(split(b"a\tb\tc", b"\t", 2), pair("a\tb", "c"));
        assert_eq!(split(b"a\tb\tc", b"\t", 3), pair("a\tb\tc", ""));
        assert_eq!(split(b"a::b", b"::", 1), pair("a", "b"));
        assert_eq!(split(b"ab", b"\t", 1), pair("ab", ""));
        assert_eq!(split(b"\tb", b"\t", 1), pair("", "b"));
    }
}
