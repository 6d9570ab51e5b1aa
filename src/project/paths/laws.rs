//! Laws of the search, on random trees: what is stated of the order of evidence holds for all of them.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// Names that are no slips of each other.
const FOLDERS: [&str; 5] = ["apps", "load", "sum", "etl", "x"];
const FILES: [&str; 4] = ["workflow.xml", "coordinator.xml", "first.xml", "other.xml"];

fn folder() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&FOLDERS[..]), 0..4).prop_map(|names| names.join("/"))
}

fn file() -> impl Strategy<Value = String> {
    (folder(), prop::sample::select(&FILES[..])).prop_map(|(folder, name)| {
        if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
    })
}

fn tree() -> impl Strategy<Value = BTreeMap<String, Kind>> {
    let kind = prop_oneof![4 => Just(Kind::Workflow), 1 => Just(Kind::Coordinator), 1 => Just(Kind::Other)];
    prop::collection::btree_map(file(), kind, 1..9)
}

/// A path of a cluster: a known or unknown beginning, folders, and a file or none.
fn uri() -> impl Strategy<Value = String> {
    let head = prop::sample::select(&["hdfs://nn/user/joe/", "${root}/", "/", "${nn}/prod/"][..]);
    let file = prop::option::of(prop::sample::select(&FILES[..]));
    (head, folder(), file).prop_map(|(head, folder, file)| match file {
        Some(file) if folder.is_empty() => format!("{head}{file}"),
        Some(file) => format!("{head}{folder}/{file}"),
        None => format!("{head}{folder}"),
    })
}

/// How many names at the end a file, or its folder, has in common with a path.
fn shared(uri: &str, path: &str) -> usize {
    let known = uri.rsplit_once('}').map_or(uri, |(_, known)| known);
    let known =
        known.split_once("://").map_or(known, |(_, known)| known.split_once('/').map_or("", |it| it.1));
    let theirs: Vec<&str> = known.split('/').filter(|name| !name.is_empty()).collect();
    let place = if uri.ends_with(".xml") { path } else { parent(path) };
    place.rsplit('/').zip(theirs.iter().rev()).take_while(|(one, other)| one == *other).count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_stated_of_paths_holds(files in tree(), uri in uri(), near in folder(), turn in any::<u64>()) {
        let workflows: Vec<&String> =
            files.iter().filter(|(_, kind)| **kind == Kind::Workflow).map(|(path, _)| path).collect();
        let own = format!("{near}/job.properties");
        let at = if turn % 2 == 0 { Near::folder(&near) } else { Near::file(&own) };
        let found = Layout::new(files.clone(), &[]).resolve(&uri, Kind::Workflow, at);
        // The order in which files are listed does not matter.
        let mut listed: Vec<_> = files.clone().into_iter().collect();
        let length = listed.len();
        listed.rotate_left(usize::try_from(turn).unwrap_or(0) % length);
        if turn % 3 == 0 {
            listed.reverse();
        }
        prop_assert_eq!(&Layout::new(listed, &[]).resolve(&uri, Kind::Workflow, at), &found);
        let Target::File(lead) = &found else { return Ok(()) };
        let most = workflows.iter().map(|path| shared(&uri, path)).max().unwrap_or(0);
        let own = shared(&uri, &lead.path);
        prop_assert_eq!(files.get(&lead.path), Some(&Kind::Workflow));
        // The longest end that any file has in common decides, where more than one name is.
        if most > 1 {
            prop_assert_eq!(own, most, "{:?}", lead);
        }
        // The name or the neighbourhood alone decides only where no end does.
        if matches!(lead.evidence, Evidence::FileName | Evidence::OtherName | Evidence::Beside) {
            prop_assert!(most < 2, "{lead:?}");
        }
        // Nothing is chosen in silence among files of several folders that fit equally well.
        let equals = workflows.iter().filter(|path| ***path != lead.path && shared(&uri, path) == own);
        let elsewhere: Vec<_> = equals.filter(|path| parent(path) != parent(&lead.path)).collect();
        if matches!(lead.evidence, Evidence::Whole | Evidence::Partial | Evidence::Own | Evidence::Folder) {
            prop_assert!(elsewhere.is_empty() || parent(&lead.path) == near, "{lead:?}: {elsewhere:?}");
        }
        if matches!(lead.evidence, Evidence::Below | Evidence::Nearest) {
            prop_assert!(!lead.others.is_empty(), "{:?}", lead);
        }
        let is_silent = lead.evidence.confidence() <= Confidence::Likely;
        prop_assert!(!is_silent || lead.others.is_empty(), "{:?}", lead);
    }

    #[test]
    fn a_mapping_comes_before_everything_else(files in tree(), rest in file(), target in folder()) {
        let mappings = [("hdfs://nn/apps".to_owned(), target.clone())];
        let layout = Layout::new(files.clone(), &mappings);
        let place = if target.is_empty() { rest.clone() } else { format!("{target}/{rest}") };
        let found = layout.resolve(&format!("hdfs://nn/apps/{rest}"), Kind::Workflow, Near::default());
        match (files.get(&place), &found) {
            (Some(Kind::Workflow), Target::File(lead)) => {
                prop_assert_eq!((&lead.path, lead.evidence), (&place, Evidence::Mapping));
            }
            (Some(Kind::Workflow), _) => prop_assert!(false, "{found:?}"),
            (_, Target::File(lead)) => prop_assert_eq!(lead.evidence, Evidence::Mapping),
            _ => {}
        }
    }
}
