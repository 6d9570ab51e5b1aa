//! Storage that says nothing: every kind is waited for so long and no longer, and whoever is silent is named with the limit.

use std::time::{Duration, Instant};

use ankus::engine::TroubleKind;
use ankus::execute::storage::backend::{Backend, Patience};
use ankus::execute::storage::webhdfs::Webhdfs;

use crate::support::silence::Silence;

/// Far less than what is waited for by default.
const CONNECT: Duration = Duration::from_millis(200);
const ANSWER: Duration = Duration::from_millis(1500);

const PATIENCE: Patience = Patience { connect: CONNECT, answer: ANSWER };

/// What each kind of storage that is built in says of a server at a host, and by which name.
fn said(host: &str) -> Vec<(String, String, TroubleKind, Duration)> {
    let http = format!("http://{host}");
    type Open = Box<dyn FnOnce() -> Box<dyn Backend>>;
    let address = http.clone();
    #[allow(unused_mut)]
    let mut kinds: Vec<(String, Open)> = vec![(
        format!("`{http}`"),
        Box::new(move || Box::new(Webhdfs::patient(&address, "", "joe", PATIENCE))),
    )];
    #[cfg(feature = "hdfs")]
    {
        let address = format!("hdfs://{host}");
        let name = format!("`{address}`");
        let open = move || ankus::execute::storage::native::Native::patient(&address, "", PATIENCE);
        kinds.push((name, Box::new(move || Box::new(open().expect("a client")))));
    }
    #[cfg(feature = "object-store")]
    for (cloud, name, settings) in clouds() {
        let http = http.clone();
        let open = move || {
            let settings: Vec<(&str, &str)> = settings
                .iter()
                .map(|&(name, value)| (name, if value == "ADDRESS" { http.as_str() } else { value }))
                .collect();
            ankus::execute::storage::objects::Objects::patient(cloud, "bkt", "", PATIENCE, &settings)
        };
        kinds.push((name.to_owned(), Box::new(move || Box::new(open().expect("a client")))));
    }
    let ask = |(name, open): (String, Open)| {
        let (begin, backend) = (Instant::now(), open());
        let found = backend.status("a").expect_err(&name);
        (name, found.words, found.why.kind(), begin.elapsed())
    };
    kinds.into_iter().map(ask).collect()
}

/// A cloud, how it is named, and the settings that lead it to another address.
#[cfg(feature = "object-store")]
type Elsewhere = (ankus::shell::config::storage::Cloud, &'static str, Vec<(&'static str, &'static str)>);

#[cfg(feature = "object-store")]
fn clouds() -> Vec<Elsewhere> {
    use ankus::shell::config::storage::Cloud;
    let s3 = vec![
        ("aws_endpoint", "ADDRESS"),
        ("aws_region", "us-east-1"),
        ("aws_access_key_id", "test"),
        ("aws_secret_access_key", "test"),
        ("allow_http", "true"),
    ];
    let gcs = vec![("google_base_url", "ADDRESS"), ("google_skip_signature", "true"), ("allow_http", "true")];
    let azure = vec![
        ("azure_storage_endpoint", "ADDRESS"),
        ("azure_storage_account_name", "devstoreaccount1"),
        ("azure_skip_signature", "true"),
        ("azure_allow_http", "true"),
    ];
    vec![
        (Cloud::S3, "the S3 bucket `bkt`", s3),
        (Cloud::Gcs, "the Google bucket `bkt`", gcs),
        (Cloud::Azure, "the Azure container `bkt`", azure),
    ]
}

#[test]
fn a_server_that_takes_connections_and_never_answers_is_given_up() {
    let server = Silence::after_connecting();
    for (name, words, kind, took) in said(&server.host()) {
        assert_eq!(
            (words, kind),
            (format!("{name} timed out after 1.5 s"), TroubleKind::Transient),
            "{took:?}"
        );
        assert!(took * 2 >= ANSWER, "{name}: {took:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_that_takes_no_connection_is_given_up_sooner() {
    let server = Silence::before_connecting();
    for (name, words, kind, took) in said(&server.host()) {
        assert_eq!(
            (words, kind),
            (format!("{name} timed out after 0.2 s"), TroubleKind::Transient),
            "{took:?}"
        );
        assert!(took * 2 >= CONNECT, "{name}: {took:?}");
    }
}

#[cfg(feature = "object-store")]
#[test]
fn a_cloud_that_has_no_answer_now_is_asked_again_later() {
    use crate::support::namenode::{Instead, NameNode};
    use ankus::execute::storage::objects::Objects;
    let server = NameNode::with(&[]);
    for (status, kind) in [
        (503, TroubleKind::Transient),
        (500, TroubleKind::Transient),
        (429, TroubleKind::Transient),
        (400, TroubleKind::Error),
        (403, TroubleKind::Error),
    ] {
        for (cloud, name, settings) in clouds() {
            let address = server.address();
            let settings: Vec<(&str, &str)> = settings
                .iter()
                .map(|&(name, value)| (name, if value == "ADDRESS" { address.as_str() } else { value }))
                .collect();
            let objects =
                Objects::patient(cloud, "bkt", "", Patience::default(), &settings).expect("a client");
            // A cloud is asked twice.
            server.state().instead.clear();
            for _ in 0..2 {
                server.next(Instead::Body(status, "<Error><Code>Slow</Code></Error>"));
            }
            let found = objects.list("a").expect_err(name);
            assert_eq!(found.why.kind(), kind, "{name}, {status}: {}", found.words);
            assert!(!found.words.contains('<') && found.words.len() < 120, "{}", found.words);
        }
    }
}
