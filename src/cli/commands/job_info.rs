//! `ankus job ID info`: the job, its parts, and what each waits for.

use std::io::Write;

use serde_json::{Value, json};

use super::job::Named;
use super::jobs::{FormatArg, document};
use crate::engine::Watched;
use crate::execute::clock::{Clock, SystemClock};
use crate::execute::executor::cleaning;
use crate::execute::executor::looks::UNREACHED;
use crate::execute::executor::rehearsals;
use crate::execute::group;
use crate::execute::open::Place;
use crate::execute::store::Store;
use crate::host::ShellError;
use crate::redact::document;
use crate::report::job_text::{self, Part};
use crate::report::levels::Level;
use crate::report::one_line::one_line;
use crate::report::waits::{self, Style};
use crate::shell::Context;
use crate::shell::Status;

/// Shows a job, or one part of it.
pub fn run(
    place: &Place,
    named: &Named,
    format: FormatArg,
    context: &mut Context,
) -> Result<Status, ShellError> {
    let store = place.read()?;
    let middle = place.settings(&store, &SystemClock)?.id_middle;
    let style = Style { middle: &middle, zone: place.zone, now: SystemClock.now() };
    let unreached = store.meta(UNREACHED)?.filter(|words| !words.is_empty());
    let to_remove = to_remove(&store, named)?;
    let stubs = rehearsals::kept(&store, named.row.root)?.map(|stubs| stubs.arguments()).unwrap_or_default();
    let view = place.view(store, named.row.root, &SystemClock)?;
    let (id, engine) = (named.row.id, view.engine());
    let left = view.left_running(id);
    let mut parts = job_text::parts(engine, id, &view.changes, style);
    if let Some(part) = &named.part {
        let wanted = part.trim_start_matches('@');
        parts.retain(|known| known.name.trim_start_matches('@') == wanted);
        if parts.is_empty() {
            return Err(ShellError::usage(format!("the job `{id}` has no part `{part}`")));
        }
    }
    let waits_for = waits::of_job(engine, id, style).map(|words| view.veil.text(&words).into_owned());
    let level = view.changes.levels.of(engine, Watched::Workflow(id));
    let error = job_text::error_of(engine, id);
    let error = error.map(|(code, message)| (code, view.veil.text(&message).into_owned()));
    parts.iter_mut().for_each(|part| part.redact(&view.veil));
    // Where nobody is at work, a job that runs comes no further.
    let stands = !view.is_over(id) && waits_for.is_none() && !Store::is_held(&place.folder);
    let out = &mut context.io.out;
    match (format, &named.part) {
        (FormatArg::Json, None) => {
            let mut value = document(&named.row, &middle, place.zone);
            if let Some(map) = value.as_object_mut() {
                map.insert("version".to_owned(), json!(1));
                map.insert("pending".to_owned(), engine_pending(&parts).into());
                let (kick_off, start, end) = job_text::planned(engine, id, style);
                map.insert("kickOff".to_owned(), json!(kick_off));
                map.insert("start".to_owned(), json!(start));
                map.insert("end".to_owned(), json!(end));
                map.insert("waitsFor".to_owned(), json!(waits_for));
                map.insert("notRun".to_owned(), json!(stubs));
                map.insert("standsStill".to_owned(), stands.into());
                map.insert("unreached".to_owned(), json!(unreached));
                map.insert("toRemove".to_owned(), json!(to_remove));
                let left = left.iter().map(|(part, groups)| json!({ "part": part, "groups": groups }));
                map.insert("leftRunning".to_owned(), left.collect());
                map.insert("sla".to_owned(), json!(level.as_ref().map(Level::document)));
                map.insert("error".to_owned(), job_text::error(error.as_ref()));
                map.insert("parts".to_owned(), parts.iter().map(Part::document).collect());
            }
            json_text(&view.veil, value, out)?;
        }
        (FormatArg::Json, Some(_)) => {
            for part in &parts {
                let mut value = part.document();
                if let Some(map) = value.as_object_mut() {
                    map.insert("version".to_owned(), json!(1));
                }
                json_text(&view.veil, value, out)?;
            }
        }
        (FormatArg::Text, Some(_)) => {
            for part in &parts {
                let mut text = format!("{}\n", part.id);
                for (name, value) in part.details() {
                    text.push_str(&format!("  {name:<16} {}\n", one_line(&value)));
                }
                out.write_all(text.as_bytes())?;
            }
        }
        (FormatArg::Text, None) => {
            let row = &named.row;
            let mut text = format!("{}  {}  {}\n", style.id(id), row.status, one_line(&row.name));
            let optional = [
                ("definition", Some(view.veil.text(&row.app_path).into_owned())),
                ("user", Some(row.user.clone()).filter(|user| !user.is_empty())),
                ("parent", row.parent.clone()),
                ("external id", row.external_id.clone()),
                ("created", Some(style.time(row.created))),
                ("started", row.started.map(|at| style.time(at))),
                ("ended", row.ended.map(|at| style.time(at))),
                ("last modified", Some(style.time(row.modified))),
                ("pending", engine_pending(&parts).then(|| "true".to_owned())),
                ("waits for", waits_for),
                ("service level", level.as_ref().map(Level::words)),
                ("rehearsal", (!stubs.is_empty()).then(|| format!("not run: {}", stubs.join(", ")))),
                (
                    "stands still",
                    stands.then(|| "no executor works on this store; `ankus run` goes on".to_owned()),
                ),
                ("error code", error.as_ref().map(|(code, _)| code.clone())),
                ("error message", error.as_ref().map(|(_, message)| message.clone())),
            ];
            for (name, value) in optional {
                if let Some(value) = value {
                    text.push_str(&format!("  {name:<14} {}\n", one_line(&value)));
                }
            }
            for part in &parts {
                text.push_str(&format!("  {}\n", one_line(&part.to_string())));
            }
            for (part, groups) in &left {
                let groups = group::shown(groups).unwrap_or_default();
                text.push_str(&format!(
                    "  processes of {part} still run, and nobody watches them (group {groups}); `kill` ends them\n"
                ));
            }
            for uri in to_remove {
                let uri = view.veil.text(&uri);
                text.push_str(&format!("  still to be removed before what wrote it runs again: {uri}\n"));
            }
            if let Some(words) = unreached {
                let words = view.veil.text(&words);
                text.push_str(&format!("  storage could not be reached at the last look: {words}\n"));
            }
            out.write_all(text.as_bytes())?;
        }
    }
    Ok(Status::Clean)
}

/// The outputs of a job, or of all below a submission, that are to be removed before their actions run again.
fn to_remove(store: &Store, named: &Named) -> Result<Vec<String>, ShellError> {
    let mut all = Vec::new();
    for (_, root, body) in store.chores()? {
        let Some((action, uris)) = cleaning::read(&body).filter(|_| root == named.row.root) else { continue };
        let number = named.row.id.number;
        if number == root || action.is_some_and(|action| action.coordinator == number) {
            all.extend(uris.map(str::to_owned));
        }
    }
    Ok(all)
}

/// Whether an answer to some part is on its way.
fn engine_pending(parts: &[Part]) -> bool {
    parts.iter().any(|part| part.pending)
}

/// Writes a document with stars for secrets, and a line end.
fn json_text(
    veil: &crate::redact::Redactor,
    mut value: Value,
    out: &mut dyn Write,
) -> Result<(), ShellError> {
    document::redact(veil, &mut value);
    writeln!(out, "{}", serde_json::to_string_pretty(&value).unwrap_or_default())?;
    Ok(())
}
