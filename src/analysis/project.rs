//! What the files of a project are, and why an application path leads to none of them: the words in which
//! [`crate::project`] answers whoever asks where a path leads.

use crate::model::RootKind;

/// What the root element says a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `bundle-app`
    Bundle,
    /// `coordinator-app`
    Coordinator,
    /// `workflow-app` or `hadoop-workflow`
    Workflow,
    /// `datasets`
    Datasets,
    /// `configuration`
    Configuration,
    /// Any other root element. A server takes any file for an include, whatever its root is called.
    Other,
}

impl Kind {
    /// The kind of a root element.
    pub fn of_root(local: &str) -> Kind {
        match RootKind::of(local) {
            Some(RootKind::Bundle) => Kind::Bundle,
            Some(RootKind::Coordinator) => Kind::Coordinator,
            Some(RootKind::Workflow(_)) => Kind::Workflow,
            Some(RootKind::Datasets) => Kind::Datasets,
            Some(RootKind::Configuration) => Kind::Configuration,
            None => Kind::Other,
        }
    }

    /// True for what `check` looks at by itself; configurations belong to others.
    pub fn is_app_file(self) -> bool {
        !matches!(self, Kind::Configuration | Kind::Other)
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Bundle => "bundle",
            Kind::Coordinator => "coordinator",
            Kind::Workflow => "workflow",
            Kind::Datasets => "dataset file",
            Kind::Configuration => "configuration",
            Kind::Other => "file",
        }
    }

    /// The file that a server looks for in a folder.
    pub fn usual_file(self) -> Option<&'static str> {
        match self {
            Kind::Bundle => Some("bundle.xml"),
            Kind::Coordinator => Some("coordinator.xml"),
            Kind::Workflow => Some("workflow.xml"),
            Kind::Datasets | Kind::Configuration | Kind::Other => None,
        }
    }
}

/// What stands before the name of an application where a path is wanted: applications of 2009 are known by their names.
const APPLICATION: &str = "hws:";

/// The stand-in for a path of an application that is known by its name.
pub fn application_uri(name: &str) -> String {
    format!("{APPLICATION}{}", name.trim())
}

/// The name of an application behind such a stand-in.
pub fn application_name(uri: &str) -> Option<&str> {
    uri.strip_prefix(APPLICATION)
}

/// Why an application path leads to no definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Astray {
    /// What kind of reason it is.
    pub why: Why,
    /// The path.
    pub uri: String,
    /// What is wrong with it, in words that follow the path.
    pub said: String,
    /// What the path resolves to, where `uri` is as the definition writes it.
    pub value: Option<String>,
    /// The path as it would have to be written, where it is most likely a slip.
    pub suggestion: Option<String>,
}

/// The kinds of reasons why a path leads to no definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The project does not hold it; the cluster may.
    Unknown,
    /// A mapping says where it stands, and it does not stand there.
    Absent,
    /// A file is taken for it, by evidence that is worth a look.
    Likely,
    /// A file is taken for it, by evidence that is weak.
    Unclear,
    /// Several fit equally well.
    Several,
    /// It leads out of the project.
    Outside,
    /// What it leads to is of another kind.
    OtherKind,
    /// What it leads to cannot be read, which is told of the file itself.
    Broken,
    /// The project holds what the folder holds that it leads to, and nothing there is of the right kind.
    Beside,
}

impl Astray {
    /// What is wrong, in words that begin with the path.
    pub fn words(&self) -> String {
        match application_name(&self.uri) {
            Some(name) => format!("the application `{name}` {}", self.said),
            None => format!("`{}` {}", self.uri, self.said),
        }
    }

    /// With the path as the definition writes it, where its end stands there as it is: then it is one fault whatever the
    /// values of what comes before.
    pub fn as_written(mut self, written: &str) -> Astray {
        let written = written.trim();
        let tail = written.rfind('}').map_or("", |at| &written[at + 1..]);
        let same = self.uri.strip_suffix(tail).filter(|_| tail.contains(|c: char| c != '/'));
        let Some(head) = same.filter(|head| *head != &written[..written.len() - tail.len()]) else {
            return self;
        };
        if let Some(meant) = &self.suggestion {
            let Some(end) = meant.strip_prefix(head) else {
                return self;
            };
            self.suggestion = Some(format!("{}{end}", &written[..written.len() - tail.len()]));
        }
        self.value = Some(std::mem::replace(&mut self.uri, written.to_owned()));
        self
    }

    /// The way out.
    pub fn help(&self) -> String {
        match &self.suggestion {
            Some(path) => format!("did you mean `{path}`?"),
            None if self.why == Why::Likely => "map the path under `[paths]` in ankus.toml".to_owned(),
            None if application_name(&self.uri).is_some() => {
                "correct the name; it is the `name` of a `hadoop-workflow`".to_owned()
            }
            None => "correct the path, or map it under `[paths]` in ankus.toml".to_owned(),
        }
    }

    /// A path that leads to a file which cannot be read.
    pub fn broken(uri: &str, file: &str, kind: Kind) -> Astray {
        let said = format!("leads to `{file}`, which cannot be read as a {}", kind.name());
        Astray { why: Why::Broken, uri: uri.to_owned(), said, value: None, suggestion: None }
    }

    /// A path that the project does not hold.
    pub fn unknown(uri: &str, kind: Kind) -> Astray {
        Astray {
            why: Why::Unknown,
            uri: uri.to_owned(),
            said: format!("leads to no {} of the project", kind.name()),
            value: None,
            suggestion: None,
        }
    }
}
