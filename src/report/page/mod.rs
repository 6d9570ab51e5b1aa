//! A simulation as one page for a browser: a summary, and a chart of time that can be moved, filtered and unfolded.
//!
//! The page stands by itself: styles, program and data are in the file, and nothing is loaded from anywhere. `head`
//! writes what can be read without the program, `data` what the program draws. Names come from apps and are never
//! markup: `head` escapes them, the data have no `<` in them, and the program makes text nodes alone.

mod curve;
mod data;
mod head;
mod table;

pub use data::LeftOut;

use crate::simulate::record::Simulation;

/// Colours and places.
const STYLE: &str = include_str!("page.css");

/// The program, in the order in which its parts use each other.
const PROGRAM: &[&str] = &[
    include_str!("data.js"),
    include_str!("words.js"),
    include_str!("rows.js"),
    include_str!("paint.js"),
    include_str!("details.js"),
    include_str!("page.js"),
];

/// What a page may load: nothing that is not in it.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// How much a page holds. What is beyond is left out, and the page says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Actions, of all coordinators together.
    pub actions: usize,
    /// What actions waited for.
    pub waits: usize,
    /// Attempts of nodes. Those of workflows that ended badly come first.
    pub runs: usize,
    /// Letters of one text.
    pub letters: usize,
}

impl Limits {
    /// What browsers take in within some seconds: a page of some 20 MB at most.
    pub const PAGE: Limits = Limits { actions: 250_000, waits: 250_000, runs: 1_000_000, letters: 2_000 };
}

/// Writes the page, and says what it leaves out.
pub fn write(simulation: &Simulation, limits: &Limits, out: &mut String) -> LeftOut {
    let mut json = String::new();
    let left_out = data::write(simulation, limits, &mut json);
    out.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n"));
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str(
        "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n",
    );
    head::title(simulation, out);
    out.push_str("<style>\n");
    out.push_str(STYLE);
    out.push_str("</style>\n</head>\n<body>\n");
    head::write(simulation, limits, &left_out, out);
    out.push_str(include_str!("chart.html"));
    out.push_str("<script type=\"application/json\" id=\"data\">");
    out.push_str(&json);
    out.push_str("</script>\n<script>\n\"use strict\";\n(() => {\n");
    for part in PROGRAM {
        out.push_str(part);
    }
    out.push_str("})();\n</script>\n</body>\n</html>\n");
    left_out
}
