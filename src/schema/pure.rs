//! The default engine, `xsd-schema`, in Rust alone.
//!
//! A compiled set is not `Sync`; each thread keeps the few that it used last.

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::rc::Rc;

use xsd_schema::validation::{
    DriveWithError, SchemaValidator, ValidationError, ValidationEventHandler, ValidationFlags,
    ValidationSink, ValidationWarning, drive_quick_xml_with,
};
use xsd_schema::{SchemaSet, parse_schema_only, process_loaded_schemas};

use super::{Complaint, Engine, EngineError, Selection};

/// Compiled sets that a thread keeps.
const KEPT_SETS: usize = 32;
/// Names that a kept set may have learnt from documents before it is built anew.
const KEPT_NAMES: usize = 50_000;
/// Complaints that are taken from one document.
const MAX_COMPLAINTS: usize = 1_000;

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pure;

thread_local! {
    static SETS: RefCell<Vec<(Selection, Rc<SchemaSet>)>> = const { RefCell::new(Vec::new()) };
}

impl Engine for Pure {
    fn name(&self) -> &'static str {
        "xsd-schema"
    }

    fn complaints(&self, schemas: Selection, text: &str) -> Result<Vec<Complaint>, EngineError> {
        let set = compiled(schemas)?;
        let validator = SchemaValidator::new(&set, ValidationFlags::empty());
        let place = Cell::new(0);
        let complaints = RefCell::new(Vec::new());
        let mut run = validator.start_run(Sink { place: &place, complaints: &complaints });
        let mut places = Places { place: &place };
        let outcome = drive_quick_xml_with(text.as_bytes(), &mut run, &set, &mut places);
        let unreadable = |error: DriveWithError<Infallible>| EngineError::Unreadable(error.to_string());
        outcome.map_err(unreadable)?;
        run.end_validation().map_err(|error| EngineError::Unreadable(error.to_string()))?;
        drop(run);
        Ok(complaints.into_inner())
    }
}

/// The compiled set, from the thread's store when it is there.
fn compiled(schemas: Selection) -> Result<Rc<SchemaSet>, EngineError> {
    SETS.with_borrow_mut(|sets| {
        sets.retain(|(_, set)| set.name_table.len() < KEPT_NAMES);
        if let Some(index) = sets.iter().position(|(key, _)| *key == schemas) {
            let entry = sets.remove(index);
            sets.push(entry);
        } else {
            if sets.len() == KEPT_SETS {
                sets.remove(0);
            }
            sets.push((schemas, Rc::new(compile(schemas)?)));
        }
        Ok(sets[sets.len() - 1].1.clone())
    })
}

fn compile(schemas: Selection) -> Result<SchemaSet, EngineError> {
    let refused = |error: xsd_schema::SchemaError| EngineError::Schema(error.to_string());
    let mut set = SchemaSet::new();
    for file in schemas.files() {
        parse_schema_only(file.composed().as_bytes(), file.name, &mut set).map_err(refused)?;
    }
    process_loaded_schemas(&mut set).map_err(refused)?;
    Ok(set)
}

/// Notes where the element stands that is being looked at.
struct Places<'a> {
    place: &'a Cell<usize>,
}

impl ValidationEventHandler for Places<'_> {
    type Error = Infallible;

    fn on_element_start_offset(&mut self, offset: usize) -> Result<(), Infallible> {
        self.place.set(offset);
        Ok(())
    }

    fn on_element_end_offset(&mut self, offset: usize) -> Result<(), Infallible> {
        self.place.set(offset);
        Ok(())
    }
}

/// Collects complaints with the place of the moment.
struct Sink<'a> {
    place: &'a Cell<usize>,
    complaints: &'a RefCell<Vec<Complaint>>,
}

impl ValidationSink for Sink<'_> {
    fn on_error(&mut self, error: ValidationError) {
        let mut complaints = self.complaints.borrow_mut();
        if complaints.len() < MAX_COMPLAINTS {
            complaints.push(Complaint { offset: self.place.get(), message: error.message });
        }
    }

    fn on_warning(&mut self, _: ValidationWarning) {}
}
