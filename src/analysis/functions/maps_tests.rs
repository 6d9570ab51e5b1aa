//! What maps print, and what is made of them, against Java's classes.

use super::super::tests::value;
use super::*;
use crate::analysis::functions::{Action, World};
use crate::model::functions::Phase;

/// A world with an action `p` that captured properties and one `c` with counters.
fn world(data: &str, stats: &str) -> World {
    let action = |name: &str| Action { name: name.to_owned(), ..Action::default() };
    let actions = vec![
        Action { data: Some(data.to_owned()), ..action("p") },
        Action { stats: Some(stats.to_owned()), ..action("c") },
    ];
    World { actions: Some(actions), now: Some(Instant::from_seconds(1_735_967_167)), ..World::default() }
}

#[test]
fn captured_output_is_read_as_properties() {
    let world = world("b=2\na=1\\t\\u00e9\n b : 3\nc\n# d=4\n", "");
    let check = |text, expected| assert_eq!(value(text, &world, Phase::Workflow), expected, "{text}");
    check("${wf:actionData('p')}", "{a=1\té, b=3, c=}");
    check("${wf:actionData('p')['a']}|${wf:actionData('p')['c']}|${wf:actionData('p')['d']}", "1\té||");
}

#[test]
fn counters_are_read_as_json() {
    let stats = "{\"n\":null,\"yes\":true,\"i\":-5,\"d\":1.50,\"big\":1e20,\"t\":\"x\",\"list\":[1,\"y\",null,[]],\
                 \"empty\":{},\"g\":{\"c\":7}}";
    let world = world("", stats);
    let check = |text, expected| assert_eq!(value(text, &world, Phase::Workflow), expected, "{text}");
    check(
        "${hadoop:counters('c')}",
        "{\"big\":1.0E20,\"d\":1.5,\"t\":\"x\",\"yes\":true,\"g\":{\"c\":7},\"i\":-5,\"list\":[1,\"y\",null,[]],\"n\":null,\
         \"empty\":{}}",
    );
    check("${hadoop:counters('c')['g']['c'] + 1}", "8");
    check("[${hadoop:counters('c')['n']}] ${hadoop:counters('c')['yes'] ? 1 : 2}", "[] 1");
    check("${hadoop:counters('c')['d'] * 2}", "3.0");
    // Lists are asked for their items by number, maps by name alone.
    check("${hadoop:counters('c')['list'][1]} ${hadoop:counters('c')['list']['1']}", "y y");
    check("[${hadoop:counters('c')['list'][4]}]", "[]");
    check("${hadoop:counters('c')['list']}", "[1,\"y\",null,[]]");
    check("${toJsonStr(hadoop:counters('c')['g'])}", "{&quot;c&quot;:7}");
    check("${toJsonStr(null)}", "null");
    // A list is no map.
    check("${toJsonStr(hadoop:counters('c')['list'])}", "ELException");
    let text = "[${hadoop:counters('c')[7]}] ${hadoop:counters('c')['7']}";
    assert_eq!(value(text, &self::world("", "{\"7\":8}"), Phase::Workflow), "[] 8");
}

#[test]
fn json_has_escapes_of_its_own() {
    let written =
        "\"\\/\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}\u{9f}\u{2000}\u{2028}\u{20ff} ~\u{a0}\u{1fff}\u{2100}é";
    let expected = "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u001F\\u007F\\u009F\\u2000\\u2028\\u20FF \
                    ~\u{a0}\u{1fff}\u{2100}é\"";
    assert_eq!(json_text(&Value::from(written)), expected);
    assert_eq!(json_text(&Value::Double(0.5)), "0.5");
    assert_eq!(json_text(&Value::Double(f64::INFINITY)), "null");
    assert_eq!(json_text(&Value::Double(f64::NAN)), "null");
    assert_eq!(json_text(&Value::Long(3)), "3");
    assert_eq!(json_text(&Value::Null), "null");
}

#[test]
fn maps_become_texts_of_several_kinds() {
    let world = world("k=v\\n<&>\\\"'\nother=", "");
    let check = |text, expected| assert_eq!(value(text, &world, Phase::Workflow), expected, "{text}");
    check(
        "${toJsonStr(wf:actionData('p'))}",
        "{&quot;other&quot;:&quot;&quot;,&quot;k&quot;:&quot;v\\n&lt;&amp;&gt;\\&quot;&#039;&quot;}",
    );
    check(
        "${toPropertiesStr(wf:actionData('p'))}",
        "#\n#Sat Jan 04 05:06:07 UTC 2025\nother=\nk=v\\n&lt;&amp;&gt;&quot;&#039;\n",
    );
    check(
        "${toConfigurationStr(wf:actionData('p'))}",
        "&lt;configuration&gt;\r\n  &lt;property&gt;\r\n    &lt;name&gt;other&lt;/name&gt;\r\n    &lt;value \
         /&gt;\r\n  &lt;/property&gt;\r\n  &lt;property&gt;\r\n    &lt;name&gt;k&lt;/name&gt;\r\n    \
         &lt;value&gt;v\r\n&amp;lt;&amp;amp;&amp;gt;&quot;&#039;&lt;/value&gt;\r\n  \
         &lt;/property&gt;\r\n&lt;/configuration&gt;",
    );
}

#[test]
fn only_maps_of_texts_become_properties() {
    let check = |stats: &str, expected: &str| {
        let world = world("", stats);
        for function in ["toPropertiesStr", "toConfigurationStr"] {
            let text = format!("${{{function}(hadoop:counters('c'))}}");
            assert_eq!(value(&text, &world, Phase::Workflow), expected, "{text} {stats}");
        }
    };
    check("{\"a\":1}", "ClassCastException");
    check("{\"a\":{}}", "ClassCastException");
    check("{\"a\":null}", "NullPointerException");
    // What is no JSON is null.
    check("{", "NullPointerException");
    let world = world("", "{\"a\":\"x\"}");
    let text = value("${toPropertiesStr(hadoop:counters('c'))}", &world, Phase::Workflow);
    assert_eq!(text, "#\n#Sat Jan 04 05:06:07 UTC 2025\na=x\n");
}

#[test]
fn properties_are_stored_as_java_stores_them() {
    assert_eq!(property_text(" a key\t=:#!\\", true), "\\ a\\ key\\t\\=\\:\\#\\!\\\\");
    assert_eq!(property_text("  v  w\t\n\r\u{c}=:#!\\é€", false), "\\  v  w\\t\\n\\r\\f\\=\\:\\#\\!\\\\é€");
    assert_eq!(property_text("", true), "");
}

#[test]
fn elements_have_their_texts_escaped() {
    assert_eq!(escape_element("a & b < c > d \"e\" 'f'"), "a &amp; b &lt; c &gt; d \"e\" 'f'");
    assert_eq!(escape_element("\r\n"), "&#xD;\r\n");
}

#[test]
fn the_present_is_printed_as_a_date_of_java() {
    let check =
        |seconds: i64, expected: &str| assert_eq!(date_line(Instant::from_seconds(seconds)), expected);
    check(0, "Thu Jan 01 00:00:00 UTC 1970");
    check(-53, "Wed Dec 31 23:59:07 UTC 1969");
    check(1_709_168_523, "Thu Feb 29 01:02:03 UTC 2024");
    check(1_735_967_219, "Sat Jan 04 05:06:59 UTC 2025");
    check(1_699_611_630, "Fri Nov 10 10:20:30 UTC 2023");
    check(1_651_582_809, "Tue May 03 13:00:09 UTC 2022");
    check(1_622_937_600, "Sun Jun 06 00:00:00 UTC 2021");
    check(1_625_443_200, "Mon Jul 05 00:00:00 UTC 2021");
    assert_eq!(date_line(Instant::from_millis(1_999)), "Thu Jan 01 00:00:01 UTC 1970");
}
