//! `coordinator-app` and `datasets`.

use crate::model::coordinator::{
    Action, Controls, Coordinator, DataIn, DataOut, Dataset, Datasets, InputLogic, Instances, LogicKind,
    LogicNode,
};
use crate::model::lower::elements::{
    attribute, child, child_text, child_texts, children, configuration, namespace, parameters, sla,
};
use crate::xml::Element;

pub(in crate::model) fn coordinator(root: &Element) -> Coordinator {
    let events = |list, event| child(root, list).into_iter().flat_map(move |list| children(list, event));
    Coordinator {
        span: root.span,
        name_span: root.name_span,
        namespace: namespace(root),
        name: attribute(root, "name"),
        frequency: attribute(root, "frequency"),
        start: attribute(root, "start"),
        end: attribute(root, "end"),
        timezone: attribute(root, "timezone"),
        parameters: parameters(root),
        controls: child(root, "controls").map(controls).unwrap_or_default(),
        datasets: child(root, "datasets").map(datasets).unwrap_or_default(),
        inputs: events("input-events", "data-in").map(data_in).collect(),
        input_logic: child(root, "input-logic")
            .map(|logic| InputLogic { span: logic.span, operands: operands(logic) }),
        outputs: events("output-events", "data-out").map(data_out).collect(),
        action: child(root, "action").map(action),
    }
}

fn controls(element: &Element) -> Controls {
    Controls {
        timeout: child_text(element, "timeout"),
        concurrency: child_text(element, "concurrency"),
        execution: child_text(element, "execution"),
        throttle: child_text(element, "throttle"),
    }
}

pub(in crate::model) fn datasets(element: &Element) -> Datasets {
    Datasets {
        namespace: Some(namespace(element)),
        includes: child_texts(element, "include"),
        datasets: children(element, "dataset").map(dataset).collect(),
        asynchronous: children(element, "async-dataset").filter_map(|it| attribute(it, "name")).collect(),
    }
}

fn dataset(element: &Element) -> Dataset {
    Dataset {
        span: element.span,
        tag_span: element.name_span,
        name: attribute(element, "name"),
        frequency: attribute(element, "frequency"),
        initial_instance: attribute(element, "initial-instance"),
        timezone: attribute(element, "timezone"),
        uri_template: child_text(element, "uri-template"),
        uri_template_span: child(element, "uri-template").map(|template| template.span),
        done_flag: child_text(element, "done-flag"),
    }
}

fn data_in(element: &Element) -> DataIn {
    DataIn {
        span: element.span,
        tag_span: element.name_span,
        name: attribute(element, "name"),
        dataset: attribute(element, "dataset"),
        instances: instances(element),
    }
}

fn data_out(element: &Element) -> DataOut {
    DataOut {
        span: element.span,
        tag_span: element.name_span,
        name: attribute(element, "name"),
        dataset: attribute(element, "dataset"),
        nocleanup: attribute(element, "nocleanup"),
        instances: instances(element),
    }
}

fn instances(element: &Element) -> Instances {
    Instances {
        single: child_texts(element, "instance"),
        start: child_text(element, "start-instance"),
        end: child_text(element, "end-instance"),
    }
}

/// The operators and data-ins below, found without recursion.
fn operands(logic: &Element) -> Vec<LogicNode> {
    let mut found = Vec::new();
    // Operators whose operands are being read, innermost last, each with the elements still to come.
    let mut open: Vec<(LogicNode, Vec<&Element>)> = Vec::new();
    let mut rest = reversed(logic);
    loop {
        let Some(element) = rest.pop() else {
            let Some((done, before)) = open.pop() else { return found };
            rest = before;
            open.last_mut().map_or(&mut found, |(outer, _)| &mut outer.operands).push(done);
            continue;
        };
        if let Some(node) = operand(element) {
            open.push((node, std::mem::replace(&mut rest, reversed(element))));
        }
    }
}

/// The child elements, first one last.
fn reversed(element: &Element) -> Vec<&Element> {
    let mut children: Vec<_> = element.elements().collect();
    children.reverse();
    children
}

/// An operator without its operands, or a data-in.
fn operand(element: &Element) -> Option<LogicNode> {
    let kind = match element.name.local.as_str() {
        "and" => LogicKind::And,
        "or" => LogicKind::Or,
        "combine" => LogicKind::Combine,
        "data-in" => LogicKind::DataIn,
        _ => return None,
    };
    Some(LogicNode {
        span: element.span,
        kind,
        name: attribute(element, "name"),
        dataset: attribute(element, "dataset"),
        min: attribute(element, "min"),
        wait: attribute(element, "wait"),
        operands: Vec::new(),
    })
}

fn action(element: &Element) -> Action {
    let workflow = child(element, "workflow");
    Action {
        span: element.span,
        app_path: workflow.and_then(|workflow| child_text(workflow, "app-path")),
        configuration: workflow.map(configuration).unwrap_or_default(),
        sla: sla(element),
    }
}
