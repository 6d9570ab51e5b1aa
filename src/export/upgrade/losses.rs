//! What an upgrade loses or cannot keep, as findings.

use crate::analysis::upgrade::{UPGRADE_LOSS, UPGRADE_REFUSED};
use crate::diag::Diagnostic;
use crate::source::Span;

pub(super) fn loss(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&UPGRADE_LOSS, span, message)
}

pub(super) fn refused(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&UPGRADE_REFUSED, span, message)
}
