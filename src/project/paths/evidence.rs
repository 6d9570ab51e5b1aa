//! Why a file is taken for the one that a path means, and how far that goes.

use crate::analysis::project::Kind;

/// What speaks for a file, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// `ankus.toml` maps the path to it.
    Mapping,
    /// All that is known of the path, or all of its own path in the project, is the end of the other.
    Whole,
    /// Its last folder and name, or its last two folders.
    Partial,
    /// Its last folder, and it lies in the folder of whoever names the path or below it.
    Own,
    /// Its end, as that of other files; it alone lies below the folder of whoever names the path.
    Below,
    /// Its last folder; no other one is called so.
    Folder,
    /// Most of its folders: deploying puts it one folder deeper or less deep.
    Layout,
    /// It lies beside the file that names the path, of whose end nothing is known.
    Open,
    /// Its end, as that of other files; it is the nearest to whoever names the path.
    Nearest,
    /// Its last folder, as that of others; it is the nearest, and the folder above has another name than in the path.
    Elsewhere,
    /// The path has a folder less than it.
    Lacking,
    /// The path is nearly its own.
    Misspelt,
    /// Its folder, which has no file of the name in the path.
    OtherName,
    /// It is the only one in the folder that the path names, and a server looks for another name there.
    Unusual,
    /// Its name alone, which no other file has.
    FileName,
    /// It lies beside the file that names the path.
    Beside,
}

/// How far a piece of evidence goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Something else can hardly be meant: enough to say that it is wrong.
    Sure,
    /// Enough to go on without a word.
    Likely,
    /// Enough to go on, and worth a look.
    Fair,
    /// Enough to go on only with a warning.
    Weak,
}

impl Evidence {
    /// How far it goes.
    pub fn confidence(self) -> Confidence {
        match self {
            Evidence::Mapping | Evidence::Whole | Evidence::Partial => Confidence::Sure,
            Evidence::Own | Evidence::Layout | Evidence::Open => Confidence::Likely,
            Evidence::Below | Evidence::Folder | Evidence::Nearest => Confidence::Fair,
            Evidence::Elsewhere
            | Evidence::Unusual
            | Evidence::Lacking
            | Evidence::Misspelt
            | Evidence::OtherName
            | Evidence::FileName
            | Evidence::Beside => Confidence::Weak,
        }
    }

    /// Whether the path itself is most likely wrong, so that another one is to be proposed.
    pub fn is_slip(self) -> bool {
        matches!(self, Evidence::Lacking | Evidence::Misspelt | Evidence::OtherName | Evidence::Unusual)
    }

    /// What is said, behind the path, of one that leads to the file `shown` by this evidence alone.
    pub fn words(self, shown: &str, kind: Kind) -> String {
        let name = kind.name();
        match self {
            Evidence::Misspelt | Evidence::Lacking => {
                format!("leads to no {name} of the project, but nearly to `{shown}`")
            }
            Evidence::OtherName => format!("names no {name} of its folder, which holds `{shown}`"),
            Evidence::Unusual => {
                let usual = kind.usual_file().unwrap_or_default();
                format!("names a folder, in which a server looks for `{usual}` and not for `{shown}`")
            }
            Evidence::FileName => {
                format!("shares only its file name with a {name} of the project, `{shown}`")
            }
            Evidence::Beside => {
                format!("leads to no folder of the project; `{shown}` beside it is used instead")
            }
            Evidence::Folder => format!("shares only its last folder with the {name} `{shown}`"),
            Evidence::Elsewhere => {
                format!(
                    "shares only its last folder with several {name}s, and `{shown}` is the nearest of them"
                )
            }
            Evidence::Below | Evidence::Nearest => {
                format!("fits several {name}s, and `{shown}` is the nearest of them")
            }
            Evidence::Mapping
            | Evidence::Whole
            | Evidence::Partial
            | Evidence::Own
            | Evidence::Layout
            | Evidence::Open => {
                format!("leads to the {name} `{shown}`")
            }
        }
    }
}
