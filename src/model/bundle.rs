//! The `bundle-app` element.

use super::{Configuration, Namespace, Parameter};
use crate::source::{Span, Text};

/// A bundle.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// The root element.
    pub span: Span,
    /// The name in the start tag.
    pub name_span: Span,
    /// `uri:oozie:bundle:0.1` or `0.2`.
    pub namespace: Namespace,
    /// The `name` attribute.
    pub name: Option<Text>,
    /// Formal parameters.
    pub parameters: Vec<Parameter>,
    /// `controls/kick-off-time`
    pub kick_off_time: Option<Text>,
    /// The coordinators in order.
    pub coordinators: Vec<BundleCoordinator>,
}

/// A `coordinator` of a bundle.
#[derive(Clone, Debug)]
pub struct BundleCoordinator {
    /// The element.
    pub span: Span,
    /// The name in the start tag.
    pub tag_span: Span,
    /// The `name` attribute.
    pub name: Option<Text>,
    /// The `critical` attribute.
    pub critical: Option<Text>,
    /// The `enabled` attribute.
    pub enabled: Option<Text>,
    /// The application path.
    pub app_path: Option<Text>,
    /// What overrides the bundle's own parameters.
    pub configuration: Configuration,
}
