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

/// What a search comes to, in few words.
fn told(target: Target) -> String {
    match target {
        Target::File(Lead { path, evidence, suggestion, others }) => {
            let meant = suggestion.map_or_else(String::new, |meant| format!(", meant {meant}"));
            let others = if others.is_empty() { String::new() } else { format!(", or {}", others.join(" ")) };
            format!("{evidence:?} {path}{meant}{others}")
        }
        Target::Ambiguous(paths) => format!("? {}", paths.join(" ")),
        Target::Missing(at) => format!("- {}", at.unwrap_or_default()),
        Target::Nearly(at, meant) => format!("- {at}, meant {meant}"),
        Target::Outside(_) => "outside".to_owned(),
        Target::OtherKind(path, kind) => format!("{}: {path}", kind.name()),
        Target::Beside(path, kind) => format!("beside {}: {path}", kind.name()),
    }
}

#[test]
fn paths_lead_to_files() {
    let check = |uri: &str, kind, expected: &str| {
        assert_eq!(told(project().resolve(uri, kind, Near::folder("old"))), expected, "{uri}");
    };
    check("${nameNode}/user/${user.name}/apps/daily", Kind::Workflow, "Whole apps/daily/workflow.xml");
    check("hdfs://nn:8020/user/joe/apps/daily/", Kind::Coordinator, "Whole apps/daily/coordinator.xml");
    check("hdfs://nn/user/joe/apps/etl/wf-main.xml", Kind::Workflow, "Whole apps/etl/wf-main.xml");
    check("hdfs://nn/user/joe/etl/wf-main.xml", Kind::Workflow, "Partial apps/etl/wf-main.xml");
    check("/user/joe/apps/etl", Kind::Workflow, "? apps/etl/wf-child.xml apps/etl/wf-main.xml");
    check("/user/joe/more/both", Kind::Workflow, "Whole more/both/workflow.xml");
    check("/user/joe/both/workflow.xml", Kind::Workflow, "Partial more/both/workflow.xml");
    check("/a/hourly", Kind::Workflow, "Below old/hourly/workflow.xml, or apps/hourly/workflow.xml");
    check("/a/old/hourly", Kind::Workflow, "Whole old/hourly/workflow.xml");
    check("/a/b/workflow.xml", Kind::Workflow, "- ");
    check("hdfs://nn1:8020/x", Kind::Workflow, "Mapping cluster/x/workflow.xml");
    check("hdfs://nn1:8020/y", Kind::Workflow, "- cluster/y");
    check(
        "hdfs://nn1:8020/x/worflow.xml",
        Kind::Workflow,
        "- cluster/x/worflow.xml, meant hdfs://nn1:8020/x/workflow.xml",
    );
    check("hdfs://nn1:8020/../apps/daily", Kind::Workflow, "outside");
    check("../apps/daily", Kind::Workflow, "outside");
    check("hdfs://nn10:8020/apps/daily", Kind::Workflow, "Whole apps/daily/workflow.xml");
    check("", Kind::Workflow, "- ");
    check("hdfs://nn/apps/etl/wf-main.xml", Kind::Coordinator, "workflow: apps/etl/wf-main.xml");
    check("hdfs://nn1:8020/x/workflow.xml", Kind::Coordinator, "workflow: cluster/x/workflow.xml");
    check("hdfs://nn1:8020/x", Kind::Coordinator, "- cluster/x");
    check("/user/joe/apps/etl", Kind::Coordinator, "beside workflow: apps/etl/wf-child.xml");
    check("/user/joe/etl", Kind::Coordinator, "- ");
    check("${root}/workflow.xml", Kind::Coordinator, "- ");
    check("${path", Kind::Workflow, "- ");
    check("${root}wf-main.xml", Kind::Workflow, "Folder apps/etl/wf-main.xml");
    check("hdfs://nn1:8020/./y/../x/", Kind::Workflow, "Mapping cluster/x/workflow.xml");
    check("hdfs://nn1:8020/x/../../cluster/x", Kind::Workflow, "outside");
    // Configurations are no apps: nothing else is meant instead.
    check("hdfs://nn/apps/etl/wf-main.xml", Kind::Configuration, "- ");
    let conf = Layout::new([("conf/two.xml".to_owned(), Kind::Configuration)], &[]);
    for uri in ["/conf/one.xml", "/conf/tow.xml", "/other/two.xml"] {
        let found = conf.resolve(uri, Kind::Configuration, Near::file("a/workflow.xml"));
        assert_eq!(told(found), "- ", "{uri}");
    }
    check("hdfs://nn1:8020/x/workflow.xml", Kind::Configuration, "- cluster/x/workflow.xml");
}

#[test]
fn slips_are_said_with_what_is_meant() {
    let check = |uri: &str, expected: &str| {
        let near = Near::file("apps/daily/coordinator.xml");
        assert_eq!(told(project().resolve(uri, Kind::Workflow, near)), expected, "{uri}");
    };
    let daily = |meant: &str| format!("Misspelt apps/daily/workflow.xml, meant {meant}");
    // A file's name, its ending, its case.
    check("${nn}/apps/daily/wrokflow.xml", &daily("${nn}/apps/daily/workflow.xml"));
    check("${nn}/apps/daily/workflow.xlm", &daily("${nn}/apps/daily/workflow.xml"));
    check("${nn}/apps/daily/Workflow.xml", &daily("${nn}/apps/daily/workflow.xml"));
    check("hdfs://nn/apps/daily/workflow", &daily("hdfs://nn/apps/daily/workflow.xml"));
    check("${dir}/wrokflow.xml", &daily("${dir}/workflow.xml"));
    // A folder's name, the folder above.
    check("${nn}/apps/dialy", &daily("${nn}/apps/daily"));
    check("/user/joe/apps/Daily/", &daily("/user/joe/apps/daily"));
    check("/user/joe/apps/dayly/workflow.xml", &daily("/user/joe/apps/daily/workflow.xml"));
    check("/user/joe/aps/daily", &daily("/user/joe/apps/daily"));
    // Folders twice, left out, the other way round.
    check("/user/joe/apps/daily/daily", &daily("/user/joe/apps/daily"));
    check("/user/joe/apps/apps/daily/workflow.xml", &daily("/user/joe/apps/daily/workflow.xml"));
    check("/user/joe/daily/apps/workflow.xml", &daily("/user/joe/apps/daily/workflow.xml"));
    let lacking = "Lacking apps/daily/workflow.xml, meant /user/joe/apps/daily/workflow.xml";
    check("/user/joe/apps/workflow.xml", lacking);
    // Another file than the folder has.
    let other = "OtherName apps/daily/workflow.xml, meant ${nn}/apps/daily/workflow.xml";
    check("${nn}/apps/daily/main.xml", other);
    // A file that is called so elsewhere.
    check("${nn}/apps/daily/wf-main.xml", "FileName apps/etl/wf-main.xml");
    // Nothing but what lies beside.
    check("/user/joe/elsewhere", "Beside apps/daily/workflow.xml");
    check("/user/joe/elsewhere/workflow.xml", "Beside apps/daily/workflow.xml");
    check("${all}", "- ");
}

#[test]
fn a_name_twice_where_the_project_has_fewer_names_is_no_slip() {
    let layout = |path: &str| Layout::new([(path.to_owned(), Kind::Workflow)], &[]);
    let check = |path: &str, uri: &str, expected: &str| {
        let found = layout(path).resolve(uri, Kind::Workflow, Near::folder(""));
        assert_eq!(told(found), expected, "{path} {uri}");
    };
    // What stands twice lies beyond all that the project has: there is nothing to put in its place, and the usual name
    // of a file alone leads nowhere.
    check("workflow.xml", "/x/x/workflow.xml", "- ");
    check("workflow.xml", "${nn}/x/x/workflow.xml", "- ");
    check("workflow.xml", "/x/x/x/workflow.xml", "- ");
    // A folder that the project has is the one that stands twice.
    check("x/workflow.xml", "/x/x/workflow.xml", "Misspelt x/workflow.xml, meant /x/workflow.xml");
}

#[test]
fn what_is_deployed_deeper_or_less_deep_is_found() {
    let files = |files: &[(&str, Kind)]| {
        Layout::new(files.iter().map(|(path, kind)| ((*path).to_owned(), *kind)), &[]).rooted("/r/shop")
    };
    let check = |layout: &Layout, uri: &str, near: &str, expected: &str| {
        assert_eq!(told(layout.resolve(uri, Kind::Workflow, Near::file(near))), expected, "{uri}");
    };
    let one = files(&[
        ("/r/shop/oozie/load/w_load.xml", Kind::Workflow),
        ("/r/shop/oozie/load/coord.xml", Kind::Coordinator),
        ("/r/shop/oozie/sum/w_sum.xml", Kind::Workflow),
    ]);
    let near = "/r/shop/oozie/load/coord.xml";
    check(&one, "hdfs://nn/apps/workflow/w_load.xml", near, "FileName /r/shop/oozie/load/w_load.xml");
    check(&one, "hdfs://nn/apps/load/v1/w_load.xml", near, "Layout /r/shop/oozie/load/w_load.xml");
    // In a folder a server looks for the usual name.
    let usual = "Unusual /r/shop/oozie/sum/w_sum.xml, meant hdfs://nn/oozie/sum/w_sum.xml";
    check(&one, "hdfs://nn/oozie/sum", near, usual);
    // What building drops is not lacking.
    let deep = files(&[("/r/shop/etl/src/main/workflow.xml", Kind::Workflow)]);
    check(
        &deep,
        "/apps/etl/src/workflow.xml",
        "/r/shop/x.properties",
        "Layout /r/shop/etl/src/main/workflow.xml",
    );
    // The project's own folder is a name like others; those above it are none.
    let own = files(&[("/r/shop/workflow.xml", Kind::Workflow), ("/r/shop/job.properties", Kind::Other)]);
    let properties = "/r/shop/job.properties";
    check(&own, "/user/joe/shop", properties, "Own /r/shop/workflow.xml");
    check(&own, "/user/joe/shpo", properties, "Misspelt /r/shop/workflow.xml, meant /user/joe/shop");
    check(&own, "/user/r", properties, "Beside /r/shop/workflow.xml");
    check(&own, "${path}", properties, "Open /r/shop/workflow.xml");
}

#[test]
fn a_file_is_not_taken_for_another_that_ends_like_it() {
    let files =
        [("a/loop_x.xml", Kind::Workflow), ("a/x.xml", Kind::Workflow), ("a/c.xml", Kind::Coordinator)];
    let layout = Layout::new(files.map(|(path, kind)| (path.to_owned(), kind)), &[]);
    let check = |uri: &str, near: &str, expected: &str| {
        assert_eq!(told(layout.resolve(uri, Kind::Workflow, Near::file(near))), expected, "{uri}");
    };
    check("${dir}/x.xml", "a/c.xml", "Own a/x.xml");
    check("${dir}x.xml", "a/c.xml", "Own a/x.xml");
    check("/apps/x", "a/x.properties", "Misspelt a/x.xml, meant /apps/x.xml");
    check("/apps/a", "a/x.properties", "Own a/x.xml");
    check("/apps/none", "a/x.properties", "Beside a/x.xml");
    // A workflow does not run itself for want of another one.
    check("/apps/a/y.xml", "a/x.xml", "OtherName a/loop_x.xml, meant /apps/a/loop_x.xml");
}

#[test]
fn the_longest_end_decides_and_order_does_not() {
    let check = |files: &[(&str, Kind)], uri: &str, expected: &str| {
        for turn in [false, true] {
            let mut files: Vec<_> = files.iter().map(|(path, kind)| ((*path).to_owned(), *kind)).collect();
            if turn {
                files.reverse();
            }
            let found = Layout::new(files, &[]).resolve(uri, Kind::Workflow, Near::default());
            assert_eq!(told(found), expected, "{uri}");
        }
    };
    let here = [("a/b/c/workflow.xml", Kind::Workflow), ("x/c/workflow.xml", Kind::Workflow)];
    check(&here, "/q/b/c", "Partial a/b/c/workflow.xml");
    check(&here, "/x/c", "Whole x/c/workflow.xml");
    check(&here, "/q/c", "? a/b/c/workflow.xml x/c/workflow.xml");
    let both_files = [("a/wf.xml", Kind::Workflow), ("b/wf.xml", Kind::Workflow)];
    check(&both_files, "wf.xml", "? a/wf.xml b/wf.xml");
    // A file's own name is weak where the path has a folder.
    let named = [("a/wf.xml", Kind::Workflow)];
    check(&named, "wf.xml", "Whole a/wf.xml");
    check(&named, "b/wf.xml", "FileName a/wf.xml");
    check(&named, "a/wf.xml", "Whole a/wf.xml");
    // In one folder the usual name wins, in two none does.
    let usual = [("a/x.xml", Kind::Workflow), ("a/workflow.xml", Kind::Workflow)];
    check(&usual, "/q/a", "Own a/workflow.xml");
    let parted = [("a/c/x.xml", Kind::Workflow), ("b/c/workflow.xml", Kind::Workflow)];
    check(&parted, "/q/c", "? a/c/x.xml b/c/workflow.xml");
    let unusual = [("a/x.xml", Kind::Workflow), ("a/y.xml", Kind::Workflow)];
    check(&unusual, "/q/a", "? a/x.xml a/y.xml");
}

#[test]
fn another_kind_counts_where_more_than_its_last_name_fits() {
    let check = |files: &[(&str, Kind)], uri: &str, expected: &str| {
        let files = files.iter().map(|(path, kind)| ((*path).to_owned(), *kind));
        let found = Layout::new(files, &[]).resolve(uri, Kind::Coordinator, Near::default());
        assert_eq!(told(found), expected, "{uri}");
    };
    let one = [("a/b/workflow.xml", Kind::Workflow)];
    check(&one, "/q/b/workflow.xml", "workflow: a/b/workflow.xml");
    check(&one, "/q/workflow.xml", "- ");
    check(&one, "/q/a/b", "beside workflow: a/b/workflow.xml");
    check(&one, "/q/b", "- ");
    check(&[("a/b/site.xml", Kind::Configuration)], "/q/a/b", "- ");
    check(&[("a/b/site.xml", Kind::Configuration)], "/q/b/site.xml", "- ");
    let two = [("a/b/workflow.xml", Kind::Workflow), ("c/a/b/workflow.xml", Kind::Workflow)];
    check(&two, "/q/b/workflow.xml", "- ");
    check(&two, "/q/a/b", "- ");
    check(&two, "/c/a/b", "beside workflow: c/a/b/workflow.xml");
}

#[test]
fn any_file_is_taken_for_an_include() {
    let check = |files: &[(&str, Kind)], uri: &str, expected: &str| {
        let files = files.iter().map(|(path, kind)| ((*path).to_owned(), *kind));
        let mappings = [("hdfs://nn".to_owned(), "a".to_owned())];
        let found = Layout::new(files, &mappings).resolve(uri, Kind::Datasets, Near::default());
        assert_eq!(told(found), expected, "{uri}");
    };
    let files = [
        ("a/b/data.xml", Kind::Datasets),
        ("c/b/data.xml", Kind::Other),
        ("c/b/more.xml", Kind::Coordinator),
        ("d/b/more.xml", Kind::Other),
        ("c/b/conf.xml", Kind::Configuration),
    ];
    // Dataset files come first, then those of which the root says nothing, then all others.
    check(&files, "/b/data.xml", "Whole a/b/data.xml");
    check(&files, "/b/more.xml", "Whole d/b/more.xml");
    check(&files, "/b/conf.xml", "Whole c/b/conf.xml");
    check(&files, "/q/none.xml", "- ");
    check(&files, "hdfs://nn/none.xml", "- a/none.xml");
    check(&files, "/b/dta.xml", "Misspelt a/b/data.xml, meant /b/data.xml");
    check(&[("x/a.xml", Kind::Workflow), ("y/a.xml", Kind::Workflow)], "a.xml", "? x/a.xml y/a.xml");
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
        (astray.why, &*astray.words()),
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
    let place = |uri: &str| project.resolve(uri, Kind::Workflow, Near::default());
    assert_eq!(place("/x/./y"), Target::Missing(Some("/data/x/y".to_owned())));
    assert_eq!(place("hdfs://nn/x"), Target::Missing(Some("../near/x".to_owned())));
}

#[test]
fn files_get_the_uri_of_their_mapping() {
    assert_eq!(project().uri_of("cluster/x/workflow.xml").as_deref(), Some("hdfs://nn1:8020/x/workflow.xml"));
    assert_eq!(project().uri_of("cluster").as_deref(), Some("hdfs://nn1:8020"));
    assert_eq!(project().uri_of("clusters/x"), None);
}
