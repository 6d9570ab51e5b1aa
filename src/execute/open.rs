//! Finding and opening the store of a project, and an executor over it.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use super::clock::Clock;
use super::deployed::Deployed;
use super::executor::{Executor, Listener, Options};
use super::storage::Storage;
use super::store::Store;
use super::view::View;
use crate::engine::Settings;
use crate::execute::requests::{self, Answer, Request};
use crate::host::ShellError;
use crate::host::files;
use crate::schema::Version;
use crate::shell::config::Config;
use crate::shell::project::Project;
use crate::time::ProcessingZone;

/// The folder of a store in its project.
pub const FOLDER: &str = ".ankus";

/// How often is looked for the answer to a request or for the end of another command, how long one waits for an answer,
/// and how long for such an end, in milliseconds.
const LOOK_MILLIS: u64 = 20;
const PATIENCE_MILLIS: u64 = 30_000;
const SHORT_MILLIS: u64 = 2_000;

const LOOK: Duration = Duration::from_millis(LOOK_MILLIS);

/// What a store and an executor over it are made from.
pub struct Place {
    /// The folder of the store.
    pub folder: PathBuf,
    /// The folder of the project.
    pub project: PathBuf,
    /// What `ankus.toml` says.
    pub config: Config,
    /// The server's version.
    pub version: Version,
    /// The server's processing timezone.
    pub zone: ProcessingZone,
}

impl Place {
    /// The place for an app, or for the working directory.
    pub fn of(
        start: &Path,
        store: Option<&Path>,
        config: Option<&Path>,
        version: Option<&str>,
    ) -> Result<Place, ShellError> {
        let config = Config::find(config, start)?;
        let (version, zone) = (config.version(version)?, config.zone()?);
        let project = Project::roots_of(start, &config).into_iter().next().unwrap_or_default();
        let folder = match store {
            Some(folder) => files::absolute(folder),
            None => nearest(start).unwrap_or_else(|| project.join(FOLDER)),
        };
        Ok(Place { folder, project, config, version, zone })
    }

    /// The store for reading and for requests.
    pub fn read(&self) -> Result<Store, ShellError> {
        let none = || {
            let words = "there is no store at `{}`; `ankus run APP` or `ankus submit APP` makes one";
            ShellError::usage(words.replace("{}", &files::shown(&self.folder)))
        };
        Store::read(&self.folder)?.ok_or_else(none)
    }

    /// The store for writing; nothing when an executor has it.
    pub fn lock(&self) -> Result<Option<Store>, ShellError> {
        Store::lock(&self.folder)
    }

    /// The settings of the server that is played. What stands in the middle of ids is made once for each store.
    pub fn settings(&self, store: &Store, clock: &dyn Clock) -> Result<Settings, ShellError> {
        let middle = match store.meta("id_middle")? {
            Some(middle) => middle,
            // Whoever only looks changes nothing.
            None if !store.is_locked() => String::new(),
            None => {
                // `UUIDService`: the time of the start, and the system's name.
                let format = |at| ProcessingZone::UTC.format(at).replace(['-', ':', 'T', 'Z'], "");
                let at = format(clock.now());
                let middle = format!("{}00000-ankus", at.get(2..).unwrap_or_default());
                store.set_meta("id_middle", &middle)?;
                middle
            }
        };
        // Whoever captures an output bounds it by what its action allows.
        let max_output = usize::MAX;
        Ok(Settings { id_middle: middle.into(), processing: self.zone, max_output, ..Settings::default() })
    }

    /// An executor over a store that this process holds.
    pub fn executor<'x>(
        &self,
        store: Store,
        options: Options,
        clock: &'x dyn Clock,
        listen: Option<Listener<'x>>,
    ) -> Result<Executor<'x>, ShellError> {
        let settings = self.settings(&store, clock)?;
        let deployed = self.deployed()?;
        let storage = Storage::new(&self.config, &self.project)?.guarding(&self.folder);
        Executor::new(store, deployed, settings, storage, options, clock, listen)
    }

    /// The jobs of one submission, for whoever only looks.
    pub fn view(&self, store: Store, root: u32, clock: &dyn Clock) -> Result<View, ShellError> {
        let settings = self.settings(&store, clock)?;
        let deployed = Rc::new(self.deployed()?);
        View::of(&store, deployed, settings, root)
    }

    /// The project with this place's configuration.
    pub fn whole_project(&self) -> Project {
        Project::rooted(vec![self.project.clone()], &self.config)
    }

    fn deployed(&self) -> Result<Deployed, ShellError> {
        let deployed = Deployed::new(self.whole_project(), self.version, self.zone, self.read()?)?;
        Ok(deployed.on(self.config.server()))
    }

    /// The store for writing, waited for while another command is at work; nothing when an executor has it.
    pub fn lock_soon(&self) -> Result<Option<Store>, ShellError> {
        for _ in 0..SHORT_MILLIS / LOOK_MILLIS {
            if let Some(store) = self.lock()? {
                return Ok(Some(store));
            }
            std::thread::sleep(LOOK);
        }
        self.lock()
    }

    /// Makes the store when there is none.
    pub fn make(&self) -> Result<(), ShellError> {
        while Store::read(&self.folder)?.is_none() {
            if self.lock()?.is_none() {
                // Somebody else is making it.
                std::thread::sleep(LOOK);
            }
        }
        Ok(())
    }

    /// Does what an operator wants: through the executor that runs, or else here.
    pub fn operate(
        &self,
        request: Request,
        options: Options,
        clock: &dyn Clock,
    ) -> Result<Answer, ShellError> {
        let here = |store: Store, options: Options, request: Request| {
            let mut executor = self.executor(store, options, clock, None)?;
            let answer = executor.take(request)?;
            executor.retire()?;
            Ok(answer)
        };
        if let Some(store) = self.lock()? {
            return here(store, options, request);
        }
        let asking = self.read()?;
        let number = asking.ask(&requests::text(&request))?;
        for _ in 0..PATIENCE_MILLIS / LOOK_MILLIS {
            if let Some(answer) = asking.answer(number)? {
                return Answer::read(&answer).map_err(ShellError::usage);
            }
            // Whoever had the store may have been such a command as this, or an executor that has ended since.
            if let Some(store) = self.lock()? {
                match asking.withdraw(number)? {
                    true => return here(store, options, request),
                    false => continue,
                }
            }
            std::thread::sleep(LOOK);
        }
        if asking.withdraw(number)? {
            return Err(ShellError::usage("the executor of this store does not answer; nothing was done"));
        }
        Err(ShellError::usage("the executor has answered late; look at the job"))
    }

    /// Definitions of the project, over those that the store knows.
    pub fn definitions(&self) -> Result<Deployed, ShellError> {
        self.deployed()
    }
}

/// The nearest store above a path.
fn nearest(start: &Path) -> Option<PathBuf> {
    let start = files::absolute(start);
    start.ancestors().map(|folder| folder.join(FOLDER)).find(|folder| folder.is_dir())
}
