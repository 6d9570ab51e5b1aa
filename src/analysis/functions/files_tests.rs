//! Which files and partitions a world has, by every way to ask for them.

use super::super::tests::value;
use super::World;
use crate::model::functions::Phase;

fn world() -> World {
    let files = [
        ("hdfs://nn1:8020/data/a.txt", Some(10)),
        ("hdfs://nn1:8020/data/b.txt", Some(25)),
        ("hdfs://nn1:8020/data/sub/c.txt", Some(100)),
        ("hdfs://nn1:8020/other/d.txt", Some(1000)),
        ("hdfs://nn1:8020/void", None),
        ("hdfs://nn2:8020/data/z.txt", Some(7)),
        ("file:/local/x:y", Some(3)),
        ("o3fs://bucket/key", Some(4)),
    ];
    let partitions = ["hcat://h:1/db/t/dt=1;region=us", "hcat://h:1/db/whole", "nonsense"];
    World {
        files: Some(files.into_iter().map(|(path, length)| (path.to_owned(), length)).collect()),
        partitions: partitions.map(str::to_owned).into(),
        ..World::default()
    }
}

#[test]
fn files_and_folders_have_sizes() {
    let world = world();
    let check = |path: &str, expected: [&str; 5]| {
        let path = if path.starts_with('/') { format!("hdfs://nn1:8020{path}") } else { path.to_owned() };
        for (name, expected) in ["exists", "isDir", "fileSize", "blockSize", "dirSize"].iter().zip(expected) {
            let found = value(&format!("${{fs:{name}('{path}')}}"), &world, Phase::Workflow);
            assert_eq!(found, expected, "{name} {path}");
        }
    };
    check("/data/a.txt", ["true", "false", "10", "134217728", "-1"]);
    check("/data//a.txt/", ["true", "false", "10", "134217728", "-1"]);
    check("/data", ["true", "true", "0", "0", "35"]);
    check("/data/sub/", ["true", "true", "0", "0", "100"]);
    check("/void", ["true", "true", "0", "0", "0"]);
    check("/", ["true", "true", "0", "0", "0"]);
    check("/data/z.txt", ["false", "false", "-1", "-1", "-1"]);
    check("/dat", ["false", "false", "-1", "-1", "-1"]);
    check("hdfs://nn2:8020/data", ["true", "true", "0", "0", "7"]);
    check("hdfs://nn1:8020", ["true", "true", "0", "0", "0"]);
    check("file:/local/x:y", ["true", "false", "3", "134217728", "-1"]);
    check("file:///local/x:y", ["true", "false", "3", "134217728", "-1"]);
    check("o3fs://bucket/key", ["true", "false", "4", "134217728", "-1"]);
    // Without a scheme it is a file of another file system.
    check("local/x:y", ["false", "false", "-1", "-1", "-1"]);
    check("//nn1:8020/data", ["false", "false", "-1", "-1", "-1"]);
    let mut world = world.clone();
    world.block_size = Some(512);
    let block = |path| value(&format!("${{fs:blockSize('{path}')}}"), &world, Phase::Workflow);
    assert_eq!(block("hdfs://nn1:8020/data/a.txt"), "512");
    assert_eq!(block("hdfs://nn1:8020/data"), "0");
}

#[test]
fn patterns_look_for_any_file_or_folder() {
    let world = world();
    let check = |path: &str, expected: &str| {
        let found = value(&format!("${{fs:exists('hdfs://nn1:8020{path}')}}"), &world, Phase::Workflow);
        assert_eq!(found, expected, "{path}");
    };
    check("/da*", "true");
    check("/*", "true");
    check("/data/*.txt", "true");
    check("/*/c.txt", "false");
    check("/*/*/c.txt", "true");
    check("/data/[ab].txt", "true");
    check("/data/[xy].txt", "false");
    check("/data/?.txt", "true");
    check("/data/zzz*", "false");
    check("/data/a.txt/*", "false");
    check("/void/*", "false");
    check("/{nope,void}", "true");
    check("/{nope,data/sub}/c.txt", "true");
    check("/{nope,neither}", "false");
    check("/data/a\\\\.txt", "true");
    check("/{data", "IOException");
    check("/[data", "IOException");
}

#[test]
fn paths_that_are_none_are_refused() {
    let given = world();
    let check = |path: &str, world: &World, expected: &str| {
        assert_eq!(value(&format!("${{fs:exists('{path}')}}"), world, Phase::Workflow), expected, "{path}");
    };
    check("", &given, "IllegalArgumentException");
    check(":x", &given, "IllegalArgumentException");
    check("foo:bar", &given, "IllegalArgumentException");
    check("foo:bar/x", &given, "IllegalArgumentException");
    check("foo://nn1/x", &given, "HadoopAccessorException");
    check("o3fs://bucket/x", &given, "false");
    check("o3fs://bucket/x", &World::default(), "HadoopAccessorException");
    check("hdfs://nn1/x", &World::default(), "false");
    check("relative/path", &given, "false");
    check("relative/a:b", &given, "false");
    check("/local/x:y", &given, "false");
}

#[test]
fn uris_of_data_are_partitions_or_files() {
    let world = world();
    let check = |uri: &str, expected: &str| {
        assert_eq!(value(&format!("${{hcat:exists('{uri}')}}"), &world, Phase::Workflow), expected, "{uri}");
    };
    check("hcat://h:1/db/t/dt=1;region=us", "true");
    check("hcat://h:1/db/t/region=us;dt=1;", "true");
    check("hcat://h:1/db/t/region=us", "true");
    check("hcat://h:1/db/t/dt=1;region=eu", "false");
    check("hcat://h:1/db/t/dt=1;hour=2", "false");
    check("hcat://h:1/db/u/dt=1", "false");
    check("hcat://h:1/db/whole/dt=1", "false");
    check("hcat://h:1/db/t/dt", "HCatAccessorException");
    check("hcat://h:1/db", "HCatAccessorException");
    check("hdfs://nn1:8020/data", "true");
    check("hdfs://nn1:8020/nope", "false");
    check("foo://nn1/x", "URIHandlerException");
    check("relative/path", "URIHandlerException");
}

#[test]
fn uris_of_data_that_are_none_have_codes_of_the_server() {
    let code = |uri: &str| super::exists_uri(&world(), uri).map_err(|failure| failure.oozie);
    assert_eq!(code("foo://nn1/x"), Err(Some("E0904")));
    assert_eq!(code("hcat://h:1/db"), Err(Some("E0902")));
    assert_eq!(code("hdfs://nn1:8020/data"), Ok(true));
}
