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
