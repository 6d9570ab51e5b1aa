//! What is printed does not depend on what a secret is: two secrets of the same length, put into random places, lead to
//! the same bytes. So none of them shows, and no name is taken for one, whatever the secret looks like.

use std::path::PathBuf;

use crate::support::graphs::Random;
use crate::support::{ankus, folder_of};

/// Where a secret may stand; `S` stands for it.
const PLACES: &[(&str, &str)] = &[
    ("properties", "user_password=S\n"),
    ("properties", "jdbc.url=jdbc:mysql://bob:S@db/load\n"),
    ("properties", "options=import --password S --table load\n"),
    ("coordinator", "<property><name>api.token</name><value>S</value></property>"),
    (
        "coordinator",
        "<property><name>url</name><value>https://h/x?access_token=S&amp;y=load</value></property>",
    ),
    ("coordinator", "<property><name>connection</name><value>x/${user_password}/y</value></property>"),
    ("workflow", "<property><name>my.password</name>\n<value>S</value></property>"),
    ("workflow", "<property><name>my.password.note</name><value>--password S</value></property>"),
    ("argument", "<argument>--password</argument><argument>S</argument>"),
    ("argument", "<argument>--db-password=S</argument>"),
    ("argument", "<argument>https://bob:S@host/load</argument>"),
    ("argument", "<env-var>MY_TOKEN=S</env-var>"),
    ("argument", "<argument>${user_password}</argument>"),
    ("template", "hdfs://bob:S@nn/data/load"),
    ("define", "deploy_token=S"),
    ("default", "<property><name>x.secret</name><value>S</value></property>"),
];

/// Secrets that are names, states, or words of a definition.
const WORDS: &[&str] = &[
    "load",
    "load_a",
    "daily",
    "shell",
    "data",
    "workflow",
    "start",
    "hdfs",
    "RUNNING",
    "SUCCEEDED",
    "PREP",
    "action",
    "x.sh",
    "apps",
    "property",
    "logs",
    "2024",
    "dataset",
    "coordinator",
];

/// Letters of secrets: what passwords are made of, as far as no file writes it in another way.
const LETTERS: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789+_.~!";

fn random_secret(random: &mut Random, length: usize) -> String {
    let letters = (0..length).map(|_| char::from(LETTERS[random.below(LETTERS.len())]));
    let text: String = letters.collect();
    // Neither a flag nor a part of a definition.
    format!("q{}", &text[1..]).replace('.', "7")
}

struct Places {
    texts: Vec<(&'static str, String)>,
}

impl Places {
    fn random(random: &mut Random) -> Places {
        let count = 1 + random.below(4);
        let texts =
            (0..count).map(|_| PLACES[random.below(PLACES.len())]).map(|(at, text)| (at, text.to_owned()));
        Places { texts: texts.collect() }
    }

    fn at(&self, place: &str, secret: &str) -> String {
        // A property and a define may stand once.
        let mut texts: Vec<&String> =
            self.texts.iter().filter(|(at, _)| *at == place).map(|(_, text)| text).collect();
        texts.dedup();
        texts.iter().map(|text| text.replace('S', secret)).collect()
    }
}

/// Writes the estate with a secret at its places. `is_broken`: with faults, so that findings are drawn around them.
fn estate(folder: &str, places: &Places, secret: &str, is_broken: bool) -> PathBuf {
    let to = if is_broken { "laod_b" } else { "end" };
    let workflow = format!(
        r#"<workflow-app name="load" xmlns="uri:oozie:workflow:1.0">
  <start to="load_a"/>
  <action name="load_a">
    <shell xmlns="uri:oozie:shell-action:1.0">
      <resource-manager>rm</resource-manager><name-node>hdfs://nn</name-node>
      <configuration><property><name>plain</name><value>load</value></property>{}</configuration>
      <exec>x.sh</exec>{}<file>x.sh</file>
    </shell>
    <ok to="{to}"/><error to="fail"/>
  </action>
  <kill name="fail"><message>load failed in load_a</message></kill><end name="end"/>
</workflow-app>
"#,
        places.at("workflow", secret),
        places.at("argument", secret),
    );
    let template = places.at("template", secret);
    let template = if template.is_empty() { "hdfs://nn/data/load".to_owned() } else { template };
    let template =
        template.split("hdfs://").nth(1).map(|first| format!("hdfs://{first}")).unwrap_or_default();
    let coordinator = format!(
        r#"<coordinator-app name="daily" frequency="${{coord:days(1)}}" start="2024-01-01T00:00Z" end="{}"
    timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
  <datasets><dataset name="logs" frequency="${{coord:days(1)}}" initial-instance="2024-01-01T00:00Z" timezone="UTC">
    <uri-template>{template}/${{YEAR}}/${{MONTH}}/${{DAY}}</uri-template></dataset></datasets>
  <input-events><data-in name="in" dataset="logs"><instance>${{coord:current(0)}}</instance></data-in></input-events>
  <action><workflow><app-path>hdfs://nn/apps/etl</app-path>
    <configuration><property><name>day</name><value>${{coord:nominalTime()}}</value></property>
    {}</configuration></workflow></action>
</coordinator-app>
"#,
        if is_broken { "2024-01-03" } else { "2024-01-03T00:00Z" },
        places.at("coordinator", secret),
    );
    let bundle = format!(
        r#"<bundle-app name="all" xmlns="uri:oozie:bundle:0.2"><coordinator name="daily">
    <app-path>hdfs://nn/apps/daily</app-path><configuration>{}</configuration></coordinator></bundle-app>
"#,
        places.at("coordinator", secret),
    );
    // One that the arguments ask for is always given.
    let mut properties = places.at("properties", secret);
    if !properties.contains("user_password=") {
        properties.push_str("user_password=S\n".replace('S', secret).as_str());
    }
    let of = |path: &str| format!("{path}\nnameNode=hdfs://nn\n{properties}");
    let default = format!("<configuration>{}</configuration>", places.at("default", secret));
    folder_of(
        folder,
        &[
            ("ankus.toml", "[paths]\n\"hdfs://nn/apps\" = \".\"\n[storage]\n\"hdfs://nn\" = \"data\"\n"),
            ("etl/workflow.xml", &workflow),
            ("etl/config-default.xml", &default),
            ("etl/x.sh", "#!/bin/sh\nexit 0\n"),
            ("etl/job.properties", &of("oozie.wf.application.path=hdfs://nn/apps/etl")),
            ("daily/coordinator.xml", &coordinator),
            ("daily/job.properties", &of("oozie.coord.application.path=hdfs://nn/apps/daily")),
            ("all/bundle.xml", &bundle),
            ("all/job.properties", &of("oozie.bundle.application.path=hdfs://nn/apps/all")),
        ],
    )
}

/// Everything that is printed of an estate, with what was asked.
fn outputs(folder: &str, places: &Places, secret: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let defines = places.at("define", secret);
    let more: Vec<&str> = if defines.is_empty() { Vec::new() } else { vec!["-D", &defines] };
    let mut ask = |arguments: &[&str]| {
        let outcome = ankus(&[arguments, &more].concat());
        let text = format!("{}\n{}\n{}", outcome.code, outcome.out, outcome.err);
        all.push((arguments.join(" "), text));
    };
    let root = estate(folder, places, secret, true).display().to_string();
    let properties = format!("{root}/daily/job.properties");
    for format in ["full", "concise", "json", "jsonl", "sarif", "junit", "github", "gitlab", "checkstyle"] {
        ask(&["check", "-v", "--format", format, &root]);
    }
    ask(&["check", "-v", &properties]);
    ask(&["check", "-v", "--ignore", "secret-plaintext", &root]);
    ask(&["check", "--fix", "--unsafe", "--diff", &root]);
    ask(&["plan", &properties]);
    let root = estate(folder, places, secret, false).display().to_string();
    let app = |name: &str| format!("{root}/{name}/job.properties");
    let (daily, etl, all_days) = (app("daily"), app("etl"), app("all"));
    ask(&["check", "-v", &root]);
    for app in [&daily, &etl, &all_days] {
        for format in ["text", "json", "jsonl", "csv"] {
            ask(&["plan", "-v", "--format", format, app]);
        }
        for name in ["user_password", "options", "jdbc.url"] {
            ask(&["plan", "--explain-value", name, app]);
        }
        for format in ["svg", "dot", "mermaid"] {
            ask(&["graph", "--format", format, app]);
        }
        for format in ["text", "json", "jsonl", "html"] {
            ask(&["simulate", "-v", "--format", format, app]);
        }
    }
    ask(&["simulate", "--explain", "daily@1", &daily]);
    all
}

#[test]
fn outputs_do_not_depend_on_secrets() {
    let mut failures: Vec<String> = Vec::new();
    // `ANKUS_SECRETS=400` tries so many.
    let count = std::env::var("ANKUS_SECRETS").ok().and_then(|text| text.parse().ok()).unwrap_or(8);
    for seed in 0..count {
        let mut random = Random(seed + 1);
        let mut places = Places::random(&mut random);
        if seed % 2 == 0 {
            // A simulation does not follow where a value was put in: a secret that is a name of the definition shows there.
            places.texts.retain(|(_, text)| !text.contains("connection"));
        }
        let word = WORDS[random.below(WORDS.len())];
        let length = if seed % 2 == 0 { word.len() } else { 4 + random.below(12) };
        let first = if seed % 2 == 0 { word.to_owned() } else { random_secret(&mut random, length) };
        // Short secrets are hidden where they stand, and no further; any other is as good.
        let second = random_secret(&mut random, length);
        let name = format!("redaction/{seed}");
        let (one, other) = (outputs(&name, &places, &first), outputs(&name, &places, &second));
        for ((what, one), (_, other)) in one.iter().zip(&other) {
            if first.len() >= 4 && seed % 2 == 1 {
                let shows =
                    |text: &str| text.contains(&first).then(|| format!("seed {seed}: `{first}` in `{what}`"));
                failures.extend(shows(one));
            }
            if one != other {
                let lines = one.lines().zip(other.lines()).find(|(one, other)| one != other);
                failures.push(format!(
                    "seed {seed}: `{first}`, `{second}` in `{what}`, {:?}\n{lines:#?}",
                    places.texts
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
