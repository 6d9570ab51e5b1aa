//! The phases of evaluation: each has its own functions and constants.

/// A phase, named as the groups of Oozie's `ELService`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// All of a bundle's XML.
    BundleSubmit,
    /// A workflow's XML at submission.
    JobSubmit,
    /// A node of a workflow, when it is entered.
    Workflow,
    /// The `sla:info` of a workflow.
    WfSlaSubmit,
    /// The `frequency` of coordinators and datasets.
    CoordJobSubmitFreq,
    /// Attributes and controls of a coordinator, URI templates.
    CoordJobSubmitNofuncs,
    /// The `initial-instance` of datasets.
    CoordJobSubmitInitialInstance,
    /// The instances of events, at submission.
    CoordJobSubmitInstances,
    /// The configuration of a coordinator's action, at submission.
    CoordJobSubmitData,
    /// `controls/timeout`
    CoordJobWaitTimeout,
    /// The `sla:info` of a coordinator, at submission.
    CoordSlaSubmit,
    /// The `sla:info` of a coordinator, for each action.
    CoordSlaCreate,
    /// The instances of events, for each action.
    CoordActionCreate,
    /// The arguments within an instance, for each action.
    CoordActionCreateInst,
    /// The configuration of an action and its late instances, when it starts.
    CoordActionStart,
    /// A node of a `hadoop-workflow`, when it is entered.
    Hws,
}

impl Phase {
    /// How many there are.
    pub const COUNT: usize = 16;

    /// All of them, in the order of their numbers.
    pub const ALL: [Phase; Phase::COUNT] = [
        Phase::BundleSubmit,
        Phase::JobSubmit,
        Phase::Workflow,
        Phase::WfSlaSubmit,
        Phase::CoordJobSubmitFreq,
        Phase::CoordJobSubmitNofuncs,
        Phase::CoordJobSubmitInitialInstance,
        Phase::CoordJobSubmitInstances,
        Phase::CoordJobSubmitData,
        Phase::CoordJobWaitTimeout,
        Phase::CoordSlaSubmit,
        Phase::CoordSlaCreate,
        Phase::CoordActionCreate,
        Phase::CoordActionCreateInst,
        Phase::CoordActionStart,
        Phase::Hws,
    ];

    /// The name, as Oozie's settings spell it; `hws` for the dialect of 2009.
    pub fn name(self) -> &'static str {
        match self {
            Phase::BundleSubmit => "bundle-submit",
            Phase::JobSubmit => "job-submit",
            Phase::Workflow => "workflow",
            Phase::WfSlaSubmit => "wf-sla-submit",
            Phase::CoordJobSubmitFreq => "coord-job-submit-freq",
            Phase::CoordJobSubmitNofuncs => "coord-job-submit-nofuncs",
            Phase::CoordJobSubmitInitialInstance => "coord-job-submit-initial-instance",
            Phase::CoordJobSubmitInstances => "coord-job-submit-instances",
            Phase::CoordJobSubmitData => "coord-job-submit-data",
            Phase::CoordJobWaitTimeout => "coord-job-wait-timeout",
            Phase::CoordSlaSubmit => "coord-sla-submit",
            Phase::CoordSlaCreate => "coord-sla-create",
            Phase::CoordActionCreate => "coord-action-create",
            Phase::CoordActionCreateInst => "coord-action-create-inst",
            Phase::CoordActionStart => "coord-action-start",
            Phase::Hws => "hws",
        }
    }

    /// The place in the XML, for messages.
    pub fn place(self) -> &'static str {
        match self {
            Phase::BundleSubmit => "a bundle, but for its `name`",
            Phase::JobSubmit => "a workflow at submission",
            Phase::Workflow => "the nodes of a workflow",
            Phase::WfSlaSubmit => "the `sla:info` of a workflow",
            Phase::CoordJobSubmitFreq => "a `frequency`",
            Phase::CoordJobSubmitNofuncs => "the attributes and controls of a coordinator",
            Phase::CoordJobSubmitInitialInstance => "an `initial-instance`",
            Phase::CoordJobSubmitInstances | Phase::CoordActionCreate => "an `instance` of an event",
            Phase::CoordActionCreateInst => "an argument in an `instance`",
            Phase::CoordJobWaitTimeout => "a `timeout`",
            Phase::CoordSlaSubmit | Phase::CoordSlaCreate => "the `sla:info` of a coordinator",
            Phase::Hws => "the nodes of a `hadoop-workflow`",
            Phase::CoordJobSubmitData | Phase::CoordActionStart => {
                "the configuration of a coordinator's action"
            }
        }
    }

    /// The phase of this name.
    pub fn from_name(name: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.name() == name)
    }

    /// True for the phases of workflows, whose variables follow `DagELFunctions.configureEvaluator`.
    pub fn is_workflow(self) -> bool {
        matches!(self, Phase::Workflow | Phase::JobSubmit | Phase::WfSlaSubmit)
    }
}
