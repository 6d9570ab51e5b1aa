//! One verdict for an estate: a folder is judged under each of its properties files, as each of them is by itself and as
//! a plan is made of it; what has one cause is one finding, at its cause.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support::{ankus, folder_of, names_in, reference};
use serde_json::Value;

/// The findings of a check with these arguments.
fn check(arguments: &[&str]) -> Vec<Value> {
    let outcome = ankus(&[&["check", "--format", "json"], arguments].concat());
    assert!(outcome.code < 2, "{arguments:?}: {}", outcome.err);
    let report: Value = serde_json::from_str(&outcome.out).expect("check prints JSON");
    report["findings"].as_array().expect("findings").clone()
}

/// What makes two findings the same, and how grave it is.
type Said = BTreeMap<(String, u64, String, String), String>;

/// The errors and warnings, the graver of two that say the same.
fn said<'a>(findings: impl IntoIterator<Item = &'a Value>) -> Said {
    let mut said = Said::new();
    for one in findings {
        let text = |name: &str| one[name].as_str().expect("a text").to_owned();
        if text("severity") != "info" {
            let offset = one["start"]["offset"].as_u64().expect("an offset");
            // It stands once, at the first place of everything that is checked together.
            let is_summary = text("rule") == "build-placeholder";
            let (file, offset) = if is_summary { (String::new(), 0) } else { (text("file"), offset) };
            let key = (file, offset, text("rule"), text("message"));
            let severity = said.entry(key).or_insert_with(|| text("severity"));
            if text("severity") == "error" {
                *severity = text("severity");
            }
        }
    }
    said
}

fn is_refusal(finding: &Value) -> bool {
    finding["severity"] == "error" && finding["stage"] == "submit"
}

/// The properties files in and below a folder that name an app.
fn properties_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for name in names_in(&folder) {
            let path = folder.join(&name);
            if path.is_dir() {
                open.push(path);
            } else if name.ends_with(".properties") && ankus::host::discovery::names_app(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Where a check of a folder, the checks of its properties files, and the plans of these do not agree.
fn disagreements(folder: &Path) -> Vec<String> {
    let mut faults = Vec::new();
    let of_folder = check(&[&folder.display().to_string()]);
    let whole = said(&of_folder);
    let mut together = Vec::new();
    for file in properties_files(folder) {
        let file = file.display().to_string();
        let alone = check(&[&file]);
        let plan = ankus(&["plan", &file, "--next", "1", "--format", "json"]);
        // Where it is not known which definition is meant, nobody refuses it, and nothing can be planned.
        let leads_nowhere = alone.iter().any(|one| {
            one["rule"] == "app-path-missing" && one["file"] == file.as_str() && one["severity"] == "warning"
        });
        // What a file leaves to the command line (`a=${a}`) is no mistake of the file, and nothing is planned without it.
        let awaits = std::fs::read_to_string(&file).is_ok_and(|text| {
            let mut pairs = text.lines().filter_map(|line| line.split_once('='));
            pairs.any(|(name, value)| value.trim() == format!("${{{}}}", name.trim()))
        });
        let refuses = plan.code == 1 && plan.out.starts_with("{\"version\":1,\"findings\"");
        if plan.code > 1 || (refuses != alone.iter().any(is_refusal) && !leads_nowhere && !awaits) {
            faults.push(format!("{file}: plan ends with {}: {}{}", plan.code, plan.out, plan.err));
        }
        // A finding of the folder that names this file holds in the check of the file, and the other way round.
        let known = said(&alone);
        for one in &of_folder {
            let Some(under) = one["under"].as_array() else { continue };
            let holds = said([one]).into_keys().all(|key| known.contains_key(&key));
            if under.iter().any(|it| *it == file.as_str()) && !holds {
                faults.push(format!("{file}: does not hold alone: {one}"));
            }
        }
        together.extend(alone);
    }
    let together = said(&together);
    for (key, severity) in &together {
        if whole.get(key) != Some(severity) {
            faults.push(format!("{}: not as in the folder: {severity} {key:?}", folder.display()));
        }
    }
    // What else the folder says is of definitions that no properties file leads to, or has no name in them.
    let led_to: BTreeSet<&String> = together.keys().map(|(file, ..)| file).collect();
    let is_led_to = |file: &String| led_to.contains(file) && !file.is_empty();
    for (key, severity) in whole.iter().filter(|(key, _)| is_led_to(&key.0)) {
        if together.get(key) != Some(severity) {
            faults.push(format!("{}: only in the folder: {severity} {key:?}", folder.display()));
        }
    }
    faults
}

/// Copies the files of a folder, links left aside.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the folder can be made");
    for name in names_in(from) {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            copy(&from, &to);
        } else if from.is_file() {
            std::fs::copy(&from, &to).expect("the file can be copied");
        }
    }
}

const BUNDLE: &str = r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2">
  <coordinator name="one"><app-path>${nameNode}/apps/load</app-path>
    <configuration><property><name>v</name><value>${first}</value></property></configuration>
  </coordinator>
  <coordinator name="two"><app-path>${nameNode}/apps/load</app-path>
    <configuration><property><name>v</name><value>${first}</value></property></configuration>
  </coordinator>
</bundle-app>
"#;

const COORDINATOR: &str = r#"<coordinator-app name="c" frequency="${coord:days(1)}" start="${v}" end="2019-01-01T00:00Z"
    timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
  <datasets>
    <dataset name="d" frequency="${coord:days(1)}" initial-instance="${v}" timezone="UTC">
      <uri-template>${nameNode}/d/${YEAR}/${MONTH}/${DAY}</uri-template>
    </dataset>
  </datasets>
  <input-events><data-in name="in" dataset="d"><instance>${coord:current(0)}</instance></data-in></input-events>
  <action><workflow><app-path>${nameNode}/apps/etl</app-path>
    <configuration>
      <property><name>in</name><value>${coord:dataIn('in')}</value></property>
      <property><name>queue</name><value>${queue}</value></property>
    </configuration></workflow></action>
</coordinator-app>
"#;

const WORKFLOW: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">
  <start to="a"/>
  <action name="a"><fs><delete path="${in}/old"/><mkdir path="${nameNode}/out"/></fs><ok to="end"/><error to="fail"/></action>
  <kill name="fail"><message>${queue}</message></kill>
  <end name="end"/>
</workflow-app>
"#;

const PROPERTIES: &str = "nameNode=hdfs://nn\noozie.bundle.application.path=${nameNode}/apps/bundle.xml\n\
    first=2018-07-01T00:00Z\nqueue=high\n";

/// An estate of a bundle with these properties files.
fn estate(name: &str, properties: &[(&str, &str)]) -> PathBuf {
    let files = [
        ("ankus.toml", ""),
        ("apps/bundle.xml", BUNDLE),
        ("apps/load/coordinator.xml", COORDINATOR),
        ("apps/etl/workflow.xml", WORKFLOW),
    ];
    folder_of(&format!("check-estate-{name}"), &[&files, properties].concat())
}

/// The findings of at least a warning: rule, file name, line, and under how many properties files it holds.
fn grave(folder: &Path) -> Vec<(String, String, u64, Option<usize>)> {
    let findings = check(&[&folder.display().to_string()]);
    let grave = findings.iter().filter(|one| one["severity"] != "info");
    grave
        .map(|one| {
            let text = |name: &str| one[name].as_str().expect("a text").to_owned();
            let file = text("file").rsplit('/').next().unwrap_or_default().to_owned();
            let line = one["start"]["line"].as_u64().expect("a line");
            (text("rule"), file, line, one["under"].as_array().map(Vec::len))
        })
        .collect()
}

fn row(rule: &str, file: &str, line: u64, under: Option<usize>) -> (String, String, u64, Option<usize>) {
    (rule.to_owned(), file.to_owned(), line, under)
}

#[test]
fn a_folder_its_properties_files_and_their_plans_agree() {
    let without = |key: &str| {
        let kept = PROPERTIES.lines().filter(|line| !line.starts_with(key));
        kept.map(|line| format!("{line}\n")).collect::<String>()
    };
    let (no_queue, no_node) = (without("queue"), without("nameNode"));
    let date = PROPERTIES.replace("2018-07-01T00:00Z", "2018-07-01");
    let late = PROPERTIES.replace("2018-07", "2021-07");
    let zone = PROPERTIES.replace("00:00Z", "00:00+0900");
    let path = PROPERTIES.replace("bundle.xml", "nothing/bundle-x.xml");
    let slip = PROPERTIES.replace("queue", "queu");
    let kinds: [(&str, &[(&str, &str)]); 4] = [
        ("fine", &[("a.properties", PROPERTIES), ("b.properties", PROPERTIES)]),
        ("values", &[("a.properties", PROPERTIES), ("b.properties", &date), ("c.properties", &zone)]),
        ("names", &[("a.properties", &no_queue), ("b.properties", &no_node), ("c.properties", &slip)]),
        ("paths", &[("a.properties", &late), ("b.properties", &path), ("c.properties", PROPERTIES)]),
    ];
    let mut faults = Vec::new();
    for (name, properties) in kinds {
        faults.extend(disagreements(&estate(&format!("agree-{name}"), properties)));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn the_corpus_is_judged_alike_by_folder_by_properties_file_and_by_plan() {
    let corpus = reference("corpus");
    let mut faults = Vec::new();
    for name in names_in(&corpus) {
        let repository = corpus.join(&name);
        if repository.is_dir() && !properties_files(&repository).is_empty() {
            // With a mark at its root, a file and the folder are looked at in the same surroundings.
            let folder = folder_of(&format!("check-estate-corpus/{name}"), &[("ankus.toml", "")]);
            copy(&repository, &folder);
            faults.extend(disagreements(&folder));
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_wrong_value_is_one_finding_at_its_line() {
    let date = PROPERTIES.replace("2018-07-01T00:00Z", "2018-07-01");
    let folder = estate("cause", &[("job.properties", &date)]);
    assert_eq!(grave(&folder), [row("datetime-invalid", "job.properties", 3, None)]);
    let findings = check(&[&folder.display().to_string()]);
    let found = findings.iter().find(|one| one["rule"] == "datetime-invalid").expect("it is there");
    assert_eq!(found["subject"], serde_json::json!({ "kind": "parameter", "name": "first" }));
    let labels = found["labels"].as_array().expect("labels");
    let uses: BTreeSet<_> = labels
        .iter()
        .map(|label| label["file"].as_str().and_then(|file| file.rsplit('/').next()).unwrap_or_default())
        .collect();
    assert_eq!(uses, BTreeSet::from(["bundle.xml", "coordinator.xml"]));
    let zone = PROPERTIES.replace("00:00Z", "00:00+0900");
    let folder = estate("cause-zone", &[("job.properties", &zone)]);
    let findings = check(&[&folder.display().to_string()]);
    let help = findings.iter().find_map(|one| one["help"].as_str().filter(|help| help.contains("GMT+0900")));
    assert!(help.is_some_and(|help| help.contains("processing-timezone")), "{findings:?}");
}

#[test]
fn a_name_that_one_profile_lacks_is_an_error_under_that_profile() {
    let without = PROPERTIES.replace("queue=high\n", "");
    let properties = [("a.properties", PROPERTIES), ("b.properties", PROPERTIES), ("c.properties", &without)];
    let folder = estate("one-lacks", &properties);
    assert_eq!(grave(&folder), [row("parameter-undefined", "coordinator.xml", 12, Some(1))]);
    let outcome = ankus(&["check", &folder.display().to_string(), "--format", "concise"]);
    assert!(outcome.out.contains("(in 1 of 3: `"), "{}", outcome.out);
    assert!(outcome.out.contains("c.properties`)"), "{}", outcome.out);
}

#[test]
fn ends_that_changed_places_are_reported_without_values() {
    let range = "<start-instance>${coord:current(9)}</start-instance><end-instance>${coord:current(1)}</end-instance>";
    let text = COORDINATOR
        .replace("start=\"${v}\" end=\"2019-01-01T00:00Z\"", "start=\"${job_end}\" end=\"${job_start}\"")
        .replace("dataset=\"d\"", "dataset=\"elsewhere\"")
        .replace("<datasets>", "<datasets><include>${nameNode}/shared.xml</include>")
        .replace("<instance>${coord:current(0)}</instance>", range);
    let folder = folder_of("check-estate-swapped", &[("ankus.toml", ""), ("coordinator.xml", &text)]);
    let rules: BTreeSet<String> = grave(&folder).into_iter().map(|(rule, ..)| rule).collect();
    let expected = ["coordinator-empty-range", "instance-range-reversed"];
    assert_eq!(rules, BTreeSet::from(expected.map(str::to_owned)));
    let fine = text.replace("job_end", "job_from").replace("(9)", "(0)");
    let folder = folder_of("check-estate-in-order", &[("ankus.toml", ""), ("coordinator.xml", &fine)]);
    assert_eq!(grave(&folder), []);
}

#[test]
fn what_is_not_known_is_not_missing() {
    let logic = r#"<input-logic><or name="o"><data-in dataset="in"/></or></input-logic>"#;
    let text = COORDINATOR
        .replace("coordinator:0.4", "coordinator:0.5")
        .replace("<action>", &format!("{logic}<action>"))
        .replace("${nameNode}/d/", "${nameNode}/${a.b}/d/");
    let folder = folder_of("check-estate-logic", &[("ankus.toml", ""), ("coordinator.xml", &text)]);
    let findings = check(&[&folder.display().to_string()]);
    assert!(findings.iter().all(|one| one["rule"] != "input-logic-invalid"), "{findings:?}");
    let wrong = text.replace("<data-in dataset=\"in\"/>", "<data-in dataset=\"inn\"/>");
    let folder = folder_of("check-estate-logic-wrong", &[("ankus.toml", ""), ("coordinator.xml", &wrong)]);
    let findings = check(&[&folder.display().to_string()]);
    assert!(findings.iter().any(|one| one["rule"] == "input-logic-invalid"), "{findings:?}");
}
