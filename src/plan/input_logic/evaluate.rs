//! The phases in which an input logic is evaluated.
//!
//! Follows `CoordInputLogicEvaluatorPhaseOne`, `PhaseTwo`, `PhaseThree` and `PhaseValidate`, and the short-circuit
//! operators of `OozieJexlInterpreter`: `and` puts the right operand's URIs first.

use super::availability::{Availability, Dependencies};
use super::{Bounds, LogicError, LogicExpr};

/// What evaluation asks of the world.
pub trait World {
    /// Whether this URI, done-flag included, exists.
    fn exists(&self, uri: &str) -> bool;

    /// Resolves one `latest` or `future` of a data-in. `found` is what an earlier expression of the same data-in left.
    fn resolve(&self, data_in: &str, expression: &str, found: Option<String>) -> Resolution;
}

/// What became of a `latest` or `future`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolution {
    /// Whether all of it was found.
    pub is_resolved: bool,
    /// What was found, with `#` between.
    pub found: Option<String>,
}

/// The state of an evaluation step; `None` as status counts as false.
#[derive(Clone, Debug, Default)]
struct Outcome {
    status: Option<Status>,
    uris: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    True,
    False,
    PhaseTwo,
    Waiting,
}

impl Outcome {
    fn of(status: Status) -> Outcome {
        Outcome { status: Some(status), uris: None }
    }

    fn holds(&self) -> bool {
        matches!(self.status, Some(Status::True | Status::PhaseTwo | Status::Waiting))
    }

    fn waits(&self) -> bool {
        self.status == Some(Status::Waiting)
    }

    fn is_phase_two(&self) -> bool {
        self.status == Some(Status::PhaseTwo)
    }

    fn append(&mut self, uris: Option<&str>) {
        let Some(uris) = uris.filter(|text| !text.is_empty()) else { return };
        match &mut self.uris {
            Some(all) if !all.is_empty() => {
                all.push(',');
                all.push_str(uris);
            }
            other => *other = Some(uris.to_owned()),
        }
    }
}

/// One way to evaluate the leaves.
trait Leaves {
    fn input(&mut self, dataset: &str, bounds: Bounds) -> Result<Outcome, LogicError>;
    fn combine(&mut self, datasets: &[String], bounds: Bounds) -> Result<Outcome, LogicError>;
}

fn evaluate(expr: &LogicExpr, leaves: &mut dyn Leaves) -> Result<Outcome, LogicError> {
    match expr {
        LogicExpr::Input(dataset, bounds) => leaves.input(dataset, *bounds),
        LogicExpr::Combine(datasets, bounds) => leaves.combine(datasets, *bounds),
        LogicExpr::Or(operands) => {
            let mut last = Outcome::default();
            for operand in operands {
                last = evaluate(operand, leaves)?;
                if last.holds() {
                    break;
                }
            }
            Ok(last)
        }
        LogicExpr::And(operands) => {
            let Some((first, rest)) = operands.split_first() else { return Ok(Outcome::default()) };
            let mut left = evaluate(first, leaves)?;
            for operand in rest {
                if left.waits() || !left.holds() {
                    return Ok(left);
                }
                let mut right = evaluate(operand, leaves)?;
                left = if right.waits() {
                    right
                } else if left.is_phase_two() || right.is_phase_two() {
                    Outcome::of(Status::PhaseTwo)
                } else {
                    if right.holds() {
                        right.append(left.uris.as_deref());
                    }
                    right
                };
            }
            Ok(left)
        }
    }
}

fn met(expr: Option<&LogicExpr>, leaves: &mut dyn Leaves) -> Result<bool, LogicError> {
    let Some(expr) = expr else { return Ok(true) };
    let outcome = evaluate(expr, leaves)?;
    Ok(!outcome.waits() && outcome.holds())
}

/// The minutes that have passed since the later of nominal and creation time.
fn elapsed(wait_minutes: i32, elapsed_minutes: i64) -> bool {
    wait_minutes == -1 || i64::from(wait_minutes) <= elapsed_minutes
}

/// `getEvalResult`: a complete set counts, so does `min` of it once the wait is over.
fn judge(complete: bool, bounds: Bounds, wait_over: bool, uris: &[String]) -> Outcome {
    if !complete && bounds.wait_minutes > 0 && !wait_over {
        return Outcome::of(Status::Waiting);
    }
    let mut outcome = Outcome::default();
    if complete || (bounds.min > 0 && uris.len() as i64 >= i64::from(bounds.min)) {
        outcome = Outcome { status: Some(Status::True), uris: Some(uris.join(",")) };
    }
    if bounds.min == 0 {
        outcome.status = Some(Status::True);
    }
    outcome
}

impl Availability {
    /// Are the resolved instances there (`checkPullMissingDependencies`)? What is seen is remembered.
    pub fn check_resolved(
        &mut self,
        expr: Option<&LogicExpr>,
        world: &dyn World,
        elapsed_minutes: i64,
    ) -> Result<bool, LogicError> {
        met(expr, &mut PhaseOne { inputs: self, world, elapsed_minutes, push: false })
    }

    /// Are the announced instances there (`checkPushDependencies`)?
    pub fn check_pushed(
        &mut self,
        expr: Option<&LogicExpr>,
        world: &dyn World,
        elapsed_minutes: i64,
    ) -> Result<bool, LogicError> {
        met(expr, &mut PhaseOne { inputs: self, world, elapsed_minutes, push: true })
    }

    /// Can latest and future be resolved (`checkUnResolved`)?
    pub fn check_unresolved(
        &mut self,
        expr: Option<&LogicExpr>,
        world: &dyn World,
        elapsed_minutes: i64,
    ) -> Result<bool, LogicError> {
        met(expr, &mut PhaseTwo { inputs: self, world, elapsed_minutes })
    }

    /// What `coord:dataIn` gives for the node that `expr` was built from; `None`: it stays an expression.
    pub fn data_in(&self, expr: Option<&LogicExpr>) -> Result<Option<String>, LogicError> {
        let Some(expr) = expr else { return Ok(None) };
        let outcome = evaluate(expr, &mut PhaseThree { inputs: self })?;
        Ok(outcome.holds().then(|| outcome.uris.unwrap_or_default()))
    }

    /// What a dry run checks, and a submission does not.
    pub fn validate(&self, expr: Option<&LogicExpr>) -> Result<(), LogicError> {
        met(expr, &mut Validate { inputs: self }).map(|_| ())
    }

    /// The length that a dry run sees.
    fn len(&self, dataset: &str) -> Result<usize, LogicError> {
        if let Some(list) = self.pull.instances.get(dataset) {
            return Ok(list.len());
        }
        if self.unresolved.contains_key(dataset) {
            return Ok(1);
        }
        let list = self.push.instances.get(dataset);
        list.map(Vec::len).ok_or_else(|| LogicError::UnknownInput(dataset.to_owned()))
    }

    /// `getResultFromPullPush`: a data-in that the examined side does not hold.
    fn in_both(&self, dataset: &str, min: i32, strip: bool) -> Outcome {
        let pull = self.side(&self.pull, dataset, min, true, strip);
        let push = self.side(&self.push, dataset, min, false, strip);
        let holds = pull.holds() || push.holds();
        let mut outcome = Outcome::of(if holds { Status::True } else { Status::False });
        outcome.append(pull.uris.as_deref());
        outcome.append(push.uris.as_deref());
        outcome
    }

    fn side(&self, side: &Dependencies, dataset: &str, min: i32, pull: bool, strip: bool) -> Outcome {
        let unresolved = self.unresolved.get(dataset).filter(|_| pull);
        let mut available = side.available.get(dataset).cloned().unwrap_or_default();
        if let Some(unresolved) = unresolved {
            available.extend(unresolved.resolved.iter().cloned());
        }
        let mut outcome = Outcome::default();
        if available.is_empty() {
            outcome.status = Some(if min == 0 { Status::True } else { Status::False });
        }
        let enough = min > -1 && available.len() as i64 >= i64::from(min);
        let resolved = match unresolved {
            Some(unresolved) => unresolved.is_resolved,
            None => side.is_resolved(dataset),
        };
        if enough || resolved {
            outcome.status = Some(Status::True);
            if strip {
                available.iter_mut().for_each(|uri| *uri = self.without_done_flag(uri, dataset));
            }
            outcome.append(Some(&available.join(",")));
        }
        outcome
    }

    fn without_done_flag(&self, uri: &str, dataset: &str) -> String {
        let flag = self.done_flags.get(dataset).map_or("", String::as_str);
        if flag.is_empty() || uri.starts_with("hcat://") || !uri.ends_with(flag) {
            return uri.to_owned();
        }
        uri.rfind(&format!("/{flag}")).map_or(uri, |at| &uri[..at]).to_owned()
    }
}

/// Resolved instances: looks at what was not seen yet.
struct PhaseOne<'a> {
    inputs: &'a mut Availability,
    world: &'a dyn World,
    elapsed_minutes: i64,
    push: bool,
}

impl PhaseOne<'_> {
    fn side(&mut self) -> &mut Dependencies {
        if self.push { &mut self.inputs.push } else { &mut self.inputs.pull }
    }

    fn instance(&mut self, dataset: &str, index: usize) -> Result<(String, bool), LogicError> {
        let list = self.side().instances.get(dataset);
        let instance = list.ok_or_else(|| LogicError::UnknownInput(dataset.to_owned()))?.get(index);
        instance
            .map(|i| (i.uri.clone(), i.available))
            .ok_or(LogicError::CombineUnequal(dataset.to_owned(), index.to_string()))
    }
}

impl Leaves for PhaseOne<'_> {
    fn input(&mut self, dataset: &str, bounds: Bounds) -> Result<Outcome, LogicError> {
        let Some(count) = self.side().instances.get(dataset).map(Vec::len) else {
            if self.inputs.unresolved.contains_key(dataset) {
                return Ok(Outcome::of(Status::PhaseTwo));
            }
            return Ok(self.inputs.in_both(dataset, bounds.min, false));
        };
        let mut uris = Vec::new();
        let mut complete = true;
        for index in 0..count {
            let (uri, available) = self.instance(dataset, index)?;
            if available {
                uris.push(uri);
            } else if self.world.exists(&uri) {
                self.side().mark(dataset, index);
                uris.push(uri);
            } else {
                complete = false;
                if bounds.min < 0 {
                    break;
                }
            }
        }
        Ok(judge(complete, bounds, elapsed(bounds.wait_minutes, self.elapsed_minutes), &uris))
    }

    fn combine(&mut self, datasets: &[String], bounds: Bounds) -> Result<Outcome, LogicError> {
        let Some((first, backups)) = datasets.split_first() else { return Ok(Outcome::default()) };
        let Some(count) = self.side().instances.get(first).map(Vec::len) else {
            return Ok(Outcome::of(Status::Waiting));
        };
        let mut uris = Vec::new();
        for index in 0..count {
            let (uri, available) = self.instance(first, index)?;
            let mut found = available;
            if !available && self.world.exists(&uri) {
                self.side().mark(first, index);
                found = true;
            }
            if found {
                uris.push(uri);
                continue;
            }
            for backup in backups {
                let (uri, available) = self.instance(backup, index)?;
                if available || self.world.exists(&uri) {
                    self.side().mark(backup, index);
                    uris.push(uri);
                    found = true;
                }
            }
            if bounds.min < 0 && !found {
                break;
            }
        }
        let wait_over = elapsed(bounds.wait_minutes, self.elapsed_minutes);
        Ok(judge(uris.len() == count, bounds, wait_over, &uris))
    }
}

/// Latest and future.
struct PhaseTwo<'a> {
    inputs: &'a mut Availability,
    world: &'a dyn World,
    elapsed_minutes: i64,
}

impl Leaves for PhaseTwo<'_> {
    fn input(&mut self, dataset: &str, bounds: Bounds) -> Result<Outcome, LogicError> {
        if !self.inputs.done_flags.contains_key(dataset) {
            return Err(LogicError::UnknownInput(dataset.to_owned()));
        }
        let Some(unresolved) = self.inputs.unresolved.get_mut(dataset) else {
            let (world, elapsed_minutes) = (self.world, self.elapsed_minutes);
            let mut one = PhaseOne { inputs: self.inputs, world, elapsed_minutes, push: false };
            return one.input(dataset, bounds);
        };
        unresolved.resolved.clear();
        let wait_over = elapsed(bounds.wait_minutes, self.elapsed_minutes);
        let mut found: Option<String> = None;
        for expression in unresolved.expressions.clone() {
            let resolution = self.world.resolve(dataset, &expression, found.take());
            found = resolution.found;
            let list: Vec<String> = split(found.as_deref().unwrap_or_default());
            let uris = judge(resolution.is_resolved, bounds, wait_over, &list).uris.unwrap_or_default();
            if (wait_over || resolution.is_resolved) && !uris.is_empty() {
                unresolved.resolved.extend(uris.split(',').map(str::to_owned));
            } else {
                unresolved.resolved.clear();
                return Ok(Outcome::of(if wait_over { Status::False } else { Status::Waiting }));
            }
        }
        unresolved.is_resolved = true;
        Ok(Outcome { status: Some(Status::True), uris: Some(unresolved.resolved.join(",")) })
    }

    fn combine(&mut self, _: &[String], _: Bounds) -> Result<Outcome, LogicError> {
        Err(LogicError::CombineUnresolved)
    }
}

/// As Java splits: empty parts at the end do not count.
fn split(text: &str) -> Vec<String> {
    text.trim_end_matches('#').split('#').filter(|_| !text.is_empty()).map(str::to_owned).collect()
}

/// `coord:dataIn`: only what was seen counts, and waiting is over.
struct PhaseThree<'a> {
    inputs: &'a Availability,
}

impl Leaves for PhaseThree<'_> {
    fn input(&mut self, dataset: &str, bounds: Bounds) -> Result<Outcome, LogicError> {
        Ok(self.inputs.in_both(dataset, bounds.min, true))
    }

    fn combine(&mut self, datasets: &[String], bounds: Bounds) -> Result<Outcome, LogicError> {
        let Some((first, backups)) = datasets.split_first() else { return Ok(Outcome::default()) };
        let Some(list) = self.inputs.pull.instances.get(first) else {
            return Ok(Outcome::of(Status::False));
        };
        let mut uris = Vec::new();
        for (index, instance) in list.iter().enumerate() {
            if instance.available {
                uris.push(self.inputs.without_done_flag(&instance.uri, first));
                continue;
            }
            for backup in backups {
                let list = self.inputs.pull.instances.get(backup);
                let list = list.ok_or_else(|| LogicError::UnknownInput(backup.clone()))?;
                let instance = list.get(index);
                let instance =
                    instance.ok_or_else(|| LogicError::CombineUnequal(first.clone(), backup.clone()))?;
                if instance.available {
                    uris.push(self.inputs.without_done_flag(&instance.uri, backup));
                }
            }
        }
        Ok(judge(uris.len() == list.len(), bounds, true, &uris))
    }
}

/// A dry run.
struct Validate<'a> {
    inputs: &'a Availability,
}

impl Leaves for Validate<'_> {
    fn input(&mut self, dataset: &str, _: Bounds) -> Result<Outcome, LogicError> {
        self.inputs.len(dataset)?;
        // False in an `or` makes the next operand be looked at; an `and` stops here, as in the reference.
        Ok(Outcome::of(Status::False))
    }

    fn combine(&mut self, datasets: &[String], _: Bounds) -> Result<Outcome, LogicError> {
        let Some((first, backups)) = datasets.split_first().filter(|(_, rest)| !rest.is_empty()) else {
            return Err(LogicError::CombineOne);
        };
        let count = self.inputs.len(first)?;
        for backup in backups {
            if self.inputs.len(backup)? != count {
                return Err(LogicError::CombineUnequal(first.clone(), backup.clone()));
            }
            if self.inputs.unresolved.contains_key(backup) {
                return Err(LogicError::CombineUnresolved);
            }
        }
        Ok(Outcome::of(Status::False))
    }
}
