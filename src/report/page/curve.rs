//! The backlog over time as a small drawing.

use std::fmt::Write;

use crate::simulate::record::Simulation;
use crate::simulate::summary;

/// Into how many stretches the time is cut: as many as there are places to draw at.
const STRETCHES: i64 = 360;

/// The size of the drawing in its own units; it is stretched to its place.
pub(super) const WIDTH: i64 = STRETCHES;
const HEIGHT: i64 = 100;

/// Writes the curve and gives the most actions that were due and not over at once.
pub(super) fn write(simulation: &Simulation, out: &mut String) -> usize {
    let backlog = summary::backlog(simulation, STRETCHES);
    let most = backlog.iter().map(|stretch| stretch.most).max().unwrap_or(0);
    let height = |count: usize| HEIGHT - (count as i64 * (HEIGHT - 4)) / most.max(1) as i64;
    let mut path = format!("M0 {HEIGHT}");
    for (x, stretch) in backlog.iter().enumerate() {
        let _ = write!(path, "V{}H{}", height(stretch.most), x + 1);
    }
    let _ = write!(path, "V{HEIGHT}Z");
    let _ = write!(
        out,
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <path d=\"{path}\"/></svg>"
    );
    most
}
