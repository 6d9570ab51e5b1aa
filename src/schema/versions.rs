//! What each release of Oozie brought: one table of namespaces, elements, functions of expressions, limits and the
//! engine of expressions.
//!
//! Read from the releases themselves: their schemas, the schemas that `oozie-default.xml` loads (before 4.2 their own
//! lists and the `oozie-site.xml` that was shipped), and their functions by phase (`oozie.service.ELService.*`).
//! What is not in the table was there in 3.1.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A version of Oozie, as major and minor number: patches brought nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(u16, u16);

impl Default for Version {
    fn default() -> Version {
        Version(5, 2)
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

impl Version {
    /// The versions that can be asked for.
    pub const ALL: [Version; 8] = [
        Version(3, 3),
        Version(4, 0),
        Version(4, 1),
        Version(4, 2),
        Version(4, 3),
        Version(5, 0),
        Version(5, 1),
        Version(5, 2),
    ];

    /// The version of a text such as `5.2` or `4.3.1`; `None` when it is none of [`Version::ALL`].
    pub fn new(text: &str) -> Option<Version> {
        let mut numbers = text.split('.').map(|part| part.parse::<u16>().ok());
        let version = Version(numbers.next()??, numbers.next()??);
        let is_whole = numbers.next().is_none_or(|patch| patch.is_some()) && numbers.next().is_none();
        (is_whole && Version::ALL.contains(&version)).then_some(version)
    }

    /// Whether expressions go to the older engine (Commons EL 1.0): 5.2 brought the one of Tomcat.
    pub fn has_legacy_expressions(self) -> bool {
        self < Version(5, 2)
    }

    /// The longest name of a node (`LiteWorkflowAppParser` and `ParamChecker`, `MAX_NODE_NAME_LEN`).
    pub fn longest_node_name(self) -> usize {
        if self < Version(4, 3) { 50 } else { 128 }
    }

    /// Whether an action may not set where the old job tracker is (`JavaActionExecutor.HADOOP_JOB_TRACKER`).
    pub fn bans_job_tracker(self) -> bool {
        self < Version(5, 0)
    }
}

/// One thing that a release brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A schema, by the server's name for it.
    Schema(&'static str),
    /// A child element: namespace, parent, name.
    Element(&'static str, &'static str, &'static str),
    /// An attribute: namespace, element, name.
    Attribute(&'static str, &'static str, &'static str),
    /// That an attribute may hold any text; before, a letter, then letters, digits, `-` and `_`.
    AnyText(&'static str, &'static str, &'static str),
    /// A function, with the phases in which it came, by Oozie's names of them.
    Function(&'static str, &'static [&'static str]),
}

use What::{AnyText, Attribute, Element, Function, Schema};

const INSTANCES: &str = "coord-job-submit-instances";
const DATA: &str = "coord-job-submit-data";
const FREQUENCY: &str = "coord-job-submit-freq";
const NOFUNCS: &str = "coord-job-submit-nofuncs";
const INITIAL: &str = "coord-job-submit-initial-instance";
const TIMEOUT: &str = "coord-job-wait-timeout";
const CREATE: &str = "coord-action-create";
const CREATE_INST: &str = "coord-action-create-inst";
const START: &str = "coord-action-start";
const SLA_SUBMIT: &str = "coord-sla-submit";
const SLA_CREATE: &str = "coord-sla-create";

/// The table, oldest first.
#[rustfmt::skip]
pub static BROUGHT: &[(Version, &[What])] = &[
    (Version(3, 2), &[
        Schema("hive-action-0.2.xsd"), Schema("shell-action-0.1.xsd"), Schema("sqoop-action-0.2.xsd"),
        Schema("ssh-action-0.1.xsd"),
    ]),
    (Version(3, 3), &[
        Schema("oozie-workflow-0.4.xsd"), Schema("oozie-coordinator-0.4.xsd"), Schema("oozie-bundle-0.2.xsd"),
        Schema("distcp-action-0.1.xsd"), Schema("hive-action-0.3.xsd"), Schema("shell-action-0.2.xsd"),
        Schema("sqoop-action-0.3.xsd"),
    ]),
    (Version(4, 0), &[
        Schema("oozie-workflow-0.5.xsd"), Schema("oozie-sla-0.2.xsd"), Schema("distcp-action-0.2.xsd"),
        Schema("hive-action-0.4.xsd"), Schema("hive-action-0.5.xsd"), Schema("shell-action-0.3.xsd"),
        Schema("sqoop-action-0.4.xsd"), Schema("ssh-action-0.2.xsd"),
        Function("hcat:exists", &["workflow"]),
        Function("coord:currentRange", &[INSTANCES, CREATE, CREATE_INST]),
        Function("coord:dataInPartitionFilter", &[DATA, START]),
        Function("coord:dataInPartitionMin", &[DATA, START]),
        Function("coord:dataInPartitionMax", &[DATA, START]),
        Function("coord:dataOutPartitionValue", &[DATA, START]),
        Function("coord:dataOutPartitions", &[DATA, START]),
        Function("coord:databaseIn", &[DATA, START]),
        Function("coord:databaseOut", &[DATA, START]),
        Function("coord:tableIn", &[DATA, START]),
        Function("coord:tableOut", &[DATA, START]),
    ]),
    (Version(4, 1), &[
        Schema("oozie-workflow-0.4.5.xsd"), Schema("email-action-0.2.xsd"),
        AnyText("uri:oozie:coordinator:0.1", "data-in", "dataset"),
        AnyText("uri:oozie:coordinator:0.1", "data-out", "dataset"),
        AnyText("uri:oozie:coordinator:0.2", "data-in", "dataset"),
        AnyText("uri:oozie:coordinator:0.2", "data-out", "dataset"),
        AnyText("uri:oozie:coordinator:0.3", "data-in", "dataset"),
        AnyText("uri:oozie:coordinator:0.3", "data-out", "dataset"),
        AnyText("uri:oozie:coordinator:0.4", "data-in", "dataset"),
        AnyText("uri:oozie:coordinator:0.4", "data-out", "dataset"),
        Function("hadoop:conf", &[
            "workflow", FREQUENCY, NOFUNCS, INITIAL, TIMEOUT, INSTANCES, DATA, SLA_SUBMIT, SLA_CREATE, CREATE,
            CREATE_INST, START,
        ]),
        Function("coord:minutes", &[TIMEOUT]),
        Function("coord:hours", &[TIMEOUT]),
        Function("coord:days", &[TIMEOUT]),
        Function("coord:months", &[TIMEOUT]),
        Function("coord:absolute", &[INSTANCES, CREATE, CREATE_INST]),
        Function("coord:absoluteRange", &[CREATE, CREATE_INST]),
        Function("coord:dataInPartitions", &[DATA, START]),
        Function("coord:actionId", &[SLA_SUBMIT, SLA_CREATE]),
        Function("coord:actualTime", &[SLA_SUBMIT, SLA_CREATE]),
        Function("coord:dataOut", &[SLA_SUBMIT, SLA_CREATE]),
        Function("coord:dataOutPartitionValue", &[SLA_SUBMIT, SLA_CREATE]),
        Function("coord:dataOutPartitions", &[SLA_SUBMIT, SLA_CREATE]),
        Function("coord:databaseOut", &[SLA_SUBMIT, SLA_CREATE]),
        Function("coord:dateOffset", &[SLA_SUBMIT, SLA_CREATE]),
        Function("coord:formatTime", &[SLA_SUBMIT, SLA_CREATE]),
        Function("coord:name", &[SLA_SUBMIT, SLA_CREATE]),
        Function("coord:tableOut", &[SLA_SUBMIT, SLA_CREATE]),
    ]),
    (Version(4, 2), &[
        Schema("hive2-action-0.1.xsd"), Schema("spark-action-0.1.xsd"),
        Element("uri:oozie:email-action:0.2", "email", "attachment"),
        Element("uri:oozie:workflow:0.5", "map-reduce", "config-class"),
        Attribute("uri:oozie:coordinator:0.4", "data-out", "nocleanup"),
        AnyText("uri:oozie:bundle:0.2", "coordinator", "name"),
        Function("coord:dateTzOffset", &[DATA, SLA_SUBMIT, SLA_CREATE, START]),
    ]),
    (Version(4, 3), &[
        Schema("oozie-coordinator-0.5.xsd"), Schema("hive-action-0.6.xsd"), Schema("hive2-action-0.2.xsd"),
        Schema("spark-action-0.2.xsd"),
        Element("uri:oozie:email-action:0.2", "email", "bcc"),
        Attribute("uri:oozie:bundle:0.2", "coordinator", "enabled"),
        Attribute("uri:oozie:workflow:0.5", "action", "retry-policy"),
        Attribute("uri:oozie:workflow:0.5", "delete", "skip-trash"),
        Function("coord:dateOffset", &[INITIAL, INSTANCES, CREATE_INST]),
        Function("coord:dateTzOffset", &[INITIAL, INSTANCES, CREATE_INST]),
        Function("coord:epochTime", &[INSTANCES, DATA, SLA_SUBMIT, SLA_CREATE, CREATE, CREATE_INST, START]),
        Function("bundle:conf", &["bundle-submit"]),
    ]),
    (Version(5, 0), &[
        Schema("oozie-workflow-1.0.xsd"), Schema("distcp-action-1.0.xsd"), Schema("hive-action-1.0.xsd"),
        Schema("hive2-action-1.0.xsd"), Schema("shell-action-1.0.xsd"), Schema("spark-action-1.0.xsd"),
        Schema("sqoop-action-1.0.xsd"),
        Element("uri:oozie:workflow:0.5", "fs", "setrep"),
        Function("coord:endOfWeeks", &[FREQUENCY, INSTANCES, CREATE, CREATE_INST]),
        Function("coord:endOfDays", &[INSTANCES, CREATE, CREATE_INST]),
        Function("coord:endOfMonths", &[INSTANCES, CREATE, CREATE_INST]),
    ]),
    (Version(5, 1), &[Schema("git-action-1.0.xsd")]),
];

/// What was there before the table begins.
const OLDEST: Version = Version(3, 1);

/// The version that brought a schema.
pub(super) fn of_schema(name: &str) -> Version {
    SCHEMAS.get(name).copied().unwrap_or(OLDEST)
}

static SCHEMAS: LazyLock<BTreeMap<&str, Version>> = LazyLock::new(|| {
    let schemas = BROUGHT.iter().flat_map(|(version, list)| {
        let name = |what: &What| if let Schema(name) = what { Some(*name) } else { None };
        list.iter().filter_map(name).map(|name| (name, *version))
    });
    schemas.collect()
});

/// What came into a schema after the schema itself, with its version.
pub(super) fn late_parts() -> impl Iterator<Item = (Version, What)> {
    let parts = BROUGHT.iter().flat_map(|(version, list)| list.iter().map(|what| (*version, *what)));
    parts.filter(|(_, what)| matches!(what, Element(..) | Attribute(..) | AnyText(..)))
}

/// Functions by name, then by phase.
static FUNCTIONS: LazyLock<BTreeMap<&str, BTreeMap<&str, Version>>> = LazyLock::new(|| {
    let mut all: BTreeMap<&str, BTreeMap<&str, Version>> = BTreeMap::new();
    for (version, list) in BROUGHT {
        for what in *list {
            if let Function(name, phases) = what {
                let of_name = all.entry(name).or_default();
                of_name.extend(phases.iter().map(|phase| (*phase, *version)));
            }
        }
    }
    all
});

/// The version from which on a function, by its full name, exists in a phase, by Oozie's name of it; for functions that
/// the newest version has there.
pub fn of_function(name: &str, phase: &str) -> Version {
    let of_phase = FUNCTIONS.get(name).and_then(|phases| phases.get(phase));
    of_phase.copied().unwrap_or(OLDEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::SCHEMAS as FILES;

    #[test]
    fn the_table_names_what_exists() {
        for (version, list) in BROUGHT {
            for what in *list {
                if let Schema(name) = what {
                    assert!(FILES.iter().any(|file| file.name == *name), "{version}: {name}");
                }
            }
        }
        assert_eq!(of_schema("oozie-workflow-0.1.xsd"), OLDEST);
        assert_eq!(of_schema("git-action-1.0.xsd"), Version(5, 1));
        assert_eq!(of_function("coord:endOfDays", FREQUENCY), OLDEST);
        assert_eq!(of_function("coord:endOfDays", INSTANCES), Version(5, 0));
        assert_eq!(of_function("coord:dateOffset", DATA), OLDEST);
    }

    #[test]
    fn versions_are_read() {
        let check =
            |text: &str, expected: Option<Version>| assert_eq!(Version::new(text), expected, "{text}");
        check("5.2", Some(Version(5, 2)));
        check("4.3.1", Some(Version(4, 3)));
        check("3.3", Some(Version(3, 3)));
        check("3.2", None);
        check("5.3", None);
        check("5", None);
        check("5.2.x", None);
        check("5.2.1.0", None);
    }
}
