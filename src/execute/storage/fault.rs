//! What can go wrong with storage, and what a server calls it: one list for every kind of storage.

use crate::engine::TroubleKind;

/// What a name node says that knows of no data node, or of none that has the content and lives
/// (`NamenodeWebHdfsMethods.redirectURI`, `bestNode`).
const NO_DATA_NODE: [&str; 3] =
    ["Failed to find datanode", "No active nodes contain this block", "No nodes contain this block"];

/// How many lines of an exception's words are shown; the reason may stand in the second.
const MAX_LINES: usize = 3;

/// What it says beside `could only be replicated` when all of them are away (`BlockManager.chooseTarget4NewBlock`).
const NO_DATA_NODES: &str = "There are 0 datanode(s) running";

/// How a Hadoop server begins when it did not reach another one, such as a data node whose name node was just killed
/// (`NetUtils.wrapException`): words that have no class of their own, or one that says something else elsewhere. What else
/// it wraps, such as a missing proof of identity, does not pass.
const NOT_REACHED: [&str; 8] = [
    "Failed on local exception: java.net.",
    "Failed on local exception: java.nio.channels.",
    "Failed on local exception: java.io.EOFException",
    "Failed on local exception: java.io.IOException: Connection reset by peer",
    "Failed on local exception: java.io.IOException: Broken pipe",
    "Failed on local exception: java.io.IOException: Connection timed out",
    "Failed on local exception: java.io.IOException: Response is null",
    "End of File Exception between",
];

/// Something went wrong with storage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{words}")]
pub struct StorageFault {
    /// What it is.
    pub why: Why,
    /// In words.
    pub words: String,
}

/// Kinds of faults. Those of a server's Java classes bear the name of the class in [`Why::class`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Nothing stands for the URI.
    Unmapped,
    /// It leads out of what stands for it.
    Outside,
    /// It is relative.
    Relative,
    /// It is, or holds, what is not to be touched.
    Guarded,
    /// It lies in storage that is no folder of this machine.
    Remote,
    /// It is not there.
    NotFound,
    /// It is there, and must not be.
    Exists,
    /// A file stands where a folder must.
    NotFolder,
    /// The right is missing.
    Denied,
    /// The disk is full.
    Full,
    /// A quota is used up.
    Quota,
    /// The file system takes no changes for now.
    SafeMode,
    /// The host is not known.
    UnknownHost,
    /// Nobody answers there, or not in time.
    Connect,
    /// The pattern is none, or an argument is wrong.
    Argument,
    /// This storage cannot do it.
    Unsupported,
    /// Anything else.
    Io,
}

impl Why {
    /// The Java class that a server would name, without its package.
    pub fn class(self) -> &'static str {
        match self {
            Why::Unmapped | Why::Outside | Why::Relative | Why::Guarded | Why::Remote => {
                "HadoopAccessorException"
            }
            Why::NotFound => "FileNotFoundException",
            Why::Exists => "FileAlreadyExistsException",
            Why::NotFolder => "ParentNotDirectoryException",
            Why::Denied => "AccessControlException",
            Why::Full => "DiskOutOfSpaceException",
            Why::Quota => "QuotaExceededException",
            Why::SafeMode => "SafeModeException",
            Why::UnknownHost => "UnknownHostException",
            Why::Connect => "ConnectException",
            Why::Argument => "IllegalArgumentException",
            Why::Unsupported => "UnsupportedOperationException",
            Why::Io => "IOException",
        }
    }

    /// The fault of a Java class; a class that is not known is an `IOException`, as all of Hadoop's are.
    pub fn of_class(class: &str) -> Why {
        match class {
            "FileNotFoundException" => Why::NotFound,
            "FileAlreadyExistsException" | "PathExistsException" => Why::Exists,
            "ParentNotDirectoryException" | "PathIsNotDirectoryException" => Why::NotFolder,
            "AccessControlException" | "SecurityException" | "AuthorizationException" => Why::Denied,
            "DiskOutOfSpaceException" => Why::Full,
            "QuotaExceededException" | "NSQuotaExceededException" | "DSQuotaExceededException" => Why::Quota,
            "SafeModeException" => Why::SafeMode,
            "UnknownHostException" => Why::UnknownHost,
            // A name node that only stands by, or asks for another try.
            "ConnectException"
            | "SocketException"
            | "StandbyException"
            | "RetriableException"
            | "SocketTimeoutException"
            | "ConnectTimeoutException"
            | "NoRouteToHostException" => Why::Connect,
            "IllegalArgumentException" | "InvalidPathException" => Why::Argument,
            "UnsupportedOperationException" => Why::Unsupported,
            _ => Why::Io,
        }
    }

    /// The code that a server's launched actions give it (`JavaActionExecutor.initActionType`).
    pub fn code(self) -> &'static str {
        match self {
            Why::Unmapped | Why::Outside | Why::Guarded | Why::Remote => "E0904",
            Why::Relative => "FS011",
            Why::UnknownHost => "JA001",
            Why::Denied => "JA002",
            Why::Full => "JA003",
            Why::Quota => "JA004",
            Why::SafeMode => "JA005",
            Why::Connect => "JA006",
            Why::NotFound => "JA008",
            _ => "JA009",
        }
    }

    /// Whether it may go away by itself, and what is done about it (the same table). What local files say stays as it is,
    /// so that an `IOException` counts as transient only where a network lies between.
    pub fn kind(self) -> TroubleKind {
        match self {
            // A name node leaves safe mode by itself after a start; a server gives up on it.
            Why::UnknownHost | Why::Connect | Why::SafeMode => TroubleKind::Transient,
            Why::Full | Why::Quota => TroubleKind::NonTransient,
            _ => TroubleKind::Error,
        }
    }
}

impl StorageFault {
    /// A fault.
    pub fn new(why: Why, words: impl Into<String>) -> StorageFault {
        StorageFault { why, words: words.into() }
    }

    /// What the system says of something.
    pub fn io(what: &str, error: &std::io::Error) -> StorageFault {
        use std::io::ErrorKind;
        let why = match error.kind() {
            ErrorKind::NotFound => Why::NotFound,
            ErrorKind::AlreadyExists => Why::Exists,
            ErrorKind::NotADirectory => Why::NotFolder,
            ErrorKind::PermissionDenied => Why::Denied,
            ErrorKind::StorageFull => Why::Full,
            ErrorKind::QuotaExceeded => Why::Quota,
            ErrorKind::ConnectionRefused
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            // A system tells of a socket that was waited for too long by this.
            | ErrorKind::WouldBlock
            | ErrorKind::TimedOut => Why::Connect,
            ErrorKind::InvalidInput => Why::Argument,
            _ => Why::Io,
        };
        match why {
            Why::NotFound => StorageFault::not_found(what),
            why if error.kind() == ErrorKind::WouldBlock => {
                StorageFault::new(why, format!("`{what}`: timed out"))
            }
            why => StorageFault::new(why, format!("`{what}`: {error}")),
        }
    }

    /// As an error of a reader that knows no others, so that whoever reads makes the same fault of it again.
    pub fn into_io(self) -> std::io::Error {
        use std::io::ErrorKind;
        let kind = match self.why {
            Why::Connect | Why::UnknownHost => ErrorKind::TimedOut,
            Why::NotFound => ErrorKind::NotFound,
            Why::Denied => ErrorKind::PermissionDenied,
            _ => ErrorKind::Other,
        };
        std::io::Error::new(kind, self.words)
    }

    /// The fault that a server of Hadoop names, by the class of its exception and its words up to the stack.
    pub fn remote(class: &str, message: &str) -> StorageFault {
        let class = class.rsplit(['.', '$']).next().unwrap_or_default();
        let lines = message.lines().map(str::trim).take_while(|line| !line.starts_with("at "));
        let line = lines.take(MAX_LINES).collect::<Vec<_>>().join(" ");
        // Its own words begin with the class where one exception was put into another.
        let line = line.strip_prefix(class).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&line);
        let why = match Why::of_class(class) {
            // It has no class for this: no data node has reported since it started.
            Why::Io if NO_DATA_NODE.iter().any(|words| line.starts_with(words)) => Why::Connect,
            Why::Io if line.contains(NO_DATA_NODES) => Why::Connect,
            Why::Io if NOT_REACHED.iter().any(|words| line.starts_with(words)) => Why::Connect,
            why => why,
        };
        StorageFault::new(why, format!("{class}: {line}"))
    }

    /// Something is not there.
    pub fn not_found(what: &str) -> StorageFault {
        StorageFault::new(Why::NotFound, format!("`{what}` does not exist"))
    }
}

impl StorageFault {
    /// Whether it says nothing about the place asked for, only that it could not be looked at.
    pub fn is_passing(&self) -> bool {
        matches!(self.why, Why::UnknownHost | Why::Connect | Why::SafeMode | Why::Io | Why::Unsupported)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_did_not_reach_behind_it_is_tried_again() {
        let hosts =
            "; Host Details : local host is: \"vm/127.0.0.1\"; destination host is: \"localhost\":8020;";
        for (class, words, why) in [
            (
                "IOException",
                "Failed on local exception: java.io.IOException: Connection reset by peer",
                Why::Connect,
            ),
            ("java.io.IOException", "Failed on local exception: java.net.SocketException: x", Why::Connect),
            (
                "IOException",
                "Failed on local exception: java.nio.channels.ClosedByInterruptException",
                Why::Connect,
            ),
            ("EOFException", "End of File Exception between local host is", Why::Connect),
            ("IOException", "No active nodes contain this block", Why::Connect),
            (
                "IOException",
                "File /a could only be replicated to 0 nodes.  There are 0 datanode(s) running",
                Why::Connect,
            ),
            (
                "IOException",
                "File /a could only be replicated to 0 nodes.  There are 1 datanode(s) running",
                Why::Io,
            ),
            (
                "IOException",
                "Failed on local exception: java.io.IOException: javax.security.sasl.SaslException",
                Why::Io,
            ),
        ] {
            let found = StorageFault::remote(class, &format!("{words}{hosts}\n\tat org.apache.hadoop"));
            assert_eq!(found.why, why, "{words}");
            assert!(!found.words.contains("\tat "), "{}", found.words);
        }
    }
}
