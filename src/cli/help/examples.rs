//! Examples of every command, shown by `--help` and on manual pages. A test parses each.

/// The examples of a command.
pub struct Examples {
    /// The path of the command: `check`, or `job info`.
    pub command: &'static str,
    /// Command lines and what they are for, the most common first.
    pub lines: &'static [(&'static str, &'static str)],
}

/// All of them, in the order of the commands.
pub static ALL: &[Examples] = &[
    Examples {
        command: "ankus",
        lines: &[
            ("ankus check", "what is wrong with everything below the working directory"),
            ("ankus plan apps/load/prod.properties --next 3", "the first three actions of an app"),
            ("ankus simulate apps/load/prod.properties", "play it in virtual time"),
            ("ankus run apps/load/dev.properties", "run it on this machine"),
        ],
    },
    Examples {
        command: "check",
        lines: &[
            ("ankus check", "everything below the working directory"),
            ("ankus check apps/load/job.properties", "one app with its parameters"),
            ("ankus check --diff", "what `--fix` would change, and for which rule"),
            ("ankus check --watch apps", "check again after every change"),
            (
                "ankus check --format github --output sarif=ankus.sarif",
                "annotations, and a file for code scanning",
            ),
            ("ankus check --write-baseline ankus-baseline.json", "accept what is there, report what is new"),
        ],
    },
    Examples {
        command: "plan",
        lines: &[
            ("ankus plan apps/load --next 3", "the first three actions"),
            ("ankus plan apps/load --from 2026-11-01 --to 2026-12-01", "the actions of November"),
            ("ankus plan apps/load/prod.properties --format json -o plan.json", "one document for programs"),
            ("ankus plan apps/load --explain-value nameNode", "where a value comes from"),
        ],
    },
    Examples {
        command: "simulate",
        lines: &[
            ("ankus simulate apps/load", "all data on time, every action ends well"),
            ("ankus simulate apps/load --scenario late.toml", "late data, failures and operators"),
            ("ankus simulate apps/load --scenario late.toml --explain load@3", "why the third action waited"),
            ("ankus simulate apps/load --format html -o timeline.html", "a page for a browser"),
        ],
    },
    Examples {
        command: "run",
        lines: &[
            ("ankus run apps/load -D date=2026-11-01", "submit an app and execute it"),
            ("ankus run apps/load --stub all", "a dry run: no action is executed"),
            ("ankus run", "continue everything in the store"),
        ],
    },
    Examples {
        command: "submit",
        lines: &[
            ("ankus submit apps/load", "print the id of the new job"),
            ("ankus submit apps/load --external-id nightly", "refuse a second job of this name"),
        ],
    },
    Examples {
        command: "jobs",
        lines: &[
            ("ankus jobs", "all jobs, the newest first"),
            ("ankus jobs --status RUNNING,SUSPENDED --format json", "those two states, for programs"),
        ],
    },
    Examples {
        command: "jobs purge",
        lines: &[("ankus jobs purge --older-than 30d", "remove what finished more than 30 days ago")],
    },
    Examples {
        command: "jobs verify",
        lines: &[("ankus jobs verify", "whether anything in the store was changed behind its back")],
    },
    Examples {
        command: "job",
        lines: &[
            ("ankus job 1-W info", "the job and its actions"),
            ("ankus job 1-W log -f", "follow what its actions write"),
            ("ankus job 2-C@3 info", "one action of a coordinator"),
        ],
    },
    Examples { command: "job info", lines: &[("ankus job 2-C info --format json", "the job for programs")] },
    Examples {
        command: "job log",
        lines: &[
            ("ankus job 1-W log --action load", "the output of one action"),
            ("ankus job 2-C@3 log -f", "follow one action of a coordinator"),
        ],
    },
    Examples {
        command: "job definition",
        lines: &[("ankus job 1-W definition", "the XML with which the job runs")],
    },
    Examples { command: "job start", lines: &[("ankus job 1-W start", "start a job that was submitted")] },
    Examples { command: "job suspend", lines: &[("ankus job 1-W suspend", "start no further actions")] },
    Examples { command: "job resume", lines: &[("ankus job 1-W resume", "continue a suspended job")] },
    Examples {
        command: "job kill",
        lines: &[
            ("ankus job 1-W kill", "end a job"),
            ("ankus job 2-C kill --actions 3-5,8", "end some actions of a coordinator"),
        ],
    },
    Examples {
        command: "job pause",
        lines: &[
            ("ankus job 2-C pause", "materialize no further actions from now on"),
            ("ankus job 2-C pause --at 2026-11-01T00:00Z", "from this time on"),
        ],
    },
    Examples {
        command: "job change",
        lines: &[
            ("ankus job 2-C change --end 2027-01-01T00:00Z", "another end"),
            ("ankus job 2-C change --concurrency 2 --pause none", "several changes at once"),
        ],
    },
    Examples {
        command: "job rerun",
        lines: &[
            ("ankus job 1-W rerun --failed", "the failed nodes and what follows them"),
            ("ankus job 2-C rerun --actions 3-5", "some actions of a coordinator"),
        ],
    },
    Examples {
        command: "job ignore",
        lines: &[("ankus job 2-C ignore --actions 3", "let an action not count for its coordinator")],
    },
    Examples {
        command: "graph",
        lines: &[
            ("ankus graph apps/load/workflow.xml -o load.svg", "the control flow of a workflow"),
            ("ankus graph apps/load --format mermaid", "as text for a page"),
        ],
    },
    Examples {
        command: "schedule",
        lines: &[(
            "ankus schedule --show-request add program schedule after for workflow Feeds.Clean after program Download \
             type workflow status completed",
            "the request to a web service that adds a schedule",
        )],
    },
    Examples {
        command: "app",
        lines: &[
            ("ankus app pack apps/load -o load.zip", "a package of a folder"),
            ("ankus app deploy load.zip", "deploy it; it is INACTIVE then"),
            ("ankus app activate load", "let it take jobs: `ankus submit load`"),
        ],
    },
    Examples {
        command: "app deploy",
        lines: &[("ankus app deploy load.zip", "print the name of the application and its state")],
    },
    Examples {
        command: "app undeploy",
        lines: &[("ankus app undeploy load", "its jobs and their history stay")],
    },
    Examples {
        command: "app activate",
        lines: &[("ankus app activate load", "an INACTIVE or SUSPENDED application takes jobs")],
    },
    Examples {
        command: "app suspend",
        lines: &[("ankus app suspend load", "its jobs go on, and new ones are refused")],
    },
    Examples {
        command: "app deactivate",
        lines: &[("ankus app deactivate load", "refused while jobs have not finished, with their ids")],
    },
    Examples {
        command: "app info",
        lines: &[("ankus app info load --format json", "its state, its definition, its unfinished jobs")],
    },
    Examples { command: "app list", lines: &[("ankus app list --status active", "those that take jobs")] },
    Examples {
        command: "app pack",
        lines: &[
            ("ankus app pack apps/load", "write load.zip"),
            ("ankus app pack apps/load -o out/load.zip", "write it elsewhere"),
        ],
    },
    Examples {
        command: "upgrade",
        lines: &[
            ("ankus upgrade apps/load --diff", "what would change, and what would be lost"),
            ("ankus upgrade load.zip -o upgraded/load", "write the upgraded app to a folder"),
        ],
    },
    Examples {
        command: "export",
        lines: &[
            ("ankus export airflow apps/load -c prod.properties -o dags", "DAG files, and what they lose"),
            ("ankus export airflow --verify dags", "compare the files with an Airflow that is installed"),
        ],
    },
    Examples {
        command: "export airflow",
        lines: &[
            ("ankus export airflow apps/load -c prod.properties -o dags", "DAG files, and what they lose"),
            ("ankus export airflow apps/load -o dags --deny-losses", "exit code 1 where anything is lost"),
        ],
    },
    Examples {
        command: "eval",
        lines: &[
            ("ankus eval '${wf:conf(\"a\")}' -D a=1", "an expression of a workflow"),
            (
                "ankus eval '${coord:current(-1)}' --phase coord-action-create --context context.json",
                "in another phase, with its surroundings",
            ),
        ],
    },
    Examples {
        command: "next",
        lines: &[
            ("ankus next '0 10 * * *' --start 2026-11-01 --count 5", "five occurrences of a cron"),
            (
                "ankus next '${coord:days(1)}' --timezone America/New_York",
                "days of a zone with daylight saving",
            ),
        ],
    },
    Examples {
        command: "timezones",
        lines: &[("ankus timezones berlin", "the names that contain a text, with their offsets")],
    },
    Examples {
        command: "convert",
        lines: &[
            ("ankus convert 2026-11-01T10:00Z --to America/New_York", "from the processing timezone"),
            (
                "ankus convert 2026-03-08T02:30 --from America/New_York",
                "a local time, with gaps and overlaps",
            ),
        ],
    },
    Examples {
        command: "explain",
        lines: &[
            ("ankus explain transition-unknown", "a rule, with examples"),
            ("ankus explain E0708", "an error code of a server"),
        ],
    },
    Examples {
        command: "rules",
        lines: &[("ankus rules", "one line a rule"), ("ankus rules --format json", "for programs")],
    },
    Examples {
        command: "schema",
        lines: &[
            ("ankus schema config", "the keys of ankus.toml"),
            ("ankus schema plan", "what `plan --format json` prints"),
        ],
    },
    Examples {
        command: "init",
        lines: &[
            ("ankus init", "write an ankus.toml for this repository"),
            ("ankus init --print", "show it only"),
        ],
    },
    Examples {
        command: "completions",
        lines: &[("ankus completions bash > /etc/bash_completion.d/ankus", "for all users of bash")],
    },
    Examples {
        command: "man",
        lines: &[
            ("ankus man | man -l -", "read the manual"),
            ("ankus man man1", "write a page for each command into a folder"),
        ],
    },
];
