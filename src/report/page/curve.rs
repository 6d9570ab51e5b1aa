//! The backlog over time as a small drawing.

use std::fmt::Write;

use crate::simulate::record::Simulation;
use crate::simulate::summary;

/// Into how many stretches the time is cut at most: as many as there are places to draw at.
const STRETCHES: i64 = 360;

/// The size of the drawing in its own units; it is stretched to its place.
const WIDTH: i64 = 1_000;
const HEIGHT: i64 = 100;

/// Writes the curve and gives the most actions that were due and not over at once.
pub(super) fn write(simulation: &Simulation, out: &mut String) -> usize {
    let backlog = summary::backlog(simulation, STRETCHES);
    let most = backlog.iter().map(|stretch| stretch.most).max().unwrap_or(0);
    let height = |count: usize| HEIGHT - (count as i64 * (HEIGHT - 4)) / most.max(1) as i64;
    let length = i128::from(simulation.end.millis_since(simulation.begin).max(1));
    let mut path = format!("M0 {HEIGHT}");
    for stretch in &backlog {
        let x = i128::from(stretch.to.millis_since(simulation.begin)) * i128::from(WIDTH) / length;
        let _ = write!(path, "V{}H{}", height(stretch.most), x.min(i128::from(WIDTH)));
    }
    let _ = write!(path, "V{HEIGHT}Z");
    let _ = write!(
        out,
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <path d=\"{path}\"/></svg>"
    );
    most
}
