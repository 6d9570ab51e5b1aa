//! How long a definition may be.

use crate::diag::{Diagnostic, Group, Info, Severity, Stage};
use crate::source::{FileId, Span};

/// The server's default for `oozie.service.WorkflowAppService.WorkflowDefinitionMaxLength`, in bytes of the file.
pub const MAX_WORKFLOW_BYTES: usize = 100_000;

/// A workflow definition over the limit.
pub static DEFINITION_TOO_LONG: Info = Info {
    name: "definition-too-long",
    group: Group::Meaning,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::testing::line;
    use crate::source::Sources;

    #[test]
    fn a_server_takes_a_hundred_thousand_bytes() {
        let found = |length: usize| {
            let text = "é".repeat(length / 2) + &"x".repeat(length % 2);
            workflow(Sources::new().add("workflow.xml", ""), &text).as_ref().map(line)
        };
        assert_eq!(found(0), None);
        assert_eq!(found(100_000), None);
        let expected = "error definition-too-long submit E0736 0..0: the definition has 100001 bytes, \
                        a server takes at most 100000 > move parts of it into sub-workflows";
        assert_eq!(found(100_001).as_deref(), Some(expected));
    }
}
