//! The smallest app that each rule speaks of, and what is said of it: the fixtures and snapshots of the rule, taken in
//! when the program is built.

/// What can be done about findings of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mending {
    /// Nothing by itself.
    None,
    /// An edit that may be made unasked.
    Safe,
    /// An edit that is a guess.
    Guess,
}

impl Mending {
    /// The word used in output.
    pub fn name(self) -> &'static str {
        match self {
            Mending::None => "none",
            Mending::Safe => "safe",
            Mending::Guess => "guess",
        }
    }
}

/// A file of an example: its name and its text.
pub type ExampleFile = (&'static str, &'static str);

/// An example of a rule.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The rule.
    pub rule: &'static str,
    /// What can be done about its findings.
    pub mending: Mending,
    /// An app that is wrong.
    pub wrong: &'static [ExampleFile],
    /// One that is right.
    pub right: &'static [ExampleFile],
    /// What is said of the wrong one.
    pub output: &'static str,
}

/// The example of a rule.
pub fn find(rule: &str) -> Option<&'static Example> {
    EXAMPLES.iter().find(|example| example.rule == rule)
}

// Written by `UPDATE=1 cargo test --test registry`.
// generated: begin
#[rustfmt::skip]
static EXAMPLES: &[Example] = &[
    Example {
        rule: "action-banned-property",
        mending: Mending::Safe,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/action-banned-property/bad-name-node/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/action-banned-property/ok-other/workflow.xml"))],
        output: include_str!("../../snapshots/rules/action-banned-property/bad-name-node.txt"),
    },
    Example {
        rule: "action-capture-missing",
        mending: Mending::Guess,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/action-capture-missing/bad-shell/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/action-capture-missing/ok-captures/workflow.xml"))],
        output: include_str!("../../snapshots/rules/action-capture-missing/bad-shell.txt"),
    },
    Example {
        rule: "action-credential-undefined",
        mending: Mending::Safe,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/action-credential-undefined/bad-blank/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/action-credential-undefined/ok-defined/workflow.xml"))],
        output: include_str!("../../snapshots/rules/action-credential-undefined/bad-blank.txt"),
    },
    Example {
        rule: "action-env-invalid",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/action-env-invalid/bad-name/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/action-env-invalid/ok-pair/workflow.xml"))],
        output: include_str!("../../snapshots/rules/action-env-invalid/bad-name.txt"),
    },
    Example {
        rule: "action-file-missing",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/action-file-missing/bad-alone/workflow.xml"))],
        right: &[("scripts/a.pig", include_str!("../../fixtures/rules/action-file-missing/ok-there/scripts/a.pig")), ("workflow.xml", include_str!("../../fixtures/rules/action-file-missing/ok-there/workflow.xml"))],
        output: include_str!("../../snapshots/rules/action-file-missing/bad-alone.txt"),
    },
    Example {
        rule: "action-missing-endpoint",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/action-missing-endpoint/bad-none/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/action-missing-endpoint/ok-inline/workflow.xml"))],
        output: include_str!("../../snapshots/rules/action-missing-endpoint/bad-none.txt"),
    },
    Example {
        rule: "action-retry-invalid",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/action-retry-invalid/bad-interval-blank/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/action-retry-invalid/ok-numbers/workflow.xml"))],
        output: include_str!("../../snapshots/rules/action-retry-invalid/bad-interval-blank.txt"),
    },
    Example {
        rule: "action-retry-not-idempotent",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/action-retry-not-idempotent/bad-import/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/action-retry-not-idempotent/ok-prepare/workflow.xml"))],
        output: include_str!("../../snapshots/rules/action-retry-not-idempotent/bad-import.txt"),
    },
    Example {
        rule: "action-script-not-shipped",
        mending: Mending::Guess,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/action-script-not-shipped/bad-elsewhere/workflow.xml"))],
        right: &[("bin/a.sh", include_str!("../../fixtures/rules/action-script-not-shipped/ok-shipped/bin/a.sh")), ("lib/b.sh", include_str!("../../fixtures/rules/action-script-not-shipped/ok-shipped/lib/b.sh")), ("workflow.xml", include_str!("../../fixtures/rules/action-script-not-shipped/ok-shipped/workflow.xml"))],
        output: include_str!("../../snapshots/rules/action-script-not-shipped/bad-elsewhere.txt"),
    },
    Example {
        rule: "action-subworkflow-config",
        mending: Mending::Guess,
        wrong: &[("child/workflow.xml", include_str!("../../fixtures/rules/action-subworkflow-config/bad-variable/child/workflow.xml")), ("job.properties", include_str!("../../fixtures/rules/action-subworkflow-config/bad-variable/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/action-subworkflow-config/bad-variable/workflow.xml"))],
        right: &[("child/workflow.xml", include_str!("../../fixtures/rules/action-subworkflow-config/ok-propagated/child/workflow.xml")), ("job.properties", include_str!("../../fixtures/rules/action-subworkflow-config/ok-propagated/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/action-subworkflow-config/ok-propagated/workflow.xml"))],
        output: include_str!("../../snapshots/rules/action-subworkflow-config/bad-variable.txt"),
    },
    Example {
        rule: "action-unknown-type",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/action-unknown-type/bad-workflow/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/action-unknown-type/ok-shell/workflow.xml"))],
        output: include_str!("../../snapshots/rules/action-unknown-type/bad-workflow.txt"),
    },
    Example {
        rule: "app-path-conflict",
        mending: Mending::None,
        wrong: &[("job.properties", include_str!("../../fixtures/rules/app-path-conflict/bad-two/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/app-path-conflict/bad-two/workflow.xml"))],
        right: &[("job.properties", include_str!("../../fixtures/rules/app-path-conflict/ok-one/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/app-path-conflict/ok-one/workflow.xml"))],
        output: include_str!("../../snapshots/rules/app-path-conflict/bad-two.txt"),
    },
    Example {
        rule: "bundle-all-disabled",
        mending: Mending::None,
        wrong: &[("apps/c/coordinator.xml", include_str!("../../fixtures/rules/bundle-all-disabled/bad-other-words/apps/c/coordinator.xml")), ("bundle.xml", include_str!("../../fixtures/rules/bundle-all-disabled/bad-other-words/bundle.xml"))],
        right: &[("apps/c/coordinator.xml", include_str!("../../fixtures/rules/bundle-all-disabled/ok-one/apps/c/coordinator.xml")), ("bundle.xml", include_str!("../../fixtures/rules/bundle-all-disabled/ok-one/bundle.xml"))],
        output: include_str!("../../snapshots/rules/bundle-all-disabled/bad-other-words.txt"),
    },
    Example {
        rule: "bundle-coordinator-duplicate",
        mending: Mending::None,
        wrong: &[("apps/c/coordinator.xml", include_str!("../../fixtures/rules/bundle-coordinator-duplicate/bad-same-name/apps/c/coordinator.xml")), ("bundle.xml", include_str!("../../fixtures/rules/bundle-coordinator-duplicate/bad-same-name/bundle.xml"))],
        right: &[("apps/c/coordinator.xml", include_str!("../../fixtures/rules/bundle-coordinator-duplicate/ok-two-names/apps/c/coordinator.xml")), ("bundle.xml", include_str!("../../fixtures/rules/bundle-coordinator-duplicate/ok-two-names/bundle.xml"))],
        output: include_str!("../../snapshots/rules/bundle-coordinator-duplicate/bad-same-name.txt"),
    },
    Example {
        rule: "bundle-coordinator-missing",
        mending: Mending::None,
        wrong: &[("apps/c/coordinator.xml", include_str!("../../fixtures/rules/bundle-coordinator-missing/bad-no-folder/apps/c/coordinator.xml")), ("bundle.xml", include_str!("../../fixtures/rules/bundle-coordinator-missing/bad-no-folder/bundle.xml"))],
        right: &[("apps/c/coordinator.xml", include_str!("../../fixtures/rules/bundle-coordinator-missing/ok-folder/apps/c/coordinator.xml")), ("bundle.xml", include_str!("../../fixtures/rules/bundle-coordinator-missing/ok-folder/bundle.xml"))],
        output: include_str!("../../snapshots/rules/bundle-coordinator-missing/bad-no-folder.txt"),
    },
    Example {
        rule: "bundle-coordinator-name-empty",
        mending: Mending::None,
        wrong: &[("apps/c/coordinator.xml", include_str!("../../fixtures/rules/bundle-coordinator-name-empty/bad-no-word/apps/c/coordinator.xml")), ("bundle.xml", include_str!("../../fixtures/rules/bundle-coordinator-name-empty/bad-no-word/bundle.xml"))],
        right: &[("apps/c/coordinator.xml", include_str!("../../fixtures/rules/bundle-coordinator-name-empty/ok-word/apps/c/coordinator.xml")), ("bundle.xml", include_str!("../../fixtures/rules/bundle-coordinator-name-empty/ok-word/bundle.xml"))],
        output: include_str!("../../snapshots/rules/bundle-coordinator-name-empty/bad-no-word.txt"),
    },
    Example {
        rule: "bundle-coordinator-namespace",
        mending: Mending::None,
        wrong: &[("apps/c/coordinator.xml", include_str!("../../fixtures/rules/bundle-coordinator-namespace/bad-first/apps/c/coordinator.xml")), ("bundle.xml", include_str!("../../fixtures/rules/bundle-coordinator-namespace/bad-first/bundle.xml"))],
        right: &[("apps/c/coordinator.xml", include_str!("../../fixtures/rules/bundle-coordinator-namespace/ok-later/apps/c/coordinator.xml")), ("bundle.xml", include_str!("../../fixtures/rules/bundle-coordinator-namespace/ok-later/bundle.xml"))],
        output: include_str!("../../snapshots/rules/bundle-coordinator-namespace/bad-first.txt"),
    },
    Example {
        rule: "bundle-kickoff-invalid",
        mending: Mending::None,
        wrong: &[("apps/c/coordinator.xml", include_str!("../../fixtures/rules/bundle-kickoff-invalid/bad-word/apps/c/coordinator.xml")), ("bundle.xml", include_str!("../../fixtures/rules/bundle-kickoff-invalid/bad-word/bundle.xml"))],
        right: &[("apps/c/coordinator.xml", include_str!("../../fixtures/rules/bundle-kickoff-invalid/ok-time/apps/c/coordinator.xml")), ("bundle.xml", include_str!("../../fixtures/rules/bundle-kickoff-invalid/ok-time/bundle.xml"))],
        output: include_str!("../../snapshots/rules/bundle-kickoff-invalid/bad-word.txt"),
    },
    Example {
        rule: "catch-up-burst",
        mending: Mending::None,
        wrong: &[("arguments", include_str!("../../fixtures/rules/catch-up-burst/bad-hourly/arguments")), ("coordinator.xml", include_str!("../../fixtures/rules/catch-up-burst/bad-hourly/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/catch-up-burst/ok-no-now/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/catch-up-burst/bad-hourly.txt"),
    },
    Example {
        rule: "concurrent-node",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/concurrent-node/bad-shared/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/concurrent-node/ok-decision/workflow.xml"))],
        output: include_str!("../../snapshots/rules/concurrent-node/bad-shared.txt"),
    },
    Example {
        rule: "control-clamped",
        mending: Mending::None,
        wrong: &[("coordinator.xml", include_str!("../../fixtures/rules/control-clamped/bad-never/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/control-clamped/ok-within/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/control-clamped/bad-never.txt"),
    },
    Example {
        rule: "cron-suspicious",
        mending: Mending::None,
        wrong: &[("coordinator.xml", include_str!("../../fixtures/rules/cron-suspicious/bad-monday/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/cron-suspicious/ok-plain/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/cron-suspicious/bad-monday.txt"),
    },
    Example {
        rule: "cron-timezone",
        mending: Mending::None,
        wrong: &[("coordinator.xml", include_str!("../../fixtures/rules/cron-timezone/bad-half-hour/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/cron-timezone/ok-utc/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/cron-timezone/bad-half-hour.txt"),
    },
    Example {
        rule: "data-event-unused",
        mending: Mending::Guess,
        wrong: &[("coordinator.xml", include_str!("../../fixtures/rules/data-event-unused/bad-one-of-two/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/data-event-unused/ok-used/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/data-event-unused/bad-one-of-two.txt"),
    },
    Example {
        rule: "dataset-two-writers",
        mending: Mending::None,
        wrong: &[("bundle.xml", include_str!("../../fixtures/rules/dataset-two-writers/bad-one-file/bundle.xml")), ("each/coordinator.xml", include_str!("../../fixtures/rules/dataset-two-writers/bad-one-file/each/coordinator.xml"))],
        right: &[("bundle.xml", include_str!("../../fixtures/rules/dataset-two-writers/ok-places/bundle.xml")), ("each/coordinator.xml", include_str!("../../fixtures/rules/dataset-two-writers/ok-places/each/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/dataset-two-writers/bad-one-file.txt"),
    },
    Example {
        rule: "dataset-uri-granularity",
        mending: Mending::None,
        wrong: &[("coordinator.xml", include_str!("../../fixtures/rules/dataset-uri-granularity/bad-unknown-start/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/dataset-uri-granularity/ok-one-place/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/dataset-uri-granularity/bad-unknown-start.txt"),
    },
    Example {
        rule: "decision-constant",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/decision-constant/bad-never/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/decision-constant/ok-depends/workflow.xml"))],
        output: include_str!("../../snapshots/rules/decision-constant/bad-never.txt"),
    },
    Example {
        rule: "delete-near-root",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/delete-near-root/bad-root/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/delete-near-root/ok-deep/workflow.xml"))],
        output: include_str!("../../snapshots/rules/delete-near-root/bad-root.txt"),
    },
    Example {
        rule: "done-flag-implicit",
        mending: Mending::Safe,
        wrong: &[("coordinator.xml", include_str!("../../fixtures/rules/done-flag-implicit/bad-none/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/done-flag-implicit/ok-output/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/done-flag-implicit/bad-none.txt"),
    },
    Example {
        rule: "dst-drift",
        mending: Mending::Guess,
        wrong: &[("coordinator.xml", include_str!("../../fixtures/rules/dst-drift/bad-week/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/dst-drift/ok-no-saving/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/dst-drift/bad-week.txt"),
    },
    Example {
        rule: "dst-gap",
        mending: Mending::None,
        wrong: &[("coordinator.xml", include_str!("../../fixtures/rules/dst-gap/bad-cron-together/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/dst-gap/ok-utc/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/dst-gap/bad-cron-together.txt"),
    },
    Example {
        rule: "el-decision-not-boolean",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/el-decision-not-boolean/bad-outside-braces/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/el-decision-not-boolean/ok-condition/workflow.xml"))],
        output: include_str!("../../snapshots/rules/el-decision-not-boolean/bad-outside-braces.txt"),
    },
    Example {
        rule: "el-fractional-instance",
        mending: Mending::Safe,
        wrong: &[("coordinator.xml", include_str!("../../fixtures/rules/el-fractional-instance/bad-divided/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/el-fractional-instance/ok-whole/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/el-fractional-instance/bad-divided.txt"),
    },
    Example {
        rule: "el-function-unknown",
        mending: Mending::None,
        wrong: &[("ankus.toml", include_str!("../../fixtures/rules/el-function-unknown/bad-later/ankus.toml")), ("workflow.xml", include_str!("../../fixtures/rules/el-function-unknown/bad-later/workflow.xml"))],
        right: &[("ankus.toml", include_str!("../../fixtures/rules/el-function-unknown/ok-now/ankus.toml")), ("workflow.xml", include_str!("../../fixtures/rules/el-function-unknown/ok-now/workflow.xml"))],
        output: include_str!("../../snapshots/rules/el-function-unknown/bad-later.txt"),
    },
    Example {
        rule: "el-node-not-before",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/el-node-not-before/bad-itself/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/el-node-not-before/ok-guarded/workflow.xml"))],
        output: include_str!("../../snapshots/rules/el-node-not-before/bad-itself.txt"),
    },
    Example {
        rule: "el-node-unknown",
        mending: Mending::Guess,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/el-node-unknown/bad-typo/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/el-node-unknown/ok-known/workflow.xml"))],
        output: include_str!("../../snapshots/rules/el-node-unknown/bad-typo.txt"),
    },
    Example {
        rule: "el-string-number-compare",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/el-string-number-compare/bad-quoted/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/el-string-number-compare/ok-numbers-and-words/workflow.xml"))],
        output: include_str!("../../snapshots/rules/el-string-number-compare/bad-quoted.txt"),
    },
    Example {
        rule: "el-transition-impossible",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/el-transition-impossible/bad-other-node/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/el-transition-impossible/ok-leads/workflow.xml"))],
        output: include_str!("../../snapshots/rules/el-transition-impossible/bad-other-node.txt"),
    },
    Example {
        rule: "el-variable-dotted",
        mending: Mending::Guess,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/el-variable-dotted/bad-dash/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/el-variable-dotted/ok-conf-and-minus/workflow.xml"))],
        output: include_str!("../../snapshots/rules/el-variable-dotted/bad-dash.txt"),
    },
    Example {
        rule: "email-no-recipient",
        mending: Mending::Safe,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/email-no-recipient/bad-semicolon/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/email-no-recipient/ok-two/workflow.xml"))],
        output: include_str!("../../snapshots/rules/email-no-recipient/bad-semicolon.txt"),
    },
    Example {
        rule: "end-inside-fork",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/end-inside-fork/bad-error/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/end-inside-fork/ok-kill/workflow.xml"))],
        output: include_str!("../../snapshots/rules/end-inside-fork/bad-error.txt"),
    },
    Example {
        rule: "error-to-end",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/error-to-end/bad-error/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/error-to-end/ok-both/workflow.xml"))],
        output: include_str!("../../snapshots/rules/error-to-end/bad-error.txt"),
    },
    Example {
        rule: "execution-misuse",
        mending: Mending::None,
        wrong: &[("coordinator.xml", include_str!("../../fixtures/rules/execution-misuse/bad-last-only/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/execution-misuse/ok-last-only/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/execution-misuse/bad-last-only.txt"),
    },
    Example {
        rule: "fork-many-joins",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/fork-many-joins/bad-two-joins/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/fork-many-joins/ok-nested/workflow.xml"))],
        output: include_str!("../../snapshots/rules/fork-many-joins/bad-two-joins.txt"),
    },
    Example {
        rule: "fork-same-target",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/fork-same-target/bad-twice/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/fork-same-target/ok-kills/workflow.xml"))],
        output: include_str!("../../snapshots/rules/fork-same-target/bad-twice.txt"),
    },
    Example {
        rule: "fork-single-path",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/fork-single-path/bad-one/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/fork-single-path/ok-two/workflow.xml"))],
        output: include_str!("../../snapshots/rules/fork-single-path/bad-one.txt"),
    },
    Example {
        rule: "fork-without-join",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/fork-without-join/bad-ends/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/fork-without-join/ok-join/workflow.xml"))],
        output: include_str!("../../snapshots/rules/fork-without-join/bad-ends.txt"),
    },
    Example {
        rule: "fs-path-relative",
        mending: Mending::Guess,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/fs-path-relative/bad-no-name-node/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/fs-path-relative/ok-name-node/workflow.xml"))],
        output: include_str!("../../snapshots/rules/fs-path-relative/bad-no-name-node.txt"),
    },
    Example {
        rule: "fs-permissions-invalid",
        mending: Mending::Safe,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/fs-permissions-invalid/bad-four/workflow.xml"))],
        right: &[("job.properties", include_str!("../../fixtures/rules/fs-permissions-invalid/ok-octal/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/fs-permissions-invalid/ok-octal/workflow.xml"))],
        output: include_str!("../../snapshots/rules/fs-permissions-invalid/bad-four.txt"),
    },
    Example {
        rule: "instance-before-initial",
        mending: Mending::None,
        wrong: &[("coordinator.xml", include_str!("../../fixtures/rules/instance-before-initial/bad-start/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/instance-before-initial/ok-later-start/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/instance-before-initial/bad-start.txt"),
    },
    Example {
        rule: "instance-never",
        mending: Mending::None,
        wrong: &[("coordinator.xml", include_str!("../../fixtures/rules/instance-never/bad-future/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/instance-never/ok-future/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/instance-never/bad-future.txt"),
    },
    Example {
        rule: "join-many-forks",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/join-many-forks/bad-inner-fork/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/join-many-forks/ok-two-forks/workflow.xml"))],
        output: include_str!("../../snapshots/rules/join-many-forks/bad-inner-fork.txt"),
    },
    Example {
        rule: "join-without-fork",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/join-without-fork/bad-chain/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/join-without-fork/ok-fork/workflow.xml"))],
        output: include_str!("../../snapshots/rules/join-without-fork/bad-chain.txt"),
    },
    Example {
        rule: "kill-unused",
        mending: Mending::Safe,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/kill-unused/bad-unused/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/kill-unused/ok-used/workflow.xml"))],
        output: include_str!("../../snapshots/rules/kill-unused/bad-unused.txt"),
    },
    Example {
        rule: "month-end-start",
        mending: Mending::None,
        wrong: &[("coordinator.xml", include_str!("../../fixtures/rules/month-end-start/bad-last-day/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/month-end-start/ok-first/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/month-end-start/bad-last-day.txt"),
    },
    Example {
        rule: "node-dead-end",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/node-dead-end/bad-loop/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/node-dead-end/ok-end/workflow.xml"))],
        output: include_str!("../../snapshots/rules/node-dead-end/bad-loop.txt"),
    },
    Example {
        rule: "node-duplicate",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/node-duplicate/bad-end-name/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/node-duplicate/ok-two-names/workflow.xml"))],
        output: include_str!("../../snapshots/rules/node-duplicate/bad-end-name.txt"),
    },
    Example {
        rule: "node-name-invalid",
        mending: Mending::Guess,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/node-name-invalid/bad-digit/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/node-name-invalid/ok-underscore/workflow.xml"))],
        output: include_str!("../../snapshots/rules/node-name-invalid/bad-digit.txt"),
    },
    Example {
        rule: "node-unreachable",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/node-unreachable/bad-action/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/node-unreachable/ok-reached/workflow.xml"))],
        output: include_str!("../../snapshots/rules/node-unreachable/bad-action.txt"),
    },
    Example {
        rule: "parameter-name-empty",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/parameter-name-empty/bad-blank/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/parameter-name-empty/ok-name/workflow.xml"))],
        output: include_str!("../../snapshots/rules/parameter-name-empty/bad-blank.txt"),
    },
    Example {
        rule: "parameter-undefined",
        mending: Mending::None,
        wrong: &[("job.properties", include_str!("../../fixtures/rules/parameter-undefined/bad-not-given/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/parameter-undefined/bad-not-given/workflow.xml"))],
        right: &[("job.properties", include_str!("../../fixtures/rules/parameter-undefined/ok-given/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/parameter-undefined/ok-given/workflow.xml"))],
        output: include_str!("../../snapshots/rules/parameter-undefined/bad-not-given.txt"),
    },
    Example {
        rule: "parameter-unused",
        mending: Mending::Safe,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/parameter-unused/bad-unused/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/parameter-unused/ok-read/workflow.xml"))],
        output: include_str!("../../snapshots/rules/parameter-unused/bad-unused.txt"),
    },
    Example {
        rule: "property-cycle",
        mending: Mending::None,
        wrong: &[("job.properties", include_str!("../../fixtures/rules/property-cycle/bad-loop/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/property-cycle/bad-loop/workflow.xml"))],
        right: &[("job.properties", include_str!("../../fixtures/rules/property-cycle/ok-chain/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/property-cycle/ok-chain/workflow.xml"))],
        output: include_str!("../../snapshots/rules/property-cycle/bad-loop.txt"),
    },
    Example {
        rule: "property-duplicate",
        mending: Mending::Safe,
        wrong: &[("job.properties", include_str!("../../fixtures/rules/property-duplicate/bad-properties/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/property-duplicate/bad-properties/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/property-duplicate/ok-two-lists/workflow.xml"))],
        output: include_str!("../../snapshots/rules/property-duplicate/bad-properties.txt"),
    },
    Example {
        rule: "property-el-function",
        mending: Mending::None,
        wrong: &[("job.properties", include_str!("../../fixtures/rules/property-el-function/bad-user/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/property-el-function/bad-user/workflow.xml"))],
        right: &[("job.properties", include_str!("../../fixtures/rules/property-el-function/ok-reference/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/property-el-function/ok-reference/workflow.xml"))],
        output: include_str!("../../snapshots/rules/property-el-function/bad-user.txt"),
    },
    Example {
        rule: "property-empty",
        mending: Mending::None,
        wrong: &[("job.properties", include_str!("../../fixtures/rules/property-empty/bad-properties/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/property-empty/bad-properties/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/property-empty/ok-value/workflow.xml"))],
        output: include_str!("../../snapshots/rules/property-empty/bad-properties.txt"),
    },
    Example {
        rule: "property-reserved",
        mending: Mending::None,
        wrong: &[("job.properties", include_str!("../../fixtures/rules/property-reserved/bad-minutes/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/property-reserved/bad-minutes/workflow.xml"))],
        right: &[("job.properties", include_str!("../../fixtures/rules/property-reserved/ok-lower-case/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/property-reserved/ok-lower-case/workflow.xml"))],
        output: include_str!("../../snapshots/rules/property-reserved/bad-minutes.txt"),
    },
    Example {
        rule: "property-shadowed",
        mending: Mending::None,
        wrong: &[("config-default.xml", include_str!("../../fixtures/rules/property-shadowed/bad-default-file/config-default.xml")), ("job.properties", include_str!("../../fixtures/rules/property-shadowed/bad-default-file/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/property-shadowed/bad-default-file/workflow.xml"))],
        right: &[("config-default.xml", include_str!("../../fixtures/rules/property-shadowed/ok-same-value/config-default.xml")), ("job.properties", include_str!("../../fixtures/rules/property-shadowed/ok-same-value/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/property-shadowed/ok-same-value/workflow.xml"))],
        output: include_str!("../../snapshots/rules/property-shadowed/bad-default-file.txt"),
    },
    Example {
        rule: "property-unused",
        mending: Mending::None,
        wrong: &[("job.properties", include_str!("../../fixtures/rules/property-unused/bad-left-over/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/property-unused/bad-left-over/workflow.xml"))],
        right: &[("job.properties", include_str!("../../fixtures/rules/property-unused/ok-read/job.properties")), ("workflow.xml", include_str!("../../fixtures/rules/property-unused/ok-read/workflow.xml"))],
        output: include_str!("../../snapshots/rules/property-unused/bad-left-over.txt"),
    },
    Example {
        rule: "schema-feature-version",
        mending: Mending::None,
        wrong: &[("ankus.toml", include_str!("../../fixtures/rules/schema-feature-version/bad-later/ankus.toml")), ("workflow.xml", include_str!("../../fixtures/rules/schema-feature-version/bad-later/workflow.xml"))],
        right: &[("ankus.toml", include_str!("../../fixtures/rules/schema-feature-version/ok-now/ankus.toml")), ("workflow.xml", include_str!("../../fixtures/rules/schema-feature-version/ok-now/workflow.xml"))],
        output: include_str!("../../snapshots/rules/schema-feature-version/bad-later.txt"),
    },
    Example {
        rule: "schema-unknown-namespace",
        mending: Mending::Guess,
        wrong: &[("ankus.toml", include_str!("../../fixtures/rules/schema-unknown-namespace/bad-later/ankus.toml")), ("workflow.xml", include_str!("../../fixtures/rules/schema-unknown-namespace/bad-later/workflow.xml"))],
        right: &[("ankus.toml", include_str!("../../fixtures/rules/schema-unknown-namespace/ok-now/ankus.toml")), ("workflow.xml", include_str!("../../fixtures/rules/schema-unknown-namespace/ok-now/workflow.xml"))],
        output: include_str!("../../snapshots/rules/schema-unknown-namespace/bad-later.txt"),
    },
    Example {
        rule: "secret-plaintext",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/secret-plaintext/bad-command/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/secret-plaintext/ok-elsewhere/workflow.xml"))],
        output: include_str!("../../snapshots/rules/secret-plaintext/bad-command.txt"),
    },
    Example {
        rule: "timezone-three-letter",
        mending: Mending::Guess,
        wrong: &[("coordinator.xml", include_str!("../../fixtures/rules/timezone-three-letter/bad-no-saving/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/timezone-three-letter/ok-region/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/timezone-three-letter/bad-no-saving.txt"),
    },
    Example {
        rule: "transition-self",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/transition-self/bad-error/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/transition-self/ok-next/workflow.xml"))],
        output: include_str!("../../snapshots/rules/transition-self/bad-error.txt"),
    },
    Example {
        rule: "transition-unknown",
        mending: Mending::Guess,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/transition-unknown/bad-typo/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/transition-unknown/ok-forward/workflow.xml"))],
        output: include_str!("../../snapshots/rules/transition-unknown/bad-typo.txt"),
    },
    Example {
        rule: "tzoffset-minutes",
        mending: Mending::Guess,
        wrong: &[("coordinator.xml", include_str!("../../fixtures/rules/tzoffset-minutes/bad-hourly/coordinator.xml"))],
        right: &[("coordinator.xml", include_str!("../../fixtures/rules/tzoffset-minutes/ok-divided/coordinator.xml"))],
        output: include_str!("../../snapshots/rules/tzoffset-minutes/bad-hourly.txt"),
    },
    Example {
        rule: "user-name-conflict",
        mending: Mending::None,
        wrong: &[("apps/c/coordinator.xml", include_str!("../../fixtures/rules/user-name-conflict/bad-other-user/apps/c/coordinator.xml")), ("bundle.xml", include_str!("../../fixtures/rules/user-name-conflict/bad-other-user/bundle.xml"))],
        right: &[("apps/c/coordinator.xml", include_str!("../../fixtures/rules/user-name-conflict/ok-no-user/apps/c/coordinator.xml")), ("bundle.xml", include_str!("../../fixtures/rules/user-name-conflict/ok-no-user/bundle.xml"))],
        output: include_str!("../../snapshots/rules/user-name-conflict/bad-other-user.txt"),
    },
    Example {
        rule: "value-surrounding-space",
        mending: Mending::Guess,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/value-surrounding-space/bad-word/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/value-surrounding-space/ok-word/workflow.xml"))],
        output: include_str!("../../snapshots/rules/value-surrounding-space/bad-word.txt"),
    },
    Example {
        rule: "workflow-cycle",
        mending: Mending::None,
        wrong: &[("workflow.xml", include_str!("../../fixtures/rules/workflow-cycle/bad-error/workflow.xml"))],
        right: &[("workflow.xml", include_str!("../../fixtures/rules/workflow-cycle/ok-chain/workflow.xml"))],
        output: include_str!("../../snapshots/rules/workflow-cycle/bad-error.txt"),
    },
];
// generated: end
