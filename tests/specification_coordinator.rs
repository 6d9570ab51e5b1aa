//! The tables and examples of the coordinator specification (`004`): datasets, instances, functions, time zones.
//!
//! Slips in them, and what stands here instead: 5.1 and 6.3 list URIs that skip a day, lack the `logs` of their template
//! or have `/` where it has none; lists of URIs go from old to new there, servers list them newest first. 6.6.3 counts
//! `hoursInDay(n)` in days and 6.6.4 `daysInMonth(n)` in months; servers count in instances of the dataset, so the
//! tables hold for daily and monthly ones. 6.6.6 to 6.6.8 show daily URIs for hourly templates, 6.6.7 and 6.6.8 begin on
//! another day than their dataset. 6.6.2 calls a range `fastforwarded`. 6.8.4 leaves out quotes in filters and changes
//! a region. 6.9.2 says 15:00Z for what is 16:00Z. 7.1 is off by an hour.

use crate::support::coordinator::{accepted, app_xml};
use ankus::plan::coordinator::{Action, PlanOptions, Present};

/// The first `count` actions of a coordinator.
fn plan(text: &str, present: Option<&[&str]>, count: usize) -> Vec<Action> {
    let job = accepted(text, &[("user.name", "joe"), ("market", "teleco")]).job();
    let present: Option<Present> = present.map(|uris| uris.iter().copied().collect());
    let options = PlanOptions { present: present.as_ref().map(|present| present as _), ..Default::default() };
    job.actions(options).take(count).map(|action| action.unwrap_or_else(|f| panic!("{f:?}"))).collect()
}

/// A coordinator with one input `i` over one dataset.
fn app(job: &str, dataset: &str, template: &str, instances: &str, configuration: &str) -> String {
    let before = format!(
        r#"<datasets><dataset name="logs" {dataset}><uri-template>{template}</uri-template></dataset></datasets>
        <input-events><data-in name="i" dataset="logs">{instances}</data-in></input-events>"#
    );
    app_xml(job, &before, configuration)
}

/// The attributes of a job that runs once.
fn once(nominal: &str, zone: &str) -> String {
    format!(r#"frequency="${{coord:days(1)}}" start="{nominal}" end="2030-01-01T00:00Z" timezone="{zone}""#)
}

fn dataset(frequency: &str, initial: &str, zone: &str) -> String {
    format!(r#"frequency="${{coord:{frequency}}}" initial-instance="{initial}" timezone="{zone}""#)
}

fn instance(expression: &str) -> String {
    format!("<instance>{expression}</instance>")
}

fn range(start: &str, end: &str) -> String {
    format!("<start-instance>{start}</start-instance><end-instance>{end}</end-instance>")
}

const TIMES: &str = "/${YEAR}-${MONTH}-${DAY}T${HOUR}:${MINUTE}Z";

/// The instances of the first action as datetimes.
fn times(job: &str, dataset: &str, instances: &str) -> Vec<String> {
    let actions = plan(&app(job, dataset, TIMES, instances, ""), None, 1);
    actions[0].inputs[0].uris.iter().map(|uri| uri[1..].to_owned()).collect()
}

/// The number that an expression gives: by so many instances it moves `coord:current`.
fn number(nominal: &str, job_zone: &str, dataset: &str, expression: &str) -> i64 {
    let instances = instance("${coord:current(0)}") + &instance(&format!("${{coord:current({expression})}}"));
    let template = "/${YEAR}/${MONTH}/${DAY}";
    let action = &plan(&app(&once(nominal, job_zone), dataset, template, &instances, ""), None, 1)[0];
    let day = |uri: &str| {
        let mut parts = uri[1..].split('/').map(|part| part.parse::<i64>().expect("a number"));
        let mut next = || parts.next().expect("a part");
        (next(), next(), next())
    };
    let (from, to) = (day(&action.inputs[0].uris[0]), day(&action.inputs[0].uris[1]));
    days(to) - days(from)
}

/// Days since 0000-03-01.
fn days((year, month, day): (i64, i64, i64)) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day
}

#[test]
fn datasets_resolve_to_their_uris() {
    // 5.1, examples 1 to 5: the first three instances.
    let uris = |frequency: &str, initial: &str, template: &str, flag: &str| -> Vec<Vec<String>> {
        let job = format!(
            r#"frequency="${{coord:{frequency}}}" start="{initial}" end="2030-01-01T00:00Z"
            timezone="America/Los_Angeles""#
        );
        let dataset = dataset(frequency, initial, "America/Los_Angeles");
        let text = app(&job, &dataset, template, &instance("${coord:current(0)}"), "")
            .replace("</uri-template>", &format!("</uri-template>{flag}"));
        plan(&text, None, 3)
            .iter()
            .map(|action| {
                action.inputs[0].uris.iter().chain(&*action.wait_for[0]).map(|uri| uri.to_string()).collect()
            })
            .collect()
    };
    let daily = uris(
        "days(1)",
        "2009-02-15T08:15Z",
        "/app/logs/${market}/${YEAR}${MONTH}/${DAY}/data",
        "<done-flag/>",
    );
    assert_eq!(daily[0], ["/app/logs/teleco/200902/15/data", "/app/logs/teleco/200902/15/data"]);
    assert_eq!(daily[2], ["/app/logs/teleco/200902/17/data", "/app/logs/teleco/200902/17/data"]);
    let monthly = uris("months(1)", "2009-01-10T10:00Z", "/usr/app/stats/${YEAR}/${MONTH}/data", "");
    assert_eq!(monthly[2], ["/usr/app/stats/2009/03/data", "/usr/app/stats/2009/03/data/_SUCCESS"]);
    let flag = "<done-flag>trigger.dat</done-flag>";
    let quarterly = uris("months(3)", "2009-01-31T20:00Z", "/usr/app/stats/${YEAR}/${MONTH}/data", flag);
    assert_eq!(quarterly[1], ["/usr/app/stats/2009/04/data", "/usr/app/stats/2009/04/data/trigger.dat"]);
    assert_eq!(quarterly[2][0], "/usr/app/stats/2009/07/data");
    let fine =
        uris("days(1)", "2009-01-01T10:30Z", "/usr/${YEAR}/${MONTH}/${DAY}/${HOUR}/${MINUTE}/data", "");
    assert_eq!(fine[2][0], "/usr/2009/01/03/10/30/data");
}

#[test]
fn current_and_offset_count_in_instances_of_the_dataset() {
    // The tables of 6.6.1 and 6.6.2; both datasets are due at 24:00.
    let job = once("2009-05-29T24:00Z", "UTC");
    let check = |expression: &str, logs: &str, weekly: &str| {
        let instance = instance(&format!("${{coord:{expression}}}"));
        let found = times(&job, &dataset("days(1)", "2009-01-01T24:00Z", "UTC"), &instance);
        assert_eq!(found, [logs], "{expression} of logs");
        let found = times(&job, &dataset("days(7)", "2009-01-07T24:00Z", "UTC"), &instance);
        assert_eq!(found, [weekly], "{expression} of weeklySiteAccessStats");
    };
    check("current(0)", "2009-05-30T00:00Z", "2009-05-28T00:00Z");
    check("current(1)", "2009-05-31T00:00Z", "2009-06-04T00:00Z");
    check("current(-1)", "2009-05-29T00:00Z", "2009-05-21T00:00Z");
    check("current(-3)", "2009-05-27T00:00Z", "2009-05-07T00:00Z");
    for unit in ["MINUTE", "HOUR", "DAY", "MONTH", "YEAR"] {
        check(&format!("offset(0, '{unit}')"), "2009-05-30T00:00Z", "2009-05-28T00:00Z");
    }
    for (minutes, logs, weekly) in [
        (1440, "2009-05-31T00:00Z", "2009-05-28T00:00Z"),
        (-1440, "2009-05-29T00:00Z", "2009-05-21T00:00Z"),
        (-4320, "2009-05-27T00:00Z", "2009-05-21T00:00Z"),
        (11520, "2009-06-07T00:00Z", "2009-06-04T00:00Z"),
    ] {
        check(&format!("offset({minutes}, 'MINUTE')"), logs, weekly);
        check(&format!("offset({}, 'HOUR')", minutes / 60), logs, weekly);
        check(&format!("offset({}, 'DAY')", minutes / 1440), logs, weekly);
    }
    check("offset(10, 'MINUTE')", "2009-05-30T00:00Z", "2009-05-28T00:00Z");
    // A range of offsets begins with the first instance after its start.
    let hourly = dataset("hours(1)", "2009-01-01T01:00Z", "UTC");
    let found =
        times(&job, &hourly, &range("${coord:offset(-90, \"MINUTE\")}", "${coord:offset(0, \"DAY\")}"));
    assert_eq!(found, ["2009-05-30T00:00Z", "2009-05-29T23:00Z"]);
}

#[test]
fn hours_and_days_follow_the_calendar() {
    // The tables of 6.6.3 and 6.6.4, and 6.6.5.
    let los_angeles = "America/Los_Angeles";
    let hours = |nominal: &str, zone: &str, n: i64, frequency: &str, expected: i64| {
        let dataset = dataset(frequency, "2000-01-01T08:00Z", zone);
        assert_eq!(
            number(nominal, zone, &dataset, &format!("coord:hoursInDay({n})")),
            expected,
            "{nominal} {zone} {n}"
        );
    };
    hours("2009-01-01T08:00Z", "UTC", 0, "days(1)", 24);
    hours("2009-01-01T08:00Z", los_angeles, 0, "days(1)", 24);
    hours("2009-01-01T08:00Z", los_angeles, -1, "days(1)", 24);
    hours("2009-03-08T08:00Z", "UTC", 0, "days(1)", 24);
    hours("2009-03-08T08:00Z", "Europe/London", 0, "days(1)", 24);
    hours("2009-03-08T08:00Z", los_angeles, 0, "days(1)", 23);
    hours("2009-03-08T08:00Z", los_angeles, 1, "days(1)", 24);
    hours("2009-03-07T08:00Z", los_angeles, 0, "endOfDays(1)", 24);
    hours("2009-03-07T08:00Z", los_angeles, 1, "endOfDays(1)", 23);
    let days = |nominal: &str, zone: &str, expected: i64| {
        let dataset = dataset("days(1)", "2000-01-01T08:00Z", zone);
        assert_eq!(number(nominal, zone, &dataset, "coord:daysInMonth(0)"), expected, "{nominal} {zone}");
    };
    days("2008-02-01T00:00Z", "UTC", 29);
    days("2009-02-01T00:00Z", "UTC", 28);
    days("2009-02-01T00:00Z", los_angeles, 31);
    let offset = |nominal: &str, dataset_zone: &str, job_zone: &str| {
        number(nominal, job_zone, &dataset("days(1)", "1990-01-01T12:00Z", dataset_zone), "coord:tzOffset()")
    };
    assert_eq!(offset("2009-01-15T00:00Z", los_angeles, "UTC"), -480);
    assert_eq!(offset("2009-01-15T00:00Z", "UTC", los_angeles), 480);
    assert_eq!(offset("2009-01-15T00:00Z", "Asia/Kolkata", "UTC"), 330);
    assert_eq!(offset("2009-07-15T00:00Z", "Europe/Paris", los_angeles), 540);
    assert_eq!(offset("2009-03-15T00:00Z", "Europe/Paris", los_angeles), 480);
}

#[test]
fn latest_and_future_pass_over_gaps() {
    // 6.6.6 and 6.6.7, with daily instances as they are shown there.
    let template = "hdfs://bar:8020/app/logs/${YEAR}/${MONTH}/${DAY}";
    let found = |nominal: &str, initial: &str, instances: &str, days: &[&str]| -> Vec<String> {
        let text = app(&once(nominal, "UTC"), &dataset("days(1)", initial, "UTC"), template, instances, "")
            .replace("</uri-template>", "</uri-template><done-flag/>");
        let present: Vec<String> = days.iter().map(|day| format!("hdfs://bar:8020/app/logs/{day}")).collect();
        let present: Vec<&str> = present.iter().map(String::as_str).collect();
        let action = &plan(&text, Some(&present), 1)[0];
        assert!(action.inputs[0].unresolved.is_none() && action.ready == Some(true));
        action.inputs[0].uris.iter().map(|uri| uri["hdfs://bar:8020/app/logs/".len()..].to_owned()).collect()
    };
    let days = ["2009/01/01", "2009/01/02", "2009/01/03", "2009/01/05", "2009/01/07", "2009/01/10"];
    let two = instance("${coord:latest(-2)}") + &instance("${coord:latest(0)}");
    assert_eq!(found("2009-01-10T00:00Z", "2009-01-01T00:00Z", &two, &days), ["2009/01/05", "2009/01/10"]);
    let days = ["2009/02/01", "2009/02/04", "2009/02/07", "2009/02/11", "2009/02/14", "2009/02/16"];
    let two = instance("${coord:future(0, 10)}") + &instance("${coord:future(2, 10)}");
    assert_eq!(found("2009-02-01T00:00Z", "2009-01-01T00:00Z", &two, &days), ["2009/02/01", "2009/02/07"]);
}

#[test]
fn latest_names_months_of_other_zones_by_their_wall_time() {
    // Not as 6.6.6 has it, but as servers do (`RangeEvaluator.evaluate`; recorded from Oozie's own classes): but for the
    // first that is looked for, the wall time of the zone of the dataset stands in the URI as if it were UTC.
    let found =
        |frequency: &str, initial: &str, zone: &str, instances: &str, template: &str, there: &[&str]| {
            let text = app(
                &once("2024-06-15T00:00Z", "UTC"),
                &dataset(frequency, initial, zone),
                template,
                instances,
                "",
            )
            .replace("</uri-template>", "</uri-template><done-flag/>");
            let present: Vec<String> = there.iter().map(|uri| format!("hdfs://n/{uri}")).collect();
            let present: Vec<&str> = present.iter().map(String::as_str).collect();
            plan(&text, Some(&present), 1)[0].inputs[0].uris.join(" ").replace("hdfs://n/", "")
        };
    let months = "hdfs://n/${YEAR}/${MONTH}";
    let there = ["2024/02", "2024/03", "2024/04", "2024/05"];
    let paris = |count: i32| {
        let latest = instance(&format!("${{coord:latest({count})}}"));
        found("months(1)", "2022-12-31T23:00Z", "Europe/Paris", &latest, months, &there)
    };
    assert_eq!([paris(0), paris(-1), paris(-2)], ["2024/05", "2024/05", "2024/04"]);
    let before = instance("${coord:latest(-1)}");
    let ends = found("endOfMonths(1)", "2022-12-15T23:00Z", "Europe/Paris", &before, months, &there);
    assert_eq!(ends, "2024/05");
    assert_eq!(found("months(1)", "2023-01-01T00:00Z", "UTC", &before, months, &there), "2024/04");
    let hours = "hdfs://n/${YEAR}/${MONTH}/${DAY}/${HOUR}";
    let there = ["2024/05/01/07", "2024/06/01/07", "2024/05/01/00", "2024/06/01/00"];
    let angeles = found("months(1)", "2023-01-01T08:00Z", "America/Los_Angeles", &before, hours, &there);
    assert_eq!(angeles, "2024/05/01/00");
}

#[test]
fn ranges_begin_at_a_date_or_at_the_initial_instance() {
    // 6.6.8: every week from the first one on.
    let job = once("2009-01-15T01:00Z", "UTC");
    let absolute = range("${coord:absolute(\"2009-01-01T01:00Z\")}", "${coord:current(0)}");
    let found = times(&job, &dataset("days(7)", "2009-01-01T01:00Z", "UTC"), &absolute);
    assert_eq!(found, ["2009-01-15T01:00Z", "2009-01-08T01:00Z", "2009-01-01T01:00Z"]);
    // 6.6.11: one instance more for each action, until there are 24. The first action finds two, since the initial
    // instance lies an hour before it.
    let job =
        r#"frequency="${coord:hours(1)}" start="2009-01-01T01:00Z" end="2009-12-31T24:00Z" timezone="UTC""#;
    let sliding = range("${coord:current(-23)}", "${coord:current(0)}");
    let text = app(job, &dataset("hours(1)", "2009-01-01T00:00Z", "UTC"), TIMES, &sliding, "");
    let counts: Vec<usize> = plan(&text, None, 30).iter().map(|action| action.inputs[0].uris.len()).collect();
    let expected: Vec<usize> = (2..32).map(|count| count.min(24)).collect();
    assert_eq!(counts, expected);
}

#[test]
fn a_week_of_logs_makes_one_list() {
    // 6.3, example 3; servers list the newest first.
    let job =
        r#"frequency="${coord:days(7)}" start="2009-01-07T24:00Z" end="2009-12-12T24:00Z" timezone="UTC""#;
    let week = range("${coord:current(-6)}", "${coord:current(0)}");
    let configuration = "<property><name>wfInput</name><value>${coord:dataIn('i')}</value></property>";
    let logs = dataset("days(1)", "2009-01-01T24:00Z", "UTC");
    let text = app(job, &logs, "hdfs://bar:8020/app/logs/${YEAR}${MONTH}/${DAY}", &week, configuration);
    let list = |days: std::ops::RangeInclusive<u32>| {
        let uris: Vec<_> =
            days.rev().map(|day| format!("hdfs://bar:8020/app/logs/200901/{day:02}")).collect();
        uris.join(",")
    };
    let value = |action: &Action| action.configuration.as_ref().expect("a configuration")[0].1.to_string();
    let actions = plan(&text, None, 2);
    // 24:00 is the next day's zero hour, and so the URI of each instance names the next day.
    assert_eq!(value(&actions[0]), list(2..=8));
    assert_eq!(value(&actions[1]), list(9..=15));
}

#[test]
fn the_catalogue_gives_filters_and_partitions() {
    // 6.8.4, for the action of 2009-01-02T00:00Z.
    let template =
        "hcat://foo:11002/myInputDatabase/myInputTable/datestamp=${YEAR}${MONTH}${DAY}${HOUR};region=USA";
    let property =
        |name: &str, value: &str| format!("<property><name>{name}</name><value>{value}</value></property>");
    let configuration = property("IN_DB", "${coord:databaseIn('i')}")
        + &property("IN_TABLE", "${coord:tableIn('i')}")
        + &property("FILTER", "${coord:dataInPartitionFilter('i', 'pig')}")
        + &property("MIN", "${coord:dataInPartitionMin('i', 'datestamp')}")
        + &property("MAX", "${coord:dataInPartitionMax('i', 'datestamp')}");
    let day = range("${coord:current(-23)}", "${coord:current(0)}");
    let hourly = dataset("hours(1)", "2009-01-01T01:00Z", "UTC");
    let text = app(&once("2009-01-01T24:00Z", "UTC"), &hourly, template, &day, &configuration);
    let action = &plan(&text, None, 1)[0];
    let configuration = action.configuration.as_ref().expect("a configuration");
    let value = |index: usize| &*configuration[index].1;
    assert_eq!((value(0), value(1)), ("myInputDatabase", "myInputTable"));
    let filters: Vec<&str> = value(2).split(" OR ").collect();
    assert_eq!(filters.len(), 24);
    assert_eq!(filters[0], "(datestamp=='2009010200' AND region=='USA')");
    assert_eq!(filters[23], "(datestamp=='2009010101' AND region=='USA')");
    assert_eq!((value(3), value(4)), ("2009010101", "2009010200"));
}

#[test]
fn functions_over_datetimes_give_what_is_said() {
    // 6.9.1 to 6.9.4.
    let check = |nominal: &str, expression: &str, expected: &str| {
        let configuration =
            format!("<property><name>x</name><value>${{coord:{expression}}}</value></property>");
        let daily = dataset("days(1)", "2009-01-01T00:00Z", "UTC");
        let text =
            app(&once(nominal, "UTC"), &daily, TIMES, &instance("${coord:current(0)}"), &configuration);
        let action = &plan(&text, None, 1)[0];
        assert_eq!(&*action.configuration.as_ref().expect("a configuration")[0].1, expected, "{expression}");
    };
    let start = "2009-01-01T23:00Z";
    check(start, "dateOffset('2009-01-01T00:00Z', 2, 'MONTH')", "2009-03-01T00:00Z");
    check(start, "dateOffset('2009-01-01T00:00Z', 1, 'YEAR')", "2010-01-01T00:00Z");
    check(start, "dateOffset(coord:nominalTime(), 1, 'DAY')", "2009-01-02T23:00Z");
    check(start, "dateOffset(coord:nominalTime(), -1, 'DAY')", "2008-12-31T23:00Z");
    check(start, "dateTzOffset('2012-06-13T00:00Z', 'America/Los_Angeles')", "2012-06-12T17:00Z");
    check(start, "dateTzOffset('2012-12-13T00:00Z', 'America/Los_Angeles')", "2012-12-12T16:00Z");
    check(
        "2009-01-01T24:00Z",
        "dateTzOffset(coord:nominalTime(), 'America/Los_Angeles')",
        "2009-01-01T16:00Z",
    );
    check(start, "formatTime('2009-01-01T00:00Z', 'yyyy')", "2009");
    check(start, "epochTime('2009-01-01T00:00Z', 'false')", "1230768000");
    check(start, "epochTime('2009-01-01T00:00Z', 'true')", "1230768000000");
}

#[test]
fn a_day_in_new_york_has_23_24_or_25_hours() {
    // 7.2, use case 1: each action reads the hours of its local day.
    let job = r#"frequency="${coord:days(1)}" start="2009-01-02T05:00Z" end="2010-01-02T05:00Z"
        timezone="America/New_York""#;
    let hours = range("${coord:current( -(coord:hoursInDay(0) - 1) )}", "${coord:current(0)}");
    // A daily dataset would be counted in days; with an hourly one `hoursInDay(0)` is that of the nominal day.
    let east = dataset("hours(1)", "2009-01-01T06:00Z", "America/New_York");
    let actions = plan(&app(job, &east, TIMES, &hours, ""), None, 365);
    let found: Vec<usize> = actions.iter().map(|action| action.inputs[0].uris.len()).collect();
    assert_eq!(found.iter().filter(|count| **count == 23).count(), 1);
    assert_eq!(found.iter().filter(|count| **count == 25).count(), 1);
    let nominal = |index: usize| ankus::time::ProcessingZone::UTC.format(actions[index].nominal);
    assert_eq!((nominal(0), nominal(180)), ("2009-01-02T05:00Z".into(), "2009-07-01T04:00Z".into()));
}
