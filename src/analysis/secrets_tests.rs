//! What is a secret, where it stands in a text, and how it is hidden.

use super::*;

#[test]
fn secrets_and_what_stands_for_them() {
    for (value, expected) in [
        ("hunter2", true),
        ("s3cr3t!", true),
        ("${dbPassword}", false),
        ("changeme", false),
        ("CHANGE_ME", false),
        ("xxxxx", false),
        ("***", false),
        ("<password>", false),
        ("@db.password@", false),
        ("jceks://hdfs/user/x.jceks", false),
        ("/etc/security/pw", false),
        ("your_password_here", false),
        ("", false),
        ("  ", false),
        // One sign of a frame is none.
        ("[hunter2", true),
        ("hunter2]", true),
        ("[hunter2]", false),
        ("{hunter2", true),
        ("/hunter2", false),
        ("hunter2.jceks", false),
        ("hunter2/", true),
        ("x-x-x", false),
        ("x-y-x", true),
        ("abcxxxdef", false),
        ("$dbPassword", false),
        ("db$Password", true),
        ("hunter two", false),
        ("ab", false),
        ("abc", true),
        (" abc ", true),
    ] {
        assert_eq!(is_secret(value), expected, "{value}");
    }
    for (name, expected) in [
        ("db.password", true),
        ("dbPassword", true),
        ("fs.s3a.secret.key", true),
        ("keystore.pass", true),
        ("DB_PASS", true),
        ("dbPass", true),
        ("pwd", true),
        ("compass", false),
        ("bypass", false),
        ("pass.through", false),
        ("db.password.file", false),
        ("password.alias", false),
        ("hadoop.security.token.service.use_ip", false),
        (&format!("{}.password", "x".repeat(191)), true),
        (&format!("{}.password", "x".repeat(192)), false),
    ] {
        assert_eq!(names_secret(name), expected, "{name}");
    }
}

#[test]
fn secrets_are_veiled() {
    for (name, text, expected) in [
        (Some("db.password"), "hunter2", "***"),
        (Some("db.password"), "", ""),
        (Some("user"), "bob", "bob"),
        (None, "a --password hunter9\"; echo \"k=v", "a --password ***\"; echo \"k=v"),
        (None, "db.password=hunter2\nrows=3\n", "db.password=***\nrows=3\n"),
        (None, "sftp://bob:hunter2@host/in?token=abc123", "sftp://bob:***@host/in?token=***"),
        (None, "hdfs://nn:8020/in/2024", "hdfs://nn:8020/in/2024"),
        (None, "db.password=hunter2", "db.password=***"),
        (None, "sftp://bob:hunter2@host/in", "sftp://bob:***@host/in"),
        (None, "AKIAIOSFODNN7EXAMPLE", "***"),
        (None, "--password\thunter2", "--password\t***"),
        (Some("db.password"), " \n", " \n"),
        (Some("url"), "sftp://bob:hunter2@host/in", "sftp://bob:***@host/in"),
    ] {
        assert_eq!(veiled(name, text), expected, "{text}");
    }
}

#[test]
fn addresses_are_shown_without_their_secrets() {
    for (address, expected) in [
        ("http://u:p@h:1/x?a=1&token=t&b=2", "http://u:***@h:1/x?a=1&token=***&b=2"),
        ("http://h/x?token=t;sessionToken=u", "http://h/x?token=***;sessionToken=***"),
        ("http://u@h/x?a=b@c:d", "http://u@h/x?a=b@c:d"),
        ("http://a:b@c:d@h", "http://a:***@h"),
        ("http://h?password=x/y", "http://h?password=***"),
        ("x?token=", "x?token="),
        ("", ""),
    ] {
        assert_eq!(veiled_address(address), expected, "{address}");
    }
}

#[test]
fn secrets_within_texts() {
    let check = |text: &str, expected: Option<&str>| {
        let found: Vec<&str> = within(text).into_iter().map(|(_, range)| &text[range]).collect();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{text}");
    };
    check("jdbc:mysql://bob:hunter2@db/x", Some("hunter2"));
    check("jdbc:mysql://db/x?user=bob&password=hunter2", Some("hunter2"));
    check("http://h/x?a=1&authToken=hunter2&b=2", Some("hunter2"));
    check("jdbc:db2://h;sslTrustPassword=hunter2;", Some("hunter2"));
    check("http://h/x?a=1&token=${t}", None);
    check("http://h/x?token=hun?ter2", Some("hun?ter2"));
    check("token=${x} http://h/x?y=z", None);
    // Long before this ends in a time that grows with the square.
    check(&"?".repeat(1 << 20), None);
    check(&"&a".repeat(1 << 20), None);
    check("import --connect jdbc:x --password hunter2 --table t", Some("hunter2"));
    check("import --password-file /x/y --table t", None);
    check("-Ddb.password=hunter2", Some("hunter2"));
    check("-Ddb.password=${pw}", None);
    check("--password hunter9\"; echo \"k=v", Some("hunter9"));
    check("tool --password 'hunter9' && echo", Some("hunter9"));
    check("PASSWORD=\"hunter9\", b", Some("hunter9"));
    check("x --password a;b\"c;", Some("a;b\"c"));
    check("hdfs://nn:8020/x@y", None);
    check("hdfs://${user}:${pw}@nn/x", None);
    check("--password ${pw}", None);
    // Words that stand alone are no options.
    check("the password hunter2", None);
    check("x --password --verbose hunter2", None);
    check("x --password changeme hunter2", None);
    // What looks like a user and a password behind the host is a part of the path, the query or another word.
    check("http://host/a:hunter2@b", None);
    check("http://host?a:hunter2@b", None);
    check("http://host a:hunter2@b", None);
    check("http://bob@host", None);
    check("AKIAIOSFODNN7EXAMPLE", Some("AKIAIOSFODNN7EXAMPLE"));
    check("id:AKIAIOSFODNN7EXAMPLE.", Some("AKIAIOSFODNN7EXAMPLE"));
    check("xAKIAIOSFODNN7EXAMPLE", None);
    check("AKIAIOSFODNN7EXAMPLES", None);
    check("AKIAIOSFODNN7EXAMPL", None);
    check("AKIAiosfodnn7example", None);
    check("AKIA", None);
    check("-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----", None);
    check("-----BEGIN PRIVATE KEY-----\nMIIE", Some("-----BEGIN PRIVATE KEY-----\nMIIE"));
    let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----";
    check(&format!("x {key}\ny"), Some(key));
    let both = "import --connect jdbc:mysql://bob:hunter2@db/x --password s3cr3t -Dapi.token=abc123";
    let found: Vec<&str> = within(both).into_iter().map(|(_, range)| &both[range]).collect();
    assert_eq!(found, ["hunter2", "s3cr3t", "abc123"]);
}

#[test]
fn each_secret_is_told_once_with_what_it_is() {
    let check = |text: &str, expected: &[(&str, &str)]| {
        let found = within(text);
        let found: Vec<_> =
            found.iter().map(|(message, range)| (message.as_str(), &text[range.clone()])).collect();
        assert_eq!(found, expected, "{text}");
    };
    let in_uri = "a URI holds a password in clear text";
    check(
        "x sftp://bob:hunter2@host --my-password hunter3 -Dapi.token=hunter4",
        &[
            (in_uri, "hunter2"),
            ("`--my-password` gives a secret in clear text", "hunter3"),
            ("`Dapi.token` gives a secret in clear text", "hunter4"),
        ],
    );
    // A secret in another one is not told again.
    check("--password sftp://bob:hunter2@host/in", &[(in_uri, "hunter2")]);
    check(
        "PASSWORD=AKIAIOSFODNN7EXAMPLE",
        &[("`PASSWORD` gives a secret in clear text", "AKIAIOSFODNN7EXAMPLE")],
    );
    let key = "-----BEGIN PRIVATE KEY-----\nAKIAIOSFODNN7EXAMPLE\n-----END PRIVATE KEY-----";
    let in_key = ("a private key stands in clear text", key);
    check(key, &[in_key]);
    // Those that only touch each other are two.
    check(
        &format!("AKIAIOSFODNN7EXAMPLE{key}"),
        &[in_key, ("an access key stands in clear text", "AKIAIOSFODNN7EXAMPLE")],
    );
}

#[test]
fn names_are_shown_without_their_dashes() {
    assert_eq!(shown("--db-password"), "db-password");
    assert_eq!(shown("token"), "token");
}

#[test]
fn shapes_of_secrets_are_found_in_time_however_often_they_begin() {
    assert_eq!(within(&"AKIA".repeat(100_000)), []);
    assert_eq!(within(&"-----BEGIN ".repeat(40_000)), []);
    let key = "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----";
    let text = format!("-----BEGIN X\n{key} z\nAKIA0123456789ABCDEF xAKIA0123456789ABCDEF\n{key}");
    let found: Vec<&str> = within(&text).into_iter().map(|(_, range)| &text[range]).collect();
    assert_eq!(found, [&format!("{key} z"), key, "AKIA0123456789ABCDEF"]);
}
