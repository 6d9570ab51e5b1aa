//! The recorded schema verdicts, by both engines.

use ankus::schema::{Engine, Kind, Profile, Pure, Selection};
use serde_json::Value;

/// The folder of recorded answers, or none with a line that says so.
fn reference(path: &str) -> Option<String> {
    let base = std::env::var("ANKUS_REFERENCE")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared").into());
    let text = std::fs::read_to_string(format!("{base}/{path}")).ok();
    if text.is_none() {
        eprintln!("not run: {base}/{path} is absent");
    }
    text
}

fn engines() -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(Pure),
        #[cfg(feature = "libxml")]
        Box::new(ankus::schema::Native),
    ]
}

fn kind(name: &str) -> Kind {
    match name {
        "workflow" => Kind::Workflow,
        "coordinator" => Kind::Coordinator,
        "bundle" => Kind::Bundle,
        other => panic!("kind `{other}`"),
    }
}

#[test]
fn recorded_verdicts() {
    let Some(cases) = reference("oracle/schema/cases.jsonl") else { return };
    for engine in engines() {
        let mut wrong = Vec::new();
        for line in cases.lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let schemas = Selection::of(kind(case["kind"].as_str().unwrap()), Profile::default());
            let complaints = engine.complaints(schemas, case["xml"].as_str().unwrap()).unwrap();
            if complaints.is_empty() != case["valid"].as_bool().unwrap() {
                wrong.push(format!("{} {}: {complaints:?}", case["id"], case["about"]));
            }
        }
        assert!(wrong.is_empty(), "{}: {} wrong\n{}", engine.name(), wrong.len(), wrong.join("\n"));
    }
}
