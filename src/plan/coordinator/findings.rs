//! The kinds of findings that submitting and materializing a coordinator give.

use crate::diag::{Group, Info, Severity, Stage};
use crate::el::Failure;

/// No datetime.
pub static DATETIME_INVALID: Info = Info {
    name: "datetime-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1003"],
    explanation: "A text is no datetime in the processing timezone.\n\n\
        Write `2024-01-31T08:00Z`; a server with a processing timezone such as GMT+0530 wants \
        `2024-01-31T13:30+0530`. Seconds are never written.",
};

/// Start is not before end.
pub static COORDINATOR_EMPTY_RANGE: Info = Info {
    name: "coordinator-empty-range",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1003"],
    explanation: "The start of a coordinator is not before its end.\n\n\
        The end itself belongs to no action, so both must differ.",
};

/// Faster than every five minutes.
pub static COORDINATOR_TOO_FREQUENT: Info = Info {
    name: "coordinator-too-frequent",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1003"],
    explanation: "A coordinator would run more often than every five minutes, or not forward at all.\n\n\
        Servers refuse it unless `oozie.service.coord.check.maximum.frequency` is off. Datasets \
        may be as frequent as they like.",
};

/// No action at all.
pub static COORDINATOR_NEVER_RUNS: Info = Info {
    name: "coordinator-never-runs",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1003"],
    explanation: "No action falls between the start and the end of a coordinator.\n\n\
        The cron's first time is not before the end.",
};

/// A cron that does not parse.
pub static CRON_INVALID: Info = Info {
    name: "cron-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1003"],
    explanation: "A frequency is neither a number nor a cron.\n\n\
        A cron has five fields with one blank between them: minute, hour, day of month, month, \
        day of week. SUN is 1. One of the two days is `?` unless both shall count.",
};

/// Not five fields.
pub static CRON_FIELD_COUNT: Info = Info {
    name: "cron-field-count",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1003"],
    explanation: "A cron has not exactly five fields with one blank between them.\n\n\
        Seconds and years have no field; a second blank makes an empty field.",
};

/// A cron without a next time.
pub static CRON_NEVER_FIRES: Info = Info {
    name: "cron-never-fires",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1003"],
    explanation: "A cron never fires, such as on 30 February.\n\n\
        The search gives up a hundred years ahead.",
};

/// No such zone.
pub static TIMEZONE_UNKNOWN: Info = Info {
    name: "timezone-unknown",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1003"],
    explanation: "A timezone is not known.\n\n\
        Names are those of Java and case counts: `America/Los_Angeles`, `UTC`, `GMT+05:30`. \
        `ankus timezones` lists them.",
};

/// A control without a sensible value.
pub static CONTROL_INVALID: Info = Info {
    name: "control-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1003"],
    explanation: "A control of a coordinator is empty or has no such value.\n\n\
        `timeout`, `concurrency` and `throttle` are whole numbers, `execution` is FIFO, LIFO, \
        LAST_ONLY or NONE. Leave the element out for the default.",
};

/// An event of an unknown dataset.
pub static DATASET_UNDEFINED: Info = Info {
    name: "dataset-undefined",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0803"],
    explanation: "An event names a dataset that is not defined.\n\n\
        Datasets stand in `datasets` or in files included there; such files carry no namespace.",
};

/// One name twice among included files.
pub static DATASET_DUPLICATE: Info = Info {
    name: "dataset-duplicate",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0803"],
    explanation: "Two included datasets have one name.\n\n\
        A dataset of the coordinator itself may replace an included one; two included ones of \
        one name are refused.",
};

/// An include that leads nowhere.
pub static DATASET_INCLUDE_MISSING: Info = Info {
    name: "dataset-include-missing",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1002"],
    explanation: "An `include` leads to no file.\n\n\
        Where no mapping in ankus.toml says where it should stand, it may lie on the cluster alone, and the finding is a \
        note. Expressions in an include of an included file are not resolved.",
};

/// A file that includes itself.
pub static DATASET_INCLUDE_LOOP: Info = Info {
    name: "dataset-include-loop",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &[],
    explanation: "Included files include each other in a loop, or there are too many of them.\n\n\
        A server reads them until its stack ends or a dataset comes twice.",
};

/// An included file with a namespace.
pub static DATASET_INCLUDE_NAMESPACE: Info = Info {
    name: "dataset-include-namespace",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0803"],
    explanation: "An included file carries a namespace, so its datasets are not seen.\n\n\
        Remove `xmlns` from its root element.",
};

/// A dataset without a sensible frequency.
pub static DATASET_FREQUENCY_INVALID: Info = Info {
    name: "dataset-frequency-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1003"],
    explanation: "The frequency of a dataset is no whole number greater than zero.\n\n\
        Datasets know no crons: write minutes or `${coord:days(1)}` and its like.",
};

/// A dataset without a sensible first instance.
pub static DATASET_INITIAL_INVALID: Info = Info {
    name: "dataset-initial-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1021"],
    explanation: "The initial instance of a dataset lies before 1970.\n\n\
        Servers count from 1970-01-01T00:00Z.",
};

/// A dataset without a template.
pub static DATASET_INCOMPLETE: Info = Info {
    name: "dataset-incomplete",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0803"],
    explanation: "An included dataset has no name or no `uri-template`.\n\n\
        Included files are not held against the schema, so a server fails with a bare exception \
        inside.",
};

/// One event name twice.
pub static DATA_EVENT_DUPLICATE: Info = Info {
    name: "data-event-duplicate",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0803"],
    explanation: "Two input events, or two output events, have one name.",
};

/// A function over an event that does not exist.
pub static DATA_EVENT_UNKNOWN: Info = Info {
    name: "data-event-unknown",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1004"],
    explanation: "A function names an event that does not exist.\n\n\
        `coord:dataIn` takes the name of a `data-in` or of an operator of the input logic, \
        `coord:dataOut` that of a `data-out`; not the name of a dataset.",
};

/// Nothing, or too much, in an instance.
pub static INSTANCE_EMPTY: Info = Info {
    name: "instance-empty",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1021"],
    explanation: "An `instance` is empty, does not parse, or holds two instances.\n\n\
        Write one `instance` element for each.",
};

/// A range from late to early.
pub static INSTANCE_RANGE_REVERSED: Info = Info {
    name: "instance-range-reversed",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Materialize),
    mirrors: &["E1010"],
    explanation: "The start of a range of instances lies after its end.",
};

/// Two functions that make no range.
pub static INSTANCE_MIXED_RANGE: Info = Info {
    name: "instance-mixed-range",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Materialize),
    mirrors: &["E1010"],
    explanation: "The start and the end of a range are given by functions that do not go together.\n\n\
        Both are `current`, both `latest`, both `future` or both `offset`; `absolute` and \
        `endOfDays`, `endOfWeeks`, `endOfMonths` go with `current` as the end.",
};

/// An absolute instance that does not fit.
pub static INSTANCE_ABSOLUTE_INVALID: Info = Info {
    name: "instance-absolute-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Materialize),
    mirrors: &["E1004"],
    explanation: "An absolute instance does not fit its dataset.\n\n\
        `absolute`, `endOfDays` and their like only work as the start of a range; the date must \
        be an instance of the dataset, not before the initial one.",
};

/// An instance that is no datetime.
pub static INSTANCE_INVALID: Info = Info {
    name: "instance-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Materialize),
    mirrors: &[],
    explanation: "An instance is neither a function that gives instances nor a datetime.\n\n\
        The server fails with a bare exception while it creates actions. `coord:latest` takes 0 and negative numbers, \
        `coord:future` numbers from 0 on and a limit greater than 0: with others every look for the inputs fails \
        (E1021), and the action waits until it times out.",
};

/// More instances than anyone can wait for.
pub static INSTANCE_TOO_MANY: Info = Info {
    name: "instance-too-many",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Materialize),
    mirrors: &[],
    explanation: "An event has more instances than can be planned.\n\n\
        A server would run out of memory, or never end.",
};

/// A template that wants to know too much.
pub static DATASET_URI_VARIABLE: Info = Info {
    name: "dataset-uri-variable",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Materialize),
    mirrors: &["E1004"],
    explanation: "A URI template names something that is neither a property nor one of YEAR, MONTH, DAY, \
        HOUR, MINUTE.\n\n\
        Properties are put in at submission; what is left then may only name parts of the \
        instance's datetime. A name that looks like a slip of one of them and has no value is told as that: an error where \
        all parameters are known, else a warning.",
};

/// A text that is no URI.
pub static URI_INVALID: Info = Info {
    name: "uri-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Materialize),
    mirrors: &["E0902"],
    explanation: "What a dataset's template gives is no URI.\n\n\
        Blanks and characters such as `{`, `|` and `\\` may not stand in one; write them as \
        `%20` and the like.",
};

/// Several partitions for a Hive export.
pub static PARTITION_EXPORT_MANY: Info = Info {
    name: "partition-export-many",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Action),
    mirrors: &["E1004"],
    explanation: "`coord:dataInPartitions` for a Hive export is used on an event of several instances.\n\n\
        It takes exactly one.",
};

/// Input logic that makes no sense.
pub static INPUT_LOGIC_INVALID: Info = Info {
    name: "input-logic-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Action),
    mirrors: &["E1028"],
    explanation: "The input logic names an unknown data-in, or has an operator, `min` or `wait` that makes \
        no sense.\n\n\
        Only a dry run checks most of it; a submission accepts it, and the actions never start.",
};

/// Late instances among outputs.
pub static OUTPUT_UNRESOLVED: Info = Info {
    name: "output-unresolved",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Action),
    mirrors: &["E1021", "E1006"],
    explanation: "An output event has a `latest` or `future` instance.\n\n\
        The URI of an output must be known when the action is created. Where an input has such an instance too, the \
        action fails when it starts; else `coord:dataOut` gives nothing.",
};

/// A job that ends outside the calendar.
pub static TIME_OUT_OF_RANGE: Info = Info {
    name: "time-out-of-range",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Materialize),
    mirrors: &[],
    explanation: "The times of a coordinator run backwards or leave the calendar.\n\n\
        A server would create actions without end.",
};

/// The kinds that functions of coordinators name where Java's class would stand.
static NAMED_BY_FAILURES: &[&Info] =
    &[&DATA_EVENT_UNKNOWN, &INSTANCE_ABSOLUTE_INVALID, &INSTANCE_TOO_MANY, &PARTITION_EXPORT_MANY];

/// The kind of a failed function: functions of coordinators name it where Java's class would stand.
pub(super) fn of(failure: &str) -> Option<&'static Info> {
    NAMED_BY_FAILURES.iter().copied().find(|info| info.name == failure)
}

/// The failure of a range that is too long.
pub(super) fn too_many(count: i64) -> Failure {
    let limit = super::settings::MAX_INSTANCES;
    Failure::new(INSTANCE_TOO_MANY.name, format!("{count} instances are more than {limit}"))
}
