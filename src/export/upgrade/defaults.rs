//! `configuration.xml` as `config-default.xml`, and the files that `job-xml` names.

use super::actions::{literal, name_of};
use super::losses::loss;
use super::markup::Edits;
use super::{Read, Upgrade, Upgrading};

/// Properties of the dialect and those of workflow 1.0 for the same.
const RENAMED: &[(&str, &str)] = &[
    ("hws.action.notification.url", "oozie.wf.action.notification.url"),
    ("hws.workflow.notification.url", "oozie.wf.workflow.notification.url"),
    ("hws.action.retry.max", "oozie.wf.action.max.retries"),
    ("hws.action.retry.interval", "oozie.wf.action.retry.interval"),
];

/// Tokens in the URLs of notifications.
const TOKENS: &[(&str, &str)] =
    &[("$wfId", "$jobId"), ("$nodeStatus", "$status"), ("$wfstatus", "$status"), ("$wfStatus", "$status")];

/// Names that `config-default.xml` may not give.
const RESERVED: &[&str] = &["user.name", "hadoop.job.ugi"];

impl Upgrading<'_> {
    /// The default values of the application.
    pub(super) fn defaults(&mut self, upgrade: &mut Upgrade) {
        let Some(Read { text, root }) = self.app.defaults else { return };
        let mut edits = Edits::of(text);
        for property in root.elements().filter(|it| it.name.local == "property") {
            let name = name_of(property);
            let place = property.name_span;
            let value = property.child("value").map(|value| value.text().value).unwrap_or_default();
            if RESERVED.contains(&name.as_str()) {
                self.found
                    .push(loss(place, format!("`config-default.xml` may not give `{name}`: it is left out")));
                edits.remove(property);
                continue;
            }
            if value.is_empty() {
                let words = format!("an empty default value counts as none in workflow 1.0: `{name}`");
                self.found.push(loss(place, words));
            }
            if let Some((_, other)) = RENAMED.iter().find(|(old, _)| *old == name) {
                let words =
                    format!("`{name}` is `{other}` in workflow 1.0, with other values: give that one");
                self.found.push(loss(place, words));
                if let Some(name) = property.child("name") {
                    edits.replace_text(name, other);
                }
                if name.ends_with(".url")
                    && let Some(url) = property.child("value")
                {
                    let other = TOKENS.iter().fold(value.clone(), |url, (old, new)| url.replace(old, new));
                    edits.replace_text(url, &other);
                }
            } else if name.starts_with("hws.") {
                self.found.push(loss(place, format!("`{name}` says nothing in workflow 1.0")));
            }
        }
        let whole = edits.applied(0..text.len());
        upgrade.files.insert("config-default.xml".to_owned(), whole);
        upgrade.gone.insert("configuration.xml".to_owned());
    }
}

/// A file that `job-xml` names: without what stands in the action, and with its values kept from being evaluated.
pub(super) fn job_file(file: &Read<'_>) -> String {
    let mut edits = Edits::of(file.text);
    for property in file.root.elements().filter(|it| it.name.local == "property") {
        if ["mapred.job.tracker", "fs.default.name"].contains(&name_of(property).as_str()) {
            edits.remove(property);
        } else if let Some(value) = property.child("value") {
            let text = value.text().value;
            let other = literal(&text);
            if other != text {
                edits.replace_text(value, &other);
            }
        }
    }
    edits.applied(0..file.text.len())
}
