//! What becomes of an action of a workflow: how long it takes and how it ends, by the rules of the scenario.

use std::sync::Arc;

use super::draw::Draw;
use super::scenario::{
    ATTEMPT, By, COORDINATOR, Duration, NODE, NOMINAL_TIMES, Overlap, Scenario, WORKFLOW, Way, is_at,
    is_named,
};
use crate::engine::{Engine, Fault, JobId, NodeId, Parent, Plans};
use crate::time::Instant;

/// How an action goes on.
#[derive(Clone, Debug)]
pub(super) struct Fate {
    pub(super) seconds: i64,
    pub(super) way: Way,
    pub(super) fault: Option<Fault>,
    pub(super) output: Option<Arc<str>>,
    pub(super) counters: Option<Arc<str>>,
}

/// Where a workflow stands: what runs it, from the outside in.
struct Place<'e> {
    /// The coordinator's name and the nominal time of its action.
    action: Option<(&'e str, Instant)>,
    /// The names of the workflows, and the nodes that run sub-workflows.
    names: Vec<&'e str>,
    nodes: Vec<&'e str>,
}

fn place<P: Plans>(engine: &Engine<P>, node: NodeId) -> Option<Place<'_>> {
    let mut place = Place { action: None, names: Vec::new(), nodes: Vec::new() };
    let mut open = Some(node);
    while let Some(node) = open.take() {
        let job = engine.workflow(node.job())?;
        place.names.push(&job.name);
        place.nodes.push(job.node_name(node.node));
        match job.parent {
            None => {}
            Some(Parent::Node(above)) => open = Some(above),
            Some(Parent::Action(action)) => {
                let coordinator = engine.coordinator(JobId::coordinator(action.coordinator))?;
                place.action =
                    Some((&coordinator.program.job.name, coordinator.action(action.number)?.nominal));
            }
        }
    }
    place.names.reverse();
    place.nodes.reverse();
    Some(place)
}

/// The fate of an attempt, the first being 1. An `Err`: two rules for it, and its name.
pub(super) fn fate<P: Plans>(
    scenario: &Scenario,
    draw: Draw,
    engine: &Engine<P>,
    node: NodeId,
    attempt: u32,
) -> Result<Fate, (Overlap, String)> {
    let mut fate = Fate { seconds: 300, way: Way::Ok, fault: None, output: None, counters: None };
    if scenario.actions.is_empty() {
        return Ok(fate);
    }
    let Some(place) = place(engine, node) else { return Ok(fate) };
    let nominal = place.action.map(|(_, nominal)| nominal);
    let (name, own) = (place.nodes.last().copied().unwrap_or(""), place.names.last().copied().unwrap_or(""));
    let is_for = |by: &[By]| {
        is_named(&by[COORDINATOR], |wanted| place.action.is_some_and(|(name, _)| name == wanted))
            && is_named(&by[WORKFLOW], |wanted| own == wanted)
            && is_named(&by[NODE], |wanted| name == wanted)
            && is_at(&by[NOMINAL_TIMES], nominal)
            && !matches!(by[ATTEMPT], By::Number(Some(wanted)) if wanted != attempt)
    };
    let rules = scenario.actions.matching(is_for).map_err(|overlap| (overlap, format!("{own}/{name}")))?;
    let draw = || {
        let mut draw = draw.with(&attempt.to_le_bytes());
        if let Some((coordinator, nominal)) = place.action {
            draw = draw.with(coordinator.as_bytes()).with(&nominal.millis().to_le_bytes());
        }
        let path = place.names.iter().zip(&place.nodes);
        path.fold(draw, |draw, (name, node)| draw.with(name.as_bytes()).with(node.as_bytes()))
    };
    let (mut duration, mut outcome) = (None, None);
    for rule in rules {
        // Rules of the same chance are drawn apart.
        let place = rule.range.start.to_le_bytes();
        if rule.says.chance.is_some_and(|chance| !draw().with(b"chance").with(&place).happens(chance)) {
            continue;
        }
        duration = duration.or(rule.says.duration);
        outcome = outcome.or(rule.says.outcome.as_ref());
    }
    fate.seconds = duration.unwrap_or(Duration::FIVE_MINUTES).seconds(|| draw().with(b"duration"));
    if let Some(outcome) = outcome {
        fate.way = outcome.way;
        fate.output = outcome.output.clone();
        fate.counters = outcome.counters.clone();
        fate.fault = (!matches!(outcome.way, Way::Ok | Way::Hangs))
            .then(|| Fault { code: outcome.code.clone(), message: outcome.message.clone() });
    }
    Ok(fate)
}
