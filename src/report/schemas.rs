//! JSON Schemas of the machine formats and of `ankus.toml`, as they stand in `grammar/json/`.

/// Names and schemas, sorted.
pub static ALL: &[(&str, &str)] = &[
    ("baseline", include_str!("../../grammar/json/baseline.json")),
    ("check", include_str!("../../grammar/json/check.json")),
    ("config", include_str!("../../grammar/json/config.json")),
    ("convert", include_str!("../../grammar/json/convert.json")),
    ("eval", include_str!("../../grammar/json/eval.json")),
    ("event", include_str!("../../grammar/json/event.json")),
    ("explain-value", include_str!("../../grammar/json/explain-value.json")),
    ("job", include_str!("../../grammar/json/job.json")),
    ("jobs", include_str!("../../grammar/json/jobs.json")),
    ("next", include_str!("../../grammar/json/next.json")),
    ("plan", include_str!("../../grammar/json/plan.json")),
    ("rules", include_str!("../../grammar/json/rules.json")),
    ("scenario", include_str!("../../grammar/json/scenario.json")),
    ("schedule", include_str!("../../grammar/json/schedule.json")),
    ("schedules", include_str!("../../grammar/json/schedules.json")),
    ("simulation", include_str!("../../grammar/json/simulation.json")),
    ("timezones", include_str!("../../grammar/json/timezones.json")),
];

/// The schema of this name.
pub fn find(name: &str) -> Option<&'static str> {
    ALL.iter().find(|(known, _)| *known == name).map(|(_, schema)| *schema)
}
