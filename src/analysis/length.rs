//! How long a definition may be.

use crate::diag::{Diagnostic, Info, Severity, Stage};
use crate::source::{FileId, Span};

/// The server's default for `oozie.service.WorkflowAppService.WorkflowDefinitionMaxLength`, in bytes of the file.
pub const MAX_WORKFLOW_BYTES: usize = 100_000;

/// A workflow definition over the limit.
pub static DEFINITION_TOO_LONG: Info = Info {
    name: "definition-too-long",
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0736"],
    explanation: "The workflow definition is larger than the server accepts (100,000 bytes by default).

The server looks at the length of the file before it reads it (`WorkflowAppService.readDefinition`). Move parts into
sub-workflows, or shared settings into `global`.",
};

/// Says when a workflow definition is too long.
pub fn workflow(file: FileId, text: &str) -> Option<Diagnostic> {
    (text.len() > MAX_WORKFLOW_BYTES).then(|| {
        let message =
            format!("the definition has {} bytes, a server takes at most {MAX_WORKFLOW_BYTES}", text.len());
        Diagnostic::new(&DEFINITION_TOO_LONG, Span::new(file, 0..0), message)
            .help("move parts of it into sub-workflows")
    })
}
