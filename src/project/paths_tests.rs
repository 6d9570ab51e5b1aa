//! Where paths lead, and what files are.

use super::*;
use crate::analysis::project::{Astray, Why};

fn project() -> Layout {
    let files = [
        ("apps/daily/coordinator.xml", Kind::Coordinator),
        ("apps/daily/workflow.xml", Kind::Workflow),
        ("apps/etl/wf-main.xml", Kind::Workflow),
        ("apps/etl/wf-child.xml", Kind::Workflow),
        ("apps/hourly/workflow.xml", Kind::Workflow),
        ("old/hourly/workflow.xml", Kind::Workflow),
        ("cluster/x/workflow.xml", Kind::Workflow),
        ("more/both/workflow.xml", Kind::Workflow),
        ("more/both/wf-part.xml", Kind::Workflow),
        ("more/one/both/wf-other.xml", Kind::Workflow),
    ];
    let mappings = [("hdfs://nn1:8020".to_owned(), "cluster".to_owned())];
    Layout::new(files.map(|(path, kind)| (path.to_owned(), kind)), &mappings)
}

#[test]
fn paths_lead_to_files() {
    let check = |uri: &str, kind, expected: &str| {
        let found = match project().resolve(uri, kind, "old") {
            Target::File(path) => path,
            Target::Ambiguous(paths) => format!("? {}", paths.join(" ")),
            Target::Missing(at) => format!("- {}", at.unwrap_or_default()),
            Target::Outside(_) => "outside".to_owned(),
            Target::OtherKind(path, kind) => format!("{}: {path}", kind.name()),
            Target::Beside(path, kind) => format!("beside {}: {path}", kind.name()),
        };
        assert_eq!(found, expected, "{uri}");
    };
    check("${nameNode}/user/${user.name}/apps/daily", Kind::Workflow, "apps/daily/workflow.xml");
    check("hdfs://nn:8020/user/joe/apps/daily/", Kind::Coordinator, "apps/daily/coordinator.xml");
    check("hdfs://nn/user/joe/apps/etl/wf-main.xml", Kind::Workflow, "apps/etl/wf-main.xml");
    check("/user/joe/apps/etl", Kind::Workflow, "? apps/etl/wf-child.xml apps/etl/wf-main.xml");
    check("/user/joe/more/both", Kind::Workflow, "more/both/workflow.xml");
    check("/user/joe/both/workflow.xml", Kind::Workflow, "more/both/workflow.xml");
    check("/a/hourly", Kind::Workflow, "old/hourly/workflow.xml");
    check("/a/old/hourly", Kind::Workflow, "old/hourly/workflow.xml");
    check("/a/b/workflow.xml", Kind::Workflow, "- ");
    check("hdfs://nn1:8020/x", Kind::Workflow, "cluster/x/workflow.xml");
    check("hdfs://nn1:8020/y", Kind::Workflow, "- cluster/y");
    check("hdfs://nn1:8020/../apps/daily", Kind::Workflow, "outside");
    check("../apps/daily", Kind::Workflow, "outside");
    check("hdfs://nn10:8020/apps/daily", Kind::Workflow, "apps/daily/workflow.xml");
    check("", Kind::Workflow, "- ");
    check("hdfs://nn/apps/etl/wf-main.xml", Kind::Coordinator, "workflow: apps/etl/wf-main.xml");
    check("hdfs://nn1:8020/x/workflow.xml", Kind::Coordinator, "workflow: cluster/x/workflow.xml");
    check("hdfs://nn1:8020/x", Kind::Coordinator, "- cluster/x");
    check("/user/joe/apps/etl", Kind::Coordinator, "beside workflow: apps/etl/wf-child.xml");
    check("/user/joe/etl", Kind::Coordinator, "- ");
    check("${root}/workflow.xml", Kind::Coordinator, "- ");
    check("${path", Kind::Workflow, "- ");
    check("${root}wf-main.xml", Kind::Workflow, "apps/etl/wf-main.xml");
    check("hdfs://nn1:8020/./y/../x/", Kind::Workflow, "cluster/x/workflow.xml");
    check("hdfs://nn1:8020/x/../../cluster/x", Kind::Workflow, "outside");
    // Configurations are no apps: nothing else is meant instead.
    check("hdfs://nn/apps/etl/wf-main.xml", Kind::Configuration, "- ");
    check("hdfs://nn1:8020/x/workflow.xml", Kind::Configuration, "- cluster/x/workflow.xml");
}

#[test]
fn the_longest_end_decides_and_order_does_not() {
    let check = |files: &[(&str, Kind)], uri: &str, expected: Target| {
        for turn in [false, true] {
            let mut files: Vec<_> = files.iter().map(|(path, kind)| ((*path).to_owned(), *kind)).collect();
            if turn {
                files.reverse();
            }
            assert_eq!(Layout::new(files, &[]).resolve(uri, Kind::Workflow, ""), expected, "{uri}");
        }
    };
    let file = |path: &str| Target::File(path.to_owned());
    let here = [("a/b/c/workflow.xml", Kind::Workflow), ("x/c/workflow.xml", Kind::Workflow)];
    check(&here, "/q/b/c", file("a/b/c/workflow.xml"));
    check(&here, "/x/c", file("x/c/workflow.xml"));
    let both = here.map(|(path, _)| path.to_owned()).to_vec();
    check(&here, "/q/c", Target::Ambiguous(both));
    let both_files = [("a/wf.xml", Kind::Workflow), ("b/wf.xml", Kind::Workflow)];
    check(&both_files, "wf.xml", Target::Ambiguous(both_files.map(|(path, _)| path.to_owned()).to_vec()));
    // A file's own name is enough only where the path has no folder.
    let named = [("a/wf.xml", Kind::Workflow)];
    check(&named, "wf.xml", file("a/wf.xml"));
    check(&named, "b/wf.xml", Target::Missing(None));
    check(&named, "a/wf.xml", file("a/wf.xml"));
    // In one folder the usual name wins, in two none does.
    let usual = [("a/x.xml", Kind::Workflow), ("a/workflow.xml", Kind::Workflow)];
    check(&usual, "/q/a", file("a/workflow.xml"));
    let parted = [("a/c/x.xml", Kind::Workflow), ("b/c/workflow.xml", Kind::Workflow)];
    check(&parted, "/q/c", Target::Ambiguous(parted.map(|(path, _)| path.to_owned()).to_vec()));
    let unusual = [("a/x.xml", Kind::Workflow), ("a/y.xml", Kind::Workflow)];
    check(&unusual, "/q/a", Target::Ambiguous(vec!["a/x.xml".to_owned(), "a/y.xml".to_owned()]));
}

#[test]
fn another_kind_counts_where_more_than_its_last_name_fits() {
    let resolve = |files: &[(&str, Kind)], uri: &str| {
        let files = files.iter().map(|(path, kind)| ((*path).to_owned(), *kind));
        Layout::new(files, &[]).resolve(uri, Kind::Coordinator, "")
    };
    let one = [("a/b/workflow.xml", Kind::Workflow)];
    assert_eq!(
        resolve(&one, "/q/b/workflow.xml"),
        Target::OtherKind("a/b/workflow.xml".to_owned(), Kind::Workflow)
    );
    assert_eq!(resolve(&one, "/q/workflow.xml"), Target::Missing(None));
    assert_eq!(resolve(&one, "/q/a/b"), Target::Beside("a/b/workflow.xml".to_owned(), Kind::Workflow));
    assert_eq!(resolve(&one, "/q/b"), Target::Missing(None));
    assert_eq!(resolve(&[("a/b/site.xml", Kind::Configuration)], "/q/a/b"), Target::Missing(None));
    assert_eq!(resolve(&[("a/b/site.xml", Kind::Configuration)], "/q/b/site.xml"), Target::Missing(None));
    let two = [("a/b/workflow.xml", Kind::Workflow), ("c/a/b/workflow.xml", Kind::Workflow)];
    assert_eq!(resolve(&two, "/q/b/workflow.xml"), Target::Missing(None));
    assert_eq!(resolve(&two, "/q/a/b"), Target::Missing(None));
    assert_eq!(resolve(&two, "/c/a/b"), Target::Beside("c/a/b/workflow.xml".to_owned(), Kind::Workflow));
}

#[test]
fn any_file_is_taken_for_an_include() {
    let check = |files: &[(&str, Kind)], uri: &str, expected: Target| {
        let files = files.iter().map(|(path, kind)| ((*path).to_owned(), *kind));
        let mappings = [("hdfs://nn".to_owned(), "a".to_owned())];
        assert_eq!(Layout::new(files, &mappings).resolve(uri, Kind::Datasets, ""), expected, "{uri}");
    };
    let file = |path: &str| Target::File(path.to_owned());
    let files = [
        ("a/b/data.xml", Kind::Datasets),
        ("c/b/data.xml", Kind::Other),
        ("c/b/more.xml", Kind::Coordinator),
        ("d/b/more.xml", Kind::Other),
        ("c/b/conf.xml", Kind::Configuration),
    ];
    // Dataset files come first, then those of which the root says nothing, then all others.
    check(&files, "/b/data.xml", file("a/b/data.xml"));
    check(&files, "/b/more.xml", file("d/b/more.xml"));
    check(&files, "/b/conf.xml", file("c/b/conf.xml"));
    check(&files, "/b/none.xml", Target::Missing(None));
    check(&files, "hdfs://nn/none.xml", Target::Missing(Some("a/none.xml".to_owned())));
    check(
        &[("x/a.xml", Kind::Workflow), ("y/a.xml", Kind::Workflow)],
        "a.xml",
        Target::Ambiguous(vec!["x/a.xml".to_owned(), "y/a.xml".to_owned()]),
    );
}

#[test]
fn roots_have_kinds_and_folders_their_usual_files() {
    let check = |root: &str, kind: Kind, name: &str, is_app_file: bool, usual: Option<&str>| {
        let found = (Kind::of_root(root), kind.name(), kind.is_app_file(), kind.usual_file());
        assert_eq!(found, (kind, name, is_app_file, usual), "{root}");
    };
    check("bundle-app", Kind::Bundle, "bundle", true, Some("bundle.xml"));
    check("coordinator-app", Kind::Coordinator, "coordinator", true, Some("coordinator.xml"));
    check("workflow-app", Kind::Workflow, "workflow", true, Some("workflow.xml"));
    check("datasets", Kind::Datasets, "dataset file", true, None);
    check("configuration", Kind::Configuration, "configuration", false, None);
    check("project", Kind::Other, "file", false, None);
    let astray = Astray::unknown("/a/b", Kind::Datasets);
    assert_eq!(
        (astray.why, &*astray.words),
        (Why::Unknown, "`/a/b` leads to no dataset file of the project")
    );
}

#[test]
fn a_project_tells_its_files_and_mapped_folders() {
    let files = [("b.xml".to_owned(), Kind::Other), ("a/b.xml".to_owned(), Kind::Bundle)];
    let mappings = [("/".to_owned(), "/data".to_owned()), ("hdfs://nn/".to_owned(), "../near/".to_owned())];
    let project = Layout::new(files, &mappings);
    let found: Vec<_> = project.files().collect();
    assert_eq!(found, [("a/b.xml", Kind::Bundle), ("b.xml", Kind::Other)]);
    let folders: Vec<_> = project.mapped_folders().collect();
    assert_eq!(folders, ["../near/", "/data"]);
    // A folder outside of the root stays what it is.
    let place = |uri: &str| project.resolve(uri, Kind::Workflow, "");
    assert_eq!(place("/x/./y"), Target::Missing(Some("/data/x/y".to_owned())));
    assert_eq!(place("hdfs://nn/x"), Target::Missing(Some("../near/x".to_owned())));
}

#[test]
fn files_get_the_uri_of_their_mapping() {
    assert_eq!(project().uri_of("cluster/x/workflow.xml").as_deref(), Some("hdfs://nn1:8020/x/workflow.xml"));
    assert_eq!(project().uri_of("cluster").as_deref(), Some("hdfs://nn1:8020"));
    assert_eq!(project().uri_of("clusters/x"), None);
}

#[test]
fn the_nearest_app_below_a_folder_is_found() {
    assert_eq!(
        project().below("apps/daily", Kind::Workflow),
        Target::File("apps/daily/workflow.xml".to_owned())
    );
    assert!(matches!(project().below("", Kind::Workflow), Target::Ambiguous(paths) if paths.len() == 8));
    assert_eq!(project().below("apps/dai", Kind::Workflow), Target::Missing(None));
}
