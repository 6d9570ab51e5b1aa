//! What is hidden, and where.

use super::*;

/// Values that a check of files takes for no secret, and that are passwords all the same.
const ORDINARY: &[&str] = &[
    "/aB3+xyz9Q==",
    "$ecret99",
    "yourCat7!",
    "axxxb77",
    "[q9Q8w7]",
    "correct horse battery",
    "p://q9",
    "${x}xyz123",
    "x${y}",
    "${x}${y}z",
    "password",
    "changeme",
    "xxxx",
    "<q9Q8w7>",
    "{q9Q8w7}",
    "%q9Q8w7%",
    "ENC(q9Q8w7)",
    "$(q9Q8w7",
    "q9Q8w7.jceks",
    "#{q9Q8w7",
    "${q9Q8w7",
    "äbcd",
    "a\tb\tc",
    "a\"b'c\\d",
];

#[test]
fn whatever_a_secret_property_holds_is_hidden() {
    for value in ORDINARY {
        let mut veil = Redactor::default();
        veil.learn("my_password", &format!(" {value}\n"));
        assert_eq!(veil.text(&format!("val {value} end")), "val *** end", "{value}");
        assert_eq!(veil.text(&format!("a{value}b")), "a***b", "{value}");
    }
}

#[test]
fn short_values_are_hidden_where_they_stand_alone() {
    for value in ["a", "ab", "abc", "äbc", "7", "!!", "no", "$x"] {
        let mut veil = Redactor::default();
        veil.learn("my_password", value);
        assert_eq!(
            veil.text(&format!("val {value} end={value},'{value}'")),
            "val *** end=***,'***'",
            "{value}"
        );
        assert_eq!(veil.text(value), "***", "{value}");
        for kept in [format!("x{value}y"), format!("_{value} {value}1"), format!("é{value}é")] {
            assert_eq!(veil.text(&kept), kept, "{value}");
        }
    }
    // Where it stands alone is seen though it begins within itself.
    let mut veil = Redactor::default();
    veil.learn("my_password", "a a");
    assert_eq!(veil.text("xa a a"), "xa ***");
}

#[test]
fn no_secrets_are_references_flags_and_nothing() {
    for value in
        ["", " ", "${password}", " ${a}${wf:conf('}')} ", "${concat(\"}\", x)}", "true", "FALSE", "***"]
    {
        let mut veil = Redactor::default();
        veil.learn("my_password", value);
        for text in [value, "a true b false ${password} *** c"] {
            assert_eq!(veil.text(text), text, "{value}");
        }
    }
    // Nor what stands under another name.
    for name in ["db.password.file", "javax.keystore.path", "user"] {
        let mut veil = Redactor::default();
        veil.learn(name, "/etc/security/pw");
        assert_eq!(veil.text("a /etc/security/pw"), "a /etc/security/pw", "{name}");
    }
    let veil = Redactor::default();
    assert_eq!(veil.value(Some("my_password"), "true"), "***");
    assert_eq!(veil.value(Some("my_password"), ""), "");
    assert_eq!(veil.value(Some("mine"), "kept"), "kept");
    assert_eq!(veil.value(None, "x --password hunter22"), "x --password ***");
}

#[test]
fn what_was_learnt_is_hidden_everywhere() {
    let mut veil = Redactor::default();
    veil.learn_all([
        ("db.password", "hunter22"),
        ("short.password", "abc"),
        ("jdbc.url", "jdbc:mysql://app:s3cr3ts@db/x"),
        ("plain", "kept"),
        ("admin.password", "hunter2233"),
    ]);
    let text = "hunter22 abc s3cr3ts kept hunter2233 https://u:pa55word@h/";
    assert_eq!(veil.text(text), "*** *** *** kept *** https://u:***@h/");
}

#[test]
fn secrets_that_lie_over_each_other_leave_nothing() {
    let mut veil = Redactor::default();
    veil.learn_all([("a.password", "hunter22"), ("b.password", "er22home"), ("c.password", "password")]);
    assert_eq!(veil.text("xhunter22homey"), "x***y");
    assert_eq!(veil.text("hunter22hunter22"), "******");
    // A secret that is a name hides no name from those who look for one.
    assert_eq!(veil.text("db.password=q9Q8w7"), "db.***=***");
}

#[test]
fn secrets_of_several_lines_are_hidden_line_by_line() {
    let mut veil = Redactor::default();
    veil.learn("my.secret", "{\n  first line\n\tsecond\tline\n}");
    assert_eq!(veil.text("{ first line | second line }"), "{ *** | *** }");
    assert_eq!(veil.text("second\tline"), "***");
}

#[test]
fn secrets_are_hidden_as_xml_has_them() {
    let mut veil = Redactor::default();
    veil.learn("my.secret", "a<b&\"c'");
    assert_eq!(veil.text("a<b&\"c' a&lt;b&amp;\"c' a&lt;b&amp;&quot;c&apos;"), "*** *** ***");
    let mut veil = Redactor::default();
    let value = |value: &str| format!("<name>my.secret</name><value>{value}</value>");
    veil.learn_definitions("w", [&*value("d&lt;e&amp;f"), &*value("<![CDATA[g<h>i]]>")]);
    assert_eq!(veil.text("d&lt;e&amp;f d<e&f g<h>i"), "*** *** ***");
}

#[test]
fn secrets_in_values_are_learnt_wherever_they_show() {
    let check = |name: &str, value: &str, text: &str, expected: &str| {
        let mut veil = Redactor::default();
        veil.learn(name, value);
        assert_eq!(veil.text(text), expected, "{name} {value}");
    };
    check("options", "db.password=hunter22", "a hunter22 b", "a *** b");
    check("command", "import --password hunter22", "a hunter22 b", "a *** b");
    check("command", "import --password /aB3+xyz9Q==", "a /aB3+xyz9Q== b", "a *** b");
    check("url", "sftp://bob:hunter22@host", "a hunter22 b", "a *** b");
    check("word", "hunter22", "a hunter22 b", "a hunter22 b");
    // Behind an option stands what is no secret as well.
    check("command", "import --password none", "a none --password none b", "a none --password *** b");
    check("command", "import --token abc", "a abc b", "a abc b");
    check("command", "import --token true", "a true b", "a true b");
    check("command", "import --password ${pw}", "a ${pw} b", "a ${pw} b");
}

#[test]
fn addresses_go_on_behind_a_secret() {
    let veil = Redactor::default();
    for (text, expected) in [
        ("[http://h/x?token=abc&T] was", "[http://h/x?token=***&T] was"),
        ("[http://h/x?token=***&T...] was", "[http://h/x?token=***&T...] was"),
        ("[http://h/x?a=b&token=abc] was", "[http://h/x?a=b&token=***] was"),
        ("`http://h/x?token=abc` was", "`http://h/x?token=***` was"),
        ("\"http://h/x?token=abc\" was", "\"http://h/x?token=***\" was"),
        ("[http://h/x#token=abc] was", "[http://h/x#token=***] was"),
        ("'jdbc:db2://h;sslTrustPassword=abc;x=y'", "'jdbc:db2://h;sslTrustPassword=***;x=y'"),
        ("password=abc]def", "password=***"),
    ] {
        assert_eq!(veil.text(text), expected, "{text}");
    }
}

#[test]
fn a_definition_is_looked_through_once() {
    let mut veil = Redactor::default();
    let definition = |value: &str| format!("<name>my.password</name><value>{value}</value>");
    veil.learn_definitions("w", [&*definition("hunter22"), "<arg>--token</arg><arg>hunter33</arg>"]);
    veil.learn_definitions("w", [&*definition("hunter44")]);
    veil.learn_definitions("v", [&*definition("hunter55")]);
    assert_eq!(veil.text("hunter22 hunter33 hunter44 hunter55"), "*** *** hunter44 ***");
}

#[test]
fn definitions_show_no_secrets() {
    let text = "<a><argument>--password</argument>\n <argument>hünter22</argument><x uri=\"ä\"/>\
                <property><name>my.secret</name>\n<value>topmost1</value></property>\
                <property><name>my.place</name><value>here1</value></property><arg>token=t0psecret</arg>\
                <env-var>API_TOKEN=t0k3n-v</env-var><ok to=\"end\"/><fs at='hdfs://u:s3cr3ts@nn/x'/></a>";
    let shown = Redactor::default().xml(text);
    let expected = text.replace("hünter22", "***").replace("topmost1", "***").replace("t0psecret", "***");
    assert_eq!(shown, expected.replace("t0k3n-v", "***").replace("s3cr3ts", "***"));
}

#[test]
fn definitions_show_references_and_no_ordinary_passwords() {
    let property =
        |value: &str| format!("<property><name>my.password</name><value>{value}</value></property>");
    for value in ORDINARY {
        let text = property(&escaped(value));
        assert_eq!(Redactor::default().xml(&text), property("***"), "{value}");
    }
    for value in ["${password}", "", " ${wf:conf('password')} ${x} "] {
        let text = property(value);
        assert_eq!(Redactor::default().xml(&text), text);
    }
    let argument =
        "<argument>--password</argument><argument>/aB3+x</argument><ok to=\"end\"/><file>/x/y</file>";
    assert_eq!(Redactor::default().xml(argument), argument.replace("/aB3+x", "***"));
}

#[test]
fn elements_hold_secrets_too() {
    let text =
        "<hive2><jdbc-url>jdbc:hive2://h</jdbc-url><password>/aB3+x</password><script>a</script></hive2>";
    assert_eq!(Redactor::default().xml(text), text.replace("/aB3+x", "***"));
    assert_eq!(
        Redactor::default().xml("<password>${x}</password><password>"),
        "<password>${x}</password><password>"
    );
    let mut veil = Redactor::default();
    veil.learn_definition(text);
    assert_eq!(veil.text("a /aB3+x b"), "a *** b");
    for (text, expected) in [
        (text, true),
        ("<argument>--password</argument>", true),
        ("<name>my.secret-key</name>", true),
        ("<name>password.file</name>", false),
        ("<script>a</script>", false),
    ] {
        assert_eq!(speaks_of_secrets(text), expected, "{text}");
    }
}

#[test]
fn secrets_stand_at_places_of_values() {
    for (name, value, expected) in [
        ("my_password", " [q9] ", vec!["[q9]"]),
        ("my_password", "${x}", vec![]),
        ("url", "http://u:p@h/x?token=a&b=c", vec!["p", "a"]),
        ("user", "bob", vec![]),
    ] {
        let found: Vec<&str> = places(name, value).into_iter().map(|range| &value[range]).collect();
        assert_eq!(found, expected, "{value}");
    }
}

/// None of these ends within a test's patience where the time grows with the square of the text.
#[test]
fn long_texts_are_looked_through_in_time() {
    let mut veil = Redactor::default();
    veil.learn_all([
        ("a.password", "aaaa"),
        ("b.password", "a"),
        ("c.password", "a a"),
        ("d.password", "***a"),
    ]);
    let many = 20_000;
    for piece in ["a", "a ", "aaaa ", "PASSWORD=b ", "***", "://u:p@", "&token=b", "?", "<name>", "<value>"] {
        let text = piece.repeat(many);
        assert!(!veil.text(&text).is_empty(), "{piece}");
        assert!(!veil.xml(&text).is_empty(), "{piece}");
    }
    for piece in ["<name>a</name><value>", "<name>a</name>", "<name>my.password</name><value>b</value>"] {
        let text = piece.repeat(many);
        assert!(!veil.xml(&text).is_empty(), "{piece}");
        assert!(!veil.xml(&format!("{text}</name></value>")).is_empty(), "{piece}");
    }
}
