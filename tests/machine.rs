//! What this machine has for the tests: where everything is to be run, nothing may be missing.

#[test]
fn a_thorough_run_leaves_nothing_out() {
    let missing: Vec<&str> = [
        ("reference material (ANKUS_REFERENCE)", cfg!(has_reference)),
        ("chromedriver (ANKUS_BROWSER)", cfg!(has_browser)),
        ("/usr/sbin/sshd", cfg!(has_sshd)),
        ("javac", cfg!(has_javac)),
    ]
    .into_iter()
    .filter_map(|(name, is_there)| (!is_there).then_some(name))
    .collect();
    assert!(
        missing.is_empty() || std::env::var_os("ANKUS_THOROUGH").is_none(),
        "ANKUS_THOROUGH needs, and after an installation `touch build.rs`: {}",
        missing.join(", ")
    );
}
