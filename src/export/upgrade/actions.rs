//! Actions of 2009 as actions of workflow 1.0: their parts in the order of its schemas, each as it stood where it is kept.

use super::losses::{loss, refused};
use super::markup::{Edits, escaped, escaped_attribute, translated};
use super::{App, Upgrading};
use crate::model::action::Details;
use crate::model::workflow::Action;
use crate::source::Span;
use crate::xml::Element;

/// Where the Hadoop cluster of an action is, as the definition says it.
struct Cluster {
    tracker: Option<String>,
    file_system: Option<String>,
}

/// The properties that say it.
const TRACKER: &str = "mapred.job.tracker";
const FILE_SYSTEM: &str = "fs.default.name";

/// Properties that no action of workflow 1.0 may set.
const REFUSED: &[&str] = &["user.name", "hadoop.job.ugi"];

/// A part of an action: where it comes in the order, and its text.
type Part = (usize, String);

impl Upgrading<'_> {
    /// The element of an action, without the node around it; empty where it is refused.
    pub(super) fn action(&mut self, node: &Element, action: &Action, indent: &str) -> String {
        let Some(body) = &action.body else { return String::new() };
        self.inner = format!("{indent}{}", self.unit);
        let (name, namespace, parts) = match body.details() {
            Details::MapReduce(_) => ("map-reduce", "", self.hadoop(node)),
            Details::Pig(_) => ("pig", "", self.pig(node)),
            Details::Fs(_) => ("fs", "", self.hdfs(node)),
            Details::Ssh(_) => ("ssh", " xmlns=\"uri:oozie:ssh-action:0.2\"", self.ssh(node)),
            Details::SubWorkflow(_) => ("sub-workflow", "", self.sub_workflow(node)),
            Details::Email(_) => ("email", " xmlns=\"uri:oozie:email-action:0.2\"", self.email(node)),
            Details::Http(_) => {
                self.found.push(refused(
                    node.name_span,
                    "workflow 1.0 has no http action; a shell action with a program of your own can make the request",
                ));
                return String::new();
            }
            _ => return String::new(),
        };
        let mut parts: Vec<Part> = parts;
        parts.sort_by_key(|(place, _)| *place);
        let mut out = format!("{indent}<{name}{namespace}>\n");
        for (_, text) in parts {
            out.push_str(&format!("{}{text}\n", self.inner));
        }
        out.push_str(&format!("{indent}</{name}>"));
        out
    }

    /// A child as it stands, its expressions in other words.
    fn kept(&mut self, child: &Element) -> String {
        let mut edits = Edits::of(self.app.text);
        edits.translate(child, &self.words, &mut self.found);
        self.with_comments(child, edits.applied(child.span.range()))
    }

    /// A text with the comments that stand before its element.
    fn with_comments(&self, child: &Element, text: String) -> String {
        format!("{}{}", self.comments_before(child), self.shifted(child, text))
    }

    /// Lines one step further in, where no text of the element holds a line break.
    fn shifted(&self, child: &Element, text: String) -> String {
        let is_deep = child.elements().next().is_some() && !has_lines(child);
        if is_deep { text.replace('\n', &format!("\n{}", self.unit)) } else { text }
    }

    /// A text in an element of another name.
    fn as_named(&mut self, child: &Element, name: &str, text: &str) -> String {
        self.with_comments(child, format!("<{name}>{}</{name}>", escaped(text)))
    }

    fn text_of(&mut self, child: &Element) -> String {
        translated(&child.text(), &self.words, &mut self.found)
    }

    /// The value of a property, inline before the file; files hold literal values.
    fn property(&mut self, action: &Element, name: &str) -> Option<String> {
        let inline = properties(action).find(|property| name_of(property) == name);
        if let Some(value) = inline.and_then(|property| property.child("value")) {
            return Some(self.text_of(value).trim().to_owned());
        }
        let file = path_in_package(&action.child("job-xml")?.text().value);
        let root = self.app.files.get(&file)?;
        let found =
            root.root.elements().filter(|it| it.name.local == "property").find(|it| name_of(it) == name);
        Some(literal(found?.child("value")?.text().value.trim()))
    }

    fn cluster(&mut self, action: &Element) -> (Cluster, Vec<Part>) {
        let cluster = Cluster {
            tracker: self.property(action, TRACKER),
            file_system: self.property(action, FILE_SYSTEM),
        };
        let mut lacking = |parameter: &str, property: &str| {
            let words = format!("no `{property}` is given: give `{parameter}` as a property of the job");
            self.found.push(loss(action.name_span, words));
            format!("${{{parameter}}}")
        };
        let tracker = cluster.tracker.clone().unwrap_or_else(|| lacking("resourceManager", TRACKER));
        let file_system = cluster.file_system.clone().unwrap_or_else(|| lacking("nameNode", FILE_SYSTEM));
        let parts = vec![
            (0, format!("<resource-manager>{}</resource-manager>", escaped(&tracker))),
            (1, format!("<name-node>{}</name-node>", escaped(&file_system))),
        ];
        (Cluster { file_system: Some(file_system), ..cluster }, parts)
    }

    /// `prepare` with the file system before each path.
    fn prepare(&mut self, child: &Element, cluster: &Cluster) -> String {
        let mut edits = Edits::of(self.app.text);
        let file_system = cluster.file_system.clone().unwrap_or_default();
        for delete in child.elements() {
            let Some(path) = delete.attribute("path").map(|it| it.value.clone()) else { continue };
            let text = translated(&path, &self.words, &mut self.found);
            if !text.contains("://") {
                edits.replace_attribute(&path, &format!("{}{text}", file_system.trim_end_matches('/')));
            }
        }
        self.with_comments(child, edits.applied(child.span.range()))
    }

    /// `configuration` without what stands elsewhere; `None` where nothing is left.
    fn configuration(&mut self, child: &Element) -> Option<String> {
        let mut edits = Edits::of(self.app.text);
        edits.translate(child, &self.words, &mut self.found);
        let mut left = 0;
        for property in child.elements() {
            let name = name_of(property);
            if [TRACKER, FILE_SYSTEM].contains(&name.as_str()) {
                edits.remove(property);
                continue;
            }
            if REFUSED.contains(&name.as_str()) {
                let words = format!("no action of workflow 1.0 may set `{name}`");
                self.found.push(refused(property.name_span, words));
            }
            left += 1;
        }
        (left > 0).then(|| self.with_comments(child, edits.applied(child.span.range())))
    }

    fn job_xml(&mut self, child: &Element) -> String {
        let path = path_in_package(&child.text().value);
        self.job_files.insert(path.clone());
        self.as_named(child, "job-xml", &path)
    }

    fn hadoop(&mut self, action: &Element) -> Vec<Part> {
        let (cluster, mut parts) = self.cluster(action);
        let overridden = |name: &str| {
            let of_file = action
                .child("job-xml")
                .and_then(|file| self.app.files.get(&path_in_package(&file.text().value)))
                .is_some_and(|file| file.root.elements().any(|property| name_of(property) == name));
            of_file || properties(action).any(|property| name_of(property) == name)
        };
        let (own_mapper, own_reducer) =
            (overridden("mapred.mapper.class"), overridden("mapred.reducer.class"));
        for child in action.elements() {
            match child.name.local.as_str() {
                "prepare" => parts.push((2, self.prepare(child, &cluster))),
                "streaming" => {
                    let mut programs = String::new();
                    for program in child.elements() {
                        let is_kept = match program.name.local.as_str() {
                            "mapper" => !own_mapper,
                            "reducer" => !own_reducer,
                            _ => false,
                        };
                        if is_kept {
                            let program = self.kept(program);
                            programs.push_str(&format!("\n{}{}{program}", self.inner, self.unit));
                        }
                    }
                    if !programs.is_empty() {
                        let text = format!("<streaming>{programs}\n{}</streaming>", self.inner);
                        parts.push((3, format!("{}{text}", self.comments_before(child))));
                    }
                    for (list, element, place, in_package) in [
                        ("files", "file", 7, true),
                        ("cacheFiles", "file", 7, false),
                        ("cacheArchives", "archive", 8, false),
                    ] {
                        for file in child.child(list).into_iter().flat_map(Element::elements) {
                            let text = self.text_of(file);
                            let text =
                                if in_package { path_in_package(&text) } else { text.trim().to_owned() };
                            parts.push((place, self.as_named(file, element, &text)));
                        }
                    }
                }
                "job-xml" => parts.push((4, self.job_xml(child))),
                "configuration" => parts.extend(self.configuration(child).map(|text| (5, text))),
                _ => {}
            }
        }
        parts
    }

    fn pig(&mut self, action: &Element) -> Vec<Part> {
        let (cluster, mut parts) = self.cluster(action);
        self.found.push(loss(
            action.name_span,
            "Pig puts in its parameters by itself in workflow 1.0, and quotes them in another way",
        ));
        for child in action.elements() {
            match child.name.local.as_str() {
                "prepare" => parts.push((2, self.prepare(child, &cluster))),
                "job-xml" => parts.push((3, self.job_xml(child))),
                "configuration" => parts.extend(self.configuration(child).map(|text| (4, text))),
                "pig-script" => {
                    let path = path_in_package(&self.text_of(child));
                    parts.push((5, self.as_named(child, "script", &path)));
                }
                "parameters" => {
                    for param in child.elements() {
                        parts.push((6, self.kept(param)));
                    }
                }
                "pig-host" => {
                    self.drops(child, "where Pig runs is not said in workflow 1.0: a launcher runs it")
                }
                "hadoop-user" => {
                    self.drops(child, "Pig's jobs run as the user of the workflow in workflow 1.0")
                }
                _ => {}
            }
        }
        parts
    }

    fn drops(&mut self, child: &Element, words: &str) {
        self.found.push(loss(child.name_span, words));
    }

    fn hdfs(&mut self, action: &Element) -> Vec<Part> {
        let mut parts = Vec::new();
        let user = action.child("user").map(|user| self.text_of(user).trim().to_owned());
        if let Some(user) = action.child("user") {
            self.drops(user, "commands run as the user of the workflow in workflow 1.0");
        }
        let home = match user.filter(|user| !user.is_empty()) {
            Some(user) => format!("/user/{user}"),
            None => "/user/${wf:user()}".to_owned(),
        };
        for child in action.elements() {
            match child.name.local.as_str() {
                "file-system" => {
                    let text = self.text_of(child);
                    parts.push((0, self.as_named(child, "name-node", text.trim().trim_end_matches('/'))));
                }
                "commands" => self.commands(child, &home, &mut parts),
                _ => {}
            }
        }
        parts
    }

    fn commands(&mut self, commands: &Element, home: &str, parts: &mut Vec<Part>) {
        if commands.elements().nth(1).is_some() {
            self.drops(
                commands,
                "commands before one that fails are done in workflow 1.0, which does not look ahead",
            );
        }
        for command in commands.elements() {
            if command.name.local == "move" {
                self.drops(command, "a move into a folder that exists succeeds in workflow 1.0");
            }
            let mut attributes = String::new();
            for attribute in &command.attributes {
                let text = translated(&attribute.value, &self.words, &mut self.found);
                let text = match text.trim() {
                    path if path.starts_with('/') || path.contains("://") => path.to_owned(),
                    path if path.starts_with("${") => {
                        self.found.push(loss(
                            attribute.value.span,
                            "a value that is a relative path starts at a home folder no more: workflow 1.0 refuses it",
                        ));
                        path.to_owned()
                    }
                    path => format!("{home}/{path}"),
                };
                attributes.push_str(&format!(" {}=\"{}\"", attribute.name.local, escaped_attribute(&text)));
            }
            let text = format!("<{}{attributes}/>", command.name.local);
            parts.push((1, self.with_comments(command, text)));
        }
    }

    fn ssh(&mut self, action: &Element) -> Vec<Part> {
        let order = ["host", "command", "args", "capture-output"];
        self.in_order(action, &order)
    }

    /// The children that are named, as they stand.
    fn in_order(&mut self, action: &Element, order: &[&str]) -> Vec<Part> {
        let place = |child: &&Element| order.iter().position(|name| *name == child.name.local.as_str());
        let children: Vec<&Element> = action.elements().filter(|child| place(child).is_some()).collect();
        children.into_iter().map(|child| (place(&child).unwrap_or_default(), self.kept(child))).collect()
    }

    fn email(&mut self, action: &Element) -> Vec<Part> {
        let mut parts = self.in_order(action, &["to", "subject"]);
        if let Some(message) = action.child("message") {
            let text = self.text_of(message);
            parts.push((2, self.as_named(message, "body", &text)));
        }
        parts
    }

    fn sub_workflow(&mut self, action: &Element) -> Vec<Part> {
        if let Some(url) = action.child("host-url") {
            self.found.push(refused(url.name_span, "workflow 1.0 runs no workflow of another system"));
        }
        let mut parts = Vec::new();
        for child in action.elements() {
            match child.name.local.as_str() {
                "hadoop-workflow" => {
                    self.drops(
                        child,
                        "applications have no names in workflow 1.0: set `appRoot` to the folder that holds the child's folder",
                    );
                    let name = self.text_of(child);
                    parts.push((
                        0,
                        self.as_named(child, "app-path", &format!("${{appRoot}}/{}", name.trim())),
                    ));
                }
                "configuration" => parts.push((1, self.kept(child))),
                _ => {}
            }
        }
        parts
    }
}

fn properties(action: &Element) -> impl Iterator<Item = &Element> {
    action.child("configuration").into_iter().flat_map(Element::elements)
}

pub(super) fn name_of(property: &Element) -> String {
    property.child("name").map(|name| name.text().value.trim().to_owned()).unwrap_or_default()
}

/// `/x/y` and `x/y` are one file of a package.
pub(super) fn path_in_package(path: &str) -> String {
    path.trim().trim_start_matches('/').to_owned()
}

/// A text that later servers evaluate, written so that it stays what it is.
pub(super) fn literal(text: &str) -> String {
    text.replace("${", "${'${'}").replace("#{", "${'#{'}")
}

fn has_lines(element: &Element) -> bool {
    match element.elements().next() {
        None => element.text().value.trim().contains('\n'),
        Some(_) => element.elements().any(has_lines),
    }
}

/// What a finding about the whole app is about.
pub(super) fn whole(app: &App<'_>) -> Span {
    app.root.name_span
}
