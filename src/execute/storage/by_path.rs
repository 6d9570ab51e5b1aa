//! A folder of this machine that stands for storage, on systems without descriptors of folders: each path is resolved, and
//! compared with the folder, right before its use.

use std::io::{Error, Read, Result as Io, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use super::backend::{Backend, Done, Status, split};
use super::fault::{StorageFault, Why};
use super::folder::Folder;
use super::naming;

/// Every path is compared with its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared;

/// A folder of this machine.
pub type Local = Folder<Compared>;

impl Local {
    fn io<T>(&self, path: &str, done: Io<T>) -> Done<T> {
        done.map_err(|error| StorageFault::io(&self.place(path).display().to_string(), &error))
    }

    /// Where a path lies once links are followed, all of them or all but the last name.
    fn real(&self, path: &str, follows: bool) -> Done<PathBuf> {
        let place = self.place(path);
        if std::fs::symlink_metadata(&self.root).is_err() {
            return Ok(place);
        }
        let root = self.io("", std::fs::canonicalize(&self.root))?;
        let is_link = std::fs::symlink_metadata(&place).is_ok_and(|meta| meta.is_symlink());
        let mut there = if is_link && !follows { place.parent().unwrap_or(&place) } else { &place };
        while std::fs::symlink_metadata(there).is_err() {
            let Some(above) = there.parent() else { break };
            there = above;
        }
        let behind = place.strip_prefix(there).unwrap_or(Path::new(""));
        match self.io(path, std::fs::canonicalize(there))? {
            there if there.starts_with(&root) || path.is_empty() => Ok(match behind.as_os_str().is_empty() {
                true => there,
                false => there.join(behind),
            }),
            _ => {
                let words = format!("`{}` leads out of the folder that stands for it", place.display());
                Err(StorageFault::new(Why::Outside, words))
            }
        }
    }
}

fn status_of(meta: &std::fs::Metadata, is_link: bool) -> Status {
    let since = meta.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    Status {
        is_folder: meta.is_dir(),
        is_link,
        length: if meta.is_dir() { 0 } else { meta.len() },
        block_size: None,
        modified: i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        mode: None,
    }
}

impl Backend for Local {
    fn status(&self, path: &str) -> Done<Option<Status>> {
        let Ok(own) = std::fs::symlink_metadata(self.place(path)) else {
            return self.real(path, false).map(|_| None);
        };
        let real = match self.real(path, true) {
            Err(fault) if fault.why == Why::NotFound => return Ok(None),
            real => real?,
        };
        Ok(std::fs::metadata(real).ok().map(|meta| status_of(&meta, own.is_symlink())))
    }

    fn own_status(&self, path: &str) -> Done<Option<Status>> {
        let meta = std::fs::symlink_metadata(self.real(path, false)?);
        Ok(meta.ok().map(|meta| status_of(&meta, meta.is_symlink())))
    }

    fn list(&self, path: &str) -> Done<Vec<(String, Status)>> {
        let mut found = Vec::new();
        for entry in self.io(path, std::fs::read_dir(self.real(path, true)?))? {
            let entry = self.io(path, entry)?;
            let name = naming::text_of(&entry.file_name());
            let own = self.io(path, entry.metadata())?;
            let status = match own.is_symlink() {
                true => self.status(&super::backend::join(path, &name)).ok().flatten(),
                false => Some(status_of(&own, false)),
            };
            found.push((name, status.unwrap_or(Status { is_link: true, ..Status::default() })));
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(found)
    }

    fn mkdirs(&self, path: &str) -> Done {
        self.io(path, std::fs::create_dir_all(self.real(path, true)?))
    }

    fn delete(&self, path: &str) -> Done<bool> {
        let real = self.real(path, false)?;
        match std::fs::symlink_metadata(&real) {
            Err(_) => Ok(false),
            Ok(meta) if meta.is_dir() => self.io(path, std::fs::remove_dir_all(real)).map(|()| true),
            Ok(_) => self.io(path, std::fs::remove_file(real)).map(|()| true),
        }
    }

    fn rename(&self, from: &str, to: &str) -> Done {
        self.io(from, std::fs::rename(self.real(from, false)?, self.real(to, false)?))
    }

    fn open_at(&self, path: &str, start: u64) -> Done<Box<dyn Read + '_>> {
        let mut file = self.io(path, std::fs::File::open(self.real(path, true)?))?;
        self.io(path, file.seek(SeekFrom::Start(start)))?;
        let is_file = self.io(path, file.metadata())?.is_file();
        if is_file { Ok(Box::new(file)) } else { self.io(path, Err(Error::other("it is no file"))) }
    }

    fn create(&self, path: &str, content: &mut dyn Read) -> Done {
        if let Some((above, _)) = split(path) {
            self.mkdirs(above)?;
        }
        let real = self.real(path, true)?;
        let mut name = std::ffi::OsString::from(".");
        name.push(real.file_name().unwrap_or_default());
        name.push(".ankus");
        let beside = real.with_file_name(name);
        let mut put = || -> Io<()> {
            let mut file = std::fs::File::create(&beside)?;
            std::io::copy(content, &mut file)?;
            match real.is_dir() {
                true => Err(Error::other("it is a folder")),
                false => std::fs::rename(&beside, &real),
            }
        };
        let done = put();
        if done.is_err() {
            // What is written is of no use; the first error counts.
            let _ = std::fs::remove_file(&beside);
        }
        self.io(path, done)
    }

    fn set_times(&self, path: &str, modified: i64) -> Done {
        let at = UNIX_EPOCH + Duration::from_millis(u64::try_from(modified).unwrap_or_default());
        let file = std::fs::OpenOptions::new().write(true).open(self.real(path, true)?);
        self.io(path, file.and_then(|file| file.set_modified(at)))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_are_compared_before_their_use() {
        let folder = std::env::temp_dir().join(format!("ankus-by-path-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("kept")).expect("a folder");
        let local = Local::new(&folder.join("data"));
        assert_eq!(local.status("a").expect("asked"), None);
        local.create("a/b", &mut &b"text"[..]).expect("written");
        local.mkdirs("in/deep").expect("made");
        local.rename("a/b", "in/b").expect("renamed");
        let mut text = String::new();
        local.open("in/b").expect("it opens").read_to_string(&mut text).expect("it is read");
        assert_eq!(text, "text");
        let names: Vec<_> = local.list("in").expect("a list").into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["b", "deep"]);
        std::os::unix::fs::symlink("../kept", folder.join("data/out")).expect("a link");
        assert_eq!(local.create("out/x", &mut &b"x"[..]).expect_err("it leads out").why, Why::Outside);
        assert_eq!(local.mkdirs("out/x/y").expect_err("it leads out").why, Why::Outside);
        assert_eq!(local.status("out/x").expect_err("it leads out").why, Why::Outside);
        assert!(local.delete("out").expect("the link") && folder.join("kept").is_dir());
        assert!(local.delete("in").expect("all of it") && !local.delete("in").expect("asked"));
        std::fs::remove_dir_all(&folder).expect("it goes");
    }
}
