//! `run` of `hadoop-workflow` on this machine: actions of 2009 as programs, files, requests, and notifications.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::run::{ankus, project, statuses};
use crate::support::sinks::{self, Sink, free_port};

const END: &str =
    "<fail name=\"f\"><message>${wf:errorCode(wf:errorNode())}</message></fail><end name=\"e\"/>";

fn workflow(nodes: &str) -> String {
    format!("<hadoop-workflow name=\"w\">{nodes}{END}</hadoop-workflow>")
}

/// An action that leads to two nodes.
fn action(kind: &str, name: &str, parts: &str, ok: &str) -> String {
    format!(
        "<{kind} name=\"{name}\">{parts}<transition name=\"OK\" to=\"{ok}\"/><transition name=\"ERROR\" to=\"f\"/></{kind}>"
    )
}

fn text(path: PathBuf) -> String {
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Runs an app; the exit code and what is said.
fn run(folder: &Path, more: &[&str]) -> (i32, String) {
    let (code, out, err) = ankus(folder, &[&["run", "app"][..], more].concat());
    (code, out + &err)
}

/// The error of the only failed action.
fn code(folder: &Path) -> String {
    let info = ankus(folder, &["job", "1-W", "info", "--format", "json"]).1;
    let info: serde_json::Value = serde_json::from_str(&info).expect("JSON");
    let nodes = info["parts"].as_array().expect("nodes").iter();
    let codes = nodes.filter_map(|node| node["error"]["code"].as_str());
    codes.map(str::to_owned).next().unwrap_or_default()
}

/// HWS-3.2.2-1 HWS-3.2.2-2 HWS-3.2.2-8 HWS-3.2.2-10 HWS-3.2.2.1-4 HWS-3.2.2.1-10 HWS-3.2.2.2-1 HWS-3.2.2.2-3 HWS-3.2.2.2-6 HWS-7-7 HWS-9-1: a
/// streaming job runs with its files, deletes its output before, and inline properties win over the file.
#[test]
fn streaming_jobs_run() {
    let hadoop = action(
        "hadoop",
        "a",
        "<prepare><delete path=\"/out\"/></prepare><streaming><mapper>/bin/sh map.sh x</mapper><reducer>cat</reducer><files>\
         <file>/bin/map.sh</file></files><cacheFiles><file>/shared/words.txt#w.txt</file></cacheFiles></streaming>\
         <job-xml>/job.xml</job-xml><configuration><property><name>fs.default.name</name><value>hdfs://nn</value></property><property>\
         <name>mapred.output.dir</name><value>/out</value></property></configuration>",
        "e",
    );
    let job = "<configuration><property><name>mapred.job.tracker</name><value>local</value></property><property><name>mapred.input.dir\
               </name><value>/in</value></property><property><name>mapred.output.dir</name><value>/wrong</value></property>\
               </configuration>";
    let folder = project(
        "hws-run-streaming",
        &[
            ("app/workflow.xml", &workflow(&format!("<start to=\"a\"/>{hadoop}"))),
            ("app/job.xml", job),
            ("app/lib/x.jar", ""),
            ("app/bin/map.sh", "test -e x.jar || exit 3\nsed \"s/^/$1 $(cat w.txt) /\"\n"),
            ("data/in/a.txt", "one\n"),
            ("data/out/old", "old\n"),
            ("data/shared/words.txt", "word"),
        ],
    );
    let (code, told) = run(&folder, &[]);
    assert_eq!(code, 0, "{told}{}", ankus(&folder, &["job", "1-W", "info"]).1);
    assert_eq!(text(folder.join("data/out/part-00000")), "x word one\t\n");
    assert!(!folder.join("data/out/old").exists() && !folder.join("data/wrong").exists());
}

/// HWS-3.2.4-10 HWS-3.2.4-12 HWS-3.2.4-11 HWS-3.2.1.2-2 HWS-6.3-1 HWS-3.2.4-17: commands on files are done in order, from the home of the
/// action's user, and none where one cannot be.
#[test]
fn hdfs_commands_run() {
    let hdfs = |commands: &str| {
        let parts =
            format!("<file-system>hdfs://nn</file-system><user>tucu</user><commands>{commands}</commands>");
        workflow(&format!("<start to=\"a\"/>{}", action("hdfs", "a", &parts, "e")))
    };
    let commands = "<mkdir path=\"archives/x\"/><mkdir path=\"archives/x\"/><move source=\"/in\" target=\"archives/x/in\"/><delete \
                    path=\"/old\"/><delete path=\"/none\"/>";
    let files = [("data/in/a", "1"), ("data/old/deep/b", "2")];
    let text = hdfs(commands);
    let folder = project("hws-run-hdfs", &[&[("app/workflow.xml", text.as_str())][..], &files[..]].concat());
    let (exit, told) = run(&folder, &[]);
    assert_eq!(exit, 0, "{told}{}", ankus(&folder, &["job", "1-W", "info"]).1);
    assert!(folder.join("data/user/tucu/archives/x/in/a").exists() && !folder.join("data/old").exists());
    for (name, wrong, expected) in [
        ("source", "<move source=\"/none\" target=\"/new\"/>", "FS006"),
        ("target", "<move source=\"/in\" target=\"/old\"/>", "FS008"),
        ("above", "<move source=\"/in\" target=\"/no/where\"/>", "FS008"),
    ] {
        let text = hdfs(&format!("<mkdir path=\"/made\"/>{wrong}"));
        let files = [&[("app/workflow.xml", text.as_str())][..], &files[..]].concat();
        let folder = project(&format!("hws-run-hdfs-{name}"), &files);
        assert_eq!(run(&folder, &[]).0, 1);
        assert_eq!(statuses(&folder), ["FAILED"]);
        assert_eq!(code(&folder), expected, "{name}");
        assert!(!folder.join("data/made").exists(), "{name}: nothing was done before");
    }
}

/// A server that answers with a type and a body, and tells the method, the type that it got and the body.
fn server(kind: &'static str, status: u16, body: String) -> Sink {
    Sink::new(move |mut stream, told| {
        let mut bytes = Vec::new();
        let mut buffer = [0; 4096];
        let (mut head, mut wanted) = (String::new(), None);
        while let Ok(count) = stream.read(&mut buffer) {
            bytes.extend_from_slice(&buffer[..count]);
            let so_far = String::from_utf8_lossy(&bytes).into_owned();
            if wanted.is_none()
                && let Some(end) = so_far.find("\r\n\r\n")
            {
                head = so_far[..end].to_owned();
                let length = head.lines().find_map(|line| {
                    let (name, value) = line.split_once(':')?;
                    name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
                });
                wanted = Some(end + 4 + length.unwrap_or(0));
            }
            if count == 0 || wanted.is_some_and(|wanted| bytes.len() >= wanted) {
                break;
            }
        }
        let line = head.lines().next().unwrap_or_default().to_owned();
        let own = head
            .lines()
            .find(|line| line.to_ascii_lowercase().starts_with("content-type"))
            .unwrap_or_default();
        let sent = String::from_utf8_lossy(&bytes[head.len() + 4..]).into_owned();
        let _ = told.send(format!("{line} | {own} | {sent}"));
        let length = body.len();
        let _ = write!(
            stream,
            "HTTP/1.1 {status} So\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
    })
}

/// An app of one http action and a decision by its output.
fn http(name: &str, port: u16, parts: &str) -> PathBuf {
    let nodes = format!(
        "<start to=\"a\"/>{}<decision name=\"d\"><eval name=\"GOT\">${{action:output('a', 'k') eq 'v'}}</eval><eval name=\"NONE\">\
         ${{empty action:output('a', 'k')}}</eval><default name=\"BAD\"/><transition name=\"GOT\" to=\"e\"/><transition name=\"NONE\" \
         to=\"made\"/><transition name=\"BAD\" to=\"f\"/></decision>{}",
        action("http", "a", &format!("<url>http://127.0.0.1:{port}/x?id=${{wf:id()}}</url>{parts}"), "d"),
        action(
            "hdfs",
            "made",
            "<file-system>hdfs://nn</file-system><commands><mkdir path=\"/made\"/></commands>",
            "e"
        ),
    );
    project(&format!("hws-run-http-{name}"), &[("app/workflow.xml", &workflow(&nodes))])
}

/// HWS-3.2.7-1 HWS-3.2.7-3 HWS-3.2.7-12 HWS-3.2.7-14 HWS-3.2.7-15 HWS-3.2.7-17: one request with its method, type and body; the answer is
/// captured where it is asked for and is what it has to be.
#[test]
fn http_actions_make_requests() {
    const PROPERTIES: &str = "x-application/java-properties";
    let get = server(PROPERTIES, 200, "k=v\n".to_owned());
    let folder = http("get", get.port, "<mode>CONTINUE</mode><capture-output/>");
    assert_eq!(run(&folder, &[]).0, 0, "{}", ankus(&folder, &["job", "1-W", "info"]).1);
    let told = get.next();
    assert!(told.starts_with("GET /x?id=") && told.ends_with("|  | "), "{told}");
    assert!(!folder.join("data/made").exists(), "the output was seen");
    let post = server("text/plain", 201, "k=v\n".to_owned());
    let folder = http("post", post.port, "<post content-type=\"text/x\">hello</post><mode>CONTINUE</mode>");
    assert_eq!(run(&folder, &[]).0, 0, "{}", ankus(&folder, &["job", "1-W", "info"]).1);
    let told = post.next();
    assert!(
        told.starts_with("POST /x") && told.to_ascii_lowercase().ends_with("content-type: text/x | hello"),
        "{told}"
    );
    assert!(folder.join("data/made").exists(), "nothing is kept without capture-output");
    let captured = "<mode>CONTINUE</mode><capture-output/>";
    for (name, sink, expected) in [
        ("type", server("text/plain", 200, "k=v\n".to_owned()), "HTTP006"),
        ("long", server(PROPERTIES, 200, format!("k={}", "v".repeat(2_047))), "HTTP007"),
        ("status", server(PROPERTIES, 404, String::new()), "HTTP005"),
    ] {
        let folder = http(name, sink.port, captured);
        assert_eq!(run(&folder, &[]).0, 1, "{name}");
        assert_eq!(code(&folder), expected, "{name}");
    }
    let longest = server(PROPERTIES, 200, format!("k=v\nl={}", "v".repeat(2_042)));
    let folder = http("longest", longest.port, captured);
    assert_eq!(run(&folder, &[]).0, 0, "2,048 bytes are taken");
}

/// HWS-3.2.1.4-6 HWS-3.2.1.4-8: nobody who answers is transient; retries that are used up suspend the job.
#[test]
fn what_does_not_answer_is_tried_again() {
    let folder = http("away", free_port(), "<mode>CONTINUE</mode>");
    let retries = ["-D", "hws.action.retry.max=1", "-D", "hws.action.retry.interval=0"];
    let (_, told) = run(&folder, &retries);
    assert_eq!(statuses(&folder), ["SUSPENDED"], "{told}");
    let info = ankus(&folder, &["job", "1-W", "info"]).1;
    assert!(info.contains("START_MANUAL") && info.contains("HTTP001"), "{info}");
}

/// HWS-5-1 HWS-5.1-1 HWS-5.1-2 HWS-5.1-3 HWS-5.1-4 HWS-5.1-5 HWS-5.1-6 HWS-5.1-7 HWS-5.1-8 HWS-5.1-9 HWS-5.2-1 HWS-5.2-2 HWS-5.2-3 HWS-5.2-4
/// HWS-1-14: actions tell their start and end, decisions the name of what they found, the job its end.
#[test]
fn notifications_say_the_words_of_the_document() {
    let sink = sinks::web(&[200]);
    let nodes = format!(
        "<start to=\"a\"/>{}<decision name=\"d\"><eval name=\"NEVER\">${{1 gt 2}}</eval><default name=\"IN THE END\"/><transition \
         name=\"NEVER\" to=\"f\"/><transition name=\"IN THE END\" to=\"f\"/></decision>",
        action(
            "hdfs",
            "a",
            "<file-system>hdfs://nn</file-system><commands><mkdir path=\"/x\"/></commands>",
            "d"
        ),
    );
    let at = format!("http://127.0.0.1:{}", sink.port);
    let properties = format!(
        "<configuration><property><name>hws.action.notification.url</name><value>{at}/$wfId/$nodeName/$nodeStatus/$other</value>\
         </property><property><name>hws.workflow.notification.url</name><value>{at}/job/$wfId/$wfstatus/$wfStatus</value></property>\
         <property><name>oozie.wf.workflow.notification.url</name><value>{at}/wrong</value></property></configuration>"
    );
    let folder = project(
        "hws-run-notified",
        &[("app/workflow.xml", &workflow(&nodes)), ("app/configuration.xml", &properties)],
    );
    assert_eq!(run(&folder, &[]).0, 1);
    let mut told: Vec<String> = sink.all();
    let id = told[0].split('/').nth(1).expect("an id").to_owned();
    told.iter_mut().for_each(|line| *line = line.replace(&id, "ID").replace(" HTTP/1.1", ""));
    let expected = [
        "GET /ID/a/started/$other",
        "GET /ID/a/OK/$other",
        "GET /ID/d/IN+THE+END/$other",
        "GET /job/ID/FAILED/FAILED",
    ];
    assert_eq!(told, expected);
    let quiet = project("hws-run-quiet", &[("app/workflow.xml", &workflow(&nodes))]);
    assert_eq!(run(&quiet, &[]).0, 1);
    assert_eq!(sink.all(), [""; 0], "nobody is told who has not asked");
}

/// HWS-12-8 HWS-12-2 HWS-12-11 HWS-12-17 HWS-1-15 HWS-1-16 HWS-4.2.3-2: a recovery runs under the same id with the definition as
/// it is now, skips what completed, and leaves files as they are.
#[test]
fn recoveries_run_under_the_same_id() {
    let hdfs = |name: &str, path: &str, ok: &str| {
        let parts = format!(
            "<file-system>hdfs://nn</file-system><commands><move source=\"/in\" target=\"{path}\"/></commands>"
        );
        action("hdfs", name, &parts, ok)
    };
    let app = |second: &str| workflow(&format!("<start to=\"a\"/>{}{second}", hdfs("a", "/first", "b")));
    let broken = app(&hdfs("b", "/first/x", "e"));
    let folder = project("hws-run-recovery", &[("app/workflow.xml", &broken), ("data/in/x", "1")]);
    assert_eq!(run(&folder, &[]).0, 1);
    let id = ankus(&folder, &["jobs"]).1;
    let mended = app(&action(
        "hdfs",
        "b",
        "<file-system>hdfs://nn</file-system><commands><mkdir path=\"/${wf:conf('made')}${wf:recovery()}\"/></commands>",
        "e",
    ));
    std::fs::write(folder.join("app/workflow.xml"), mended).expect("it is written");
    let refused = ankus(&folder, &["job", "1-W", "rerun", "--skip", "a,b,zzz"]);
    assert!(refused.0 != 0 && refused.2.contains("zzz"), "{refused:?}");
    let (exit, out, err) = ankus(&folder, &["job", "1-W", "rerun", "--skip", "a", "-D", "made=m"]);
    assert_eq!(exit, 0, "{out}{err}");
    let (exit, out, err) = ankus(&folder, &["run"]);
    assert_eq!(exit, 0, "{out}{err}{}", ankus(&folder, &["job", "1-W", "info"]).1);
    assert_eq!(statuses(&folder), ["SUCCEEDED"], "one job");
    assert_eq!(ankus(&folder, &["jobs"]).1.split_whitespace().next(), id.split_whitespace().next());
    assert!(folder.join("data/m1").exists() && folder.join("data/first/x").exists());
}

/// HWS-6-5 HWS-3.2.6-8 HWS-0-3: a user that the machine does not know; children by name with defaults of their own; two jobs of one app.
#[test]
fn children_run_by_name() {
    let mkdir = |path: &str| {
        let parts =
            format!("<file-system>hdfs://nn</file-system><commands><mkdir path=\"{path}\"/></commands>");
        action("hdfs", "m", &parts, "e")
    };
    let child = format!(
        "<hadoop-workflow name=\"below\"><start to=\"m\"/>{}{END}</hadoop-workflow>",
        mkdir(
            "/${wf:conf('given')}-${wf:conf('own')}-${firstNotNull(wf:conf('above'), 'none')}-${wf:conf('user.name')}"
        )
    );
    let parent = workflow(&format!(
        "<start to=\"a\"/>{}",
        action(
            "sub-workflow",
            "a",
            "<hadoop-workflow>below</hadoop-workflow><configuration><property><name>given</name><value>${wf:conf('above')}</value>\
             </property></configuration>",
            "e"
        )
    ));
    let defaults = "<configuration><property><name>own</name><value>o</value></property><property><name>given</name><value>wrong\
                    </value></property></configuration>";
    let folder = project(
        "hws-run-child",
        &[
            ("app/workflow.xml", &parent),
            ("child/workflow.xml", &child),
            ("child/configuration.xml", defaults),
        ],
    );
    let given = ["-D", "above=up", "-D", "user.name=nobodyhere"];
    let (exit, told) = run(&folder, &given);
    assert_eq!(exit, 0, "{told}{}", ankus(&folder, &["job", "1-W", "info"]).1);
    let made: Vec<String> = crate::support::names_in(&folder.join("data"));
    assert_eq!(made, ["up-o-none-nobodyhere"]);
    assert_eq!(run(&folder, &[&given[..], &["--new"]].concat()).0, 0);
    assert_eq!(statuses(&folder).len(), 4, "two jobs and their children");
}

/// Calls back: a request to a URL with a body; the status of the answer.
fn call(url: &str, kind: &str, body: &str) -> String {
    let rest = url.strip_prefix("http://").expect("a URL");
    let (host, path) = rest.split_once('/').expect("a path");
    let mut stream = std::net::TcpStream::connect(host).expect("somebody listens");
    let length = body.len();
    write!(
        stream,
        "POST /{path} HTTP/1.1\r\nHost: x\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .expect("it is sent");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer.split(' ').nth(1).unwrap_or_default().to_owned()
}

/// HWS-3.2.7-7 HWS-3.2.7-9 HWS-3.2.7-11 HWS-3.2.7-13 HWS-3.2.1.2-4 HWS-3.2.1.2-6: an action waits for its callback, which is taken with its own
/// token alone; its exit state and output are those of the callback.
#[test]
fn actions_wait_for_their_callbacks() {
    let mut urls = Vec::new();
    for (name, state, kind, ends) in [
        ("ok", "OK", "x-application/java-properties", "SUCCEEDED"),
        ("error", "ERROR", "x-application/java-properties", "SUCCEEDED"),
        ("type", "OK", "text/plain", "SUCCEEDED"),
    ] {
        let asked = server("text/plain", 200, String::new());
        let folder = http(
            &format!("wait-{name}"),
            asked.port,
            "<post content-type=\"text/plain\">${urlEncode(wf:callback('STATE'))}</post><mode>WAIT</mode><capture-output/>",
        );
        // The ERROR transition leads to the same decision.
        let text = text(folder.join("app/workflow.xml")).replacen(
            "name=\"ERROR\" to=\"f\"",
            "name=\"ERROR\" to=\"d\"",
            1,
        );
        std::fs::write(folder.join("app/workflow.xml"), text).expect("it is written");
        let runs = std::thread::spawn({
            let folder = folder.clone();
            move || run(&folder, &[])
        });
        let told = asked.next();
        let encoded = told.rsplit(' ').next().expect("a body");
        let url = encoded.replace("%3A", ":").replace("%2F", "/").replace("%3F", "?").replace("%3D", "=");
        let wrong = url.split('?').next().expect("a path");
        assert_eq!(call(&format!("{}x?status=OK", &wrong[..wrong.len() - 1]), kind, ""), "404");
        assert_eq!(call(&url.replace("STATE", "WHAT"), kind, ""), "400");
        assert_eq!(call(&url.replace("STATE", state), kind, "k=v\n"), "200", "{url}");
        let (_, said) = runs.join().expect("it ends");
        assert_eq!(statuses(&folder), [ends], "{name}: {said}{}", ankus(&folder, &["job", "1-W", "info"]).1);
        urls.push(url);
    }
    urls.dedup();
    assert_eq!(urls.len(), 3, "each attempt has its own");
}

/// HWS-3.2.8-1: one letter with its subject and text, of which the latter may be empty.
#[test]
fn letters_are_sent() {
    let sink = sinks::mail(|_| None);
    let letter = "<to>a@example.org , b@example.org</to><subject>About ${wf:appName()}</subject><message/>";
    let text = workflow(&format!("<start to=\"a\"/>{}", action("email", "a", letter, "e")));
    let config = format!(
        "{}[run.email]\nhost = \"127.0.0.1\"\nport = {}\nfrom = \"oozie@localhost\"\n",
        crate::run::CONFIG,
        sink.port
    );
    let folder = project("hws-run-email", &[("ankus.toml", &config), ("app/workflow.xml", &text)]);
    let (exit, told) = run(&folder, &[]);
    assert_eq!(exit, 0, "{told}{}", ankus(&folder, &["job", "1-W", "info"]).1);
    let letters: Vec<String> = sink.all().into_iter().filter(|line| line.contains('\n')).collect();
    assert_eq!(letters.len(), 1);
    assert!(
        letters[0].contains("To: a@example.org, b@example.org") && letters[0].contains("Subject: About w"),
        "{letters:?}"
    );
}

/// HWS-3.2.2.2-5 HWS-3.2.2.1-14 HWS-12-13 HWS-3.2-1: a program that is nowhere ends the action with ERROR, in one attempt; a job that failed
/// stays as it is until somebody asks.
#[test]
fn a_missing_program_is_an_error() {
    let hadoop = action(
        "hadoop",
        "a",
        "<streaming><mapper>no-such-program-anywhere</mapper><reducer>cat</reducer></streaming><configuration><property><name>\
         fs.default.name</name><value>hdfs://nn</value></property><property><name>mapred.job.tracker</name><value>local</value>\
         </property><property><name>mapred.input.dir</name><value>/in</value></property><property><name>mapred.output.dir</name>\
         <value>/out</value></property></configuration>",
        "e",
    );
    let text = workflow(&format!("<start to=\"a\"/>{hadoop}"));
    let folder = project("hws-run-missing", &[("app/workflow.xml", &text), ("data/in/a", "1\n")]);
    assert_eq!(run(&folder, &[]).0, 1);
    assert_eq!((statuses(&folder), code(&folder)), (vec!["FAILED".to_owned()], "JA018".to_owned()));
    let before = ankus(&folder, &["job", "1-W", "info"]).1;
    ankus(&folder, &["run"]);
    assert_eq!(ankus(&folder, &["job", "1-W", "info"]).1, before);
}

/// HWS-5-3 HWS-1-12: a listener that is away changes nothing; a job that is submitted and not started is CREATED.
#[test]
fn listeners_that_are_away_change_nothing() {
    let url = format!("http://127.0.0.1:{}/$nodeStatus", free_port());
    let mkdir = "<file-system>hdfs://nn</file-system><commands><mkdir path=\"/x\"/></commands>";
    let text = workflow(&format!("<start to=\"a\"/>{}", action("hdfs", "a", mkdir, "e")));
    let config = format!("{}[run.notification]\nretry-seconds = 0\nretries = 1\n", crate::run::CONFIG);
    let folder = project("hws-run-deaf", &[("ankus.toml", &config), ("app/workflow.xml", &text)]);
    let url = format!("hws.action.notification.url={url}");
    let (exit, out, err) = ankus(&folder, &["submit", "app", "-D", &url]);
    assert_eq!(exit, 0, "{out}{err}");
    assert_eq!(statuses(&folder), ["CREATED"]);
    assert_eq!(ankus(&folder, &["job", "1-W", "start"]).0, 0);
    let (exit, out, err) = ankus(&folder, &["run"]);
    assert_eq!((exit, statuses(&folder)), (0, vec!["SUCCEEDED".to_owned()]), "{out}{err}");
}
