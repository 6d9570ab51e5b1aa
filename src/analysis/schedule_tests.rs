//! What is known of a coordinator's times, datasets and events.

use super::*;
use crate::analysis::parameters::{Given, JobConf, Layer};
use crate::analysis::{subject, testing};
use crate::model::App;
use crate::time::ProcessingZone;

fn coordinator(frequency: &str, start: &str, end: &str, datasets: &str, events: &str) -> model::Coordinator {
    in_zone("UTC", [frequency, start, end], datasets, events)
}

fn in_zone(zone: &str, times: [&str; 3], datasets: &str, events: &str) -> model::Coordinator {
    let [frequency, start, end] = times;
    let text = format!(
        "<coordinator-app xmlns='uri:oozie:coordinator:0.4' name='c' frequency='{frequency}' start='{start}' \
         end='{end}' timezone='{zone}'><datasets>{datasets}</datasets>{events}<action><workflow>\
         <app-path>/w</app-path></workflow></action></coordinator-app>"
    );
    testing::coordinator(&text)
}

fn dataset(frequency: &str, uri: &str) -> String {
    format!(
        "<dataset name='d' frequency='{frequency}' initial-instance='2024-01-01T00:00Z' timezone='UTC'>\
         <uri-template>{uri}</uri-template></dataset>"
    )
}

fn at(text: &str) -> Instant {
    ProcessingZone::UTC.parse_datetime(text).unwrap().instant
}

fn texts(times: impl Iterator<Item = Instant>) -> Vec<String> {
    times.map(|at| ProcessingZone::UTC.format(at)).collect()
}

#[test]
fn the_times_of_a_coordinator_are_known_from_any_time_on() {
    let values = Values::unknown();
    let model = coordinator("${coord:hours(6)}", "2024-01-01T00:00Z", "2024-01-02T00:00Z", "", "");
    let schedule = Schedule::new(&model, values);
    let all = ["2024-01-01T00:00Z", "2024-01-01T06:00Z", "2024-01-01T12:00Z", "2024-01-01T18:00Z"];
    assert_eq!(texts(schedule.times(values).unwrap().map(|time| time.unwrap().at)), all);
    assert_eq!(texts(schedule.times_from(at("2024-01-01T06:00Z"), values).unwrap()), all[1..]);
    assert_eq!(texts(schedule.times_from(at("2024-01-01T06:01Z"), values).unwrap()), all[2..]);
    assert_eq!(texts(schedule.times_from(at("2024-01-02T00:00Z"), values).unwrap()), [""; 0]);
    assert_eq!(schedule.last(values), Some(at("2024-01-01T18:00Z")));
    let open = coordinator("${often}", "2024-01-01T00:00Z", "2024-01-02T00:00Z", "", "");
    let schedule = Schedule::new(&open, values);
    assert!(schedule.times(values).is_none() && schedule.last(values).is_none());
}

#[test]
fn the_last_time_is_found_without_walking_to_it() {
    let values = Values::unknown();
    let last = |frequency: &str, start: &str, end: &str| {
        Schedule::new(&coordinator(frequency, start, end, "", ""), values).last(values)
    };
    // Longer than anyone walks, minute by minute; the last months are looked at.
    assert_eq!(last("1440", "2000-01-01T05:00Z", "2400-01-01T00:00Z"), Some(at("2399-12-31T05:00Z")));
    // Longer than two years between two times.
    let found = last("${coord:months(60)}", "2000-01-01T05:00Z", "2013-01-01T00:00Z");
    assert_eq!(found, Some(at("2010-01-01T05:00Z")));
    // Two years and a bit before the end, daily by a cron.
    assert_eq!(last("0 4 1 1 *", "2000-01-01T00:00Z", "2021-06-01T00:00Z"), Some(at("2021-01-01T04:00Z")));
    assert_eq!(last("60", "2000-01-01T05:00Z", "2000-01-01T05:00Z"), None);
    // However often it runs, the last time is that before the end.
    for (frequency, expected) in [
        ("1", "2023-12-31T23:59Z"),
        ("5", "2023-12-31T23:55Z"),
        ("7 * * * *", "2023-12-31T23:07Z"),
        // Nothing in the last months.
        ("7 * * 1-6 *", "2023-06-30T23:07Z"),
        ("0 4 29 2 *", "2020-02-29T04:00Z"),
    ] {
        let found = last(frequency, "2014-01-01T00:00Z", "2024-01-01T00:00Z");
        assert_eq!(found, Some(at(expected)), "{frequency}");
    }
    // Where the walk is too long, the last time that was reached is not it.
    assert_eq!(last("*/5 * * * *", "2014-01-01T00:00Z", "2024-01-01T00:00Z"), None);
    assert_eq!(last("${coord:days(1)}", "1700-01-01T00:00Z", "2024-01-01T00:00Z"), None);
}

#[test]
fn the_times_of_a_cron_are_known_from_any_time_on() {
    let values = Values::unknown();
    let model = coordinator("30 6 * * *", "2024-01-01T00:00Z", "2024-01-05T00:00Z", "", "");
    let schedule = Schedule::new(&model, values);
    let all = ["2024-01-01T06:30Z", "2024-01-02T06:30Z", "2024-01-03T06:30Z", "2024-01-04T06:30Z"];
    for (from, first) in [
        ("2023-01-01T00:00Z", 0),
        ("2024-01-02T06:30Z", 1),
        ("2024-01-02T06:31Z", 2),
        ("2024-01-04T06:31Z", 4),
        ("2025-01-01T00:00Z", 4),
    ] {
        let found = schedule.times_from(at(from), values).expect("all is known");
        assert_eq!(texts(found), all[first..], "{from}");
    }
}

#[test]
fn clocks_that_change_after_the_start_count() {
    let values = Values::unknown();
    // The times of a server: an hour earlier in summer when it began in winter.
    for (start, last) in
        [("2024-01-01T00:00Z", "2024-06-30T05:00Z"), ("2024-04-29T12:00Z", "2024-06-30T06:00Z")]
    {
        let times = ["0 6 * * *", start, "2024-07-01T00:00Z"];
        let model = in_zone("America/New_York", times, "", "");
        let schedule = Schedule::new(&model, values);
        assert_eq!(schedule.last(values), Some(at(last)), "{start}");
        let from = schedule.times_from(at("2024-06-30T00:00Z"), values).expect("all is known");
        assert_eq!(texts(from), [last], "{start}");
    }
}

#[test]
fn events_name_instances() {
    let events = "<input-events>\
        <data-in name='a' dataset='d'><instance>${coord:current(-1)}</instance>\
            <instance>${coord:currentRange(0, 2)}</instance></data-in>\
        <data-in name='b' dataset='d'><start-instance>${coord:current(-23)}</start-instance>\
            <end-instance>${coord:current(0)}</end-instance></data-in>\
        <data-in name='c' dataset='d'><instance>${coord:latest(0)}</instance></data-in>\
        <data-in name='e' dataset='d'><start-instance>${coord:latest(-3)}</start-instance>\
            <end-instance>${coord:current(0)}</end-instance></data-in>\
        <data-in name='f' dataset='d'><start-instance>${coord:future(0, 9)}</start-instance>\
            <end-instance>${coord:future(3, 7)}</end-instance></data-in>\
        <data-in name='g' dataset='d'><instance>${coord:futureRange(1, 2, 5)}</instance></data-in>\
        <data-in name='h' dataset='d'><instance>${coord:current('2')}</instance>\
            <instance>${coord:current(null)}</instance><instance>${coord:current(1.9)}</instance></data-in>\
        <data-in name='i' dataset='d'><start-instance>${coord:latest(-3)}</start-instance>\
            <end-instance>${coord:latest(0)}</end-instance></data-in>\
        <data-in name='j' dataset='d'><start-instance>${coord:latest(-3)}</start-instance></data-in>\
        </input-events>";
    let model = coordinator("60", "2024-01-01T00:00Z", "2024-01-02T00:00Z", &dataset("60", "/d"), events);
    let subject = subject::Coordinator::with(&model, Values::unknown(), Vec::new());
    let found: Vec<(&str, Vec<Option<Named>>)> = subject
        .inputs
        .iter()
        .map(|event| (event.name, event.named.iter().map(|(named, _)| *named).collect()))
        .collect();
    let current = |start, end| Some(Named::Current(start, end));
    let expected = [
        ("a", vec![current(-1, -1), current(0, 2)]),
        ("b", vec![current(-23, 0)]),
        ("c", vec![Some(Named::Latest(0, 0))]),
        ("e", vec![None]),
        ("f", vec![Some(Named::Future { start: 0, end: 3, limit: 7 })]),
        ("g", vec![Some(Named::Future { start: 1, end: 2, limit: 5 })]),
        ("h", vec![current(2, 2), current(0, 0), current(1, 1)]),
        ("i", vec![Some(Named::Latest(-3, 0))]),
        ("j", vec![]),
    ];
    assert_eq!(found, expected);
    let currents: Vec<_> = subject.inputs.iter().map(Event::currents).collect();
    assert_eq!(currents[0], Some(vec![(-1, -1), (0, 2)]));
    assert_eq!(currents[2], None);
    assert!(subject.inputs.iter().all(|event| event.dataset == "d"));
}

#[test]
fn datasets_have_steps_and_parts() {
    let values = Values::unknown();
    let with = |frequency: &str, uri: &str| {
        coordinator("60", "2024-01-01T00:00Z", "2024-01-02T00:00Z", &dataset(frequency, uri), "")
    };
    let steps = |frequency: &str| {
        let model = with(frequency, "/d");
        datasets(&model.datasets, &[], values)["d"].step_minutes()
    };
    assert_eq!(steps("15"), Some(15));
    assert_eq!(steps("${coord:hours(2)}"), Some(120));
    assert_eq!(steps("${coord:days(2)}"), Some(2 * 1500));
    assert_eq!(steps("${coord:endOfWeeks(1)}"), Some(7 * 1500));
    assert_eq!(steps("${coord:endOfDays(2)}"), Some(2 * 1500));
    assert_eq!(steps("${coord:months(3)}"), Some(3 * 31 * 1500));
    assert_eq!(steps("${f}"), None);
    let model = with("60", "/d");
    let of_unit = |unit: Unit| {
        let every = Some((2, unit, EndOfDuration::None));
        let dataset = Dataset { model: &model.datasets.datasets[0], every, zone: None, series: None };
        dataset.step_minutes()
    };
    assert_eq!((of_unit(Unit::Hour), of_unit(Unit::Year)), (Some(2 * 60), Some(2 * 366 * 1500)));
    let parts = |uri: &str| {
        let model = with("60", uri);
        let found = datasets(&model.datasets, &[], values)["d"].parts(values);
        found.map(|parts| {
            let all = [
                (parts.year, 'y'),
                (parts.month, 'm'),
                (parts.day, 'd'),
                (parts.hour, 'h'),
                (parts.minute, 'i'),
            ];
            all.into_iter().filter_map(|(is, letter)| is.then_some(letter)).collect::<String>()
        })
    };
    assert_eq!(parts("/d").as_deref(), Some(""));
    assert_eq!(parts("/d/${YEAR}/${MONTH}").as_deref(), Some("ym"));
    assert_eq!(parts("${nameNode}/d/${DAY}-${HOUR}${MINUTE}").as_deref(), Some("dhi"));
    assert_eq!(parts("/d/${YEAR}/${suffix}"), None);
}

#[test]
fn uris_are_known_as_far_as_a_submission_knows_them() {
    let app = testing::app(
        "<coordinator-app xmlns='uri:oozie:coordinator:0.4' name='c' frequency='60' start='2024-01-01T00:00Z' \
         end='2024-01-02T00:00Z' timezone='UTC'><datasets>\
         <dataset name='plain'><uri-template> ${nn}/d/${YEAR}-${MONTH} </uri-template></dataset>\
         <dataset name='hash'><uri-template>/d/${hash}</uri-template></dataset>\
         <dataset name='none'><uri-template>${none}/d</uri-template></dataset>\
         <dataset name='empty'/></datasets>\
         <action><workflow><app-path>/w</app-path></workflow></action></coordinator-app>",
    );
    let mut conf = JobConf::new();
    for (name, value) in [("nn", "hdfs://n"), ("hash", "#{YEAR}")] {
        conf.set(Layer::File, Given::new(name, value));
    }
    let values = Values::of(&app, conf, &[], true);
    let App::Coordinator(model) = &app else { panic!("no coordinator") };
    let found: Vec<_> = datasets(&model.datasets, &[], &values)
        .iter()
        .map(|(name, dataset)| (*name, dataset.uri(&values), dataset.parts(&values)))
        .collect();
    let parts = Parts { year: true, month: true, ..Parts::default() };
    let expected = [
        ("empty", None, None),
        // What a property holds is evaluated later, to whatever it likes.
        ("hash", Some("/d/#{YEAR}".to_owned()), None),
        ("none", None, Some(Parts::default())),
        ("plain", Some("hdfs://n/d/${YEAR}-${MONTH}".to_owned()), Some(parts)),
    ];
    assert_eq!(found, expected);
}

#[test]
fn own_datasets_hide_included_ones() {
    let with = |datasets: &str| coordinator("60", "2024-01-01T00:00Z", "2024-01-02T00:00Z", datasets, "");
    let (own, included) = (with(&dataset("60", "/own")), with(&dataset("15", "/included")));
    let uri = |own: &Datasets, included: &[&Datasets]| {
        datasets(own, included, Values::unknown())["d"].uri(Values::unknown())
    };
    let none = Datasets::default();
    assert_eq!(uri(&own.datasets, &[&included.datasets]).as_deref(), Some("/own"));
    assert_eq!(uri(&none, &[&own.datasets, &included.datasets]).as_deref(), Some("/included"));
}

#[test]
fn what_ranges_name_is_gathered() {
    let initial = at("2024-01-01T00:00Z");
    let series = Series::new(initial, 60, Unit::Minute, EndOfDuration::None, Zone::utc());
    let hours =
        |from: i64, to: i64| (from..=to).map(|hour| initial.plus_minutes(60 * hour)).collect::<BTreeSet<_>>();
    let times = || [5, 6, 100].map(|hour| initial.plus_minutes(60 * hour)).into_iter();
    assert_eq!(gather(&series, &[(-1, 0)], times().take(2), 10), hours(4, 6));
    // Once there are more than the limit, no further time is looked at.
    assert_eq!(gather(&series, &[(-1, 1)], times(), 3), hours(4, 7));
    let mut both = hours(5, 6);
    both.extend(hours(99, 100));
    assert_eq!(gather(&series, &[(0, 0), (-1, -1)], times().skip(1), 10), both);
    assert_eq!(gather(&series, &[(0, 0)], [initial.plus_minutes(-1)].into_iter(), 10), BTreeSet::new());
}
