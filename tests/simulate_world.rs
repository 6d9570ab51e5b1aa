//! The world of a simulation: URIs of all forms of templates, and how far an app is played when nobody says.

use crate::support::{ankus, folder_of};

/// A bundle of a coordinator that writes a dataset and one that reads it, three hours of each, under a template.
fn pipeline(name: &str, template: &str, scenario: &str, more: &[&str]) -> String {
    let template = template.replace('&', "&amp;").replace('<', "&lt;");
    let dataset = format!(
        r#"<dataset name="d" frequency="${{coord:hours(1)}}" initial-instance="2024-11-30T00:00Z" timezone="UTC">
<uri-template>{template}</uri-template></dataset>"#
    );
    let coordinator = |name: &str, events: &str| {
        format!(
            r#"<coordinator-app name="{name}" frequency="${{coord:hours(1)}}" start="2024-11-30T22:00Z"
 end="2024-12-01T02:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.5"><controls><timeout>180</timeout></controls>
<datasets>{dataset}</datasets>{events}
<action><workflow><app-path>hdfs://nn/wf</app-path></workflow></action></coordinator-app>"#
        )
    };
    let writes = r#"<output-events><data-out name="o" dataset="d"><instance>${coord:current(0)}</instance></data-out></output-events>"#;
    let reads = r#"<input-events><data-in name="i" dataset="d"><instance>${coord:current(0)}</instance></data-in></input-events>"#;
    let bundle = r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2">
<coordinator name="w"><app-path>hdfs://nn/w/coordinator.xml</app-path></coordinator>
<coordinator name="r"><app-path>hdfs://nn/r/coordinator.xml</app-path></coordinator></bundle-app>"#;
    let workflow = r#"<workflow-app name="wf" xmlns="uri:oozie:workflow:0.5"><start to="a"/>
<action name="a"><shell xmlns="uri:oozie:shell-action:0.3"><exec>x</exec></shell><ok to="end"/><error to="end"/></action>
<end name="end"/></workflow-app>"#;
    let files = [
        ("ankus.toml", "[paths]\n\"hdfs://nn\" = \".\"\n"),
        ("b/bundle.xml", bundle),
        ("w/coordinator.xml", &coordinator("w", writes)),
        ("r/coordinator.xml", &coordinator("r", reads)),
        ("wf/workflow.xml", workflow),
        ("scenario.toml", scenario),
    ];
    let folder = folder_of(name, &files);
    let path = |file: &str| folder.join(file).display().to_string();
    let (app, scenario) = (path("b"), path("scenario.toml"));
    let mut arguments = vec!["simulate", "-q", "--check", &app, "--scenario", &scenario];
    arguments.extend(more);
    let outcome = ankus(&arguments);
    assert_eq!((outcome.code, outcome.err.as_str()), (0, ""), "{}", outcome.out);
    outcome.out
}

#[test]
fn what_one_writes_another_finds_whatever_the_template() {
    // The second round of a template sees what the first one made: `${"$"}{MONTH + 0}` is `${MONTH + 0}` there.
    let templates = [
        r#"hdfs://nn/d/${YEAR}/${"$"}{MONTH + 0}/${"$"}{DAY + 0}/${"$"}{HOUR + 0}"#,
        r#"hdfs://nn/d/${YEAR}${MONTH}${DAY}-${"$"}{HOUR}"#,
        r#"hdfs://nn/d/${"$"}{YEAR * 1000000 + MONTH * 10000 + DAY * 100 + HOUR}"#,
        r#"hdfs://nn/d/${"$"}{MONTH lt 12 ? 'autumn' : 'winter'}/${HOUR}"#,
        "hdfs://nn/d/${DAY}/${HOUR}",
    ];
    for (number, template) in templates.iter().enumerate() {
        let text = pipeline(&format!("world-template-{number}"), template, "", &[]);
        assert!(text.contains("8 actions: 8 SUCCEEDED"), "{template}\n{text}");
        // It waits for what is written, five minutes after the hour, and not for what is there by itself.
        assert!(text.contains("waited 5 min, ran 5 min"), "{template}\n{text}");
    }
}

#[test]
fn a_rule_for_a_uri_holds_whatever_the_template_shows() {
    let late = |uri: &str| format!("[[data]]\nuri = \"{uri}\"\ndelay = \"30m\"\n");
    for (number, (template, uri)) in [
        ("hdfs://nn/d/${DAY}/${HOUR}", "**/01/00/*"),
        (r#"hdfs://nn/d/${"$"}{DAY + 0}/${"$"}{HOUR + 0}"#, "**/1/0/*"),
        ("hdfs://nn/d/${MONTH}-${DAY}.${HOUR}", "hdfs://nn/d/12-01.00/_SUCCESS"),
    ]
    .into_iter()
    .enumerate()
    {
        let text = pipeline(&format!("world-rule-{number}"), template, &late(uri), &["--explain", "r@3"]);
        assert!(text.contains("2024-12-01T00:00Z  WAITING  for 35 min"), "{template}\n{text}");
    }
}

/// A coordinator without inputs, from 2024 on.
fn lone(name: &str, frequency: &str, end: &str, more: &[&str]) -> String {
    let coordinator = format!(
        r#"<coordinator-app name="c" frequency="{frequency}" start="2024-01-01T00:00Z" end="{end}" timezone="UTC"
 xmlns="uri:oozie:coordinator:0.5"><action><workflow><app-path>hdfs://nn/none</app-path></workflow></action></coordinator-app>"#
    );
    let folder = folder_of(name, &[("coordinator.xml", &coordinator)]);
    let app = folder.join("coordinator.xml").display().to_string();
    let mut arguments = vec!["simulate", "-q", &app];
    arguments.extend(more);
    let outcome = ankus(&arguments);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    outcome.out
}

#[test]
fn what_goes_on_for_ever_is_played_to_the_horizon() {
    let days = lone("world-days", "${coord:days(1)}", "3000-01-01T00:00Z", &[]);
    assert!(days.contains("from 2024-01-01T00:00Z to 2025-02-04T00:00Z"), "{days}");
    assert!(days.contains("without `--until` it stops 400 days after its start"), "{days}");
    let json = lone("world-days", "${coord:days(1)}", "3000-01-01T00:00Z", &["--format", "json"]);
    assert!(json.contains("\"stop\":\"horizon-days\""), "{}", &json[..300]);
    let minutes = lone("world-minutes", "${coord:minutes(30)}", "3000-01-01T00:00Z", &[]);
    assert!(minutes.contains("without `--until` it stops once 10,000 actions are created"), "{minutes}");
    let asked = ["--to", "2025-02-05T12:00Z"];
    let asked = lone("world-days", "${coord:days(1)}", "3000-01-01T00:00Z", &asked);
    assert!(asked.contains("to 2025-02-05T12:00Z") && asked.contains("more would happen"), "{asked}");
    let whole = lone("world-whole", "${coord:days(1)}", "2024-12-31T00:00Z", &[]);
    assert!(whole.contains("365 actions: 365 SUCCEEDED") && !whole.contains("not played"), "{whole}");
}

/// A workflow of an fs action, a decision and an action for each way, played; what became of it.
fn files(name: &str, operations: &str, case: &str, scenario: &str) -> String {
    let workflow = format!(
        r#"<workflow-app name="w" xmlns="uri:oozie:workflow:1.0"><start to="before"/>
<action name="before"><java><resource-manager>rm</resource-manager><name-node>hdfs://nn</name-node><main-class>x.A</main-class><arg>hdfs://nn/named/out</arg></java><ok to="a"/><error to="fail"/></action>
<action name="a"><fs>{operations}</fs><ok to="d"/><error to="fail"/></action>
<decision name="d"><switch><case to="yes">${{{case}}}</case><default to="no"/></switch></decision>
<action name="yes"><java><resource-manager>rm</resource-manager><name-node>hdfs://nn</name-node><main-class>x.A</main-class></java><ok to="end"/><error to="fail"/></action>
<action name="no"><java><resource-manager>rm</resource-manager><name-node>hdfs://nn</name-node><main-class>x.A</main-class></java><ok to="end"/><error to="fail"/></action>
<kill name="fail"><message>${{wf:errorCode('a')}}</message></kill><end name="end"/></workflow-app>"#
    );
    let properties = "oozie.wf.application.path=hdfs://nn/app\n";
    let files = [
        ("app/workflow.xml", workflow.as_str()),
        ("app/job.properties", properties),
        ("app/conf.txt", "x"),
        ("ankus.toml", "[paths]\n\"hdfs://nn/app\" = \"app\"\n"),
        ("scenario.toml", scenario),
    ];
    let folder = folder_of(name, &files);
    let path = |file: &str| folder.join(file).display().to_string();
    let outcome = ankus(&["simulate", "--check", &path("app"), "--scenario", &path("scenario.toml"), "-v"]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    let ways =
        ["  yes OK", "  no OK", "FS001", "FS004", "FS006", "FS007", "FS008", "FS009", "FS010", "FS012"];
    let found = ways.into_iter().filter(|way| outcome.out.contains(way));
    found.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[test]
fn what_fs_actions_do_is_known_to_what_follows() {
    let known = "[files]\n\"hdfs://nn/in/a.txt\" = 5\n\"hdfs://nn/in/b.txt\" = 7\n";
    let cases = [
        (
            "",
            "<mkdir path='hdfs://nn/o/x'/>",
            "fs:exists('hdfs://nn/o/x') and fs:isDir('hdfs://nn/o')",
            "yes OK",
        ),
        ("", "<touchz path='hdfs://nn/o/x'/>", "fs:fileSize('hdfs://nn/o/x') eq 0", "yes OK"),
        ("", "<mkdir path='hdfs://nn/o'/><delete path='hdfs://nn/o'/>", "fs:exists('hdfs://nn/o')", "no OK"),
        ("", "<delete path='hdfs://nn/none'/>", "fs:exists('hdfs://nn/none')", "no OK"),
        ("", "<touchz path='/o/x'/>", "true", "FS001"),
        ("", "<chmod path='hdfs://nn/o' permissions='77'/>", "true", "FS010"),
        ("", "<move source='hdfs://nn/o' target='hdfs://mm/o'/>", "true", "FS007"),
        // Nobody says what there is, so what is not known to be missing is there.
        ("", "<move source='hdfs://nn/o' target='/p'/>", "fs:exists('hdfs://nn/p')", "yes OK"),
        ("", "<delete path='hdfs://nn/o'/><move source='hdfs://nn/o' target='/p'/>", "true", "FS006"),
        ("", "<delete path='hdfs://nn/o'/><chmod path='hdfs://nn/o' permissions='777'/>", "true", "FS009"),
        (
            "",
            "<delete path='hdfs://nn/o'/><mkdir path='hdfs://nn/o'/><move source='hdfs://nn/o/x' target='/p'/>",
            "true",
            "FS006",
        ),
        // The folder of the app holds what was deployed.
        ("", "<move source='hdfs://nn/app/none' target='/p'/>", "true", "FS006"),
        ("", "<move source='hdfs://nn/app/conf.txt' target='/p'/>", "true", "yes OK"),
        // With `[files]` nothing else is there, but for what an action may have written.
        (known, "<move source='hdfs://nn/o' target='/p'/>", "true", "FS006"),
        (
            known,
            "<move source='hdfs://nn/named/out' target='/in'/>",
            "fs:exists('hdfs://nn/in/out')",
            "yes OK",
        ),
        (known, "<move source='hdfs://nn/in' target='/p'/>", "fs:dirSize('hdfs://nn/p') eq 12", "yes OK"),
        (known, "<move source='hdfs://nn/in' target='/p'/>", "fs:exists('hdfs://nn/in/a.txt')", "no OK"),
        (known, "<move source='hdfs://nn/in/*.txt' target='/p'/>", "true", "FS012"),
        (
            known,
            "<mkdir path='hdfs://nn/p'/><move source='hdfs://nn/in/*.txt' target='/p'/>",
            "fs:fileSize('hdfs://nn/p/b.txt') eq 7",
            "yes OK",
        ),
        (known, "<move source='hdfs://nn/in/a.txt' target='/in/b.txt'/>", "true", "FS008"),
        (known, "<move source='hdfs://nn/in/a.txt' target='/no/b.txt'/>", "true", "FS008"),
        (known, "<mkdir path='hdfs://nn/in/a.txt/x'/>", "true", "FS004"),
        (
            known,
            "<delete path='hdfs://nn/in/a*'/>",
            "fs:exists('hdfs://nn/in/a.txt') or not fs:exists('hdfs://nn/in/b.txt')",
            "no OK",
        ),
        (known, "<chgrp path='hdfs://nn/o' group='g'/>", "true", "FS009"),
    ];
    for (number, (scenario, operations, case, expected)) in cases.into_iter().enumerate() {
        let found = files(&format!("world-fs-{number}"), operations, case, scenario);
        assert_eq!(found, expected, "{operations} {case}\n{scenario}");
    }
}

#[test]
fn the_external_status_is_that_of_the_executor() {
    let ask =
        |name: &str, case: &str, scenario: &str| files(name, "<mkdir path='hdfs://nn/o'/>", case, scenario);
    let java = "wf:actionExternalStatus('before') eq 'SUCCEEDED' and wf:actionExternalStatus('a') eq 'OK'";
    assert_eq!(ask("world-status", java, ""), "yes OK");
    let fails = "[[action]]\nnode = \"before\"\nstatus = \"error\"\n";
    let text = ask("world-status", "true", fails);
    assert_eq!(text, "");
}

#[test]
fn a_map_reduce_action_has_counters_as_the_scenario_has_them() {
    let workflow = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5"><start to="count"/>
<action name="count"><map-reduce><job-tracker>j</job-tracker><name-node>hdfs://nn</name-node></map-reduce><ok to="many"/><error to="bad"/></action>
<decision name="many"><switch><case to="yes">${hadoop:counters('count')['rows']['good'] gt 10}</case><default to="no"/></switch></decision>
<action name="yes"><fs><mkdir path="hdfs://nn/yes"/></fs><ok to="end"/><error to="bad"/></action>
<action name="no"><fs><mkdir path="hdfs://nn/no"/></fs><ok to="end"/><error to="bad"/></action>
<kill name="bad"><message>no</message></kill><end name="end"/></workflow-app>"#;
    let scenario = "[[action]]\nnode = \"count\"\ncounters = { rows = { good = 17 } }\n";
    let folder = folder_of("world-counters", &[("workflow.xml", workflow), ("scenario.toml", scenario)]);
    let (app, scenario) = (folder.display().to_string(), folder.join("scenario.toml").display().to_string());
    let usual = ankus(&["simulate", &app, "-v"]);
    assert!(
        usual.code == 0 && usual.out.contains("  no OK") && !usual.out.contains("yes OK"),
        "{}",
        usual.out
    );
    let counted = ankus(&["simulate", &app, "-v", "--scenario", &scenario]);
    assert!(counted.code == 0 && counted.out.contains("  yes OK"), "{}{}", counted.out, counted.err);
}

/// Hourly coordinators, of which the first two share data; one of the others waits in vain, one fails now and then.
fn estate(name: &str) -> std::path::PathBuf {
    let coordinator = |name: &str, controls: &str, reads: &str, writes: &str| {
        let dataset = |name: &str| {
            format!(
                r#"<dataset name="{name}" frequency="${{coord:hours(1)}}" initial-instance="2024-01-01T00:00Z" timezone="UTC">
<uri-template>hdfs://nn/{name}/${{YEAR}}${{MONTH}}${{DAY}}${{HOUR}}</uri-template></dataset>"#
            )
        };
        let event = |around: &str, element: &str, dataset: &str| match dataset {
            "" => String::new(),
            dataset => format!(
                "<{around}><{element} name=\"{element}\" dataset=\"{dataset}\"><instance>${{coord:current(0)}}</instance></{element}></{around}>"
            ),
        };
        let datasets: String =
            [reads, writes].into_iter().filter(|name| !name.is_empty()).map(dataset).collect();
        format!(
            r#"<coordinator-app name="{name}" frequency="${{coord:hours(1)}}" start="2024-01-01T00:00Z"
 end="2024-01-03T00:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.5"><controls>{controls}</controls>
<datasets>{datasets}</datasets>{}{}<action><workflow><app-path>hdfs://nn/wf</app-path></workflow></action></coordinator-app>"#,
            event("input-events", "data-in", reads),
            event("output-events", "data-out", writes)
        )
    };
    let never = "<timeout>-1</timeout><throttle>3</throttle>";
    let mut all = vec![
        ("a".to_owned(), coordinator("a", "", "", "made")),
        ("b".to_owned(), coordinator("b", "", "late", "")),
        ("c".to_owned(), coordinator("c", "<timeout>600</timeout>", "made", "")),
        ("d".to_owned(), coordinator("d", never, "never", "")),
        ("e".to_owned(), coordinator("e", "<concurrency>2</concurrency>", "", "")),
    ];
    // So many that their order is not that of their numbers as words.
    let more = (5..13).map(|number| format!("m{number}"));
    all.extend(more.map(|name| (name.clone(), coordinator(&name, "", &format!("of-{name}"), ""))));
    let bundle: String = all
        .iter()
        .map(|(name, _)| {
            format!("<coordinator name=\"{name}\"><app-path>hdfs://nn/{name}/coordinator.xml</app-path></coordinator>")
        })
        .collect();
    let bundle = format!("<bundle-app name=\"all\" xmlns=\"uri:oozie:bundle:0.2\">{bundle}</bundle-app>");
    let workflow = r#"<workflow-app name="wf" xmlns="uri:oozie:workflow:0.5"><start to="a"/>
<action name="a"><shell xmlns="uri:oozie:shell-action:0.3"><exec>x</exec></shell><ok to="end"/><error to="fail"/></action>
<kill name="fail"><message>no</message></kill><end name="end"/></workflow-app>"#;
    let scenario = "[[data]]\ndataset = \"never\"\narrives = \"never\"\n[[data]]\ndataset = \"late\"\ndelay = { min = \"0s\", max = \"3h\" }\n\
        [[action]]\ncoordinator = \"e\"\nduration = { min = \"10m\", max = \"5h\" }\n[[action]]\ncoordinator = \"a\"\nchance = 0.2\nstatus = \"error\"\n";
    let mut files: Vec<(String, String)> =
        all.into_iter().map(|(name, text)| (format!("{name}/coordinator.xml"), text)).collect();
    files.push(("ankus.toml".to_owned(), "[paths]\n\"hdfs://nn\" = \".\"\n".to_owned()));
    files.push(("all/bundle.xml".to_owned(), bundle));
    files.push(("wf/workflow.xml".to_owned(), workflow.to_owned()));
    files.push(("scenario.toml".to_owned(), scenario.to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    folder_of(name, &files)
}

#[test]
fn parts_come_to_the_same_on_any_number_of_threads_and_as_the_whole() {
    let folder = estate("world-parts");
    let (app, scenario) =
        (folder.join("all").display().to_string(), folder.join("scenario.toml").display().to_string());
    for until in ["2024-01-02T12:00Z", "2024-03-01T00:00Z"] {
        let play = |more: &[&str]| {
            let arguments = ["simulate", "-q", &app, "--scenario", &scenario, "--until", until];
            let outcome = ankus(&[&arguments[..], more].concat());
            assert_eq!((outcome.code, outcome.err.as_str()), (0, ""), "{}", outcome.out);
            outcome.out
        };
        let (one, two) = (play(&["--jobs", "1"]), play(&["--jobs", "2"]));
        assert_eq!(one, two, "{until}");
        // Ticks that several coordinators wait for are one event of the whole, and several of the parts.
        let without_events = |text: &str| {
            let (first, rest) = text.split_once('\n').expect("lines");
            format!("{}\n{rest}", first.rsplit_once(", ").expect("events").0)
        };
        let whole = play(&[]);
        assert_eq!(without_events(&one), without_events(&whole), "{until}");
        assert!(
            one.contains("DONEWITHERROR") || one.contains("RUNNINGWITHERROR") || one.contains("KILLED"),
            "{one}"
        );
    }
}
