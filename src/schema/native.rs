//! The second engine, libxml2: there to be compared with the first.
//!
//! Built with the feature `libxml` only. Its limits (10 MB of text in a row, 256 levels) are its own.

use std::cell::RefCell;
use std::sync::Once;

use libxml::error::StructuredError;
use libxml::parser::{Parser, ParserOptions};
use libxml::schemas::{SchemaParserContext, SchemaValidationContext};

use super::files::SCHEMAS;
use super::{Complaint, Engine, EngineError, Selection};

/// Under this prefix libxml2 finds the embedded schemas.
const PREFIX: &str = "ankus-schema:///";
/// Compiled sets that a thread keeps.
const KEPT_SETS: usize = 32;

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

thread_local! {
    static SETS: RefCell<Vec<(Selection, SchemaValidationContext)>> = const { RefCell::new(Vec::new()) };
}

impl Engine for Native {
    fn name(&self) -> &'static str {
        "libxml2"
    }

    fn complaints(&self, schemas: Selection, text: &str) -> Result<Vec<Complaint>, EngineError> {
        let options = ParserOptions {
            no_net: true,
            no_error: true,
            no_warning: true,
            encoding: Some("UTF-8"),
            ..ParserOptions::default()
        };
        let options = ParserOptions { recover: false, ..options };
        let document = Parser::default().parse_string_with_options(text, options);
        let document = document.map_err(|error| EngineError::Unreadable(format!("{error:?}")))?;
        SETS.with_borrow_mut(|sets| {
            if !sets.iter().any(|(key, _)| *key == schemas) {
                if sets.len() == KEPT_SETS {
                    sets.remove(0);
                }
                sets.push((schemas, compile(schemas)?));
            }
            let (_, set) = sets.iter_mut().find(|(key, _)| *key == schemas).expect("it was just put there");
            let errors = set.validate_document(&document).err().unwrap_or_default();
            Ok(errors.iter().map(|error| complaint(error, text)).collect())
        })
    }
}

fn compile(schemas: Selection) -> Result<SchemaValidationContext, EngineError> {
    static LOADER: Once = Once::new();
    LOADER.call_once(|| {
        libxml::io::register_input_callback(
            |url| url.starts_with(PREFIX),
            |url| {
                let name = url.strip_prefix(PREFIX)?;
                SCHEMAS.iter().find(|file| file.name == name).map(|file| file.composed().into_bytes())
            },
        );
    });
    let mut driver = String::from("<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>\n");
    for file in schemas.files() {
        driver.push_str(&format!(
            "<xs:import namespace='{}' schemaLocation='{PREFIX}{}'/>\n",
            file.namespace, file.name
        ));
    }
    driver.push_str("</xs:schema>\n");
    let mut parser = SchemaParserContext::from_buffer(&driver);
    SchemaValidationContext::from_parser(&mut parser).map_err(|errors| {
        let message = errors.first().and_then(|error| error.message.clone());
        EngineError::Schema(message.unwrap_or_default().trim().to_owned())
    })
}

fn complaint(error: &StructuredError, text: &str) -> Complaint {
    let line = error.line.and_then(|line| usize::try_from(line).ok()).unwrap_or(1);
    let offset = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    Complaint { offset, message: error.message.as_deref().unwrap_or_default().trim().to_owned() }
}
