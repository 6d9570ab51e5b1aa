//! The tasks of a DAG and what each waits for.

/// Airflow's rules for when a task starts, as far as exports use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriggerRule {
    /// `all_success`
    AllSuccess,
    /// `one_done`
    OneDone,
    /// `one_success`
    OneSuccess,
    /// `none_failed_min_one_success`
    NoneFailedMinOneSuccess,
    /// `all_done_setup_success`, the rule of teardowns.
    AllDoneSetupSuccess,
}

impl TriggerRule {
    /// Airflow's name.
    pub const fn name(self) -> &'static str {
        match self {
            TriggerRule::AllSuccess => "all_success",
            TriggerRule::OneDone => "one_done",
            TriggerRule::OneSuccess => "one_success",
            TriggerRule::NoneFailedMinOneSuccess => "none_failed_min_one_success",
            TriggerRule::AllDoneSetupSuccess => "all_done_setup_success",
        }
    }

    /// The rule of a name.
    pub fn find(name: &str) -> Option<TriggerRule> {
        use TriggerRule::{AllDoneSetupSuccess, AllSuccess, NoneFailedMinOneSuccess, OneDone, OneSuccess};
        let all = [AllSuccess, OneDone, OneSuccess, NoneFailedMinOneSuccess, AllDoneSetupSuccess];
        all.into_iter().find(|rule| rule.name() == name)
    }
}

/// What a task does; a number is the node of the workflow that it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// Runs an action.
    Action(usize),
    /// Chooses by the predicates of a decision.
    Decision(usize),
    /// Chooses by how an action ended.
    Next(usize),
    /// Fails with the message of a kill node.
    Kill(usize),
    /// An end node.
    End(usize),
    /// A fork or a join.
    Control(usize),
    /// Does nothing; it keeps edges apart.
    Empty,
    /// The teardown that decides how the run ended.
    Outcome,
}

/// A task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its id.
    pub id: String,
    /// What it does.
    pub kind: TaskKind,
    /// When it starts.
    pub rule: TriggerRule,
    /// What it waits for, in order, each once.
    pub upstream: Vec<usize>,
    /// Of a choice: the task for each target, by the order of the node's transitions.
    pub targets: Vec<usize>,
}

impl Task {
    /// Whether it chooses among the tasks behind it.
    pub fn is_branch(&self) -> bool {
        matches!(self.kind, TaskKind::Decision(_) | TaskKind::Next(_))
    }
}

/// The tasks of a DAG, each after those it waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskGraph {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// Whether a failure ends all other tasks.
    pub fail_fast: bool,
}

impl TaskGraph {
    /// The task of a node.
    pub fn task_of(&self, node: usize) -> Option<usize> {
        self.tasks.iter().position(|task| match task.kind {
            TaskKind::Action(own)
            | TaskKind::Decision(own)
            | TaskKind::Kill(own)
            | TaskKind::End(own)
            | TaskKind::Control(own) => own == node,
            TaskKind::Next(_) | TaskKind::Empty | TaskKind::Outcome => false,
        })
    }

    /// The tasks behind each.
    pub fn downstream(&self) -> Vec<Vec<usize>> {
        let mut downstream = vec![Vec::new(); self.tasks.len()];
        for (index, task) in self.tasks.iter().enumerate() {
            task.upstream.iter().for_each(|up| downstream[*up].push(index));
        }
        downstream
    }

    /// Puts each task after those that it waits for; those that could come at the same place stay in their order. Not
    /// where some wait for each other.
    pub(super) fn sort(&mut self) -> bool {
        let downstream = self.downstream();
        let mut missing: Vec<usize> = self.tasks.iter().map(|task| task.upstream.len()).collect();
        let mut ready: std::collections::BTreeSet<usize> =
            (0..self.tasks.len()).filter(|task| missing[*task] == 0).collect();
        let mut order = Vec::with_capacity(self.tasks.len());
        while let Some(task) = ready.pop_first() {
            order.push(task);
            for next in &downstream[task] {
                missing[*next] -= 1;
                if missing[*next] == 0 {
                    ready.insert(*next);
                }
            }
        }
        if order.len() < self.tasks.len() {
            return false;
        }
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, old)| place[*old] = new);
        let mut tasks: Vec<Task> = order.iter().map(|old| self.tasks[*old].clone()).collect();
        for task in &mut tasks {
            for index in task.upstream.iter_mut().chain(&mut task.targets) {
                *index = place[*index];
            }
        }
        self.tasks = tasks;
        true
    }
}
