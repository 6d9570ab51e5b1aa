//! Clouds: a server that speaks S3 and one that speaks Azure's protocol.

use std::path::Path;

use super::{Stand, fs_app};
use crate::run::program;

/// Runs a project with variables of the environment: whether all went well, and what was said.
fn run(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> (bool, String) {
    let mut command = program(folder, arguments);
    let output = command.envs(variables.iter().copied()).output().expect("it runs");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// Files are made, moved and deleted, a second run finds what the first has left, and one that is not there fails.
fn files(name: &str, table: &str, variables: &[(&str, &str)]) {
    let made = "<mkdir path='hdfs://nn/in/day'/><touchz path='hdfs://nn/in/day/_DONE'/>
        <touchz path='hdfs://nn/in/two words, ü+%'/><move source='hdfs://nn/in/day' target='hdfs://nn/in/other'/>";
    let folder = fs_app(&format!("parts-{name}"), table, made);
    let (is_well, said) = run(&folder, &["run", "app"], variables);
    assert!(is_well, "{said}");
    let moved = "<move source='hdfs://nn/in/other/_DONE' target='hdfs://nn/in/last'/>
        <move source='hdfs://nn/in/two words, ü+%' target='hdfs://nn/in/plain'/><delete path='hdfs://nn/in/plain'/>";
    let folder = fs_app(&format!("parts-{name}-again"), table, moved);
    let (is_well, said) = run(&folder, &["run", "app"], variables);
    assert!(is_well, "{said}");
    let gone = "<move source='hdfs://nn/in/day' target='hdfs://nn/in/none'/>";
    let folder = fs_app(&format!("parts-{name}-gone"), table, gone);
    let (is_well, said) = run(&folder, &["run", "app"], variables);
    assert!(!is_well && said.contains("FS006"), "{said}");
}

#[test]
fn objects_of_an_s3_server_are_files() {
    let Some(stand) = Stand::of(&["s3"]) else { return };
    let endpoint = stand.value("s3", "endpoint");
    let variables = [
        ("AWS_ENDPOINT", endpoint.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
    ];
    files("s3", &format!("{{ s3 = \"{}\" }}", stand.value("s3", "bucket")), &variables);
}

#[test]
fn blobs_of_an_azure_server_are_files() {
    let Some(stand) = Stand::of(&["azure"]) else { return };
    let endpoint = stand.value("azure", "endpoint");
    let account = stand.value("azure", "account");
    let variables = [
        ("AZURITE_BLOB_STORAGE_URL", endpoint.as_str()),
        ("AZURE_STORAGE_USE_EMULATOR", "true"),
        ("AZURE_STORAGE_ACCOUNT_NAME", account.as_str()),
    ];
    files("azure", &format!("{{ azure = \"{}\" }}", stand.value("azure", "container")), &variables);
}
