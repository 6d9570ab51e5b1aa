//! The name of a property is nearly one that Hadoop or Oozie knows.
//!
//! Nobody refuses a property with another name: it is ignored, and the job goes to the default queue or gets the default
//! memory. The name is compared with the settings that Hadoop, Hive, Spark and Oozie read, `oozie.launcher.` before it left
//! aside; it is reported only where it differs in its punctuation or in a letter or two, or ends where a setting of
//! Hadoop or Oozie goes on. Names of one's own are never near by chance in that way; where one is, allow the rule there.
//!
//! ```xml
//! <property><name>mapreduce.job.queue.name</name><value>etl</value></property>
//! <property><name>mapreduce.job.queuename</name><value>etl</value></property>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::known_properties;
use crate::analysis::subject::Properties;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "property-name-misspelt",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("property_name_misspelt.rs"),
    },
    check: Check::Properties(check),
};

fn check(app: &Properties<'_>, sink: &mut Sink) {
    for property in app.list.iter() {
        let name = property.name.trimmed();
        let Some(near) = known_properties::near(&name.value) else { continue };
        let message = format!("`{}` is ignored: nothing reads a property of this name", name.value);
        sink.push(
            Diagnostic::new(&RULE.info, name.span, message)
                .help(format!("did you mean `{near}`?"))
                .fix(false, vec![Edit { span: name.span, text: near }]),
        );
    }
}
