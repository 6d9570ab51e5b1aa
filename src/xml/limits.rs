//! How much XML is read. Each limit has its own finding.

/// Bytes of a file.
const BYTES: usize = 32 << 20;
/// Elements within elements. Low enough for recursion over a tree on a stack of 512 KiB.
const DEPTH: usize = 200;
/// Tags, comments and other marks of a file, each counted by its `<`.
const NODES: usize = 2_000_000;
/// Bytes of one attribute value as written.
const ATTRIBUTE_BYTES: usize = 1 << 20;
/// Attributes of one element, and namespace declarations in force at one place.
const ATTRIBUTES: usize = 256;

/// The limits of [`super::read`].
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a file (`xml-too-large`).
    pub bytes: usize,
    /// Elements within elements (`xml-too-deep`). More than a few hundred makes recursion over trees unsafe.
    pub depth: usize,
    /// How often `<` occurs, which bounds elements, comments and texts (`xml-too-many-nodes`).
    pub nodes: usize,
    /// Bytes of one attribute value as written (`xml-attribute-too-long`).
    pub attribute_bytes: usize,
    /// Attributes of one element, and namespace declarations in force at one place (`xml-too-many-attributes`).
    pub attributes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            bytes: BYTES,
            depth: DEPTH,
            nodes: NODES,
            attribute_bytes: ATTRIBUTE_BYTES,
            attributes: ATTRIBUTES,
        }
    }
}
