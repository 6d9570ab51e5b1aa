//! What worlds are read from, and what they have when little is said.

use super::*;

fn world(json: &str) -> World {
    serde_json::from_str(json).expect("a world")
}

#[test]
fn properties_are_texts_however_they_are_written() {
    let conf = world("{\"conf\":{\"t\":\"x\",\"yes\":true,\"n\":-5,\"d\":1.5,\"a\":\"\"}}").conf;
    let pairs: Vec<_> = conf.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(pairs, ["t=x", "yes=true", "n=-5", "d=1.5", "a="]);
    for wrong in
        ["{\"conf\":{\"a\":null}}", "{\"conf\":{\"a\":[]}}", "{\"confs\":{}}", "{\"job\":{\"name\":1}}"]
    {
        assert!(serde_json::from_str::<World>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn parts_have_the_names_of_json() {
    let world = world(
        "{\"job\":{\"appPath\":\"/a\",\"actionId\":\"x@1\",\"run\":3},\"blockSize\":5,\"baseUrl\":\"http://o\",\
         \"hadoopConf\":{\"h\":{\"k\":\"v\"}},\"nominal\":\"n\",\"actual\":\"m\",\"partitions\":[\"p\"],\
         \"actions\":[{\"name\":\"a\",\"externalId\":\"j1\",\"childIds\":\"j2\"}],\"files\":{\"/f\":7,\"/d\":null}}",
    );
    assert_eq!(
        (world.job.app_path.as_deref(), world.job.action_id.as_deref(), world.job.run),
        (Some("/a"), Some("x@1"), 3)
    );
    assert_eq!((world.block_size, world.base_url.as_deref()), (Some(5), Some("http://o")));
    assert_eq!(world.hadoop_conf["h"]["k"], "v");
    assert_eq!((world.nominal.as_deref(), world.actual.as_deref()), (Some("n"), Some("m")));
    assert_eq!(world.partitions, ["p"]);
    let [action] = world.actions() else { panic!("{:?}", world.actions()) };
    let ids = (action.external_id.as_deref(), action.child_ids.as_deref());
    assert_eq!((action.name.as_str(), ids), ("a", (Some("j1"), Some("j2"))));
    let files: Vec<_> = world.files().map(|(path, length)| (path.as_str(), length)).collect();
    assert_eq!(files, [("/d", None), ("/f", Some(7))]);
}

#[test]
fn a_workflow_runs_where_something_is_said_of_its_actions_or_files() {
    for (json, runs) in [
        ("{}", false),
        ("{\"conf\":{\"a\":1},\"partitions\":[\"p\"]}", false),
        ("{\"actions\":[]}", true),
        ("{\"files\":{}}", true),
        ("{\"files\":{},\"actions\":[]}", true),
    ] {
        let world = world(json);
        assert_eq!(
            (world.is_running(), world.actions().len(), world.files().count()),
            (runs, 0, 0),
            "{json}"
        );
    }
}
