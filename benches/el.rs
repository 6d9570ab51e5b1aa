//! Expressions: evaluations and readings per second, beside Oozie's 1,000,000 evaluations in 0.15 s.

#![allow(clippy::disallowed_methods, reason = "a bench needs a clock")]

#[path = "support/verdict.rs"]
mod verdict;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use ankus::el;
use ankus::source::{Sources, Span, Text};

/// What Oozie does, measured on 2 cores with Java 17.
const OOZIE_PER_SECOND: f64 = 1_000_000.0 / 0.15;

fn text(expr: &str) -> Text {
    let span = Span::new(Sources::new().add("bench", expr), 0..expr.len());
    Text::verbatim(expr, span)
}

/// The best of five runs, per second.
fn per_second(count: u32, mut run: impl FnMut()) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        (0..count).for_each(|_| run());
        best = best.min(start.elapsed().as_secs_f64());
    }
    f64::from(count) / best
}

fn main() -> ExitCode {
    let world: BTreeMap<String, String> = [("a", "5"), ("b", "3"), ("limit", "100")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    for expr in
        ["${1 + 2 * 3 > 4}", "${a + b * 2 gt 10}", "${a > 3 and b lt 4 ? 'big' : 'small'}", "x/${a}/y-${b}"]
    {
        let source = text(expr);
        let (template, findings) = el::parse(&source);
        assert!(findings.is_empty(), "{expr}");
        let evaluations = per_second(1_000_000, || {
            let _ = black_box(el::evaluate(black_box(&template), &world));
        });
        let readings = per_second(2_000, || {
            let _ = black_box(el::parse(black_box(&source)));
        });
        let verdict = verdict::hold(evaluations >= OOZIE_PER_SECOND);
        println!(
            "{expr}: {:.1} million evaluations/s ({:.1} times Oozie), {:.2} million readings/s{verdict}",
            evaluations / 1e6,
            evaluations / OOZIE_PER_SECOND,
            readings / 1e6
        );
    }
    verdict::exit_code()
}
