//! Servers that say nothing, with the limits that hold: 60 s for an answer, 10 s for a connection, whatever the kind of
//! storage. All are asked at once, so this takes a minute.

use std::path::Path;
use std::time::{Duration, Instant};

use super::fs_app;
use crate::run::{ankus, program};
use crate::support::not_run;
use crate::support::silence::Silence;

/// How much later than its limit a silent server may be given up beside other work.
const LATER: Duration = Duration::from_secs(25);

/// The name of a kind of storage, its table, and the variables that lead it to a server.
type Kind = (&'static str, String, Vec<(&'static str, String)>);

/// Each kind that is built in, led to a server at a host.
fn kinds(host: &str) -> Vec<Kind> {
    let http = format!("http://{host}");
    let mut kinds = vec![("webhdfs", format!("{{ webhdfs = \"{http}\" }}"), Vec::new())];
    if cfg!(feature = "hdfs") {
        kinds.push(("hdfs", "{ hdfs = true }".to_owned(), Vec::new()));
    } else {
        not_run("a silent name node by its own protocol", "a build without --features hdfs");
    }
    if cfg!(feature = "object-store") {
        let s3 =
            ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"].map(|name| (name, "x".to_owned()));
        let s3 =
            [("AWS_ENDPOINT", http.clone()), ("AWS_ALLOW_HTTP", "true".to_owned())].into_iter().chain(s3);
        let azure = [
            ("AZURE_STORAGE_USE_EMULATOR", "true".to_owned()),
            ("AZURITE_BLOB_STORAGE_URL", http.clone()),
            ("AZURE_STORAGE_ACCOUNT_NAME", "devstoreaccount1".to_owned()),
        ];
        let gcs = [
            ("GOOGLE_BASE_URL", http.clone()),
            ("GOOGLE_SKIP_SIGNATURE", "true".to_owned()),
            ("GOOGLE_ALLOW_HTTP", "true".to_owned()),
        ];
        kinds.push(("s3", "{ s3 = \"bkt\" }".to_owned(), s3.collect()));
        kinds.push(("azure", "{ azure = \"bkt\" }".to_owned(), azure.into()));
        kinds.push(("gcs", "{ gcs = \"bkt\" }".to_owned(), gcs.into()));
    } else {
        not_run("a silent cloud", "a build without --features object-store");
    }
    kinds
}

/// An fs action that wants a folder there; it suspends after the limit, and says so.
fn given_up(folder: &Path, variables: &[(&str, String)], limit: Duration) {
    let begin = Instant::now();
    let mut command = program(folder, &["run", "app"]);
    let output = command.envs(variables.iter().map(|(name, value)| (name, value))).output().expect("it runs");
    let took = begin.elapsed();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let words = format!("timed out after {} s", limit.as_secs());
    assert!(said.contains("JA006") && said.contains(&words), "{said}");
    let (_, info, _) = ankus(folder, &["job", "1-W", "info"]);
    assert!(info.contains("SUSPENDED") && info.contains(&words), "{info}");
    assert!(took >= limit && took < limit + LATER, "{}: {took:?}", folder.display());
}

#[test]
fn a_silent_server_is_given_up_after_the_limits_that_hold() {
    if !std::env::var("ANKUS_PARTS").is_ok_and(|chosen| chosen == "1") {
        return not_run("a minute with silent servers", "ANKUS_PARTS=1 starts real parts");
    }
    let servers = [
        (Silence::after_connecting(), "answer", Duration::from_secs(60)),
        (Silence::before_connecting(), "connect", Duration::from_secs(10)),
    ];
    std::thread::scope(|scope| {
        for (server, what, limit) in &servers {
            for (kind, table, variables) in kinds(&server.host()) {
                let host = server.host();
                scope.spawn(move || {
                    let operations =
                        "<mkdir path='hdfs://nn/in/day'/>".replace("hdfs://nn", &format!("hdfs://{host}"));
                    let folder = fs_app(&format!("parts-silent-{kind}-{what}"), &table, &operations);
                    let config = std::fs::read_to_string(folder.join("ankus.toml")).expect("a configuration");
                    let config = config.replace("\"hdfs://nn\" =", &format!("\"hdfs://{host}\" ="))
                        + "[server]\naction-retries = 0\n";
                    std::fs::write(folder.join("ankus.toml"), config).expect("written");
                    given_up(&folder, &variables, *limit);
                });
            }
        }
    });
}
