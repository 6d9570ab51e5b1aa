//! A terminal with lines that stay and, below them, a few that are drawn again and again. Escape sequences are written to
//! a terminal only; everything else gets the lines that stay.

use std::io::Write;

use crate::report::visible::Visible;
use crate::time::Instant;

/// How often the lower lines are drawn at most, in milliseconds.
const REDRAW_MILLIS: i64 = 200;

/// Lines that are too long for the terminal are cut there, so that each takes one row.
const NO_WRAP: &str = "\u{1b}[?7l";
const WRAP: &str = "\u{1b}[?7h";

/// Where what happens is shown.
pub struct Screen<'w> {
    out: &'w mut dyn Write,
    /// Writes out what would steer the terminal: only what the screen draws itself may.
    visible: Visible,
    /// Whether the lower lines are drawn at all.
    is_live: bool,
    /// Whether the upper lines are left out.
    is_quiet: bool,
    /// How many rows the terminal has at this moment, where that is known.
    height: fn() -> Option<usize>,
    lower: String,
    /// How many of them stand on the terminal.
    rows: usize,
    drawn: Option<Instant>,
    /// The first thing that went wrong.
    fault: Option<std::io::Error>,
}

impl<'w> Screen<'w> {
    /// Nothing shown yet.
    pub fn new(out: &'w mut dyn Write, is_live: bool, is_quiet: bool) -> Screen<'w> {
        let (height, visible) = (|| None, Visible::default());
        Screen {
            out,
            visible,
            is_live,
            is_quiet,
            height,
            lower: String::new(),
            rows: 0,
            drawn: None,
            fault: None,
        }
    }

    /// With our own colours.
    pub fn with_styles(mut self, has_styles: bool) -> Screen<'w> {
        self.visible.has_styles = has_styles;
        self
    }

    /// With a terminal that has so many rows when it is asked. What is drawn again has to fit: nobody can go back to lines
    /// that have left a terminal at its top.
    pub fn with_height(self, height: fn() -> Option<usize>) -> Screen<'w> {
        Screen { height, ..self }
    }

    /// Whether a drawing at a time would be shown.
    pub fn wants(&self, now: Instant) -> bool {
        let is_due = |drawn: Instant| !(0..REDRAW_MILLIS).contains(&now.millis_since(drawn));
        self.is_live && self.drawn.is_none_or(is_due)
    }

    /// Adds lines that stay.
    pub fn lines(&mut self, text: &str) {
        if self.is_quiet || text.is_empty() {
            return;
        }
        let text = self.visible.text(text);
        let text = match self.is_live {
            true => format!("{}{text}{}", self.erase(), self.lower_text()),
            false => text,
        };
        self.write(&text);
    }

    /// Lets somebody write to the terminal by another way, without the lower lines in between.
    pub fn beside(&mut self, write: impl FnOnce()) {
        let erase = self.erase();
        self.write(&erase);
        write();
        if self.is_live {
            let lower = self.lower_text();
            self.write(&lower);
        }
    }

    /// Puts other lines below.
    pub fn draw(&mut self, lower: String, now: Instant) {
        self.drawn = Some(now);
        let lower = self.visible.text(&lower);
        if self.is_live && lower != self.lower {
            let erase = self.erase();
            self.lower = lower;
            let text = format!("{erase}{}", self.lower_text());
            self.write(&text);
        }
    }

    /// Takes the lower lines away; what went wrong.
    pub fn close(mut self) -> Result<(), std::io::Error> {
        let erase = self.erase();
        self.write(&erase);
        self.fault.map_or(Ok(()), Err)
    }

    fn erase(&mut self) -> String {
        match std::mem::take(&mut self.rows) {
            0 => String::new(),
            rows => format!("\r\u{1b}[{rows}A\u{1b}[J"),
        }
    }

    fn lower_text(&mut self) -> String {
        let all = self.lower.lines().count();
        // The cursor stands below the last one.
        let room = (self.height)().map_or(all, |rows| rows.saturating_sub(1).max(1));
        self.rows = all.min(room);
        if all == 0 {
            return String::new();
        }
        if all <= room {
            return format!("{NO_WRAP}{}{WRAP}", self.lower);
        }
        let shown = room - 1;
        let lines: String = self.lower.split_inclusive('\n').take(shown).collect();
        format!("{NO_WRAP}{lines}… {} more lines\n{WRAP}", all - shown)
    }

    fn write(&mut self, text: &str) {
        if !text.is_empty()
            && let Err(error) = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush())
        {
            self.fault.get_or_insert(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_stay_go_above_those_that_are_drawn_again() {
        let mut out = Vec::new();
        let at = |millis| Instant::EPOCH.plus_millis(millis);
        let mut screen = Screen::new(&mut out, true, false);
        assert!(screen.wants(at(0)));
        screen.draw("one\ntwo\n".to_owned(), at(0));
        assert!(!screen.wants(at(199)) && screen.wants(at(200)));
        screen.lines("stays\n");
        screen.draw("one\ntwo\n".to_owned(), at(300));
        screen.draw("three\n".to_owned(), at(600));
        screen.close().expect("it can be written");
        let drawn = |lines: &str| format!("{NO_WRAP}{lines}{WRAP}");
        let erase = |rows| format!("\r\u{1b}[{rows}A\u{1b}[J");
        let expected = [
            drawn("one\ntwo\n"),
            erase(2),
            "stays\n".to_owned(),
            drawn("one\ntwo\n"),
            erase(2),
            drawn("three\n"),
            erase(1),
        ];
        assert_eq!(String::from_utf8(out).expect("UTF-8"), expected.concat());
    }

    #[test]
    fn what_is_drawn_fits_the_terminal() {
        for (rows, shown) in [
            (9, "a\nb\nc\n"),
            (4, "a\nb\nc\n"),
            (3, "a\n… 2 more lines\n"),
            (2, "… 3 more lines\n"),
            (1, "… 3 more lines\n"),
            (0, "… 3 more lines\n"),
        ] {
            let mut out = Vec::new();
            let height: fn() -> Option<usize> = match rows {
                9 => || Some(9),
                4 => || Some(4),
                3 => || Some(3),
                2 => || Some(2),
                1 => || Some(1),
                _ => || Some(0),
            };
            let mut screen = Screen::new(&mut out, true, false).with_height(height);
            screen.draw("a\nb\nc\n".to_owned(), Instant::EPOCH);
            screen.close().expect("it can be written");
            let erase = format!("\r\u{1b}[{}A\u{1b}[J", shown.lines().count());
            let expected = format!("{NO_WRAP}{shown}{WRAP}{erase}");
            assert_eq!(String::from_utf8(out).expect("UTF-8"), expected, "{rows}");
        }
    }

    #[test]
    fn elsewhere_only_lines_are_written() {
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out, false, false);
        assert!(!screen.wants(Instant::EPOCH));
        screen.draw("one\n".to_owned(), Instant::EPOCH);
        screen.lines("stays\n");
        screen.close().expect("it can be written");
        assert_eq!(out, b"stays\n");
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out, false, true);
        screen.lines("stays\n");
        screen.close().expect("it can be written");
        assert_eq!(out, b"");
    }
}
