//! What people write in whole repositories, and what is no mistake there, is not reported.

use std::path::{Path, PathBuf};

use crate::support::{ankus, findings_of, folder_of};

/// A folder of its own with these files.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    // With a configuration of its own, paths are looked for here and nowhere else.
    let config =
        [("ankus.toml", "")].into_iter().filter(|(name, _)| files.iter().all(|(own, _)| own != name));
    let files: Vec<_> = config.chain(files.iter().copied()).collect();
    folder_of(&format!("false_alarms/{name}"), &files)
}

/// The findings of `check` as `severity rule file:line`, sorted as they are shown.
fn check(folder: &Path, more: &[&str]) -> Vec<String> {
    let folder = folder.display().to_string();
    let mut arguments = vec![folder.as_str()];
    arguments.extend(more);
    let one = |(file, line, rule, severity): (String, u64, String, String)| {
        format!("{severity} {rule} {file}:{line}")
    };
    findings_of(&arguments).into_iter().map(one).collect()
}

const WORKFLOW: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">
  <start to="a"/>
  <action name="a">
    <fs>
      <name-node>${nameNode}</name-node>
      <mkdir path="${nameNode}/${day}"/>
    </fs>
    <ok to="done"/>
    <error to="fail"/>
  </action>
  <kill name="fail"><message>it failed</message></kill>
  <end name="done"/>
</workflow-app>
"#;

#[test]
fn what_stands_for_a_definition_on_the_command_line_is_no_fault_in_a_check() {
    let properties = "nameNode=${nameNode}\nday = ${day}\noozie.wf.application.path=${nameNode}/my/apps\n";
    let folder = project("awaited", &[("my/apps/workflow.xml", WORKFLOW), ("job.properties", properties)]);
    assert_eq!(check(&folder, &[]), Vec::<String>::new());
    let file = folder.join("job.properties").display().to_string();
    assert_eq!(findings_of(&[&file]), []);
    // Nothing can be planned without it, and the line that leaves it open is named.
    let refused = ankus(&["plan", &file, "-D", "day=1"]);
    assert_eq!(refused.code, 1);
    assert!(refused.out.contains("`nameNode` is left to the command line"), "{}", refused.out);
    assert!(refused.out.contains("job.properties:1:"), "{}", refused.out);
    let planned = ankus(&["plan", &file, "-D", "day=1", "-D", "nameNode=hdfs://nn"]);
    assert_eq!(planned.code, 0, "{}{}", planned.out, planned.err);
    // A loop over two names is one all the same.
    let loops = "nameNode=${base}\nbase=${nameNode}\noozie.wf.application.path=/apps\nday=1\n";
    let folder = project("loops", &[("apps/workflow.xml", WORKFLOW), ("job.properties", loops)]);
    assert!(check(&folder, &[]).iter().any(|found| found.contains("property-cycle")));
}

#[test]
fn a_cron_is_compared_with_the_clocks_of_its_server_in_check_and_plan() {
    let coordinator = r#"<coordinator-app name="c" frequency="0 10 * * *" start="2024-01-01T00:00+0530"
    end="2024-01-05T00:00+0530" timezone="Asia/Kolkata" xmlns="uri:oozie:coordinator:0.4">
  <action><workflow><app-path>hdfs://nn/w</app-path></workflow></action>
</coordinator-app>
"#;
    let zones = [("GMT+0530", false), ("GMT+0530", true), ("UTC", true)];
    for (name, has_other_clocks) in zones {
        let own = if name == "UTC" { coordinator.replace("+0530\"", "Z\"") } else { coordinator.to_owned() };
        let text = match has_other_clocks {
            true => own.replace("Asia/Kolkata", "Asia/Tokyo"),
            false => own,
        };
        let config = format!("processing-timezone = \"{name}\"\n");
        let folder = project("clocks", &[("coordinator.xml", &text), ("ankus.toml", &config)]);
        let file = folder.join("coordinator.xml").display().to_string();
        let in_check = findings_of(&[&file]).iter().any(|(_, _, rule, _)| rule == "cron-timezone");
        let in_plan = ankus(&["plan", &file]).err.contains("cron-timezone");
        assert_eq!((in_check, in_plan), (has_other_clocks, has_other_clocks), "{name}");
    }
}

#[test]
fn a_function_of_another_place_is_one_finding() {
    let coordinator = r#"<coordinator-app name="c" frequency="60" start="2024-01-01T00:00Z"
    end="2024-01-05T00:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
  <action><workflow><app-path>hdfs://nn/w</app-path>
    <configuration><property><name>q</name><value>${replaceAll('a', 'b', 'c')}</value></property></configuration>
  </workflow></action>
</coordinator-app>
"#;
    let folder = project("elsewhere", &[("coordinator.xml", coordinator)]);
    assert_eq!(check(&folder, &[]), ["error el-function-context coordinator.xml:4"]);
}

#[test]
fn a_file_that_only_speaks_of_a_path_is_no_properties_file() {
    let pom = "<project><properties>\n<oozie.wf.application.path>/w</oozie.wf.application.path>\n</properties></project>";
    let page = "# How to submit\n\nWrite into `job.properties` this line, and run it:\n\noozie.wf.application.path=/w\n\n\
                Then look at the console, where the job shows up at once.\n";
    let files =
        [("pom.xml", pom), ("README.md", page), ("apps/workflow.xml", WORKFLOW), ("x.conf", "a=1\nb = 2\n")];
    let folder = project("prose", &files);
    let found = check(&folder, &[]);
    assert!(found.iter().all(|found| found.contains("parameter-undefined")), "{found:?}");
    let named = |name: &str| ankus(&["check", &folder.join(name).display().to_string()]);
    let refused = named("README.md");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("is neither a definition nor a properties file"), "{}", refused.err);
    assert!(named("x.conf").err.contains("names no app"));
}

#[test]
fn what_a_build_fills_in_is_one_finding() {
    let filtered = WORKFLOW.replace("nameNode", "hdfs.namenode").replace("day", "project.version");
    let files = [
        ("a/src/main/resources/workflow.xml", &*filtered),
        ("b/src/main/resources/x/workflow.xml", &*filtered),
    ];
    let folder = project("filtered", &files);
    assert_eq!(check(&folder, &[]), ["warning build-placeholder workflow.xml:5"]);
    let drafted = ankus(&["init", "--stdout", &folder.display().to_string()]);
    let drafted = if drafted.code == 0 { drafted.out } else { String::new() };
    assert!(
        drafted.is_empty() || drafted.contains("placeholders = [\"hdfs.*\", \"project.*\"]"),
        "{drafted}"
    );
    let config = "[check]\nplaceholders = [\"hdfs.*\", \"project.*\"]\n";
    let files: Vec<_> = files.into_iter().chain([("ankus.toml", config)]).collect();
    let folder = project("filtered", &files);
    assert_eq!(check(&folder, &[]), ["info build-placeholder workflow.xml:5"]);
}

#[test]
fn what_only_a_later_action_shows_is_found() {
    let coordinator = |start: &str| {
        format!(
            r#"<coordinator-app name="c" frequency="${{coord:days(1)}}" start="2024-01-01T00:00Z"
    end="2026-01-01T00:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
  <datasets>
    <dataset name="a" frequency="${{coord:days(1)}}" initial-instance="{start}" timezone="UTC">
      <uri-template>hcat://hm:9083/db/t/day=${{YEAR}}${{MONTH}}${{DAY}}</uri-template>
      <done-flag/>
    </dataset>
  </datasets>
  <input-events>
    <data-in name="in" dataset="a">
      <start-instance>${{coord:current(-1)}}</start-instance>
      <end-instance>${{coord:current(0)}}</end-instance>
    </data-in>
  </input-events>
  <action><workflow><app-path>hdfs://nn/apps/w</app-path><configuration>
    <property><name>in</name><value>${{coord:dataInPartitions('in', 'hive-export')}}</value></property>
  </configuration></workflow></action>
</coordinator-app>
"#
        )
    };
    // The range grows to two instances with the second action, or a year later.
    for start in ["2024-01-01T00:00Z", "2025-01-01T00:00Z"] {
        let folder = project("later", &[("coordinator.xml", &coordinator(start))]);
        let found = check(&folder, &[]);
        let is_told = found.iter().any(|found| found == "error partition-export-many coordinator.xml:16");
        assert!(is_told, "{start} {found:?}");
    }
}

/// A properties file that names the app, and files that a deployment lays over it, one for each cluster.
const LAYERS: &[(&str, &str)] = &[
    ("my/apps/workflow.xml", WORKFLOW),
    ("conf/common.properties", "day=1\noozie.wf.application.path=${nameNode}/my/apps\n"),
    ("conf/env/dev.properties", "nameNode=hdfs://dev-nn\n"),
    ("conf/env/prod.properties", "nameNode=hdfs://prod-nn\n"),
];

#[test]
fn what_another_layer_gives_must_be_supplied_and_is_no_error() {
    let folder = project("layers", LAYERS);
    assert_eq!(check(&folder, &[]), Vec::<String>::new());
    // What no layer gives is missed.
    let without: Vec<_> = LAYERS.iter().copied().filter(|(path, _)| !path.starts_with("conf/env")).collect();
    let folder = project("no-layers", &without);
    assert!(check(&folder, &[]).iter().any(|found| found.starts_with("error parameter-undefined")));
}

#[test]
fn profiles_of_several_files_are_programs() {
    let profile = |name: &str| {
        format!(
            "[profiles.{name}]\nproperties = [\"conf/common.properties\", \"conf/env/{name}.properties\"]\n"
        )
    };
    let config = format!("{}{}", profile("dev"), profile("prod"));
    let mut files = vec![("ankus.toml", config.as_str())];
    files.extend(LAYERS);
    let folder = project("profiles", &files);
    assert_eq!(check(&folder, &[]), Vec::<String>::new());
    // A mistake in a layer of one profile is found, and is said to be in one of them.
    files.retain(|(path, _)| *path != "conf/env/prod.properties");
    files.push(("conf/env/prod.properties", "nameNod=hdfs://prod-nn\n"));
    let folder = project("profiles-mistake", &files);
    let text = ankus(&["check", &folder.display().to_string()]);
    assert_eq!(text.code, 1, "{}", text.out);
    assert!(
        text.out.contains("in 1 of 2: profile prod") || text.out.contains("`profile prod`"),
        "{}",
        text.out
    );
    assert!(text.out.contains("nameNod"), "{}", text.out);
}

#[test]
fn a_template_is_one_finding() {
    let jinja = "<workflow-app name=\"{{ name }}\" xmlns=\"uri:oozie:workflow:0.5\">\n{% if fork %}\n<start to=\"f\"/>\n{% endif %}\n\
        <action name=\"{{ a }}\"><fs/></action>\n<end name=\"e\"/>\n</workflow-app>\n";
    let folder = project("jinja", &[("workflow.xml", jinja)]);
    assert_eq!(check(&folder, &[]), ["warning build-template workflow.xml:2"]);
    let bare = "<coordinator-app name=\"$name\" frequency=\"$cron\" start=\"$start\" end=\"$end\" timezone=\"UTC\"\n\
        xmlns=\"uri:oozie:coordinator:0.4\"><action><workflow><app-path>$path</app-path></workflow></action></coordinator-app>\n";
    let folder = project("bare", &[("coordinator.xml", bare)]);
    assert_eq!(check(&folder, &[]), ["warning build-template coordinator.xml:1"]);
}
