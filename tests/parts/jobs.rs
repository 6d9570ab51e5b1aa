//! Jobs of Spark, of a Hive server and of map-reduce.

use super::Stand;
use crate::run::{ankus, project, workflow};
use ankus::execute::storage::backend::Backend;
use ankus::execute::storage::webhdfs::Webhdfs;

const COUNT: &str = "import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
print('option', spark.sparkContext._jvm.java.lang.System.getProperty('foo'))
lines = spark.read.text(sys.argv[1])
print('lines', lines.count())
lines.write.mode('overwrite').text(sys.argv[2])
";

#[test]
fn lines_go_from_hdfs_through_spark_and_a_hive_server() {
    let Some(stand) = Stand::of(&["hdfs", "thrift"]) else { return };
    let (uri, bin) = (stand.value("hdfs", "uri"), stand.value("thrift", "bin"));
    let path = format!("PATH={bin}:{}", std::env::var("PATH").expect("a path"));
    let config = format!(
        r#"[storage]
"hdfs://nn" = {{ webhdfs = "{}", user = "oozie" }}
[run.commands]
spark = ["env", "{path}", "SPARK_LOCAL_IP=127.0.0.1", "HADOOP_USER_NAME=oozie", "spark-submit", "--master", "local[1]",
    "--conf", "spark.ui.enabled=false", "--driver-memory", "512m", "{{name:--name}}", "{{spark-opts/}}", "{{jar}}", "{{arg}}"]
hive2 = ["env", "{path}", "beeline", "-u", "{{jdbc-url}}", "{{user.name:-n}}", "{{password-file:-w}}", "{{script:-f}}",
    "{{param:--hivevar}}", "{{argument}}"]
"#,
        stand.value("hdfs", "webhdfs")
    );
    let nodes = format!(
        r#"<start to="in"/><action name="in"><fs><mkdir path="/in"/><mkdir path="/out"/><touchz path="/in/a"/></fs>
        <ok to="count"/><error to="fail"/></action>
        <action name="count"><spark xmlns="uri:oozie:spark-action:1.0"><master>yarn</master><name>count lines</name>
        <jar>count.py</jar><spark-opts>--conf spark.driver.extraJavaOptions="-Xss2m -Dfoo=bar"</spark-opts>
        <arg>{uri}/in</arg><arg>{uri}/out/lines</arg><file>count.py</file></spark><ok to="ask"/><error to="fail"/></action>
        <action name="ask"><hive2 xmlns="uri:oozie:hive2-action:1.0"><jdbc-url>{}</jdbc-url><script>ask.hql</script>
        <param>WHAT=two words</param></hive2><ok to="end"/><error to="fail"/></action>"#,
        stand.value("thrift", "jdbc")
    );
    let files = [
        ("ankus.toml", config.as_str()),
        ("app/workflow.xml", &workflow("lines", &nodes)),
        ("app/count.py", COUNT),
        ("app/ask.hql", "select concat('n=', '${WHAT}') as a;\n"),
    ];
    let folder = project("parts-lines", &files);
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    let log = ankus(&folder, &["job", "1-W", "log"]).1;
    assert_eq!(code, 0, "{out}{err}{log}");
    for part in ["option bar", "lines 0", "n=two words"] {
        assert!(log.contains(part), "{part}: {log}");
    }
    let backend = Webhdfs::new(&stand.value("hdfs", "webhdfs"), "", "oozie");
    assert!(backend.status("out/lines/_SUCCESS").expect("asked").is_some());
}

/// A word count by classes of Hadoop, and a decision on its counters.
const WORDS: &str = r#"<start to="words"/><action name="words"><map-reduce><name-node>NAMENODE</name-node>
    <prepare><delete path="NAMENODE/work/out"/></prepare><configuration>
    <property><name>mapreduce.framework.name</name><value>local</value></property>
    <property><name>mapred.mapper.class</name><value>org.apache.hadoop.mapred.lib.TokenCountMapper</value></property>
    <property><name>mapred.reducer.class</name><value>org.apache.hadoop.mapred.lib.LongSumReducer</value></property>
    <property><name>mapred.output.key.class</name><value>org.apache.hadoop.io.Text</value></property>
    <property><name>mapred.output.value.class</name><value>org.apache.hadoop.io.LongWritable</value></property>
    <property><name>mapred.input.dir</name><value>/work/in</value></property>
    <property><name>mapred.output.dir</name><value>NAMENODE/work/out</value></property>
    </configuration></map-reduce><ok to="look"/><error to="fail"/></action>
    <decision name="look"><switch><case to="end">${hadoop:counters('words')[RECORDS][MAP_IN] eq 2
    and fs:exists('NAMENODE/work/out/_SUCCESS')}</case><default to="fail"/></switch></decision>"#;

#[test]
fn a_job_of_map_reduce_works_on_a_folder_and_on_a_cluster() {
    let Some(stand) = Stand::of(&["hdfs", "mapred"]) else { return };
    let (uri, web) = (stand.value("hdfs", "uri"), stand.value("hdfs", "webhdfs"));
    let backend = Webhdfs::new(&web, "", "oozie");
    backend.create("work/in/text", &mut &b"one two\ntwo\n"[..]).expect("written");
    let tables = [
        ("folder", "hdfs://nn", "\"data\"".to_owned()),
        ("cluster", uri.as_str(), format!("{{ webhdfs = \"{web}\", user = \"oozie\" }}")),
    ];
    for (name, name_node, table) in tables {
        let config = format!(
            r#"[storage]
"{name_node}" = {table}
[run.commands]
map-reduce = ["env", "HADOOP_USER_NAME=oozie", "java", "-Xmx256m", "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "-cp", "{}", "{}", "{{conf}}"]
"#,
            stand.value("mapred", "classpath"),
            stand.value("mapred", "main"),
        );
        let nodes = WORDS.replace("NAMENODE", name_node);
        let files = [
            ("ankus.toml", config.as_str()),
            ("app/workflow.xml", &workflow("words", &nodes)),
            ("data/work/in/text", "one two\ntwo\n"),
        ];
        let folder = project(&format!("parts-words-{name}"), &files);
        let (code, out, err) = ankus(&folder, &["run", "app"]);
        assert_eq!(code, 0, "{name}: {out}{err}{}", ankus(&folder, &["job", "1-W", "log"]).1);
        let counted = std::fs::read_to_string(folder.join("data/work/out/part-00000"));
        match name {
            "folder" => assert_eq!(counted.expect("a part"), "one\t1\ntwo\t2\n"),
            _ => {
                assert!(counted.is_err(), "it lies on the cluster");
                let mut text = String::new();
                let mut part = backend.open("work/out/part-00000").expect("a part");
                std::io::Read::read_to_string(&mut part, &mut text).expect("text");
                assert_eq!(text, "one\t1\ntwo\t2\n");
            }
        }
    }
}
