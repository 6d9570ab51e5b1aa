//! Tables of what occurs often, and columns of numbers: how the data of a page become small.

use std::collections::BTreeMap;

use crate::report::plan_json::string;

/// Values that are written once and then named by their place.
#[derive(Debug)]
pub(super) struct Table<T> {
    values: Vec<T>,
    places: BTreeMap<T, usize>,
}

impl<T: Ord + Clone> Table<T> {
    pub(super) fn new() -> Table<T> {
        Table { values: Vec::new(), places: BTreeMap::new() }
    }

    /// The place of a value, which becomes part of the table.
    pub(super) fn place(&mut self, value: T) -> i64 {
        if let Some(place) = self.places.get(&value) {
            return *place as i64;
        }
        self.places.insert(value.clone(), self.values.len());
        self.values.push(value);
        self.values.len() as i64 - 1
    }

    pub(super) fn values(&self) -> &[T] {
        &self.values
    }
}

/// A text no longer than so many letters.
pub(super) fn short(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Writes numbers as a JSON array.
pub(super) fn numbers(column: &[i64], out: &mut String) {
    out.push('[');
    for (index, number) in column.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(&number.to_string());
    }
    out.push(']');
}

/// Writes texts as a JSON array.
pub(super) fn texts<'t>(list: impl IntoIterator<Item = &'t str>, out: &mut String) {
    out.push('[');
    for (index, text) in list.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        string(text, out);
    }
    out.push(']');
}

/// Writes sorted texts as two arrays: how many letters each shares with the one before it, and what follows them.
/// Letters are counted as browsers count them.
pub(super) fn sorted_texts(list: &[String], out: &mut String) {
    let (mut shared, mut rest) = (Vec::new(), Vec::new());
    let mut last = "";
    for text in list {
        let same = text.chars().zip(last.chars()).take_while(|(a, b)| a == b);
        let (bytes, units) = same.fold((0, 0), |(bytes, units), (letter, _)| {
            (bytes + letter.len_utf8(), units + letter.len_utf16())
        });
        shared.push(units as i64);
        rest.push(&text[bytes..]);
        last = text;
    }
    out.push('[');
    numbers(&shared, out);
    out.push(',');
    texts(rest, out);
    out.push(']');
}

/// What is written between tags of a page without ending it: JSON in which no markup begins.
pub(super) fn guarded(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' | '>' | '\u{2028}' | '\u{2029}' | '\0' | '\u{7f}' | '\u{feff}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_texts_share_their_beginnings() {
        let list = ["/a/2024/01", "/a/2024/02", "/é/𝄞1", "/é/𝄞2"].map(str::to_owned);
        let mut out = String::new();
        sorted_texts(&list, &mut out);
        assert_eq!(out, "[[0,9,1,5],[\"/a/2024/01\",\"2\",\"é/𝄞1\",\"2\"]]");
    }

    #[test]
    fn no_markup_begins_in_guarded_json() {
        let mut out = String::new();
        texts(["</script><!--", "\u{2028}\u{2029}"], &mut out);
        let guarded = guarded(&out);
        assert_eq!(guarded, "[\"\\u003c/script\\u003e\\u003c!--\",\"\\u2028\\u2029\"]");
        let read: Vec<String> = serde_json::from_str(&guarded).unwrap();
        assert_eq!(read, ["</script><!--", "\u{2028}\u{2029}"]);
    }

    #[test]
    fn long_texts_are_cut_between_letters() {
        assert_eq!(short("äöü", 3), "äöü");
        assert_eq!(short("äöüß", 3), "äöü…");
    }
}
