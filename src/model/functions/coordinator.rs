//! The functions of coordinators, and `hadoop:conf`, which they share with workflows.

use super::Phase::{
    CoordActionCreate as Create, CoordActionCreateInst as CreateInst, CoordActionStart as Start,
    CoordJobSubmitData as Data, CoordJobSubmitFreq as Freq, CoordJobSubmitInitialInstance as Initial,
    CoordJobSubmitInstances as Instances, CoordJobSubmitNofuncs as Nofuncs, CoordJobWaitTimeout as Timeout,
    CoordSlaCreate as SlaCreate, CoordSlaSubmit as SlaSubmit, Workflow,
};
use super::{Definition, functions};

#[rustfmt::skip]
pub(super) static FUNCTIONS: &[Definition] = functions! {
    "coord" "minutes" (n: Int) -> Int, "a frequency of n minutes", now [Freq, Timeout];
    "coord" "hours" (n: Int) -> Int, "a frequency of 60·n minutes", now [Freq, Timeout];
    "coord" "days" (n: Int) -> Int, "a frequency of n calendar days", now [Freq, Timeout];
    "coord" "months" (n: Int) -> Int, "a frequency of n calendar months", now [Freq, Timeout];
    "coord" "endOfDays" (n: Int) -> Int, "a frequency of n days from midnight; as an instance, the start of a day", now [Freq], later "{}" [Instances, Create, CreateInst];
    "coord" "endOfWeeks" (n: Int) -> Int, "a frequency of n weeks from Sunday; as an instance, the start of a week", now [Freq], later "{}" [Instances, Create, CreateInst];
    "coord" "endOfMonths" (n: Int) -> Int, "a frequency of n months from their first day; as an instance, the start of a month", now [Freq], later "{}" [Instances, Create, CreateInst];
    "coord" "conf" (name: String) -> String, "a property of the job; empty when it is missing", now [Freq, Nofuncs, Initial, Instances, Data, SlaSubmit, SlaCreate, Create, CreateInst, Start];
    "coord" "user" () -> String, "the user of the job", now [Freq, Nofuncs, Initial, Instances, Data, SlaSubmit, SlaCreate, Create, CreateInst, Start];
    "hadoop" "conf" (host: String, name: String) -> String, "a property of a cluster's configuration; empty when it is missing", now [Workflow, Freq, Nofuncs, Initial, Instances, Data, Timeout, SlaSubmit, SlaCreate, Create, CreateInst, Start];
    "coord" "dateOffset" (date: String, n: Int, unit: String) -> String, "a date moved by n units", now [Initial, CreateInst, Start, SlaCreate], later "{} , {} , {}" [Instances, Data, SlaSubmit];
    "coord" "dateTzOffset" (date: String, zone: String) -> String, "a date as clocks in a zone show it", now [Initial, CreateInst, Start, SlaCreate], later "{} , {}" [Instances, Data, SlaSubmit];
    "coord" "formatTime" (date: String, pattern: String) -> String, "a date in a pattern of Java's SimpleDateFormat", now [Create, CreateInst, Start, SlaCreate], later "'{}' , {}" [Instances, Data, SlaSubmit];
    "coord" "epochTime" (date: String, millis: String) -> String, "a date as seconds since 1970, or as milliseconds when the second argument is `true`", now [Create, CreateInst, Start, SlaCreate], later "'{}' , {}" [Instances, Data, SlaSubmit];
    "coord" "hoursInDay" (n: Int) -> Int, "the hours of the day n days from the nominal time", now [Create, CreateInst, Start], dummy [(Instances, "24")];
    "coord" "daysInMonth" (n: Int) -> Int, "the days of the month n months from the nominal time", now [Create, CreateInst, Start], dummy [(Instances, "30")];
    "coord" "tzOffset" () -> Int, "minutes between the dataset's zone and the job's", now [Create, CreateInst, Start], dummy [(Instances, "3")];
    "coord" "current" (n: Int) -> String, "the nth instance from the nominal time", now [Create], later "{}" [Instances, CreateInst];
    "coord" "currentRange" (start: Int, end: Int) -> String, "instances counted from the nominal time", now [Create], later "{}, {}" [Instances, CreateInst];
    "coord" "offset" (n: Int, unit: String) -> String, "the instance n units from the nominal time", now [Create], later "{} , {}" [Instances, CreateInst];
    "coord" "absolute" (date: String) -> String, "the instance at a date", now [], later "{}" [Instances, Create, CreateInst];
    "coord" "absoluteRange" (start: String, end: Int) -> String, "instances from a date to the nth from the nominal time", now [Create, CreateInst];
    "coord" "latest" (n: Int) -> String, "the nth available instance back from the actual time", now [Start], later "{}" [Instances, Create, CreateInst];
    "coord" "latestRange" (start: Int, end: Int) -> String, "available instances back from the actual time", now [Start], later "{}, {}" [Instances, Create, CreateInst];
    "coord" "future" (n: Int, limit: Int) -> String, "the nth available instance after the nominal time, among so many", now [Start], later "{}, {}" [Instances, Create, CreateInst];
    "coord" "futureRange" (start: Int, end: Int, limit: Int) -> String, "available instances after the nominal time, among so many", now [Start], later "{}, {}, {}" [Instances, Create, CreateInst];
    "coord" "nominalTime" () -> String, "the time for which the action was created", now [SlaCreate, Start], later "" [Data], dummy [(SlaSubmit, "2009-03-06T010:00")];
    "coord" "actualTime" () -> String, "the time at which the action was created", now [SlaCreate, Start], later "" [Data, SlaSubmit];
    "coord" "actionId" () -> String, "the id of the action", now [Create, SlaCreate, Start], later "" [Data, SlaSubmit];
    "coord" "name" () -> String, "the name attribute of the coordinator", now [Create, SlaCreate, Start], later "" [Data, SlaSubmit];
    "coord" "dataIn" (event: String) -> String, "the URIs of an input event", now [Start], later "'{}'" [Data];
    "coord" "dataOut" (event: String) -> String, "the URIs of an output event", now [SlaCreate, Start], later "'{}'" [Data, SlaSubmit];
    "coord" "databaseIn" (event: String) -> String, "the database of an input event's partitions", now [Start], later "'{}'" [Data];
    "coord" "databaseOut" (event: String) -> String, "the database of an output event's partition", now [SlaCreate, Start], later "'{}'" [Data, SlaSubmit];
    "coord" "tableIn" (event: String) -> String, "the table of an input event's partitions", now [Start], later "'{}'" [Data];
    "coord" "tableOut" (event: String) -> String, "the table of an output event's partition", now [SlaCreate, Start], later "'{}'" [Data, SlaSubmit];
    "coord" "dataInPartitionFilter" (event: String, action: String) -> String, "a filter for the partitions of an input event", now [Start], later "'{}', '{}'" [Data];
    "coord" "dataInPartitionMin" (event: String, key: String) -> String, "the least value of a partition key among the inputs", now [Start], later "'{}', '{}'" [Data];
    "coord" "dataInPartitionMax" (event: String, key: String) -> String, "the greatest value of a partition key among the inputs", now [Start], later "'{}', '{}'" [Data];
    "coord" "dataInPartitions" (event: String, action: String) -> String, "the partition of an input event, for a Hive export", now [Start], later "'{}', '{}'" [Data];
    "coord" "dataOutPartitions" (event: String) -> String, "the partition of an output event", now [SlaCreate, Start], later "'{}'" [Data, SlaSubmit];
    "coord" "dataOutPartitionValue" (event: String, key: String) -> String, "the value of a partition key of an output event", now [SlaCreate, Start], later "'{}', '{}'" [Data, SlaSubmit];
};
