//! Every error code of a server: what it means in our own words, and when it is raised.
//!
//! The codes are those of `ErrorCode` in Oozie 5.2, and those of the actions' executors that findings name.

/// When a server raises a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The server itself starts.
    Boot,
    /// A request comes in.
    Request,
    /// A job is submitted.
    Submit,
    /// A bundle starts its coordinators.
    Start,
    /// The actions of a coordinator are made.
    Materialize,
    /// A coordinator's action waits for its inputs.
    Wait,
    /// An action starts, is checked or ends.
    Action,
    /// A job runs.
    Run,
    /// A job is changed, killed, suspended or run again.
    Command,
    /// The database is used.
    Store,
    /// Nothing in the core of 5.2 raises it.
    Never,
}

impl When {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            When::Boot => "when the server starts",
            When::Request => "when a request comes in",
            When::Submit => "when a job is submitted",
            When::Start => "when a bundle starts its coordinators",
            When::Materialize => "when the actions of a coordinator are made",
            When::Wait => "while a coordinator's action waits for its inputs",
            When::Action => "when an action starts, is checked or ends",
            When::Run => "while a job runs",
            When::Command => "when a job is changed, killed, suspended or run again",
            When::Store => "when the server uses its database",
            When::Never => "declared, but raised by nothing in the core of 5.2",
        }
    }
}

/// One code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerCode {
    /// Such as `E0708`.
    pub code: &'static str,
    /// When it is raised first; other places are told in the meaning.
    pub when: When,
    /// What it means: a sentence without its full stop.
    pub meaning: &'static str,
}

/// The code of this name, in any case.
pub fn find(name: &str) -> Option<&'static ServerCode> {
    CODES.iter().find(|code| code.code.eq_ignore_ascii_case(name))
}

const fn code(code: &'static str, when: When, meaning: &'static str) -> ServerCode {
    ServerCode { code, when, meaning }
}

/// All codes, sorted.
#[rustfmt::skip]
pub static CODES: &[ServerCode] = &[
    code("E0000", When::Boot, "the server does not know its home folder: the system property `oozie.home.dir` is not set"),
    code("E0001", When::Boot, "the server cannot make the folder that it runs in"),
    code("E0002", When::Request, "the server is in safe mode and takes no requests but an administrator's"),
    code("E0003", When::Boot, "the home folder of the server is not an absolute path"),
    code("E0004", When::Boot, "the home folder of the server does not exist"),
    code("E0010", When::Boot, "the log service cannot be set up"),
    code("E0011", When::Boot, "the configured Log4j file is a path where a plain file name is wanted"),
    code("E0012", When::Boot, "the configured Log4j file does not end in `.properties`"),
    code("E0013", When::Boot, "the configured Log4j file is neither in the configuration folder nor on the class path"),
    code("E0020", When::Never, "an environment variable that the server needs is not set"),
    code("E0022", When::Boot, "the configured site file is a path where a plain file name is wanted"),
    code("E0023", When::Boot, "the file with the server's defaults is not on the class path"),
    code("E0024", When::Boot, "the configuration folder of the server does not exist"),
    code("E0026", When::Boot, "the server's configuration lacks a property that a service needs"),
    code("E0100", When::Boot, "a service of the server fails while it is set up"),
    code("E0101", When::Boot, "a configured service class does not implement the interface that it is configured for"),
    code("E0102", When::Boot, "a configured service class cannot be instantiated"),
    code("E0103", When::Boot, "the list of service classes cannot be loaded"),
    code("E0104", When::Boot, "a service is up, but only in part; usually the share library could not be read"),
    code("E0110", When::Boot, "a function or constant in the server's EL configuration is not written as it must be"),
    code("E0111", When::Boot, "the EL configuration names a method that does not exist"),
    code("E0112", When::Boot, "the EL configuration names a method that is not public and static"),
    code("E0113", When::Boot, "the EL configuration names a class that does not exist"),
    code("E0114", When::Boot, "the EL configuration names a constant that is not public and static"),
    code("E0115", When::Boot, "the EL configuration names a constant that does not exist"),
    code("E0116", When::Never, "an EL constant is not public and static"),
    code("E0120", When::Boot, "the configured way to make job identifiers is none that the server knows"),
    code("E0130", When::Boot, "the XML schemas of the server, or those that its configuration adds, do not parse"),
    code("E0131", When::Boot, "the XML schemas of the server cannot be read"),
    code("E0140", When::Never, "the database cannot be reached"),
    code("E0141", When::Never, "the pool of database connections cannot be made"),
    code("E0160", When::Boot, "the file that lists the administrators cannot be read"),
    code("E0300", When::Request, "the request has another content type than this resource takes, usually `application/xml`"),
    code("E0301", When::Request, "the request names a resource that the server does not have"),
    code("E0302", When::Request, "a parameter of the request has a value that is not understood; also raised where a definition holds an unknown SLA alert event, or where a list of actions is malformed"),
    code("E0303", When::Request, "a parameter of the request has a value that is not among those allowed"),
    code("E0304", When::Request, "a parameter of the request has another type than it must have"),
    code("E0305", When::Request, "a parameter of the request is missing"),
    code("E0306", When::Request, "a parameter of the request has no meaning for this resource"),
    code("E0307", When::Request, "an unexpected exception ended the handling of a request"),
    code("E0308", When::Request, "a range of dates in the request does not parse"),
    code("E0401", When::Submit, "the configuration lacks a property that every submission needs, such as `user.name` or the application path"),
    code("E0402", When::Request, "a callback has no valid identifier of an action"),
    code("E0403", When::Request, "the data of a callback cannot be read"),
    code("E0404", When::Submit, "the properties hold two settings of which only one may be given, such as two application paths"),
    code("E0405", When::Submit, "the properties name no application: neither an application path nor a `libpath`"),
    code("E0420", When::Request, "the filter of a list of jobs is malformed"),
    code("E0421", When::Request, "the filter of the actions of one job is malformed"),
    code("E0500", When::Never, "the user may not do this"),
    code("E0501", When::Submit, "whether the user may do this cannot be found out; the file system usually does not answer"),
    code("E0502", When::Submit, "the user is not in the group that the job names"),
    code("E0503", When::Request, "only an administrator may do this"),
    code("E0504", When::Submit, "the application path does not exist"),
    code("E0505", When::Submit, "the folder of the application holds no definition"),
    code("E0506", When::Submit, "the definition is a folder, not a file"),
    code("E0507", When::Submit, "the application path cannot be reached, for lack of permission or of a file system"),
    code("E0508", When::Command, "the user may not touch this workflow job"),
    code("E0509", When::Command, "the user may not touch this coordinator job"),
    code("E0510", When::Action, "a credential cannot be obtained, or its settings are incomplete"),
    code("E0511", When::Action, "the file system gave no delegation token"),
    code("E0512", When::Action, "the resource manager or the history server gave no delegation token"),
    code("E0513", When::Never, "no renewer is configured for a delegation token"),
    code("E0550", When::Boot, "a host name in the proxy-user settings cannot be resolved"),
    code("E0551", When::Boot, "the proxy-user settings lack a property"),
    code("E0600", When::Store, "no connection to the database is to be had"),
    code("E0601", When::Store, "a connection to the database cannot be closed"),
    code("E0602", When::Never, "a transaction cannot be committed"),
    code("E0603", When::Store, "a statement fails in the database"),
    code("E0604", When::Command, "there is no job with this identifier; it may have been purged"),
    code("E0605", When::Command, "there is no action with this identifier"),
    code("E0606", When::Command, "another command holds the lock of this job for too long"),
    code("E0607", When::Command, "an unexpected exception ended a command"),
    code("E0608", When::Boot, "the connection to the database is not configured as it must be"),
    code("E0609", When::Boot, "the description of the database tables is missing"),
    code("E0610", When::Store, "the service that reads the database is not running"),
    code("E0611", When::Store, "a statement fails in the database"),
    code("E0612", When::Request, "the actions of a coordinator that ran a workflow action cannot be read"),
    code("E0613", When::Store, "workflows are each other's parents, so that they cannot be purged"),
    code("E0700", When::Submit, "XML is not well-formed, has a document type definition, or cannot be read where a part of it is taken out: a definition, an included file of datasets, a configuration"),
    code("E0701", When::Submit, "the definition breaks its XML schema, or is not well-formed where a schema is applied"),
    code("E0702", When::Submit, "the definition or the default file beside it cannot be read"),
    code("E0703", When::Submit, "the workflow has an element that the reader does not know, or a setting of the retries that is no number"),
    code("E0704", When::Submit, "a node is added to a workflow that is complete already; a fault of the server itself"),
    code("E0705", When::Submit, "two nodes of the workflow have one name"),
    code("E0706", When::Submit, "a node goes to itself"),
    code("E0707", When::Submit, "nodes of the workflow lead to each other in a loop"),
    code("E0708", When::Submit, "a transition names a node that the workflow does not have"),
    code("E0709", When::Run, "a node is reached a second time while the workflow runs"),
    code("E0710", When::Submit, "the definition of the workflow cannot be read"),
    code("E0711", When::Submit, "the application path is no URI"),
    code("E0712", When::Submit, "the `lib` folder of the application, or a configured library path, cannot be read"),
    code("E0713", When::Store, "the workflow library cannot use its database"),
    code("E0714", When::Never, "the workflow library fails"),
    code("E0715", When::Run, "the start node gets a signal that it does not know; a fault of the server itself"),
    code("E0716", When::Command, "the workflow is not running"),
    code("E0717", When::Command, "the workflow is not suspended"),
    code("E0718", When::Command, "the workflow has ended already"),
    code("E0719", When::Command, "the workflow was started already"),
    code("E0720", When::Run, "a join is reached by another number of paths than its fork started"),
    code("E0721", When::Run, "a decision gives a transition that it does not have; usually no case is true and there is no default"),
    code("E0722", When::Run, "an action ends with a signal that is neither OK nor ERROR"),
    code("E0723", When::Submit, "an action holds an element for which the server has no executor"),
    code("E0724", When::Submit, "the name of a node is longer than 128 characters, empty, or does not match the pattern"),
    code("E0725", When::Command, "the workflow cannot be killed in its state"),
    code("E0726", When::Command, "the action cannot be killed"),
    code("E0727", When::Command, "the workflow cannot be suspended in its state"),
    code("E0728", When::Command, "the coordinator cannot be suspended, because it has ended"),
    code("E0729", When::Run, "a kill node was reached; the code stands beside its message"),
    code("E0730", When::Submit, "forks and joins do not match; the server wraps the precise reason in this code"),
    code("E0731", When::Never, "a fork has fewer than two paths; the schema says so first"),
    code("E0732", When::Never, "a fork and a join do not belong together"),
    code("E0733", When::Submit, "no path of a fork reaches a join"),
    code("E0734", When::Never, "a transition leads out of a fork"),
    code("E0735", When::Never, "an error transition leads out of a fork"),
    code("E0736", When::Submit, "the definition is larger than the server takes (`oozie.service.WorkflowAppService.WorkflowDefinitionMaxLength`, 100,000 by default)"),
    code("E0737", When::Submit, "an end node is reached inside a fork"),
    code("E0738", When::Submit, "a formal parameter has no default and nothing gives it a value"),
    code("E0739", When::Submit, "a formal parameter has an empty name"),
    code("E0740", When::Submit, "a node is of a kind that the validator does not know; a fault of the server itself"),
    code("E0741", When::Never, "a loop was met; newer servers say E0707"),
    code("E0742", When::Submit, "a join is reached outside any fork"),
    code("E0743", When::Submit, "two paths that run at the same time lead to one node that is no join"),
    code("E0744", When::Submit, "a fork names one node twice"),
    code("E0755", When::Command, "the workflow cannot be rerun"),
    code("E0756", When::Run, "the message of a kill node cannot be evaluated"),
    code("E0757", When::Submit, "the paths of a fork end in different joins"),
    code("E0758", When::Submit, "a join gets paths of different forks"),
    code("E0759", When::Run, "a function of the file system cannot read the configuration of the workflow"),
    code("E0800", When::Run, "a callback or a check came for an action that is not running"),
    code("E0801", When::Run, "the workflow is running already"),
    code("E0802", When::Action, "the server has no executor for the type of an action"),
    code("E0803", When::Submit, "a part of the definition or of the properties cannot be read or evaluated: an unknown dataset, a variable that is none, a configuration that is not whole"),
    code("E0804", When::Never, "a default file sets a property that only the user may"),
    code("E0805", When::Command, "only a workflow that has ended can be rerun"),
    code("E0806", When::Command, "a node that the rerun shall skip did not end well before"),
    code("E0807", When::Command, "a node that the rerun shall skip was not reached"),
    code("E0808", When::Submit, "a property has a name that the server keeps to itself, such as `KB`, `DAYS` or, in a default file, `user.name`"),
    code("E0809", When::Never, "an action may not start"),
    code("E0810", When::Action, "the start of an action is passed over, because its job is not running"),
    code("E0811", When::Action, "the end of an action is passed over, because its job is not running"),
    code("E0812", When::Action, "the end of an action is passed over, because it is not waiting for one"),
    code("E0813", When::Run, "a signal is passed over, because the workflow is not running"),
    code("E0814", When::Run, "a signal of an action was dealt with already"),
    code("E0815", When::Action, "the check of an action is passed over, because it is not running"),
    code("E0816", When::Action, "the start of an action is passed over, because it was started already"),
    code("E0817", When::Action, "the check of an action is passed over, because it was touched a moment ago"),
    code("E0818", When::Action, "an action runs while its workflow has ended or was never started"),
    code("E0819", When::Run, "the working folder of a workflow cannot be deleted when it ends"),
    code("E0820", When::Submit, "`retry-max` of an action is above the server's limit, and the limit is used instead"),
    code("E0821", When::Never, "a callback came before its action was started, and is tried again"),
    code("E0822", When::Action, "a callback came before its action was started, and was tried too often"),
    code("E0823", When::Submit, "the server's default number of retries is above its own limit, and the limit is used instead"),
    code("E0900", When::Action, "the job tracker or resource manager is not on the server's list"),
    code("E0901", When::Action, "the name node is not on the server's list"),
    code("E0902", When::Action, "a file system or a metastore fails, refuses, or a path is no URI that it understands"),
    code("E0903", When::Action, "a Hadoop configuration was not made by the service that must make it; a fault of the server itself"),
    code("E0904", When::Materialize, "the scheme of a URI is none that the server has a handler for, or none at all that the file system supports"),
    code("E0905", When::Materialize, "a URI has no scheme"),
    code("E0906", When::Materialize, "a text is no URI: a blank, a brace or another character that none may hold"),
    code("E0907", When::Command, "the outputs of a coordinator action cannot be deleted before it is rerun"),
    code("E1001", When::Start, "the definition of a coordinator cannot be read; in a bundle its `app-path` leads nowhere"),
    code("E1002", When::Submit, "the application path of a coordinator, or an `include` of its datasets, is no URI or leads nowhere"),
    code("E1003", When::Submit, "an attribute or control of a coordinator has a value that does not do: a datetime, a frequency, a timezone, a number"),
    code("E1004", When::Submit, "an expression does not parse, calls what does not exist, or cannot be evaluated"),
    code("E1005", When::Materialize, "the stored configuration of a coordinator cannot be read"),
    code("E1006", When::Wait, "a `latest` or `future` instance stands where it cannot be resolved"),
    code("E1007", When::Submit, "a service level cannot be registered"),
    code("E1008", When::Never, "what is asked for is not implemented"),
    code("E1009", When::Never, "an answer in XML cannot be read"),
    code("E1010", When::Materialize, "the instances of an event make no sense: a range backwards, or of functions that do not go together"),
    code("E1011", When::Materialize, "a coordinator cannot be updated in the database"),
    code("E1012", When::Materialize, "actions of a coordinator cannot be made; the reason stands in the code's text"),
    code("E1013", When::Never, "a coordinator cannot be recovered"),
    code("E1014", When::Command, "this version of the interface cannot change a coordinator"),
    code("E1015", When::Command, "a coordinator cannot be changed to this end time, pause time, concurrency or status"),
    code("E1016", When::Command, "a killed coordinator cannot be changed"),
    code("E1017", When::Command, "a workflow cannot be changed"),
    code("E1018", When::Command, "actions of a coordinator cannot be rerun"),
    code("E1019", When::Never, "a coordinator cannot be submitted"),
    code("E1020", When::Command, "the coordinator has ended or does not exist, so it cannot be killed"),
    code("E1021", When::Wait, "the inputs of a coordinator action cannot be looked for, or an instance is empty or lies before what is possible"),
    code("E1022", When::Command, "a coordinator action that runs or has ended cannot be removed by an earlier end time"),
    code("E1023", When::Command, "the definition of a running coordinator cannot be replaced by this one"),
    code("E1024", When::Command, "the actions cannot be ignored in their state"),
    code("E1025", When::Run, "the status of a coordinator cannot be worked out from its actions"),
    code("E1026", When::Command, "alerts of service levels cannot be switched"),
    code("E1027", When::Command, "a service level cannot be changed"),
    code("E1028", When::Wait, "the input logic of a coordinator names what does not exist, or cannot be evaluated"),
    code("E1029", When::Request, "what a coordinator action waits for cannot be told"),
    code("E1100", When::Run, "a command is passed over, because the job is not in the state that it needs"),
    code("E1101", When::Submit, "an entry of a service level in the older form is empty"),
    code("E1102", When::Request, "this cannot be done to many jobs at once"),
    code("E1111", When::Action, "the script of an ssh action failed on its host"),
    code("E1201", When::Never, "a job is not in a valid state"),
    code("E1301", When::Submit, "the definition of a bundle cannot be read: XML, schema or `kick-off-time`"),
    code("E1302", When::Submit, "the application path of a bundle is no URI"),
    code("E1303", When::Start, "an attribute of a coordinator in a bundle has a value that does not do, or its configuration names another user"),
    code("E1304", When::Submit, "two coordinators of a bundle have one name"),
    code("E1305", When::Start, "the name of a coordinator in a bundle is empty"),
    code("E1306", When::Start, "the configuration of a bundle cannot be read"),
    code("E1307", When::Start, "the configuration that a bundle gives to a coordinator cannot be read"),
    code("E1308", When::Run, "the status that a coordinator reports to its bundle does not follow from the one before"),
    code("E1309", When::Run, "the status of a coordinator in its bundle cannot be stored"),
    code("E1310", When::Submit, "a bundle is refused; the precise reason stands inside"),
    code("E1311", When::Command, "a bundle does not have this coordinator"),
    code("E1312", When::Command, "a bundle that has ended cannot be suspended"),
    code("E1313", When::Never, "a bundle that has ended cannot be changed"),
    code("E1314", When::Command, "a bundle that is to be changed does not exist"),
    code("E1315", When::Run, "a bundle cannot be paused"),
    code("E1316", When::Run, "a bundle cannot be taken out of its pause"),
    code("E1317", When::Command, "a bundle cannot be changed to this value"),
    code("E1318", When::Start, "a bundle has no coordinator that is enabled, so it fails"),
    code("E1319", When::Start, "a bundle holds a coordinator of the namespace `uri:oozie:coordinator:0.1`"),
    code("E1320", When::Command, "a bundle cannot be changed"),
    code("E1321", When::Start, "the name or the `enabled` of a coordinator in a bundle cannot be evaluated"),
    code("E1322", When::Run, "the status of a bundle cannot be worked out from its coordinators"),
    code("E1323", When::Command, "the bundle has ended or does not exist, so it cannot be killed"),
    code("E1400", When::Request, "the user who sent the request may not act for the other one"),
    code("E1501", When::Action, "the metastore refuses access to a table or partition"),
    code("E1601", When::Request, "the settings of the message broker cannot be told"),
    code("E1602", When::Request, "the topic of a job's messages cannot be told"),
    code("E1603", When::Request, "the request names no user where it must"),
    code("E1700", When::Run, "the servers cannot reach the ZooKeeper by which they agree"),
    code("EM001", When::Action, "an email has no recipient, or an address that is none"),
    code("EM002", When::Action, "the server's own sender address is malformed"),
    code("EM003", When::Action, "the server's own sender address cannot be set"),
    code("EM004", When::Action, "an address in `to`, `cc` or `bcc` is malformed"),
    code("EM005", When::Action, "the recipients of an email cannot be set"),
    code("EM006", When::Action, "the server has no way to send mail by SMTP"),
    code("EM007", When::Action, "the mail server refuses the message or cannot be reached"),
    code("EM008", When::Action, "an attachment of an email cannot be read, or is a local file"),
    code("FS001", When::Action, "a path of an fs action has no scheme, or one that the server does not take"),
    code("FS002", When::Action, "the scheme of a path is none that an fs action takes"),
    code("FS004", When::Action, "a folder cannot be made"),
    code("FS005", When::Action, "a path cannot be deleted"),
    code("FS006", When::Action, "the source of a move does not exist"),
    code("FS007", When::Action, "the source and the target of a move lie in different file systems"),
    code("FS008", When::Action, "a path cannot be moved"),
    code("FS009", When::Action, "a path whose permissions or group shall change does not exist"),
    code("FS010", When::Action, "the permissions that a chmod of an fs action names are none"),
    code("FS011", When::Action, "a path of an fs action is relative"),
    code("FS012", When::Action, "a move has several sources and one name as its target"),
    code("FS013", When::Action, "a pattern matches more paths than an fs action may touch"),
    code("FS014", When::Action, "the user may not do this in the file system"),
    code("JA008", When::Action, "a file that the action needs is not there"),
    code("JA010", When::Action, "the configuration of an action sets a property that the server keeps to itself"),
    code("JA017", When::Action, "the job of an action cannot be found any more on the cluster"),
    code("JA018", When::Action, "the program of an action ended with another exit code than 0, or an output exists already"),
    code("JA021", When::Action, "the `cred` of an action names a credential that the workflow does not define"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::catalogue;

    #[test]
    fn every_code_is_there_once_and_in_our_form() {
        assert!(CODES.is_sorted_by(|a, b| a.code < b.code));
        assert_eq!(
            CODES.iter().filter(|code| code.code.starts_with("E0") || code.code.starts_with("E1")).count(),
            223
        );
        for code in CODES {
            assert!(!code.meaning.ends_with('.') && code.meaning.len() > 15, "{code:?}");
        }
        for info in catalogue::all() {
            for code in info.mirrors {
                assert!(find(code).is_some(), "{}: `{code}` is not among the codes", info.name);
            }
        }
    }
}
