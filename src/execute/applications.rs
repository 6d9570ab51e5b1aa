//! Deployed applications of a project: a folder each beside the store, with the files of the package and a file with the
//! state. Changes are made under a lock and by renaming, so that a crash leaves the one or the other.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::private;
use crate::engine::application::{AppCommand, AppStatus, row_of};
use crate::host::{ShellError, files};

/// The folder of all, in that of the store.
const FOLDER: &str = "apps";
const FILES: &str = "files";
const STATE: &str = "state.json";

/// The longest name of an application, in bytes.
const LONGEST: usize = 80;

/// A deployed application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// Its name.
    pub name: String,
    /// Its state.
    pub status: AppStatus,
    /// The folder of its files.
    pub files: PathBuf,
}

/// The file with the state.
#[derive(Serialize, Deserialize)]
struct State {
    name: String,
    status: String,
}

/// Why something is not done with an application.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// There is none of this name.
    #[error("no application `{0}` is deployed")]
    Unknown(String),
    /// There is one already.
    #[error("an application `{name}` is deployed already; it is {status}")]
    Taken {
        /// Its name.
        name: String,
        /// Its state.
        status: AppStatus,
    },
    /// The name cannot be used.
    #[error("`{0}` cannot be the name of an application: it is empty or too long")]
    Name(String),
    /// The state does not allow it.
    #[error("cannot {} `{name}`: it is {status}", .command.word())]
    State {
        /// What was asked for.
        command: AppCommand,
        /// Its name.
        name: String,
        /// Its state.
        status: AppStatus,
    },
    /// Jobs have not finished.
    #[error("cannot {} `{name}`: {} of its jobs have not finished: {}", .command.word(), .jobs.len(), .jobs.join(", "))]
    Open {
        /// What was asked for.
        command: AppCommand,
        /// Its name.
        name: String,
        /// Their ids.
        jobs: Vec<String>,
    },
    /// Something cannot be read or written.
    #[error(transparent)]
    Io(#[from] ShellError),
}

/// The deployed applications of a store.
#[derive(Debug)]
pub struct Applications {
    folder: PathBuf,
}

/// A name as that of a folder.
fn slug(name: &str) -> Result<String, AppError> {
    if name.is_empty() || name.len() > LONGEST {
        return Err(AppError::Name(name.to_owned()));
    }
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    Ok(out)
}

fn unwritten(path: &Path) -> impl Fn(std::io::Error) -> ShellError {
    let path = path.to_owned();
    move |source| ShellError::Write { path: path.clone(), source }
}

/// Writes a file and forces it to disk.
fn write(path: &Path, bytes: &[u8]) -> Result<(), ShellError> {
    let written =
        private::create(path).and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
    written.map_err(unwritten(path))
}

impl Applications {
    /// Those of a store.
    pub fn of(store: &Path) -> Applications {
        Applications { folder: store.join(FOLDER) }
    }

    /// All of them, by name.
    pub fn list(&self) -> Result<Vec<Application>, ShellError> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Ok(Vec::new()) };
        let folders = entries.flatten().map(|entry| entry.path());
        let named =
            folders.filter(|path| !path.file_name().is_some_and(|it| it.to_string_lossy().starts_with('.')));
        let mut found = Vec::new();
        for folder in named.filter(|path| path.is_dir()) {
            found.extend(read(&folder)?);
        }
        found.sort_by(|one: &Application, other| one.name.cmp(&other.name));
        Ok(found)
    }

    /// One of them.
    pub fn find(&self, name: &str) -> Result<Option<Application>, ShellError> {
        let Ok(slug) = slug(name) else { return Ok(None) };
        read(&self.folder.join(slug))
    }

    /// Deploys an application.
    pub fn deploy(&self, name: &str, contents: &BTreeMap<String, Vec<u8>>) -> Result<Application, AppError> {
        let slug = slug(name)?;
        let _lock = self.lock()?;
        if let Some(known) = self.find(name)? {
            return Err(AppError::Taken { name: known.name, status: known.status });
        }
        let draft = self.folder.join(format!(".new-{slug}"));
        let _ = fs::remove_dir_all(&draft);
        for (path, bytes) in contents {
            let path = draft.join(FILES).join(path);
            let above = path.parent().unwrap_or(&draft);
            private::make_folders(above).map_err(unwritten(above))?;
            write(&path, bytes)?;
        }
        store(&draft, name, AppStatus::Inactive)?;
        let folder = self.folder.join(slug);
        fs::rename(&draft, &folder).map_err(unwritten(&folder))?;
        self.sync()?;
        read(&folder)?.ok_or_else(|| AppError::Unknown(name.to_owned()))
    }

    /// Does something with an application; `open` are its jobs that have not finished. Its new state, nothing when it is gone.
    pub fn change(
        &self,
        name: &str,
        command: AppCommand,
        open: Vec<String>,
    ) -> Result<Option<AppStatus>, AppError> {
        let _lock = self.lock()?;
        let known = self.find(name)?.ok_or_else(|| AppError::Unknown(name.to_owned()))?;
        let Some((_, _, next, wants_finished)) = row_of(known.status, command) else {
            return Err(AppError::State { command, name: known.name, status: known.status });
        };
        if *wants_finished && !open.is_empty() {
            return Err(AppError::Open { command, name: known.name, jobs: open });
        }
        let folder = self.folder.join(slug(name)?);
        match next {
            Some(status) => store(&folder, name, *status)?,
            None => {
                let gone = self.folder.join(format!(".gone-{}", slug(name)?));
                let _ = fs::remove_dir_all(&gone);
                fs::rename(&folder, &gone).map_err(unwritten(&folder))?;
                // What is left of it is in nobody's way.
                let _ = fs::remove_dir_all(&gone);
            }
        }
        self.sync()?;
        Ok(*next)
    }

    /// The files of a package that is run and was not deployed, in a folder of their own that is made once.
    pub fn keep(&self, contents: &BTreeMap<String, Vec<u8>>) -> Result<PathBuf, ShellError> {
        let mut hasher = std::hash::DefaultHasher::new();
        std::hash::Hash::hash(contents, &mut hasher);
        let name = format!(".package-{:016x}", std::hash::Hasher::finish(&hasher));
        let _lock = self.lock()?;
        let folder = self.folder.join(&name);
        if !folder.is_dir() {
            let draft = self.folder.join(format!("{name}.new"));
            let _ = fs::remove_dir_all(&draft);
            for (path, bytes) in contents {
                let path = draft.join(path);
                let above = path.parent().unwrap_or(&draft);
                private::make_folders(above).map_err(unwritten(above))?;
                write(&path, bytes)?;
            }
            fs::rename(&draft, &folder).map_err(unwritten(&folder))?;
            self.sync()?;
        }
        Ok(folder)
    }

    fn lock(&self) -> Result<File, ShellError> {
        private::make_folders(&self.folder).map_err(unwritten(&self.folder))?;
        let path = self.folder.join(".lock");
        let file = private::create(&path).map_err(unwritten(&path))?;
        file.lock().map_err(unwritten(&path))?;
        Ok(file)
    }

    fn sync(&self) -> Result<(), ShellError> {
        File::open(&self.folder).and_then(|folder| folder.sync_all()).map_err(unwritten(&self.folder))
    }
}

/// Writes the state of an application.
fn store(folder: &Path, name: &str, status: AppStatus) -> Result<(), ShellError> {
    let state = State { name: name.to_owned(), status: status.name().to_owned() };
    let text = serde_json::to_string(&state).unwrap_or_default();
    let (draft, path) = (folder.join(".state"), folder.join(STATE));
    write(&draft, text.as_bytes())?;
    fs::rename(&draft, &path).map_err(unwritten(&path))?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(unwritten(folder))
}

fn read(folder: &Path) -> Result<Option<Application>, ShellError> {
    let path = folder.join(STATE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(ShellError::Read { path, source }),
    };
    let corrupt = || ShellError::usage(format!("`{}` is corrupt", files::shown(&path)));
    let state: State = serde_json::from_str(&text).map_err(|_| corrupt())?;
    let status = AppStatus::ALL.into_iter().find(|status| status.name() == state.status);
    Ok(Some(Application { name: state.name, status: status.ok_or_else(corrupt)?, files: folder.join(FILES) }))
}
