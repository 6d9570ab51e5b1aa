//! Properties that stand together: each `configuration` of an app, and files of properties.

use std::borrow::Cow;

use crate::model::workflow::NodeKind;
use crate::model::{App, Property, Workflow};
use crate::properties::{self, Entry};

/// Properties that stand together.
#[derive(Debug)]
pub struct Properties<'a> {
    /// What they are for.
    pub origin: Origin,
    /// In order, doubles included.
    pub list: Cow<'a, [Property]>,
}

/// What properties are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A Java properties file that comes with a submission.
    File,
    /// A Hadoop configuration file: the default file beside an app, or one that comes with a submission.
    Hadoop,
    /// The `configuration` of an action or of `global`: for what runs on the cluster.
    Action,
    /// The `configuration` of a sub-workflow, of a coordinator's action or of a coordinator in a bundle: the
    /// parameters of another app.
    Child,
}

impl<'a> Properties<'a> {
    /// What a file holds.
    pub fn of_file(file: &properties::Properties, origin: Origin) -> Properties<'static> {
        let property = |entry: &Entry| Property {
            span: entry.span,
            name: entry.key.clone(),
            value: entry.value.clone(),
            is_final: entry.is_final,
        };
        Properties { origin, list: file.entries.iter().map(property).collect() }
    }

    fn borrowed(origin: Origin, list: &'a [Property]) -> Properties<'a> {
        Properties { origin, list: Cow::Borrowed(list) }
    }
}

/// Every configuration of an app that holds anything.
pub fn of_app(app: &App) -> Vec<Properties<'_>> {
    let mut all = match app {
        App::Bundle(app) => app
            .coordinators
            .iter()
            .map(|child| Properties::borrowed(Origin::Child, &child.configuration.properties))
            .collect(),
        App::Coordinator(app) => app
            .action
            .iter()
            .map(|action| Properties::borrowed(Origin::Child, &action.configuration.properties))
            .collect(),
        App::Workflow(app) => of_workflow(app),
        App::Datasets(_) => Vec::new(),
    };
    all.retain(|properties| !properties.list.is_empty());
    all
}

fn of_workflow(app: &Workflow) -> Vec<Properties<'_>> {
    let global = app
        .global
        .iter()
        .map(|global| Properties::borrowed(Origin::Action, &global.configuration.properties));
    let actions = app.nodes.iter().filter_map(|node| {
        let NodeKind::Action(action) = &node.kind else { return None };
        let body = action.body.as_ref()?;
        let origin = if body.kind == "sub-workflow" { Origin::Child } else { Origin::Action };
        Some(Properties { origin, list: Cow::Owned(body.configuration().properties) })
    });
    global.chain(actions).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::testing::app;

    #[test]
    fn configurations_say_what_they_are_for() {
        let listed = |document: &str| {
            let app = app(document);
            let names = |it: &Properties<'_>| {
                let names: Vec<&str> = it.list.iter().map(|property| &*property.name.value).collect();
                format!("{:?} {}", it.origin, names.join(" "))
            };
            of_app(&app).iter().map(names).collect::<Vec<_>>()
        };
        let conf = |name: &str| {
            format!("<configuration><property><name>{name}</name><value>v</value></property></configuration>")
        };
        let workflow = format!(
            "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><global>{}</global><start to='a'/>\
             <action name='a'><sub-workflow><app-path>/x</app-path>{}</sub-workflow><ok to='b'/><error to='e'/></action>\
             <action name='b'><pig><job-tracker>j</job-tracker><name-node>n</name-node>{}<script>s</script></pig>\
             <ok to='c'/><error to='e'/></action><action name='c'><fs/><ok to='e'/><error to='e'/></action>\
             <end name='e'/></workflow-app>",
            conf("g"),
            conf("s"),
            conf("p"),
        );
        assert_eq!(listed(&workflow), ["Action g", "Child s", "Action p"]);
        let bundle = format!(
            "<bundle-app xmlns='uri:oozie:bundle:0.2' name='b'><coordinator name='c'><app-path>/c</app-path>{}\
             </coordinator><coordinator name='d'><app-path>/c</app-path></coordinator></bundle-app>",
            conf("c"),
        );
        assert_eq!(listed(&bundle), ["Child c"]);
        let coordinator = format!(
            "<coordinator-app xmlns='uri:oozie:coordinator:0.4' name='c' frequency='5' start='2024-01-01T00:00Z' \
             end='2024-01-02T00:00Z' timezone='UTC'><action><workflow><app-path>/w</app-path>{}</workflow></action>\
             </coordinator-app>",
            conf("k"),
        );
        assert_eq!(listed(&coordinator), ["Child k"]);
    }
}
