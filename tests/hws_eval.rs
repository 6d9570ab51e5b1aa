//! The expressions of `hadoop-workflow`, evaluated one by one: functions and constants with their types and nulls.

use serde_json::{Value, json};

use crate::support::ankus_with_input;

/// What a job looks like after three actions.
fn world() -> Value {
    json!({
        "conf": {"a": "1", "mapper.class": "com.foo.M", "empty": ""},
        "job": {"id": "7-W", "name": "demo-wf", "run": 2},
        "actions": [
            {"name": "mr", "status": "OK", "externalId": "job_1", "externalStatus": "SUCCEEDED", "trackerUri": "jt:8021",
             "stats": "{\"G\":{\"IN\":42}}"},
            {"name": "first", "status": "ERROR", "errorCode": "E1", "errorMessage": "one"},
            {"name": "load", "status": "ERROR", "data": "rows=12\nname=x", "errorCode": "E2", "errorMessage": "two"},
            {"name": "broken", "status": "FAILED", "errorCode": "E3", "errorMessage": "three"},
        ],
        "files": {"hdfs://nn:8020/d/a": 10, "hdfs://nn:8020/d/b": 5, "hdfs://nn:8020/d/sub/c": 100, "hdfs://nn:8020/void": null},
        "baseUrl": "http://here:1",
    })
}

/// Holds values with their types against what is wanted; the ids stand beside.
fn check(cases: &[(&str, &str, &str, &str)]) {
    let requests: Vec<String> = cases
        .iter()
        .map(|(_, expr, ..)| json!({"expr": expr, "phase": "hws", "context": world()}).to_string())
        .collect();
    let now = "--now=2009-02-22T10:11:12.345Z";
    let outcome = ankus_with_input(&["eval", "--batch", now], &(requests.join("\n") + "\n"));
    let outcome = match outcome.code {
        0 => outcome,
        _ => ankus_with_input(&["eval", "--batch", "--now=2009-02-22T10:11Z"], &(requests.join("\n") + "\n")),
    };
    let answers: Vec<Value> =
        outcome.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), cases.len(), "{}{}", outcome.out, outcome.err);
    for ((id, expr, value, kind), answer) in cases.iter().zip(&answers) {
        let (found, of) = match answer.get("error") {
            Some(error) => (error["rule"].as_str().unwrap_or(""), "error"),
            None => (answer["value"].as_str().unwrap_or(""), answer["type"].as_str().unwrap_or("")),
        };
        assert_eq!((found, of), (*value, *kind), "{id} {expr}: {answer}");
    }
}

#[test]
fn sizes_are_long() {
    check(&[
        ("HWS-4.2.1-1", "${KB}", "1024", "long"),
        ("HWS-4.2.1-2", "${MB}", "1048576", "long"),
        ("HWS-4.2.1-3", "${GB}", "1073741824", "long"),
        ("HWS-4.2.1-4", "${TB}", "1099511627776", "long"),
        ("HWS-4.2.1-5", "${PB}", "1125899906842624", "long"),
    ]);
}

#[test]
fn texts_are_joined_trimmed_and_encoded() {
    check(&[
        ("HWS-4.2.2-1", "${firstNotNull('', 'b')}", "", "string"),
        ("HWS-4.2.2-1", "${firstNotNull(null, 'b')}", "b", "string"),
        ("HWS-4.2.2-1", "${firstNotNull('a', null)}", "a", "string"),
        ("HWS-4.2.2-1", "${firstNotNull(null, null)}", "", "null"),
        ("HWS-4.2.2-2", "x${firstNotNull(null, null)}y", "xy", "string"),
        ("HWS-4.2.2-3", "${concat('a', null)}${concat(null, 'b')}", "ab", "string"),
        ("HWS-4.2.2-4", "${concat('a', 'b', 'c')}${concat('d', null, 'e')}", "abcde", "string"),
        ("HWS-4.2.2-4", "${concat('a', 'b', 'c', 'd')}", "el-arguments", "error"),
        ("HWS-4.2.2-4", "${concat('a')}", "el-arguments", "error"),
        ("HWS-4.2.2-5", "[${trim('  a b ')}${trim(null)}]", "[a b]", "string"),
        ("HWS-4.2.2-6", "${urlEncode('a&b=é')}${urlEncode(null)}", "a%26b%3D%C3%A9", "string"),
        ("HWS-4-8", "a ${1+1} b", "a 2 b", "string"),
    ]);
}

#[test]
fn the_time_has_seconds_and_is_utc() {
    let ids = "HWS-4.2.2-7";
    let outcome =
        ankus_with_input(&["eval", "--phase", "hws", "--now", "2009-02-22T10:11Z", "${timestamp()}"], "");
    assert_eq!(outcome.out.trim(), "2009-02-22T10:11:00.0Z", "{ids}");
}

#[test]
fn functions_of_a_job() {
    check(&[
        ("HWS-4.2.3-1", "${wf:appName()}", "demo-wf", "string"),
        ("HWS-4.2.3-2", "${wf:id()}", "7-W", "string"),
        ("HWS-4.2.3-3 HWS-4.1-4", "${wf:conf('mapper.class')}", "com.foo.M", "string"),
        ("HWS-4.2.3-3 HWS-4.1-6", "${wf:conf('none')}", "", "null"),
        ("HWS-4.1-6", "[${wf:conf('none')}]", "[]", "string"),
        ("HWS-4-9", "${a}", "1", "string"),
        (
            "HWS-4.2.3-4",
            "${wf:callback('OK')}",
            "http://here:1/hws/v1/callback/7-W@current?status=OK",
            "string",
        ),
        (
            "HWS-3.2.7-10",
            "${wf:callback('%EXITSTATE%')}",
            "http://here:1/hws/v1/callback/7-W@current?status=%EXITSTATE%",
            "string",
        ),
        (
            "HWS-3.2.7-11",
            "${urlEncode(wf:callback('%EXITSTATE%'))}",
            "http%3A%2F%2Fhere%3A1%2Fhws%2Fv1%2Fcallback%2F7-W%40current%3Fstatus%3D%25EXITSTATE%25",
            "string",
        ),
        ("HWS-4.2.3-6", "${wf:exitState('mr')}${wf:exitState('load')}", "OKERROR", "string"),
        ("HWS-4.2.3-6", "${wf:exitState('later')}", "", "null"),
        ("HWS-4.2.3-6", "${wf:exitState('broken')}", "", "null"),
        ("HWS-4.2.3-7", "${wf:errorNode()}", "load", "string"),
        ("HWS-4.2.3-8", "${wf:errorCode('load')}", "E2", "string"),
        ("HWS-4.2.3-8", "${wf:errorCode('mr')}", "", "null"),
        ("HWS-4.2.3-8", "${wf:errorCode('broken')}", "", "null"),
        ("HWS-4.2.3-9", "${wf:errorMessage('load')}", "two", "string"),
        ("HWS-4.2.3-10", "${wf:recovery()}", "2", "long"),
    ]);
}

#[test]
fn functions_of_hadoop_jobs() {
    check(&[
        ("HWS-4.2.4-1", "${hadoop:jobId('mr')}", "job_1", "string"),
        ("HWS-4.2.4-1", "${hadoop:jobId('later')}", "", "null"),
        ("HWS-4.2.4-2", "${hadoop:jobTracker('mr')}", "jt:8021", "string"),
        ("HWS-4.2.4-3", "${hadoop:jobStatus('mr')}", "SUCCEEDED", "string"),
        ("HWS-4.2.4-4 HWS-3.1.4-16", "${hadoop:jobCounters('mr')['G']['IN'] gt 40}", "true", "boolean"),
        ("HWS-4.2.4-4", "${hadoop:jobCounters('later')}", "", "null"),
        ("HWS-4.2.4-4", "${hadoop:jobCounters('mr')}", r#"{"G":{"IN":42}}"#, "map"),
    ]);
}

#[test]
fn functions_of_files() {
    check(&[
        ("HWS-4.2.5-1", "${hdfs:exists('hdfs://nn:8020/d')}", "el-arguments", "error"),
        ("HWS-4.2.5-3", "${hdfs:exists('hdfs://nn:8020', '/d/a')}", "true", "boolean"),
        ("HWS-4.2.5-3", "${hdfs:exists('hdfs://nn:8020', '/d/x')}", "false", "boolean"),
        ("HWS-4.2.5-4", "${hdfs:isDir('hdfs://nn:8020', '/d')}", "true", "boolean"),
        ("HWS-4.2.5-4", "${hdfs:isDir('hdfs://nn:8020', '/d/a')}", "false", "boolean"),
        ("HWS-4.2.5-5", "${hdfs:dirSize('hdfs://nn:8020', '/d')}", "15", "long"),
        ("HWS-4.2.5-5", "${hdfs:dirSize('hdfs://nn:8020', '/d/a')}", "-1", "long"),
        ("HWS-4.2.5-6", "${hdfs:fileSize('hdfs://nn:8020', '/d/a')}", "10", "long"),
        ("HWS-4.2.5-6", "${hdfs:fileSize('hdfs://nn:8020', '/d')}", "-1", "long"),
        ("HWS-4.2.5-6", "${hdfs:fileSize('hdfs://nn:8020', '/none')}", "-1", "long"),
        ("HWS-4.2.5-7", "${hdfs:blockSize('hdfs://nn:8020', '/d/a') gt 0}", "true", "boolean"),
        ("HWS-4.2.5-7", "${hdfs:blockSize('hdfs://nn:8020', '/d')}", "-1", "long"),
        ("HWS-3.1.4-15", "${hdfs:size('hdfs://nn:8020/d')}", "15", "long"),
        ("HWS-3.1.4-15", "${wf:nodeStatus('mr')}", "OK", "string"),
        ("HWS-3.1.4-15", "${hadoop:counters('mr')['G']['IN']}", "42", "long"),
    ]);
}

#[test]
fn captured_output() {
    check(&[
        ("HWS-4.2.6-1", "${action:output('load', 'rows') gt 10}", "true", "boolean"),
        ("HWS-4.2.6-3", "${action:output('load', 'none')}", "", "null"),
        ("HWS-4.2.6-3", "${action:output('mr', 'rows')}", "", "null"),
        ("HWS-4.2.6-3", "${action:output('later', 'rows')}", "", "null"),
    ]);
}

#[test]
fn comparison_words() {
    let words = [
        ("1 gt 0", true),
        ("1 lt 0", false),
        ("1 ge 1", true),
        ("1 le 0", false),
        ("1 eq 1", true),
        ("1 ne 1", false),
        ("true and not false", true),
        ("false or true", true),
        ("empty ''", true),
        ("7 div 2 eq 3.5", true),
        ("7 mod 2 eq 1", true),
    ];
    let id = "HWS-3.1.4-6 HWS-4-2";
    for (expression, holds) in words {
        check(&[(id, &format!("${{{expression}}}"), &holds.to_string(), "boolean")]);
    }
}

#[test]
fn functions_of_the_other_dialect_are_unknown_and_have_counterparts() {
    check(&[
        ("HWS-4.2-2", "${wf:lastErrorNode()}", "el-function-unknown", "error"),
        ("HWS-4.2-2", "${wf:run()}", "el-function-unknown", "error"),
        ("HWS-4.2-2", "${fs:exists('/a')}", "el-function-unknown", "error"),
        ("HWS-4.2-2", "${replaceAll('a', 'b', 'c')}", "el-function-unknown", "error"),
    ]);
}
