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
