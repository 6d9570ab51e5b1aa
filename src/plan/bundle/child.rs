//! The submission of a coordinator by its bundle (`BundleCoordSubmitXCommand`).

use super::start::Child;
use crate::analysis::parameters::Given;
use crate::diag::{Severity, Stage};
use crate::model::Coordinator;
use crate::plan::coordinator::{self, Includes, Settings};

/// Submits a coordinator with what its bundle hands it. `default_file` is the `coord-config-default.xml` beside the
/// coordinator; it counts for less than anything from the bundle.
pub fn submit_child(
    child: &Child,
    app: &Coordinator,
    default_file: &[Given],
    settings: &Settings,
    includes: Includes<'_>,
) -> coordinator::Submitted {
    let mut conf = child.conf.clone();
    let mut findings = coordinator::prepare(&mut conf, default_file, app.name_span);
    let refused =
        findings.iter().any(|found| found.severity == Severity::Error && found.stage == Some(Stage::Submit));
    let submitted = coordinator::submit(app, &conf, Some(&child.name_in_bundle), settings, includes);
    findings.extend(submitted.findings);
    let job = submitted.job.filter(|_| !refused);
    coordinator::Submitted { job, refused: None, conf: submitted.conf, findings }
}
