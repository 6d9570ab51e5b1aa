//! The files of a workflow: which ones its actions name, by a relative path or a whole one, and which of them there are.
//!
//! Nothing is read here. The shell looks for what [`references`] names and hands the answer in as [`AppFiles`].

use std::collections::{BTreeMap, BTreeSet};

use super::actions::{self, ActionNode, Start};
use super::flow::Facts;
use super::templates::Place;
use super::values::Values;
use crate::model::Dialect;
use crate::model::action::Details;
use crate::model::workflow::{NodeKind, Workflow};
use crate::source::{Span, Text};

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// The script of a pig, hive or hive2 action.
    Script,
    /// A configuration file.
    JobXml,
    /// A file that is put into the working directory.
    File,
    /// An archive that is unpacked there.
    Archive,
}

impl Use {
    /// The element that names it.
    pub fn element(self) -> &'static str {
        match self {
            Use::Script => "script",
            Use::JobXml => "job-xml",
            Use::File => "file",
            Use::Archive => "archive",
        }
    }
}

/// A relative path that an action names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The node of the action, by its index; `None` in `global`.
    pub node: Option<usize>,
    /// The type of the action; empty in `global`.
    pub kind: String,
    /// What it is for.
    pub use_of: Use,
    /// The path, relative to the app's folder, without what stands behind `#`.
    pub path: String,
    /// Where it stands.
    pub span: Span,
}

/// A file of the project that is named by its whole path on the cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// Where it lies in the project, or would lie, as it is shown.
    pub shown: String,
    /// It is there.
    pub is_there: bool,
    /// The path of the file that lies in its folder and is nearly called so.
    pub near: Option<String>,
    /// Its text, of a script that was read.
    pub script: Option<Text>,
}

/// What is known of files by their whole paths.
pub type ByPath = BTreeMap<String, Elsewhere>;

/// What the app's folder holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppFiles {
    /// Files in and below the folder, by relative path with `/` between, as far as they were listed.
    pub files: BTreeSet<String>,
    /// All of them are in the list.
    pub is_whole: bool,
    /// The scripts that actions of pig and hive run, by their paths, as far as they were read.
    pub scripts: BTreeMap<String, Text>,
}

impl AppFiles {
    /// Whether there is a file of this path, or a folder with files in it.
    pub fn holds(&self, path: &str) -> bool {
        let below = format!("{path}/");
        self.files.contains(path)
            || self.files.range(below.clone()..).next().is_some_and(|it| it.starts_with(&below))
    }
}

/// A relative path without `.` steps; `None` when it leads out of the folder or is none.
pub fn normal(path: &str) -> Option<String> {
    let steps: Vec<&str> = path.split('/').filter(|step| !step.is_empty() && *step != ".").collect();
    (!steps.is_empty() && !steps.contains(&"..")).then(|| steps.join("/"))
}

/// Every relative path that the actions of a workflow name and that is known, in order.
///
/// `JavaActionExecutor.addToCache` and `parseJobXmlAndConfiguration` look for those in the app's folder.
pub fn references(workflow: &Workflow, values: &Values) -> Vec<Reference> {
    all(workflow, values, &|start, path| (start == Start::Name).then(|| normal(path)).flatten())
}

/// Every whole path, with a scheme or from the root, that the actions of a workflow name and that is known, in order.
pub fn whole_paths(workflow: &Workflow, values: &Values) -> Vec<Reference> {
    let is_whole = |start| matches!(start, Start::Scheme | Start::Root);
    all(workflow, values, &|start, path| is_whole(start).then(|| path.to_owned()))
}

/// Takes a path by how it begins, or leaves it.
type Take<'t> = &'t dyn Fn(Start, &str) -> Option<String>;

fn all(workflow: &Workflow, values: &Values, take: Take<'_>) -> Vec<Reference> {
    let mut found = Vec::new();
    if let Some(global) = &workflow.global {
        for text in &global.job_xml {
            found.extend(one((None, ""), Use::JobXml, text, values, take, false));
        }
    }
    for (index, node) in workflow.nodes.iter().enumerate() {
        let NodeKind::Action(action) = &node.kind else { continue };
        let Some(body) = &action.body else { continue };
        let by = (Some(index), body.kind.as_str());
        let details = body.details();
        // In a package, paths begin at its root, whether or not with a slash; what archives name lies in storage.
        let of_package = workflow.dialect == Dialect::Hws;
        let mut add = |use_of: Use, text: &Text| {
            if !(of_package && use_of == Use::Archive) {
                found.extend(one(by, use_of, text, values, take, of_package));
            }
        };
        let script = match &details {
            Details::Pig(script) | Details::Hive(script) => script.script.as_ref(),
            Details::Hive2(hive) => hive.script.script.as_ref(),
            Details::Fs(fs) => {
                fs.job_xml.iter().for_each(|text| add(Use::JobXml, text));
                None
            }
            _ => None,
        };
        script.into_iter().for_each(|text| add(Use::Script, text));
        if let Some(job) = details.job() {
            job.job_xml.iter().for_each(|text| add(Use::JobXml, text));
            job.files.iter().for_each(|text| add(Use::File, text));
            job.archives.iter().for_each(|text| add(Use::Archive, text));
        }
    }
    found
}

/// The paths of one element; `file` and `archive` may hold several with commas between.
fn one(
    (node, kind): (Option<usize>, &str),
    use_of: Use,
    text: &Text,
    values: &Values,
    take: Take<'_>,
    of_package: bool,
) -> Vec<Reference> {
    let Some(value) = values.trimmed(text, Place::WorkflowNode) else { return Vec::new() };
    let value = if of_package { value.trim_start_matches('/').to_owned() } else { value };
    let is_list = matches!(use_of, Use::File | Use::Archive);
    let parts: Vec<&str> = if is_list { value.split(',').collect() } else { vec![&value] };
    parts
        .into_iter()
        .filter(|part| !part.contains("${") && !part.contains("#{"))
        .filter_map(|part| {
            let path = part.split('#').next().unwrap_or_default().trim();
            let path = take(actions::start(&Text::computed(path, text.span)), path)?;
            let span = text.trimmed().span;
            Some(Reference { node, kind: kind.to_owned(), use_of, path, span })
        })
        .collect()
}

/// Whether a workflow names any file that may lie in its folder, so that looking is worth while: scripts of shell
/// actions too.
pub fn names_any(workflow: &Workflow) -> bool {
    workflow.global.as_ref().is_some_and(|global| !global.job_xml.is_empty())
        || workflow.nodes.iter().any(|node| match &node.kind {
            NodeKind::Action(action) => action.body.as_ref().is_some_and(|body| {
                let names = |element: &crate::xml::Element| {
                    matches!(
                        &*element.name.local,
                        "script"
                            | "pig-script"
                            | "job-xml"
                            | "file"
                            | "archive"
                            | "exec"
                            | "jar"
                            | "streaming"
                    )
                };
                body.element.elements().any(names)
            }),
            _ => false,
        })
}

/// The names under which the `file` elements of an action put files into its working directory, and whether one of
/// them cannot be known.
pub fn shipped(action: &ActionNode<'_>, values: &Values) -> (BTreeSet<String>, bool) {
    let mut names = BTreeSet::new();
    let mut is_open = false;
    let Some(job) = action.details.job() else { return (names, is_open) };
    for text in job.files.iter().chain(&job.archives) {
        let known = values.trimmed(text, Place::WorkflowNode);
        // Behind `#` stands the name, whatever the path is.
        let value = known.unwrap_or_else(|| text.value.trim().to_owned());
        for part in value.split(',') {
            let name = part.rsplit(['#', '/']).next().unwrap_or_default().trim();
            // Where an expression stood, its end is left at least.
            is_open |= name.contains('}');
            names.insert(name.to_owned());
        }
    }
    (names, is_open)
}

/// The nodes of a workflow by index, for references.
pub fn is_reached(flow: &Facts<'_>, node: Option<usize>) -> bool {
    node.is_none_or(|index| flow.reachable.get(index).copied().unwrap_or(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::parameters::{Given, JobConf, Layer};
    use crate::analysis::{subject, testing};
    use crate::model::App;

    fn workflow(global: &str, action: &str) -> Workflow {
        let text = format!(
            "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'>{global}<start to='a'/><action name='a'>{action}\
             <ok to='e'/><error to='e'/></action><end name='e'/></workflow-app>"
        );
        testing::workflow(&text)
    }

    #[test]
    fn paths_stay_in_the_folder() {
        let check =
            |path: &str, expected: Option<&str>| assert_eq!(normal(path).as_deref(), expected, "{path}");
        check("a.sh", Some("a.sh"));
        check("./a//b/./c.sh", Some("a/b/c.sh"));
        check("a/../b", None);
        check("..", None);
        check("./", None);
        check("", None);
    }

    #[test]
    fn a_folder_holds_its_files_and_folders() {
        let files = ["a/b", "a-c"].map(str::to_owned).into();
        let folder = AppFiles { files, is_whole: true, ..AppFiles::default() };
        assert!(folder.holds("a/b") && folder.holds("a") && folder.holds("a-c"));
        assert!(!folder.holds("b") && !folder.holds("a/") && !folder.holds("a-") && !folder.holds("a/b/c"));
    }

    #[test]
    fn workflows_without_files_need_no_look() {
        let pig = "<pig><job-tracker>j</job-tracker><name-node>n</name-node><script>s.pig</script></pig>";
        assert!(names_any(&workflow("", pig)));
        let global = "<global><job-xml>j.xml</job-xml></global>";
        let fs = "<fs><mkdir path='/a'/></fs>";
        assert!(names_any(&workflow(global, fs)));
        assert!(!names_any(&workflow("", fs)));
        assert!(!names_any(&workflow("<global><name-node>n</name-node></global>", fs)));
        assert!(!names_any(&workflow("<global/>", fs)));
        assert!(names_any(&workflow(
            "",
            "<shell xmlns='uri:oozie:shell-action:0.3'><exec>x.sh</exec></shell>"
        )));
    }

    #[test]
    fn relative_paths_are_told_with_their_use() {
        let global = "<global><job-xml>conf/g.xml</job-xml></global>";
        let pig = "<pig><job-tracker>j</job-tracker><name-node>n</name-node><job-xml>./j.xml</job-xml>\
                   <script>s.pig</script><file>a.txt#x,/abs.txt,b.txt</file><file>${open}/c.txt</file>\
                   <archive>lib/z.zip#z</archive><archive>hdfs://nn/y.zip</archive></pig>";
        let model = workflow(global, pig);
        let found: Vec<_> = references(&model, Values::unknown())
            .into_iter()
            .map(|it| (it.node.is_some(), it.kind, it.use_of.element(), it.path))
            .collect();
        let one = |node, kind: &str, element, path: &str| (node, kind.to_owned(), element, path.to_owned());
        assert_eq!(
            found,
            [
                one(false, "", "job-xml", "conf/g.xml"),
                one(true, "pig", "script", "s.pig"),
                one(true, "pig", "job-xml", "j.xml"),
                one(true, "pig", "file", "a.txt"),
                one(true, "pig", "file", "b.txt"),
                one(true, "pig", "archive", "lib/z.zip"),
            ]
        );
    }

    #[test]
    fn types_of_actions_name_files_by_elements_of_their_own() {
        let check = |action: &str, expected: &[&str]| {
            let model = workflow("", action);
            let line = |it: Reference| format!("{} {} {}", it.kind, it.use_of.element(), it.path);
            let found: Vec<_> = references(&model, Values::unknown()).into_iter().map(line).collect();
            assert_eq!(found, expected);
        };
        check(
            "<hive xmlns='uri:oozie:hive-action:0.2'><job-tracker>j</job-tracker><name-node>n</name-node>\
             <script>./s.q</script></hive>",
            &["hive script s.q"],
        );
        check(
            "<hive2 xmlns='uri:oozie:hive2-action:0.1'><job-tracker>j</job-tracker><name-node>n</name-node>\
             <jdbc-url>u</jdbc-url><script>s.q</script><file>a/b</file></hive2>",
            &["hive2 script s.q", "hive2 file a/b"],
        );
        check(
            "<fs><name-node>n</name-node><job-xml>f.xml</job-xml><mkdir path='x'/></fs>",
            &["fs job-xml f.xml"],
        );
        check(
            "<shell xmlns='uri:oozie:shell-action:0.3'><exec>x.sh</exec><file>x.sh</file></shell>",
            &["shell file x.sh"],
        );
        // A comma belongs to the name of a configuration file.
        check(
            "<pig><script>a,b</script><job-xml>c,d</job-xml></pig>",
            &["pig script a,b", "pig job-xml c,d"],
        );
        check("<email xmlns='uri:oozie:email-action:0.2'><to>a</to></email>", &[]);
    }

    #[test]
    fn what_is_open_in_a_value_names_no_file() {
        let app = testing::app(
            "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><start to='a'/><action name='a'><pig>\
             <script>${known}</script><file>${dollar}</file><file>${hash}</file><file>b#c</file></pig>\
             <ok to='e'/><error to='e'/></action><end name='e'/></workflow-app>",
        );
        let mut conf = JobConf::new();
        for (name, value) in [("known", " s.pig "), ("dollar", "x/${none}"), ("hash", "x#{none},y")] {
            conf.set(Layer::File, Given::new(name, value));
        }
        let values = Values::of(&app, conf, &[], true);
        let App::Workflow(model) = &app else { panic!("no workflow") };
        let found: Vec<_> = references(model, &values).into_iter().map(|it| it.path).collect();
        assert_eq!(found, ["s.pig", "y", "b"]);
    }

    #[test]
    fn references_count_where_a_workflow_gets_to() {
        let model = testing::workflow(
            "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><start to='e'/><action name='a'><fs/>\
             <ok to='e'/><error to='e'/></action><end name='e'/></workflow-app>",
        );
        let subject = subject::Workflow::new(&model);
        let found = [None, Some(0), Some(1), Some(2), Some(9)].map(|node| is_reached(&subject.flow, node));
        assert_eq!(found, [true, true, false, true, true]);
    }

    #[test]
    fn files_are_shipped_under_their_names() {
        let shipped = |files: &str| {
            let pig = format!(
                "<pig><job-tracker>j</job-tracker><name-node>n</name-node><script>s</script>{files}</pig>"
            );
            let model = workflow("", &pig);
            let subject = subject::Workflow::new(&model);
            let (names, is_open) = shipped(&subject.actions()[0], Values::unknown());
            (names.into_iter().collect::<Vec<_>>().join(" "), is_open)
        };
        let names = |names: &str, is_open| (names.to_owned(), is_open);
        assert_eq!(shipped(""), names("", false));
        assert_eq!(
            shipped("<file>/a/b.sh</file><file>c.sh#d.sh, e.sh</file>"),
            names("b.sh d.sh e.sh", false)
        );
        assert_eq!(shipped("<archive>/a/b.zip#b</archive>"), names("b", false));
        assert_eq!(shipped("<file>${folder}/b.sh</file>"), names("b.sh", false));
        assert_eq!(shipped("<file>/a/${name}</file>"), names("${name}", true));
    }
}
