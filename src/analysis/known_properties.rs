//! Names of settings that Hadoop, Hive and Oozie read, and which of them a name nearly is.
//!
//! Gathered from `mapred-default.xml`, `yarn-default.xml`, `hive-default.xml`, Hadoop's table of deprecated names and
//! `oozie-default.xml` with the specifications: what actions and submissions set. A name that is not here is not wrong.

use crate::diag::distance;

/// What stands before a property of the launcher.
const LAUNCHER: &str = "oozie.launcher.";

/// Shorter names are near to each other by chance.
const MIN_LENGTH: usize = 12;
/// From this length on two letters may differ.
const LONG: usize = 20;

/// Known names.
#[rustfmt::skip]
pub const NAMES: &[&str] = &[
    "dfs.blocksize", "dfs.block.size", "dfs.client.use.datanode.hostname", "dfs.namenode.kerberos.principal", "dfs.nameservices",
    "dfs.permissions.enabled", "dfs.replication", "dfs.umaskmode",
    "fs.default.name", "fs.defaultFS", "fs.permissions.umask-mode", "fs.hdfs.impl.disable.cache", "fs.trash.interval",
    "hbase.master.kerberos.principal", "hbase.regionserver.kerberos.principal", "hbase.security.authentication",
    "hbase.zookeeper.property.clientPort", "hbase.zookeeper.quorum",
    "hcat.metastore.principal", "hcat.metastore.uri",
    "hive.auto.convert.join", "hive.default.fileformat", "hive.exec.compress.intermediate", "hive.exec.compress.output",
    "hive.exec.dynamic.partition", "hive.exec.dynamic.partition.mode", "hive.exec.max.created.files",
    "hive.exec.max.dynamic.partitions", "hive.exec.max.dynamic.partitions.pernode", "hive.exec.mode.local.auto",
    "hive.exec.parallel", "hive.exec.parallel.thread.number", "hive.exec.reducers.bytes.per.reducer",
    "hive.exec.reducers.max", "hive.exec.scratchdir", "hive.execution.engine", "hive.input.format",
    "hive.mapred.mode", "hive.merge.mapfiles", "hive.merge.mapredfiles", "hive.merge.size.per.task",
    "hive.merge.smallfiles.avgsize", "hive.metastore.client.socket.timeout", "hive.metastore.execute.setugi", "hive.metastore.kerberos.principal", "hive.metastore.local",
    "hive.metastore.sasl.enabled", "hive.metastore.uris", "hive.metastore.warehouse.dir", "hive.optimize.sort.dynamic.partition", "hive.server2.authentication.kerberos.principal",
    "hive.stats.autogather", "hive.support.concurrency", "hive.tez.container.size", "hive.tez.java.opts",
    "hive.vectorized.execution.enabled", "hive2.jdbc.url", "hive2.server.principal",
    "io.compression.codecs", "io.serializations", "io.sort.factor", "io.sort.mb",
    "javax.jdo.option.ConnectionDriverName", "javax.jdo.option.ConnectionPassword", "javax.jdo.option.ConnectionURL",
    "javax.jdo.option.ConnectionUserName",
    "mapred.cache.archives", "mapred.cache.files", "mapred.child.env", "mapred.child.java.opts", "mapred.child.ulimit",
    "mapred.combiner.class", "mapred.compress.map.output", "mapred.create.symlink", "mapred.input.dir",
    "mapred.input.format.class", "mapred.input.key.class", "mapred.input.value.class", "mapred.job.classpath.archives", "mapred.job.classpath.files",
    "mapred.job.map.memory.mb", "mapred.job.name", "mapred.job.priority", "mapred.job.queue.name",
    "mapred.job.reduce.memory.mb", "mapred.job.reuse.jvm.num.tasks", "mapred.job.tracker",
    "mapred.map.child.env", "mapred.map.child.java.opts", "mapred.map.max.attempts", "mapred.map.output.compression.codec", "mapred.map.tasks",
    "mapred.map.tasks.speculative.execution", "mapred.mapoutput.key.class", "mapred.mapoutput.value.class",
    "mapred.mapper.class", "mapred.mapper.new-api", "mapred.map.runner.class", "mapred.max.split.size", "mapred.min.split.size", "mapred.min.split.size.per.node", "mapred.min.split.size.per.rack",
    "mapred.output.compress", "mapred.output.compression.codec", "mapred.output.compression.type", "mapred.output.dir",
    "mapred.output.format.class", "mapred.output.key.class", "mapred.output.key.comparator.class", "mapred.output.value.class", "mapred.output.value.groupfn.class",
    "mapred.partitioner.class", "mapred.reduce.child.env", "mapred.reduce.child.java.opts", "mapred.reduce.max.attempts",
    "mapred.reduce.slowstart.completed.maps", "mapred.reduce.tasks", "mapred.reduce.tasks.speculative.execution",
    "mapred.reducer.class", "mapred.reducer.new-api", "mapred.skip.mode.enabled", "mapred.task.timeout", "mapred.textoutputformat.separator", "mapred.working.dir",
    "mapreduce.combine.class", "mapreduce.fileoutputcommitter.algorithm.version", "mapreduce.fileoutputcommitter.marksuccessfuljobs", "mapreduce.framework.name",
    "mapreduce.input.fileinputformat.input.dir.recursive", "mapreduce.input.fileinputformat.inputdir",
    "mapreduce.input.fileinputformat.split.maxsize", "mapreduce.input.fileinputformat.split.minsize", "mapreduce.input.lineinputformat.linespermap",
    "mapreduce.job.acl-modify-job", "mapreduce.job.acl-view-job", "mapreduce.job.cache.archives",
    "mapreduce.job.cache.files", "mapreduce.job.cache.symlink.create", "mapreduce.job.classloader",
    "mapreduce.job.combine.class", "mapreduce.job.complete.cancel.delegation.tokens", "mapreduce.job.counters.max", "mapreduce.job.credentials.binary", "mapreduce.job.inputformat.class",
    "mapreduce.job.hdfs-servers", "mapreduce.job.jar", "mapreduce.job.jvm.numtasks", "mapreduce.job.log4j-properties-file", "mapreduce.job.map.class", "mapreduce.job.maps", "mapreduce.job.maxtaskfailures.per.tracker",
    "mapreduce.job.name", "mapreduce.job.node-label-expression", "mapreduce.job.outputformat.class",
    "mapreduce.job.output.key.class", "mapreduce.job.output.value.class", "mapreduce.job.output.key.comparator.class", "mapreduce.job.output.group.comparator.class", "mapreduce.job.partitioner.class",
    "mapreduce.job.priority", "mapreduce.job.queuename", "mapreduce.job.reduce.class",
    "mapreduce.job.reduce.slowstart.completedmaps", "mapreduce.job.reduces", "mapreduce.job.running.map.limit", "mapreduce.job.running.reduce.limit", "mapreduce.job.split.metainfo.maxsize", "mapreduce.job.tags",
    "mapreduce.job.ubertask.enable", "mapreduce.job.user.classpath.first", "mapreduce.job.user.name", "mapreduce.job.working.dir",
    "mapreduce.jobtracker.address", "mapreduce.jobtracker.kerberos.principal",
    "mapreduce.map.class", "mapreduce.map.cpu.vcores", "mapreduce.map.env", "mapreduce.map.failures.maxpercent", "mapreduce.map.java.opts",
    "mapreduce.map.log.level", "mapreduce.map.maxattempts", "mapreduce.map.memory.mb", "mapreduce.map.output.compress",
    "mapreduce.map.output.compress.codec", "mapreduce.map.output.key.class", "mapreduce.map.output.value.class", "mapreduce.map.sort.spill.percent",
    "mapreduce.map.speculative", "mapreduce.output.fileoutputformat.compress",
    "mapreduce.output.fileoutputformat.compress.codec", "mapreduce.output.fileoutputformat.compress.type",
    "mapreduce.output.fileoutputformat.outputdir", "mapreduce.output.basename", "mapreduce.output.textoutputformat.separator", "mapreduce.partitioner.class",
    "mapreduce.inputformat.class", "mapreduce.outputformat.class",
    "mapreduce.pipes.isjavamapper", "mapreduce.pipes.isjavarecordreader", "mapreduce.pipes.isjavarecordwriter", "mapreduce.pipes.isjavareducer",
    "mapreduce.reduce.class", "mapreduce.reduce.cpu.vcores", "mapreduce.reduce.env", "mapreduce.reduce.failures.maxpercent",
    "mapreduce.reduce.java.opts", "mapreduce.reduce.log.level", "mapreduce.reduce.maxattempts",
    "mapreduce.reduce.memory.mb", "mapreduce.reduce.shuffle.input.buffer.percent", "mapreduce.reduce.shuffle.parallelcopies", "mapreduce.reduce.speculative",
    "mapreduce.task.classpath.user.precedence", "mapreduce.task.io.sort.factor", "mapreduce.task.io.sort.mb",
    "mapreduce.task.timeout", "mapreduce.user.classpath.first",
    "oozie.action.external.stats.write", "oozie.action.max.output.data", "oozie.action.sharelib.for.distcp",
    "oozie.action.sharelib.for.hive", "oozie.action.sharelib.for.hive2", "oozie.action.sharelib.for.java",
    "oozie.action.sharelib.for.map-reduce", "oozie.action.sharelib.for.mapreduce-streaming", "oozie.action.sharelib.for.pig",
    "oozie.action.sharelib.for.shell", "oozie.action.sharelib.for.spark", "oozie.action.sharelib.for.sqoop",
    "oozie.action.sqoop.shellsplitter",
    "oozie.bundle.application.path", "oozie.coord.action.notification.url", "oozie.coord.application.path",
    "oozie.coord.workflow.application.path",
    "oozie.hive.defaults", "oozie.hive.log.level", "oozie.job.acl", "oozie.libpath", "oozie.mapreduce.uber.jar", "oozie.map.reduce.uber.jar.enable",
    "oozie.pig.log.level", "oozie.pig.script", "oozie.proxysubmission", "oozie.service.coord.normal.default.timeout", "oozie.sqoop.command", "oozie.sqoop.log.level",
    "oozie.subworkflow.classpath.inheritance", "oozie.use.system.libpath",
    "oozie.wf.action.notification.proxy", "oozie.wf.action.notification.url", "oozie.wf.application.path", "oozie.wf.application.lib", "oozie.wf.external.id",
    "oozie.wf.rerun.failnodes", "oozie.wf.rerun.skip.nodes", "oozie.wf.subworkflow.classpath.inheritance",
    "oozie.wf.validate.ForkJoin", "oozie.wf.workflow.notification.proxy", "oozie.wf.workflow.notification.url",
    "oozie.workflow.notification.url", "oozie.spark.setup.hadoop.conf.dir", "oozie.action.shell.setup.hadoop.conf.dir",
    "pig.exec.reducers.bytes.per.reducer", "pig.maxCombinedSplitSize", "pig.splitCombination",
    "stream.io.identifier.resolver.class", "stream.num.map.output.key.fields", "tez.am.resource.memory.mb", "tez.lib.uris", "tez.queue.name", "tez.task.resource.memory.mb",
    "yarn.app.mapreduce.am.admin.user.env", "yarn.app.mapreduce.am.command-opts", "yarn.app.mapreduce.am.env", "yarn.app.mapreduce.am.log.level",
    "yarn.app.mapreduce.am.resource.cpu-vcores", "yarn.app.mapreduce.am.resource.mb", "yarn.app.mapreduce.am.staging-dir",
    "yarn.log-aggregation-enable", "yarn.nodemanager.aux-services", "yarn.resourcemanager.address",
    "yarn.resourcemanager.principal", "yarn.resourcemanager.scheduler.address", "yarn.scheduler.maximum-allocation-mb", "yarn.timeline-service.enabled",
];

/// Names that people take for known ones, though more than a letter or two differs.
const ALIASES: &[(&str, &str)] = &[
    ("mapreduce.job.queue", "mapreduce.job.queuename"),
    ("mapreduce.queue.name", "mapreduce.job.queuename"),
    ("mapred.queue.name", "mapred.job.queue.name"),
    ("mapred.job.queue", "mapred.job.queue.name"),
    ("mapreduce.input.fileinputformat.input", "mapreduce.input.fileinputformat.inputdir"),
    ("mapreduce.output.fileoutputformat.output", "mapreduce.output.fileoutputformat.outputdir"),
    ("oozie.use.libpath", "oozie.use.system.libpath"),
    ("oozie.use.system.lib", "oozie.use.system.libpath"),
    ("oozie.system.libpath", "oozie.use.system.libpath"),
    ("oozie.application.path", "oozie.wf.application.path"),
    ("oozie.wf.app.path", "oozie.wf.application.path"),
    ("oozie.wf.path", "oozie.wf.application.path"),
    ("oozie.wf.application.dir", "oozie.wf.application.path"),
    ("oozie.workflow.application.path", "oozie.wf.application.path"),
    ("oozie.workflow.app.path", "oozie.wf.application.path"),
    ("oozie.coord.app.path", "oozie.coord.application.path"),
    ("oozie.coord.path", "oozie.coord.application.path"),
    ("oozie.coordinator.application.path", "oozie.coord.application.path"),
    ("oozie.coordinator.app.path", "oozie.coord.application.path"),
    ("oozie.bundle.app.path", "oozie.bundle.application.path"),
    ("oozie.bundle.path", "oozie.bundle.application.path"),
];

/// The known name that `name` nearly is; none where it is known itself, or near to nothing.
pub fn near(name: &str) -> Option<String> {
    let (head, tail) = match name.strip_prefix(LAUNCHER) {
        Some(tail) => (LAUNCHER, tail),
        None => ("", name),
    };
    let is_name = tail.len() >= MIN_LENGTH && !tail.contains(['$', '{', '/', ':']) && tail.contains('.');
    if !is_name || !tail.is_ascii() || NAMES.contains(&tail) {
        return None;
    }
    if let Some((_, known)) = ALIASES.iter().find(|(alias, _)| *alias == tail) {
        return Some(format!("{head}{known}"));
    }
    let limit = if tail.len() < LONG { 1 } else { 2 };
    let plain = plain(tail);
    let is_same = |known: &&&str| self::plain(known) == plain;
    // The last word, or a unit, is left away.
    let is_cut = |known: &&&str| {
        known.strip_prefix(tail).is_some_and(|rest| rest.starts_with('.') && rest.len() <= ".mb".len())
    };
    let found = NAMES.iter().find(is_same).or_else(|| NAMES.iter().find(is_cut)).or_else(|| {
        let near = NAMES.iter().filter_map(|known| Some((distance(tail, known, limit)?, known)));
        near.min().map(|(_, known)| known)
    })?;
    Some(format!("{head}{found}"))
}

/// A name without case and punctuation.
fn plain(name: &str) -> String {
    let is_punctuation = |c: &char| matches!(c, '.' | '-' | '_' | ' ');
    name.chars().filter(|c| !is_punctuation(c)).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_near_by_punctuation_or_a_letter() {
        for (name, expected) in [
            ("mapreduce.job.queue.name", Some("mapreduce.job.queuename")),
            ("mapred.job.queuename", Some("mapred.job.queue.name")),
            ("oozie.launcher.mapreduce.job.queue.name", Some("oozie.launcher.mapreduce.job.queuename")),
            ("mapreduce.map.memory", Some("mapreduce.map.memory.mb")),
            ("mapreduce.job.reducers", Some("mapreduce.job.reduces")),
            ("oozie.use.system.libpaht", Some("oozie.use.system.libpath")),
            ("MapReduce.job.queuename", Some("mapreduce.job.queuename")),
            ("mapreduce.job.queuename", None),
            ("mapreduce.job.maps", None),
            ("com.example.queue.name", None),
            // A parameter of its own, not a setting.
            ("mapred_max_split_size", None),
            ("oozie.launcher.action.main.class", None),
        ] {
            assert_eq!(near(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn no_known_name_is_taken_for_another() {
        for name in NAMES {
            assert_eq!(near(name), None);
            assert!(NAMES.iter().filter(|other| *other == name).count() == 1, "{name} stands twice");
        }
    }
}
