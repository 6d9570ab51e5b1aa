//! Checking the schedules of a project.

use super::outcome::Outcome;
use super::{Judged, Unit, Work};
use crate::analysis::schedules::Schedules;
use crate::host::error::ShellError;
use crate::host::files;
use crate::report::findings::Style;
use crate::rules::{self, Sink};
use crate::shell::context::Common;
use crate::shell::library::Library;
use crate::shell::schedules;
use crate::source::Sources;

impl Work {
    /// Checks the schedules of a project together. The definitions that they name are read, and judged elsewhere.
    pub(super) fn scheduled(
        &self,
        unit: &Unit,
        common: &Common,
        style: Style,
        keeps_files: bool,
    ) -> Result<Judged, ShellError> {
        let (config, project) = &self.projects[unit.project];
        let mut sources = Sources::new();
        let (list, mut found) = schedules::read(&unit.schedules, &mut sources)?;
        let version = config.version(common.oozie_version.as_deref())?;
        let library = Library::new(project, Sources::new()).with_rules(self.rules).with_version(version);
        let programs = schedules::programs(&list, config, project, &library)?;
        let mut sink = Sink::new();
        let subject = Schedules { list: &list, programs: &programs, zone: config.zone()? };
        rules::schedules(self.rules, &subject, &mut sink);
        found.extend(sink.into_findings());
        let sifted = self.sieve(unit.project).sift(&sources, &unit.path, unit.complete, found);
        let mut outcome = Outcome::new(style, keeps_files);
        outcome.add(&sources, sifted);
        outcome.read(library.all().map(|loaded| loaded.path.clone()));
        let definitions = unit.schedules.iter().map(|path| files::absolute(path)).collect();
        Ok(Judged { outcome, definitions, undone: Vec::new() })
    }
}
