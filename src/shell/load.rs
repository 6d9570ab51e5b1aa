//! From a file on disk to a definition with places: bytes, text, tree, model.

use std::path::Path;

use crate::diag::Diagnostic;
use crate::host::error::ShellError;
use crate::host::files::{self, Content};
use crate::model::{self, App};
use crate::source::{FileId, Sources, Span};
use crate::xml::{self, Decoding, Element, Limits};

/// A definition as far as it could be read.
#[derive(Debug)]
pub struct Definition {
    /// Its file among the sources.
    pub file: FileId,
    /// The tree; none when the document is broken.
    pub root: Option<Element>,
    /// The model; none when the root starts no definition.
    pub app: Option<App>,
    /// What reading found.
    pub findings: Vec<Diagnostic>,
}

/// Reads one definition as a server does.
pub fn definition(path: &Path, sources: &mut Sources) -> Result<Definition, ShellError> {
    let shown = files::shown(path);
    let Content::Bytes(bytes) = files::read(path)? else {
        let file = sources.add(shown, "");
        let message = format!("the file is larger than {} MiB", files::MAX_FILE_BYTES >> 20);
        let finding = Diagnostic::new(&xml::TOO_LARGE, Span::new(file, 0..0), message);
        return Ok(Definition { file, root: None, app: None, findings: vec![finding] });
    };
    let (file, root, mut findings) =
        xml::read_bytes(sources, &shown, &bytes, Decoding::Utf8, &Limits::default());
    let mut app = None;
    if let Some(root) = &root {
        let (lowered, more) = model::lower(root);
        app = lowered;
        findings.extend(more);
    }
    Ok(Definition { file, root, app, findings })
}
