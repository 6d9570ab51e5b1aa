//! A definition with its values put in, which still knows where each piece came from.

use std::ops::Range;

use crate::source::{Span, Text};

/// A piece of resolved text and the piece of the original it was made from.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    /// Its bytes in the resolved text.
    pub(crate) out: Range<usize>,
    /// The bytes of the original text.
    pub(crate) from: Range<usize>,
    /// Whether an expression made it.
    pub(crate) is_expression: bool,
}

/// Text after evaluation.
#[derive(Clone, Debug)]
pub(crate) struct Resolved<'t> {
    /// What was evaluated.
    pub(crate) original: &'t Text,
    /// The outcome.
    pub(crate) text: String,
    /// Its pieces in order, without gaps.
    pub(crate) chunks: Vec<Chunk>,
}

impl Resolved<'_> {
    /// Where a range of the resolved text was written.
    pub(crate) fn origin(&self, out: Range<usize>) -> Span {
        let start = self.place(out.start).map_or(0, |place| place.start);
        let end = match self.place(out.end.saturating_sub(1).max(out.start)) {
            Some(place) if out.is_empty() => place.start,
            Some(place) => place.end,
            None => self.original.value.len(),
        };
        self.original.span_of(start..end.max(start))
    }

    /// The bytes of the original that one byte of the resolved text comes from: all of an expression, or one letter.
    fn place(&self, at: usize) -> Option<Range<usize>> {
        let index = self.chunks.partition_point(|chunk| chunk.out.end <= at);
        let chunk = self.chunks.get(index)?;
        if chunk.is_expression {
            return Some(chunk.from.clone());
        }
        let text = &self.original.value;
        let mut start = (chunk.from.start + (at - chunk.out.start)).min(chunk.from.end);
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let length = text[start..].chars().next().map_or(0, char::len_utf8);
        Some(start..start + length)
    }

    /// The expression to blame when the resolved text is no XML any more: the one that printed the faulty byte, else
    /// the nearest before it that printed markup.
    pub(crate) fn culprit(&self, at: usize) -> Option<&Chunk> {
        let expressions = self.chunks.iter().filter(|chunk| chunk.is_expression);
        let before: Vec<_> = expressions.filter(|chunk| chunk.out.start <= at).collect();
        let markup = |chunk: &&&Chunk| self.text[chunk.out.clone()].contains(['<', '&']);
        before
            .iter()
            .rev()
            .find(|chunk| chunk.out.contains(&at))
            .or_else(|| before.iter().rev().find(markup))
            .copied()
    }
}
