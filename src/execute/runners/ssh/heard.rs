//! What the script on the other machine says: lines behind a mark, and the bytes that some of them announce.

use std::io::Result;

/// What is no line of ours is not kept beyond this, in bytes.
const MAX_NOISE: usize = 64 * 1024;

/// A stream of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Out,
    Err,
}

/// How it stands with the command, in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It has ended with this code.
    Over(u32),
    /// Whoever watched over it has left no code.
    Lost,
    /// Its folder is not there any more.
    Gone,
    /// It has not begun, and will not.
    Never,
    /// Its folder could not be made.
    Unmade,
}

/// What was heard, over as many connections as it took.
#[derive(Debug)]
pub(super) struct Heard {
    mark: String,
    rest: Vec<u8>,
    /// Bytes of a stream that are still to come.
    coming: Option<(Stream, u64)>,
    /// Whether the script runs on this connection.
    pub(super) is_there: bool,
    /// The process group there, once the command has begun.
    pub(super) group: Option<u32>,
    /// How it ended.
    pub(super) end: Option<End>,
    /// How much of standard output and standard error has come.
    pub(super) known: (u64, u64),
}

impl Heard {
    pub(super) fn new(mark: &str) -> Heard {
        Heard {
            mark: format!("{mark} "),
            rest: Vec::new(),
            coming: None,
            is_there: false,
            group: None,
            end: None,
            known: (0, 0),
        }
    }

    /// A new connection begins; what was cut off with the last one comes again.
    pub(super) fn begin(&mut self) {
        (self.rest, self.coming, self.is_there) = (Vec::new(), None, false);
    }

    /// Takes what has come, and hands on what is the command's.
    pub(super) fn take(
        &mut self,
        mut bytes: &[u8],
        keep: &mut dyn FnMut(Stream, &[u8]) -> Result<()>,
    ) -> Result<()> {
        while !bytes.is_empty() {
            if let Some((stream, left)) = self.coming {
                let length = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                let (own, after) = bytes.split_at(length);
                keep(stream, own)?;
                let known = match stream {
                    Stream::Out => &mut self.known.0,
                    Stream::Err => &mut self.known.1,
                };
                *known += length as u64;
                self.coming = Some((stream, left - length as u64)).filter(|(_, left)| *left > 0);
                bytes = after;
                continue;
            }
            let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
                if self.rest.len() < MAX_NOISE {
                    self.rest.extend_from_slice(bytes);
                }
                return Ok(());
            };
            let mut line = std::mem::take(&mut self.rest);
            line.extend_from_slice(&bytes[..end]);
            self.line(&String::from_utf8_lossy(&line));
            bytes = &bytes[end + 1..];
        }
        Ok(())
    }

    /// Understands a line; those of somebody else are passed over.
    fn line(&mut self, line: &str) {
        let Some(said) = line.strip_prefix(&self.mark) else { return };
        let (word, number) = said.trim_end().split_once(' ').unwrap_or((said.trim_end(), ""));
        let count = number.trim().parse::<u64>().ok();
        let coming = |stream| Some((stream, count?)).filter(|(_, count)| *count > 0);
        match word {
            "here" => self.is_there = true,
            "begun" => self.group = number.trim().parse().ok(),
            "stdout" => self.coming = coming(Stream::Out),
            "stderr" => self.coming = coming(Stream::Err),
            "over" => self.end = number.trim().parse().ok().map(End::Over).or(Some(End::Lost)),
            "lost" => self.end = Some(End::Lost),
            "gone" => self.end = Some(End::Gone),
            "never" => self.end = Some(End::Never),
            "unmade" => self.end = Some(End::Unmade),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_understood_in_whatever_pieces_it_comes() {
        let said = b"welcome\n\nm here\nm begun  42\nm stdout 9\nm over 1\nm stderr 3\n\xff\n\nm still\nno m over 2\nm over 7\n";
        for size in 1..said.len() {
            let mut heard = Heard::new("m");
            let (mut out, mut err) = (Vec::new(), Vec::new());
            for piece in said.chunks(size) {
                let keep = &mut |stream, bytes: &[u8]| {
                    match stream {
                        Stream::Out => out.extend_from_slice(bytes),
                        Stream::Err => err.extend_from_slice(bytes),
                    }
                    Ok(())
                };
                heard.take(piece, keep).expect("memory takes everything");
            }
            assert_eq!((out.as_slice(), err.as_slice()), (&b"m over 1\n"[..], &b"\xff\n\n"[..]), "{size}");
            assert!(heard.is_there, "{size}");
            assert_eq!(
                (heard.group, heard.end, heard.known),
                (Some(42), Some(End::Over(7)), (9, 3)),
                "{size}"
            );
        }
    }

    #[test]
    fn what_was_cut_off_comes_again() {
        let mut heard = Heard::new("m");
        let mut out = Vec::new();
        let keep = &mut |_, bytes: &[u8]| {
            out.extend_from_slice(bytes);
            Ok(())
        };
        heard.take(b"m here\nm stdout 5\nabc", keep).expect("taken");
        heard.begin();
        assert_eq!((heard.known, heard.is_there), ((3, 0), false));
        heard.take(b"m here\nm stdout 2\nde", keep).expect("taken");
        assert_eq!(out, b"abcde");
    }
}
