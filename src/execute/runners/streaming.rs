//! Map-reduce actions with `streaming` (`MapReduceActionExecutor.setStreaming`, `StreamingMain`): what their configuration
//! asks for, as a job that runs on this machine. What it cannot do is refused, never left out.

use super::configuration::{self, Configuration};
use super::{Action, Attempt, Refusal, Work, environment, fault, launcher, paths};
use crate::engine::Fault;
use crate::execute::attempt::Task;
use crate::execute::storage::StorageError;
use crate::execute::storage::fault::Why;
use crate::execute::streaming::{Codec, Fields, Job, words::words};
use crate::xml::Element;

/// Classes that the local runner stands for, by the properties that name them, newest name last.
const CLASSES: [(&[&str], &str); 10] = [
    (&["mapred.mapper.class", "mapreduce.job.map.class"], "PipeMapper"),
    (&["mapred.reducer.class", "mapreduce.job.reduce.class"], "PipeReducer"),
    (&["mapred.combiner.class", "mapreduce.job.combine.class"], "PipeCombiner"),
    (&["mapred.map.runner.class", "mapreduce.job.map.runner.class"], "PipeMapRunner"),
    (&["mapred.input.format.class", "mapreduce.job.inputformat.class"], "TextInputFormat"),
    (&["mapred.output.format.class", "mapreduce.job.outputformat.class"], "TextOutputFormat"),
    (&["mapred.partitioner.class", "mapreduce.job.partitioner.class"], "HashPartitioner"),
    (&["mapred.output.key.comparator.class", "mapreduce.job.output.key.comparator.class"], "Text$Comparator"),
    (
        &["mapred.output.value.groupfn.class", "mapreduce.job.output.group.comparator.class"],
        "Text$Comparator",
    ),
    (&["stream.map.input", "stream.map.output"], "text"),
];

/// What `StreamingMain` puts into every job, unless the configuration says otherwise.
const PUT: [(&str, &str); 9] = [
    ("mapred.mapper.class", "org.apache.hadoop.streaming.PipeMapper"),
    ("mapred.reducer.class", "org.apache.hadoop.streaming.PipeReducer"),
    ("mapred.map.runner.class", "org.apache.hadoop.streaming.PipeMapRunner"),
    ("mapred.input.format.class", "org.apache.hadoop.mapred.TextInputFormat"),
    ("mapred.output.format.class", "org.apache.hadoop.mapred.TextOutputFormat"),
    ("mapred.output.value.class", "org.apache.hadoop.io.Text"),
    ("mapred.output.key.class", "org.apache.hadoop.io.Text"),
    ("mapred.create.symlink", "yes"),
    ("mapred.used.genericoptionsparser", "true"),
];

/// The property with the environment of mappers and reducers, pairs with blanks between.
const ENVIRONMENT: &str = "stream.addenvironment";

/// What `StreamingMain` makes of the element `streaming`, as properties of the job.
fn properties(texts: &dyn Fn(&str) -> Vec<String>) -> Result<Vec<(String, String)>, Fault> {
    let mut found: Vec<(String, String)> =
        PUT.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    for (property, name) in [
        ("stream.map.streamprocessor", "mapper"),
        ("stream.reduce.streamprocessor", "reducer"),
        ("stream.recordreader.class", "record-reader"),
    ] {
        found.extend(texts(name).into_iter().next().map(|text| (property.to_owned(), text)));
    }
    for text in texts("record-reader-mapping") {
        // What stands behind a second `=` is lost.
        let mut parts = text.split('=');
        let (Some(name), Some(value)) = (parts.next(), parts.next()) else {
            return Err(fault("JA018", format!("`{text}` of `record-reader-mapping` has no `=`")));
        };
        found.push((format!("stream.recordreader.{name}"), value.to_owned()));
    }
    let env: String = texts("env").into_iter().map(|pair| pair + " ").collect();
    found.push((ENVIRONMENT.to_owned(), env));
    Ok(found)
}

/// The work of a streaming action.
pub(super) fn work(action: &Action<'_>, root: &Element, attempt: &Attempt) -> Result<Work, Refusal> {
    let setup = super::setup(action, root)?;
    let mut conf = configuration::of(action, root)?;
    let streaming = root.child("streaming");
    let texts = |name: &str| -> Vec<String> {
        let found = streaming.into_iter().flat_map(|it| it.children_named(name));
        found.map(|element| element.text().value.trim().to_owned()).collect()
    };
    for (property, value) in properties(&texts)? {
        conf.entry(property).or_insert(value);
    }
    let get = |names: &[&str]| names.iter().rev().find_map(|name| conf.get(*name)).map(|text| text.trim());
    for (names, class) in CLASSES {
        if let Some(other) = get(names).filter(|name| name.rsplit(['.', ' ']).next() != Some(class)) {
            let words =
                format!("`{other}` of `{}` is not run on this machine; `--stub` stands for it", names[0]);
            return Err(fault("JA018", words).into());
        }
    }
    let command = |name: &str| -> Result<Option<Vec<String>>, Fault> {
        let text = conf.get(name).filter(|text| *text != "NONE");
        text.map(|text| words(text).map_err(|error| fault("JA018", format!("{name}: {error}")))).transpose()
    };
    let number = |names: &[&str], default: u64| -> Result<u64, Fault> {
        let Some(text) = get(names) else { return Ok(default) };
        text.parse().map_err(|_| fault("JA018", format!("`{text}` of `{}` is no number", names[0])))
    };
    let is = |names: &[&str], default: bool| get(names).map_or(default, |text| text == "true");
    let text = |name: &str| conf.get(name).cloned().unwrap_or_else(|| "\t".to_owned());
    let fields = |separator: &str, keys: &str| -> Result<Fields, Fault> {
        let keys = usize::try_from(number(&[keys], 1)?).unwrap_or(usize::MAX);
        Ok(Fields { separator: text(separator), keys })
    };
    let mapper = command("stream.map.streamprocessor")?;
    let mapper = mapper.ok_or_else(|| fault("JA018", "there is no mapper"))?;
    let has_combiner = get(&["mapred.combiner.class", "mapreduce.job.combine.class"]).is_some();
    let inputs = get(&["mapred.input.dir", "mapreduce.input.fileinputformat.inputdir"]).unwrap_or_default();
    let output =
        get(&["mapred.output.dir", "mapreduce.output.fileoutputformat.outputdir"]).unwrap_or_default();
    let reducers = number(&["mapred.reduce.tasks", "mapreduce.job.reduces"], 1)?;
    let job = Job {
        storage: action.storage.clone(),
        inputs: listed(inputs).iter().map(|path| uri(action, root, path)).collect(),
        output: if output.is_empty() { String::new() } else { uri(action, root, output) },
        mapper,
        combiner: if has_combiner { command("stream.combine.streamprocessor")? } else { None },
        reducer: command("stream.reduce.streamprocessor")?,
        reducers: u32::try_from(reducers).map_err(|_| fault("JA018", "there are too many reducers"))?,
        maps: number(&["mapred.map.tasks", "mapreduce.job.maps"], 2)?,
        env: env(&conf)?,
        map_output: fields("stream.map.output.field.separator", "stream.num.map.output.key.fields")?,
        reduce_output: fields("stream.reduce.output.field.separator", "stream.num.reduce.output.key.fields")?,
        map_input_separator: (!is(&["stream.map.input.ignoreKey"], true))
            .then(|| text("stream.map.input.field.separator")),
        reduce_input_separator: text("stream.reduce.input.field.separator"),
        separator: get_untrimmed(
            &conf,
            &["mapreduce.output.textoutputformat.separator", "mapred.textoutputformat.separator"],
        ),
        codec: codec(&get)?,
        fails_on_exit_code: is(&["stream.non.zero.exit.is.failure"], true),
        marks_success: is(&["mapreduce.fileoutputcommitter.marksuccessfuljobs"], true),
    };
    configuration::write(&conf, attempt)?;
    let max_output = launcher::max_output(&conf);
    Ok(Work { setup, task: Task::Streaming(Box::new(job)), max_output })
}

fn get_untrimmed(conf: &Configuration, names: &[&str]) -> String {
    names.iter().find_map(|name| conf.get(*name)).cloned().unwrap_or_else(|| "\t".to_owned())
}

/// How the output is compressed (`TextOutputFormat.getRecordWriter`).
fn codec<'c>(get: &impl Fn(&[&str]) -> Option<&'c str>) -> Result<Option<Codec>, Fault> {
    if get(&["mapred.output.compress", "mapreduce.output.fileoutputformat.compress"]) != Some("true") {
        return Ok(None);
    }
    let names = ["mapred.output.compression.codec", "mapreduce.output.fileoutputformat.compress.codec"];
    let class = get(&names).unwrap_or("DefaultCodec");
    match class.rsplit('.').next() {
        Some("GzipCodec") => Ok(Some(Codec::Gzip)),
        Some("DefaultCodec" | "DeflateCodec") => Ok(Some(Codec::Deflate)),
        _ => Err(fault("JA018", format!("outputs are not compressed with `{class}` on this machine"))),
    }
}

/// Paths with commas between; a comma behind `\` is part of a path (`StringUtils.split`).
fn listed(text: &str) -> Vec<String> {
    let (mut paths, mut path, mut signs) = (Vec::new(), String::new(), text.chars());
    while let Some(sign) = signs.next() {
        match sign {
            '\\' => path.extend(signs.next()),
            ',' => paths.push(std::mem::take(&mut path)),
            sign => path.push(sign),
        }
    }
    paths.push(path);
    paths.into_iter().map(|path| path.trim().to_owned()).filter(|path| !path.is_empty()).collect()
}

/// A path of the configuration as a URI: on the name node or, where no folder stands for that, on this machine.
fn uri(action: &Action<'_>, root: &Element, path: &str) -> String {
    let uri = paths::uri(root, path);
    let fixed = &uri[..uri.find(['*', '?', '[', '{']).unwrap_or(uri.len())];
    match action.storage.locate(fixed) {
        Err(StorageError { why: Why::Unmapped, .. }) => path.to_owned(),
        _ => uri,
    }
}

/// The environment of mappers and reducers: what all actions have, the configuration under names that are fit for it
/// (`PipeMapRed.addJobConfToEnvironment`), and what `env` adds unless the configuration names an environment itself.
fn env(conf: &Configuration) -> Result<Vec<(String, String)>, Fault> {
    let name = |name: &str| -> String {
        name.chars().map(|sign| if sign.is_ascii_alphanumeric() { sign } else { '_' }).collect()
    };
    let mut env = environment();
    env.extend(launcher::env(conf)?);
    env.extend(conf.iter().map(|(property, value)| (name(property), value.clone())));
    let added = conf.get(ENVIRONMENT).into_iter();
    // `PipeMapRed.addEnvironment`: split at spaces; what is no pair is passed over.
    for pair in added.flat_map(|text| text.split(' ')) {
        if let Some((name, value)) = pair.split_once('=').filter(|(name, _)| !name.is_empty()) {
            env.push((name.to_owned(), value.to_owned()));
        }
    }
    env.retain(|(_, value)| !value.contains('\0'));
    Ok(env)
}
