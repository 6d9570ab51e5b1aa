//! What dialects settle differently while a workflow runs: one table, a row for each dialect. Nothing else of the engine
//! asks for the dialect.

use crate::model::Dialect;

/// The row of a dialect.
#[derive(Debug)]
pub(super) struct Ways {
    /// Whether every predicate of a decision must have a value, and not only those up to the first that is true.
    pub(super) evaluates_all_predicates: bool,
    /// Whether the branches of a fork start together, each whatever becomes of the others.
    pub(super) starts_branches_together: bool,
    /// The property with the names of nodes before which the job is suspended.
    pub(super) suspends_before: Option<&'static str>,
    /// The properties by which a job sets how often something transient is tried again, and how.
    pub(super) retries: Retries,
    /// The properties and words of notifications.
    pub(super) notifications: Notifications,
    /// Whether texts of an action's definition are evaluated one by one, and their values escaped.
    pub(super) evaluates_texts: bool,
}

/// Names of properties; with a type, that with `.TYPE` behind it comes first.
#[derive(Debug)]
pub(super) struct Retries {
    /// How often.
    pub(super) max: &'static str,
    /// After how many seconds.
    pub(super) interval: &'static str,
    /// `fixed` or `exponential`.
    pub(super) policy: Option<&'static str>,
    /// Whether types have properties of their own.
    pub(super) by_type: bool,
}

/// Names of properties, and what a notification says.
#[derive(Debug)]
pub(super) struct Notifications {
    /// Where a notification of a node goes.
    pub(super) node: &'static str,
    /// Where a notification of a job goes.
    pub(super) job: &'static str,
    /// The proxy of both.
    pub(super) proxy: Option<&'static str>,
    /// What is said.
    pub(super) style: Style,
}

/// What notifications say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// States of all nodes and transitions; each state of the job.
    States,
    /// How actions go on and the names of what decisions found; the end of the job.
    Words,
}

static OOZIE: Ways = Ways {
    evaluates_all_predicates: true,
    starts_branches_together: true,
    suspends_before: Some("oozie.suspend.on.nodes"),
    retries: Retries {
        max: "oozie.wf.action.max.retries",
        interval: "oozie.wf.action.retry.interval",
        policy: None,
        by_type: false,
    },
    notifications: Notifications {
        node: "oozie.wf.action.notification.url",
        job: "oozie.wf.workflow.notification.url",
        proxy: Some("oozie.wf.workflow.notification.proxy"),
        style: Style::States,
    },
    evaluates_texts: false,
};

static HWS: Ways = Ways {
    evaluates_all_predicates: false,
    starts_branches_together: false,
    suspends_before: None,
    retries: Retries {
        max: "hws.action.retry.max",
        interval: "hws.action.retry.interval",
        policy: Some("hws.action.retry.policy"),
        by_type: true,
    },
    notifications: Notifications {
        node: "hws.action.notification.url",
        job: "hws.workflow.notification.url",
        proxy: None,
        style: Style::Words,
    },
    evaluates_texts: true,
};

impl Ways {
    /// The row of a dialect.
    pub(super) fn of(dialect: Dialect) -> &'static Ways {
        match dialect {
            Dialect::Oozie => &OOZIE,
            Dialect::Hws => &HWS,
        }
    }
}
