//! What coordinators ask of their job and of the times of an action.

use super::super::tests::value;
use crate::analysis::functions::{Job, World};
use crate::model::functions::Phase;
use crate::time::ProcessingZone;

fn world() -> World {
    World {
        conf: [("a", " 1 "), ("user.name", "ann"), ("empty", "")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into_iter()
            .collect(),
        job: Job {
            name: Some("daily".to_owned()),
            user: Some("ben".to_owned()),
            action_id: Some("0000001-C@1".to_owned()),
            ..Job::default()
        },
        nominal: Some("2024-01-01T00:00Z".to_owned()),
        actual: Some("2024-01-01T00:07Z".to_owned()),
        ..World::default()
    }
}

#[test]
fn a_coordinator_knows_its_job() {
    let check =
        |text, expected| assert_eq!(value(text, &world(), Phase::CoordActionStart), expected, "{text}");
    check("[${coord:conf('a')}] ${a}", "[1] 1");
    check("[${coord:conf('none')}${coord:conf('empty')}]", "[]");
    check("${coord:name()} ${coord:actionId()} ${coord:user()}", "daily 0000001-C@1 ann");
    check("${coord:nominalTime()} ${coord:actualTime()}", "2024-01-01T00:00Z 2024-01-01T00:07Z");
    check("${coord:dataIn('x')}", "RuntimeException");
    let nobody = World { job: Job { user: Some("ben".to_owned()), ..Job::default() }, ..World::default() };
    let check =
        |text, expected| assert_eq!(value(text, &nobody, Phase::CoordActionStart), expected, "{text}");
    check("[${coord:name()}${coord:actionId()}] ${coord:user()}", "[] ben");
    check("${coord:nominalTime()}", "NullPointerException");
    check("${coord:actualTime()}", "NullPointerException");
    let check = |text, expected| {
        assert_eq!(value(text, &World::default(), Phase::CoordActionStart), expected, "{text}");
    };
    check("[${coord:user()}]", "[]");
}

#[test]
fn the_times_of_an_action_are_printed_in_the_zone_of_the_server() {
    let processing = ProcessingZone::parse("GMT+0530").expect("a zone");
    let nominal = Some("2024-01-01T05:30+0530".to_owned());
    let world = World { nominal, actual: None, processing, ..World::default() };
    let check = |text, expected| assert_eq!(value(text, &world, Phase::CoordActionStart), expected, "{text}");
    check("${coord:nominalTime()} ${coord:actualTime()}", "2024-01-01T05:30+0530 2024-01-01T05:30+0530");
    check("${coord:formatTime('2024-01-01T05:30+0530', 'yyyy-MM-dd HH')}", "2024-01-01 05");
    check("${coord:dateOffset('2024-01-01T05:30+0530', 1, 'DAY')}", "2024-01-02T05:30+0530");
    let world = World { nominal: Some("today".to_owned()), ..World::default() };
    assert_eq!(value("${coord:nominalTime()}", &world, Phase::CoordActionStart), "ParseException");
}

#[test]
fn dates_are_moved_and_written() {
    let check =
        |text, expected| assert_eq!(value(text, &world(), Phase::CoordActionStart), expected, "{text}");
    check("${coord:formatTime('2024-02-03T04:05Z', 'yyyy/MM/dd HH:mm')}", "2024/02/03 04:05");
    check("${coord:epochTime('2024-01-01T00:00Z', 'false')}", "1704067200");
    check("${coord:epochTime('2024-01-01T00:00Z', 'true')}", "1704067200000");
    check("${coord:dateOffset('2024-02-28T00:00Z', 2, 'DAY')}", "2024-03-01T00:00Z");
    check("${coord:dateOffset('2024-02-28T00:00Z', -1, 'MONTH')}", "2024-01-28T00:00Z");
    check("${coord:dateTzOffset('2024-07-01T12:00Z', 'America/New_York')}", "2024-07-01T08:00Z");
    check("${coord:formatTime('today', 'yyyy')}", "ParseException");
}

#[test]
fn frequencies_are_greater_than_zero() {
    let check = |text: &str, expected: &str| {
        assert_eq!(value(text, &World::default(), Phase::CoordJobSubmitFreq), expected, "{text}")
    };
    check("${coord:minutes(1)}", "1");
    check("${coord:hours(2)}", "120");
    check("${coord:days(3)}", "3");
    check("${coord:months(4)}", "4");
    check("${coord:endOfDays(5)}", "5");
    check("${coord:endOfWeeks(6)}", "6");
    check("${coord:endOfMonths(7)}", "7");
    for name in ["minutes", "hours", "days", "months", "endOfDays", "endOfWeeks", "endOfMonths"] {
        check(&format!("${{coord:{name}(0)}}"), "IllegalArgumentException");
        check(&format!("${{coord:{name}(-1)}}"), "IllegalArgumentException");
        check(&format!("${{coord:{name}('')}}"), "IllegalArgumentException");
    }
    // `n * 60` is an `int` of Java.
    check("${coord:hours(35791395)}", "-2147483596");
}
