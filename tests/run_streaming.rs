//! Map-reduce by programs that read and write lines, run on this machine: what is written is what Hadoop writes.

use std::collections::BTreeMap;
use std::path::Path;

use crate::run::{ankus, project, workflow};
use crate::support::names_in;

/// A streaming action with these elements in `streaming` and these properties.
fn streaming(streaming: &str, properties: &[(&str, &str)], after: &str) -> String {
    let property = |(name, value): &(&str, &str)| {
        format!("<property><name>{name}</name><value>{value}</value></property>")
    };
    let properties: String = properties.iter().map(property).collect();
    let action = format!(
        r#"<start to="a"/><action name="a"><map-reduce>{streaming}<configuration>{properties}</configuration>{after}
        </map-reduce><ok to="end"/><error to="fail"/></action>"#
    );
    workflow("streaming", &action)
}

/// The content of every file of an output, by name.
fn parts(folder: &Path) -> BTreeMap<String, String> {
    let text = |name: &String| std::fs::read_to_string(folder.join(name)).expect("a file");
    names_in(folder).into_iter().map(|name| (name.clone(), text(&name))).collect()
}

/// Runs an app that fails, and gives what is said of it.
fn failure(folder: &Path) -> String {
    let (code, out, err) = ankus(folder, &["run", "app"]);
    // What `check` says of it beforehand is shown, and it is run all the same.
    let is_finding = err.starts_with("warning[") || err.starts_with("error[");
    assert!(code == 1 && (err.is_empty() || is_finding), "{out}{err}");
    ankus(folder, &["job", "1-W", "info"]).1
}

/// `Text.hashCode`, another way: 31 to the power of the length, plus each byte times a power of 31.
fn hash(key: &str) -> i32 {
    let length = key.len() as u32;
    let powers = |exponent: u32| 31_i32.wrapping_pow(exponent);
    let bytes =
        key.bytes().zip(1..).map(|(byte, at)| i32::from(byte as i8).wrapping_mul(powers(length - at)));
    bytes.fold(powers(length), i32::wrapping_add)
}

#[test]
fn words_are_counted_by_several_reducers() {
    let map = "#!/bin/sh\ntr ' ' '\\n' | sed 's/$/\\t1/'\n";
    let reduce =
        "#!/bin/sh\nawk -F '\\t' '{ n[$1] += $2 } END { for (k in n) print k \"\\t\" n[k] }' | sort\n";
    let words = ["apple", "Äpfel", "zebra", "b", "B", "a-b", "über", "10", "9", "kiwi", "apple"];
    let (first, second) = words.split_at(6);
    for (name, reducers, combines) in [("one", "1", false), ("three", "3", false), ("combined", "3", true)] {
        let mut properties = vec![
            ("mapred.input.dir", "/in/*.txt,hdfs://nn/more"),
            ("mapred.output.dir", "/out"),
            ("mapreduce.job.reduces", reducers),
        ];
        if combines {
            properties.push(("mapred.combiner.class", "org.apache.hadoop.streaming.PipeCombiner"));
            properties.push(("stream.combine.streamprocessor", "reduce.sh"));
        }
        let elements = "<streaming><mapper>map.sh</mapper><reducer>reduce.sh</reducer></streaming>";
        let text = streaming(elements, &properties, "<file>map.sh</file><file>reduce.sh</file>");
        let folder = project(
            &format!("run-words-{name}"),
            &[
                ("app/workflow.xml", &text),
                ("app/map.sh", map),
                ("app/reduce.sh", reduce),
                ("data/in/a.txt", &first.join(" ")),
                ("data/in/other", "not read\n"),
                ("data/in/_hidden.txt", "not read\n"),
                ("data/more/b", &format!("{}\n", second.join("\n"))),
                ("data/more/.crc", "not read\n"),
            ],
        );
        let (code, out, err) = ankus(&folder, &["run", "app"]);
        assert_eq!((code, err.as_str()), (0, ""), "{out}{}", ankus(&folder, &["job", "1-W", "info"]).1);
        let count: u32 = reducers.parse().expect("a number");
        let mut expected: BTreeMap<String, String> =
            (0..count).map(|part| (format!("part-{part:05}"), String::new())).collect();
        expected.insert("_SUCCESS".to_owned(), String::new());
        let mut different: Vec<&str> = words.to_vec();
        different.sort();
        different.dedup();
        for word in different {
            let part = (hash(word) & i32::MAX) as u32 % count;
            let times = words.iter().filter(|other| **other == word).count();
            let part = expected.get_mut(&format!("part-{part:05}")).expect("a part");
            part.push_str(&format!("{word}\t{times}\n"));
        }
        // What a reducer prints is in the order of its own sorting, which is that of this machine's language.
        let sorted = |parts: BTreeMap<String, String>| -> BTreeMap<String, Vec<String>> {
            let lines = |text: String| {
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                lines.sort();
                lines
            };
            parts.into_iter().map(|(name, text)| (name, lines(text))).collect()
        };
        assert_eq!(sorted(parts(&folder.join("data/out"))), sorted(expected), "{name}");
    }
}

#[test]
fn keys_are_sorted_by_their_bytes() {
    let properties = [("mapred.input.dir", "/in"), ("mapred.output.dir", "/out")];
    let text = streaming("<streaming><mapper>/bin/cat</mapper></streaming>", &properties, "");
    let lines = "b\t2\nä\nB\t1\na b\tx\r\n10\n9\nb\t1\nz";
    let folder = project("run-sorted", &[("app/workflow.xml", &text), ("data/in/x", lines)]);
    assert_eq!(ankus(&folder, &["-q", "run", "app"]).0, 0);
    let sorted = "10\t\n9\t\nB\t1\na b\tx\nb\t2\nb\t1\nz\t\nä\t\n";
    assert_eq!(parts(&folder.join("data/out"))["part-00000"], sorted);
    let (_, log, _) = ankus(&folder, &["job", "1-W", "log", "--action", "a"]);
    assert!(log.contains("Map input records=8\n") && log.contains("Reduce input groups=7\n"), "{log}");
    // The output is there now, and the next run is refused as Hadoop refuses it; nothing of it is changed.
    let (code, _, _) = ankus(&folder, &["-q", "run", "app", "--new"]);
    assert_eq!(code, 1);
    let (_, info, _) = ankus(&folder, &["job", "2-W", "info"]);
    assert!(info.contains("JA018: Output directory hdfs://nn/out already exists"), "{info}");
    assert_eq!(parts(&folder.join("data/out"))["part-00000"], sorted);
}

#[test]
fn arguments_pass_through_no_shell_and_the_environment_is_stated() {
    let command = r#"/usr/bin/env printf '%25s\n' "a;touch out" $(id) `id` | > x $HOME"#;
    let command = command.replace('>', "&gt;");
    let own = format!(
        "<streaming><mapper>{command}</mapper><reducer>env.sh</reducer><env>MINE=1</env></streaming>"
    );
    let properties = [
        ("mapred.input.dir", "/in"),
        ("mapred.output.dir", "/out"),
        ("mapred.map.tasks", "1"),
        ("my.own-name", "v w"),
    ];
    let text = streaming(&own, &properties, "<file>env.sh</file>");
    let script = "#!/bin/sh\ncat\necho \"$MINE/$my_own_name/$mapred_input_dir/$mapreduce_task_ismap/${SECRET-none}\"\n";
    let files = [("app/workflow.xml", text.as_str()), ("app/env.sh", script), ("data/in/x", "one line\n")];
    let folder = project("run-no-shell", &files);
    let mut program = crate::run::program(&folder, &["-q", "run", "app"]);
    let output = program.env("SECRET", "x").output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{}", ankus(&folder, &["job", "1-W", "info"]).1);
    let found = &parts(&folder.join("data/out"))["part-00000"];
    let mut expected =
        ["$(id)", "`id`", "|", ">", "x", "$HOME", "a;touch out"].map(|word| format!("{word}\t"));
    expected.sort();
    assert_eq!(found, &format!("{}\n1/v w//in/false/none\t\n", expected.join("\n")));
}

#[test]
fn what_cannot_be_done_is_said() {
    let cat = "<streaming><mapper>/bin/cat</mapper></streaming>";
    let paths = [("mapred.input.dir", "/in"), ("mapred.output.dir", "/out")];
    let with = |name, value| [&paths[..], &[(name, value)]].concat();
    type Case<'c> = (&'c str, Vec<(&'c str, &'c str)>, &'c str);
    let cases: [Case<'_>; 11] = [
        (cat, vec![("mapred.output.dir", "/out")], "No input paths specified in job"),
        (cat, vec![("mapred.input.dir", "/in")], "Output directory not set in JobConf."),
        (cat, vec![("mapred.input.dir", "/none"), paths[1]], "Input path does not exist: hdfs://nn/none"),
        (cat, vec![("mapred.input.dir", "/n*"), paths[1]], "Input Pattern hdfs://nn/n* matches 0 files"),
        (cat, vec![("mapred.input.dir", "/"), paths[1]], "Not a file: hdfs://nn/in"),
        (cat, vec![paths[0], ("mapred.output.dir", "hdfs://nn/../out")], "leads out of the folder"),
        (
            cat,
            with("mapred.output.format.class", "org.x.Other"),
            "`org.x.Other` of `mapred.output.format.class`",
        ),
        (cat, with("mapred.reduce.tasks", "many"), "`many` of `mapred.reduce.tasks` is no number"),
        ("<streaming/>", paths.to_vec(), "there is no mapper"),
        (
            "<streaming><mapper>/bin/false</mapper></streaming>",
            paths.to_vec(),
            "subprocess failed with code 1",
        ),
        (
            "<streaming><mapper>no-such-program</mapper></streaming>",
            paths.to_vec(),
            "cannot run `no-such-program`",
        ),
    ];
    for (number, (elements, properties, words)) in cases.into_iter().enumerate() {
        let text = streaming(elements, &properties, "");
        let folder =
            project(&format!("run-streaming-{number}"), &[("app/workflow.xml", &text), ("data/in/x", "x\n")]);
        let info = failure(&folder);
        assert!(info.contains("JA018") && info.contains(words), "{words}: {info}");
        assert_eq!(names_in(&folder.join("data/out")), [] as [&str; 0]);
    }
}

#[test]
fn mappers_alone_write_unsorted_parts_and_counters_are_told() {
    use std::io::Read;
    let properties = [
        ("mapred.input.dir", "/in"),
        ("mapred.output.dir", "/out"),
        ("mapred.reduce.tasks", "0"),
        ("mapred.map.tasks", "1"),
        ("mapred.output.compress", "true"),
        ("mapred.output.compression.codec", "org.apache.hadoop.io.compress.GzipCodec"),
    ];
    let text = streaming("<streaming><mapper>sed s/^/x/</mapper></streaming>", &properties, "");
    let check = r#"<ok to="check"/><error to="fail"/></action><decision name="check"><switch><case to="end">
        ${hadoop:counters('a')[RECORDS][MAP_IN] eq 4 and hadoop:counters('a')[RECORDS][MAP_OUT] eq 4}</case>
        <default to="fail"/></switch></decision>"#;
    let text = text.replace(r#"<ok to="end"/><error to="fail"/></action>"#, check);
    let folder = project("run-maps", &[("app/workflow.xml", &text), ("data/in/b", "c\nb\na\n")]);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, b"zipped\n").expect("memory takes everything");
    let bytes = encoder.finish().expect("memory takes everything");
    std::fs::write(folder.join("data/in/a.gz"), &bytes).expect("a file");
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}{}", ankus(&folder, &["job", "1-W", "info"]).1);
    // The longest part of the input comes first.
    assert!(bytes.len() > 6);
    let unzipped = |name: &str| {
        let mut text = String::new();
        let file = std::fs::File::open(folder.join("data/out").join(name)).expect("a part");
        flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("it is zipped");
        text
    };
    assert_eq!(names_in(&folder.join("data/out")), ["_SUCCESS", "part-00000.gz", "part-00001.gz"]);
    assert_eq!(unzipped("part-00000.gz"), "xzipped\t\n");
    assert_eq!(unzipped("part-00001.gz"), "xc\t\nxb\t\nxa\t\n");
}

#[test]
fn a_kill_ends_the_program_that_runs_and_leaves_no_part() {
    let program = env!("CARGO_BIN_EXE_ankus");
    let properties = [
        ("mapred.input.dir", "/in"),
        ("mapred.output.dir", "/out"),
        ("mapred.map.tasks", "1"),
        ("the.program", program),
    ];
    let text =
        streaming("<streaming><mapper>map.sh</mapper></streaming>", &properties, "<file>map.sh</file>");
    // It asks for its own end, and would not end by itself.
    let script = "#!/bin/sh\n\"$the_program\" job 1-W kill && exec tail -f /dev/null\n";
    let files = [("app/workflow.xml", text.as_str()), ("app/map.sh", script), ("data/in/x", "x\n")];
    let folder = project("run-streaming-kill", &files);
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    assert!(out.contains("RUNNING -> KILLED"), "{out}");
    assert_eq!(names_in(&folder.join("data/out")), [] as [&str; 0]);
    assert_eq!(
        names_in(&folder.join(".ankus/work/1/1")).iter().filter(|name| *name == "streaming").count(),
        0
    );
}
