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
    let properties = "nameNode=${nameNode}\nday = ${day}\noozie.wf.application.path=${nameNode}/apps\n";
    let folder = project("awaited", &[("apps/workflow.xml", WORKFLOW), ("job.properties", properties)]);
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
