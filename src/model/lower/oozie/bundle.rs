//! `bundle-app`.

use crate::model::bundle::{Bundle, BundleCoordinator};
use crate::model::lower::elements::{
    attribute, child, child_text, children, configuration, namespace, parameters,
};
use crate::xml::Element;

pub(in crate::model) fn bundle(root: &Element) -> Bundle {
    Bundle {
        span: root.span,
        name_span: root.name_span,
        namespace: namespace(root),
        name: attribute(root, "name"),
        parameters: parameters(root),
        kick_off_time: child(root, "controls").and_then(|controls| child_text(controls, "kick-off-time")),
        coordinators: children(root, "coordinator").map(coordinator).collect(),
    }
}

fn coordinator(element: &Element) -> BundleCoordinator {
    BundleCoordinator {
        span: element.span,
        tag_span: element.name_span,
        name: attribute(element, "name"),
        critical: attribute(element, "critical"),
        enabled: attribute(element, "enabled"),
        app_path: child_text(element, "app-path"),
        configuration: configuration(element),
    }
}
