//! `xsd-schema`, a validator in Rust alone, as an engine to compare the tables with.
//!
//! In two places it is held to what the Java platform's validator does: see [`Places`] and [`Sink`].
//! A compiled set is not `Sync`; each thread keeps the few that it used last.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use xsd_schema::validation::{
    ContentType, DriveWithError, ElementStartView, EndElementInfo, SchemaInfo, SchemaValidator, TextKind,
    ValidationError, ValidationEventHandler, ValidationFlags, ValidationSink, ValidationSubject,
    ValidationWarning, drive_quick_xml_with,
};
use xsd_schema::{SchemaSet, parse_schema_only, process_loaded_schemas};

use ankus::schema::{Complaint, Engine, EngineError, Selection};
use ankus::xml::Element;

/// The namespace of attributes that speak to the validator.
const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Compiled sets that a thread keeps.
const KEPT_SETS: usize = 32;
/// Names that a kept set may have learnt from documents before it is built anew.
const KEPT_NAMES: usize = 50_000;
/// Complaints after which a document is not looked at any further.
const MAX_COMPLAINTS: usize = 1;

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pure;

/// The schemas whose namespaces occur in a document: the others cannot change its verdict, and each costs time.
pub fn needed(root: &Element, all: Selection) -> Selection {
    let mut spaces: BTreeSet<&str> = BTreeSet::new();
    let mut types_named = false;
    let mut open: Vec<&Element> = vec![root];
    while let Some(element) = open.pop() {
        let names_its_type =
            |one: &ankus::xml::Attribute| one.name.namespace == XSI && one.name.local == "type";
        types_named |= element.attributes.iter().any(names_its_type);
        spaces.insert(&element.name.namespace);
        open.extend(element.elements());
    }
    if types_named { all } else { all.keep(|namespace| spaces.contains(namespace)) }
}

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
        let mut places = Places { place: &place, complaints: &complaints, open: Vec::new() };
        match drive_quick_xml_with(text.as_bytes(), &mut run, &set, &mut places) {
            Ok(_) => {
                run.end_validation().map_err(|error| EngineError::Unreadable(error.to_string()))?;
            }
            Err(DriveWithError::Hook(Enough)) => {}
            Err(error) => return Err(EngineError::Unreadable(error.to_string())),
        }
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

/// The document is known to be invalid.
#[derive(Debug, thiserror::Error)]
#[error("enough complaints")]
struct Enough;

/// Notes where the element stands that is being looked at, and ends the run when its outcome is known.
///
/// It also sees what the crate overlooks and Java's validator does not: an element that must be empty may not even hold a
/// CDATA section of blanks, and among elements only XML's own four blanks are none, not the no-break space and its like.
struct Places<'a> {
    place: &'a Cell<usize>,
    complaints: &'a RefCell<Vec<Complaint>>,
    /// What the open elements may hold.
    open: Vec<Option<ContentType>>,
}

impl ValidationEventHandler for Places<'_> {
    type Error = Enough;

    fn on_element_start_offset(&mut self, offset: usize) -> Result<(), Enough> {
        self.place.set(offset);
        if self.complaints.borrow().len() < MAX_COMPLAINTS { Ok(()) } else { Err(Enough) }
    }

    fn after_element(&mut self, _: ElementStartView<'_>, info: &SchemaInfo) -> Result<(), Enough> {
        self.open.push(info.content_type);
        Ok(())
    }

    fn after_end_element(&mut self, _: &EndElementInfo, _: usize) -> Result<(), Enough> {
        self.open.pop();
        Ok(())
    }

    fn on_text(&mut self, kind: TextKind, text: &str) -> Result<(), Enough> {
        let blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let overlooked = match self.open.last() {
            Some(Some(ContentType::Empty)) => matches!(kind, TextKind::CData) && !text.is_empty(),
            Some(Some(ContentType::ElementOnly)) => !text.bytes().all(blank),
            _ => false,
        };
        if overlooked {
            let message = "text stands where the schema wants none".to_owned();
            self.complaints.borrow_mut().push(Complaint { offset: self.place.get(), message });
        }
        Ok(())
    }

    fn on_element_end_offset(&mut self, offset: usize) -> Result<(), Enough> {
        self.place.set(offset);
        Ok(())
    }
}

/// Collects complaints with the place of the moment.
///
/// What `xsi:schemaLocation` says is not looked at, as Java's validator does not look at it either.
struct Sink<'a> {
    place: &'a Cell<usize>,
    complaints: &'a RefCell<Vec<Complaint>>,
}

impl ValidationSink for Sink<'_> {
    fn on_error(&mut self, error: ValidationError) {
        if let Some(ValidationSubject::Attribute(name)) = error.subject()
            && name.namespace_uri() == XSI
            && ["schemaLocation", "noNamespaceSchemaLocation"].contains(&name.local_name())
        {
            return;
        }
        let mut complaints = self.complaints.borrow_mut();
        if complaints.len() < MAX_COMPLAINTS {
            complaints.push(Complaint { offset: self.place.get(), message: error.message });
        }
    }

    fn on_warning(&mut self, _: ValidationWarning) {}
}
