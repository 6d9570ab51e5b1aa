//! The property that says which app a submission is for.

use super::job_conf::JobConf;
use crate::analysis::project::{Astray, Why};
use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::model::Dialect;
use crate::source::Span;

/// More than one application path.
pub static APP_PATH_CONFLICT: Info = Info {
    name: "app-path-conflict",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0302", "E0404"],
    explanation: "The properties name more than one app: several of `oozie.wf.application.path`, \
        `oozie.coord.application.path` and `oozie.bundle.application.path`.\n\n\
        The server takes a submission for one app only. Keep one.",
};

/// An application path that leads nowhere.
pub static APP_PATH_MISSING: Info = Info {
    name: "app-path-missing",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0504"],
    explanation: "An application path leads to no file of the project.\n\n\
        Evidence in this order says which file a path means: `[paths]` in ankus.toml; the whole path; its last folder \
        and name; its last folder; the same with a folder more or less; all but one misspelt name; the folder alone; \
        the file name alone; the folder of the file that names the path. It is an error where the app itself is not \
        found, where a mapping names a place at which nothing stands, or where a file of another kind stands there \
        (E0701); a warning from the misspelt name on, where several files fit equally well, where the path leads out \
        of the project, or to a folder of which the project holds an app of another kind; and an info where the \
        last folder alone decides, or only which of several files that fit equally well is the nearest, and where the \
        project does not hold the file, as the cluster may. Correct the path, or map it.",
};

/// What an application path that is followed from one app to another, and leads nowhere, is worth: the action that uses
/// it fails where it is known to be wrong; where the project just does not hold what it leads to, nobody knows.
pub fn astray(astray: &Astray, span: Span) -> Diagnostic {
    let finding = described(&APP_PATH_MISSING, astray, span).oozie(&[]);
    match astray.why {
        Why::Absent => finding.stage(Some(Stage::Action)),
        // The schema of its kind refuses it.
        Why::OtherKind => finding.stage(Some(Stage::Action)).oozie(&["E0701"]),
        Why::Unclear | Why::Several | Why::Outside | Why::Beside => {
            finding.severity(Severity::Warning).stage(None)
        }
        Why::Unknown | Why::Likely | Why::Broken => finding.severity(Severity::Info).stage(None),
    }
}

/// A finding of a kind about a path that leads astray, with what it resolves to and the way out.
pub fn described(kind: &'static Info, astray: &Astray, span: Span) -> Diagnostic {
    let finding = Diagnostic::new(kind, span, astray.words()).help(astray.help());
    match &astray.value {
        Some(value) => finding.at(format!("resolves to `{value}`")),
        None => finding,
    }
}

/// What kind of app a job runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AppKind {
    /// `oozie.bundle.application.path`
    Bundle,
    /// `oozie.coord.application.path`
    Coordinator,
    /// `oozie.wf.application.path`
    Workflow,
}

impl AppKind {
    /// All kinds, in the order in which the server looks for their paths.
    pub const ALL: [AppKind; 3] = [AppKind::Workflow, AppKind::Coordinator, AppKind::Bundle];

    /// The property that holds the path.
    pub fn property(self) -> &'static str {
        match self {
            AppKind::Bundle => "oozie.bundle.application.path",
            AppKind::Coordinator => "oozie.coord.application.path",
            AppKind::Workflow => "oozie.wf.application.path",
        }
    }

    /// The default file that stands beside the app.
    pub fn default_file(self) -> &'static str {
        match self {
            AppKind::Bundle => "bundle-config-default.xml",
            AppKind::Coordinator => "coord-config-default.xml",
            AppKind::Workflow => "config-default.xml",
        }
    }

    /// The default file that stands beside an app of a dialect.
    pub fn default_file_in(self, dialect: Dialect) -> &'static str {
        match (self, dialect) {
            (AppKind::Workflow, Dialect::Hws) => "configuration.xml",
            (kind, _) => kind.default_file(),
        }
    }

    /// The usual name of the definition.
    pub fn definition_file(self) -> &'static str {
        match self {
            AppKind::Bundle => "bundle.xml",
            AppKind::Coordinator => "coordinator.xml",
            AppKind::Workflow => "workflow.xml",
        }
    }
}

/// The app that a submission names, with its path as resolved; a finding when it names several
/// (`ServletUtilities.validateAppPath`), then with the first in the server's order.
pub fn app_path(conf: &JobConf, place: Span) -> (Option<(AppKind, String)>, Vec<Diagnostic>) {
    let named: Vec<_> = AppKind::ALL
        .into_iter()
        .filter_map(|kind| conf.get_lenient(kind.property()).map(|path| (kind, path)))
        .collect();
    let mut findings = Vec::new();
    if let [(first, _), rest @ ..] = &*named
        && !rest.is_empty()
    {
        let span = |kind: &AppKind| conf.span(kind.property()).unwrap_or(place);
        let names: Vec<_> = named.iter().map(|(kind, _)| format!("`{}`", kind.property())).collect();
        let mut found = Diagnostic::new(
            &APP_PATH_CONFLICT,
            span(first),
            format!("{} are given together", names.join(" and ")),
        )
        .help("keep the one of the app that is meant");
        for (kind, _) in rest {
            found = found.label(span(kind), format!("`{}` stands here", kind.property()));
        }
        findings.push(found);
    }
    (named.into_iter().next(), findings)
}
