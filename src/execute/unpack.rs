//! Archives of actions, unpacked into a folder of their own.
//!
//! An archive writes nothing outside its folder: names and links that lead out of it are refused, and nothing is written
//! through a link. What it may hold is bounded, so that a small one cannot fill the disk.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};

use flate2::read::MultiGzDecoder;

use super::lasting;
use super::private;

/// What an archive may hold.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes of all files together.
    pub bytes: u64,
    /// The most files, folders and links.
    pub entries: u64,
    /// How many times as large as the archive its files may be, beyond `free`.
    pub ratio: u64,
    /// So many bytes are taken whatever the ratio.
    pub free: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { bytes: 8 << 30, entries: 200_000, ratio: 200, free: 64 << 20 }
    }
}

/// The longest target of a link, in bytes.
const MAX_TARGET: u64 = 4096;

/// How much is copied at once, in bytes.
const CHUNK: usize = 64 * 1024;

/// Why an archive is not unpacked.
#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    /// It cannot be read, or its files cannot be written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// It does what no archive may.
    #[error("{0}")]
    Refused(String),
}

impl UnpackError {
    /// With the name of what in the archive it is about.
    fn of(self, name: &str) -> UnpackError {
        match self {
            UnpackError::Io(error) if !lasting::is_full(&error) => {
                UnpackError::Refused(format!("`{name}` in it cannot be unpacked: {error}"))
            }
            error => error,
        }
    }
}

/// An archive that cannot be read to its end.
fn damaged(error: impl std::fmt::Display) -> UnpackError {
    UnpackError::Refused(format!("it is no whole archive of its kind ({error}); make it or copy it anew"))
}

/// The kinds of archives, by the end of a file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `zip` and `jar`.
    Zip,
    /// `tar`.
    Tar,
    /// `tar.gz` and `tgz`.
    TarGz,
}

/// What kind of archive a name stands for (`FSDownload.unpack`); a file of any other name is left as it is.
pub fn kind_of(name: &str) -> Option<Kind> {
    let name = name.to_lowercase();
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    if ends(&[".zip", ".jar"]) {
        Some(Kind::Zip)
    } else if ends(&[".tar.gz", ".tgz"]) {
        Some(Kind::TarGz)
    } else if ends(&[".tar"]) {
        Some(Kind::Tar)
    } else {
        None
    }
}

/// Unpacks an archive into a folder that is made for it.
pub fn unpack(archive: &Path, kind: Kind, folder: &Path, limits: Limits) -> Result<(), UnpackError> {
    private::make_folders(folder)?;
    let file = File::open(archive)?;
    let packed = file.metadata()?.len();
    let mut into = Unpacked { folder, limits, packed, bytes: 0, entries: 0 };
    match kind {
        Kind::Zip => {
            // Before its directory is read, which takes time and memory for each entry.
            into.entries = zip_entries(&file)?.unwrap_or(0);
            into.bounded()?;
            into.entries = 0;
            zip(file, &mut into)
        }
        Kind::Tar => tar(file, &mut into),
        Kind::TarGz => tar(MultiGzDecoder::new(std::io::BufReader::new(file)), &mut into),
    }
}

/// How many entries a ZIP says that it has (`APPNOTE.TXT`, 4.3.14 to 4.3.16); nothing where that is not found at once.
fn zip_entries(mut file: &File) -> std::io::Result<Option<u64>> {
    const END: usize = 22;
    const LOCATOR: usize = 20;
    const COMMENT: usize = 65_535;
    fn field<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
        bytes.get(at..at + N)?.try_into().ok()
    }
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub((LOCATOR + END + COMMENT) as u64)))?;
    let mut tail = Vec::new();
    file.take((LOCATOR + END + COMMENT) as u64).read_to_end(&mut tail)?;
    file.seek(SeekFrom::Start(0))?;
    let Some(end) = memchr::memmem::rfind(&tail, b"PK\x05\x06") else { return Ok(None) };
    let short = field(&tail, end + 10).map(u16::from_le_bytes);
    if short != Some(u16::MAX) {
        return Ok(short.map(u64::from));
    }
    // Too many for that field: another end stands before it, and where, right before it.
    let locator = end.checked_sub(LOCATOR).and_then(|at| tail.get(at..end));
    let place = locator.filter(|bytes| bytes.starts_with(b"PK\x06\x07")).and_then(|bytes| field(bytes, 8));
    let Some(place) = place.map(u64::from_le_bytes) else { return Ok(Some(u64::from(u16::MAX))) };
    let mut long = Vec::new();
    file.seek(SeekFrom::Start(place))?;
    file.take(56).read_to_end(&mut long)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(field(&long, 32).filter(|_| long.starts_with(b"PK\x06\x06")).map(u64::from_le_bytes))
}

fn zip(file: File, into: &mut Unpacked<'_>) -> Result<(), UnpackError> {
    let mut archive = zip::ZipArchive::new(std::io::BufReader::new(file)).map_err(damaged)?;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(damaged)?;
        let name = entry.name().map_err(damaged)?.into_owned();
        let made = if entry.is_dir() {
            into.make_folder(&name)
        } else if entry.is_symlink() {
            let mut target = String::new();
            (&mut entry).take(MAX_TARGET).read_to_string(&mut target).map_err(damaged)?;
            into.make_link(&name, &target)
        } else {
            into.make_file(&name, &mut entry)
        };
        made.map_err(|error| error.of(&name))?;
    }
    Ok(())
}

fn tar(reader: impl Read, into: &mut Unpacked<'_>) -> Result<(), UnpackError> {
    let mut archive = tar::Archive::new(reader);
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let name = text(&entry.path_bytes());
        let target = entry.link_name_bytes().map(|target| text(&target)).unwrap_or_default();
        let kind = entry.header().entry_type();
        let made = if kind.is_dir() {
            into.make_folder(&name)
        } else if kind.is_symlink() {
            into.make_link(&name, &target)
        } else if kind.is_hard_link() {
            into.make_second(&name, &target)
        } else if kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse() {
            into.make_file(&name, &mut entry)
        } else if kind.is_pax_global_extensions() {
            Ok(())
        } else {
            let words = format!("`{name}` in it is neither a file nor a folder nor a link");
            Err(UnpackError::Refused(words))
        };
        made.map_err(|error| error.of(&name))?;
    }
    Ok(())
}

/// The folder that an archive is unpacked into, and how much is in it.
struct Unpacked<'a> {
    folder: &'a Path,
    limits: Limits,
    packed: u64,
    bytes: u64,
    entries: u64,
}

impl Unpacked<'_> {
    fn make_folder(&mut self, name: &str) -> Result<(), UnpackError> {
        let Some(path) = self.place(name)? else { return Ok(()) };
        if !is_folder(&path) {
            self.clear(&path, name)?;
            private::make_folders(&path)?;
        }
        Ok(())
    }

    fn make_file(&mut self, name: &str, reader: &mut dyn Read) -> Result<(), UnpackError> {
        let Some(path) = self.place(name)? else { return Err(leads_out(name)) };
        self.clear(&path, name)?;
        let mut file = private::create_new(&path)?;
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = reader.read(&mut chunk)?;
            if read == 0 {
                break;
            }
            self.bytes += read as u64;
            self.bounded()?;
            file.write_all(&chunk[..read])?;
        }
        drop(file);
        Ok(private::let_owner_run(&path)?)
    }

    /// A link; its target is written as it stands.
    fn make_link(&mut self, name: &str, target: &str) -> Result<(), UnpackError> {
        let Some(path) = self.place(name)? else { return Err(leads_out(name)) };
        let depth = path.strip_prefix(self.folder).map_or(0, |inside| inside.components().count() - 1);
        if !stays_inside(target, depth) {
            return Err(UnpackError::Refused(format!(
                "the link `{name}` in it leads out of its folder, to `{target}`"
            )));
        }
        self.clear(&path, name)?;
        Ok(make_symlink(target, &path)?)
    }

    /// A second name for a file that was unpacked before.
    fn make_second(&mut self, name: &str, target: &str) -> Result<(), UnpackError> {
        let Some(path) = self.place(name)? else { return Err(leads_out(name)) };
        let from = self.inside(target)?;
        let is_file = std::fs::symlink_metadata(&from).is_ok_and(|meta| meta.is_file());
        if !is_file {
            let words = format!("`{name}` in it is a second name of `{target}`, which is no file of it");
            return Err(UnpackError::Refused(words));
        }
        if from != path {
            self.clear(&path, name)?;
            std::fs::hard_link(from, &path)?;
        }
        Ok(())
    }

    /// Where something of a name goes, with the folders above it; nothing for the folder itself.
    fn place(&mut self, name: &str) -> Result<Option<PathBuf>, UnpackError> {
        self.entries += 1;
        self.bounded()?;
        let path = self.inside(name)?;
        if path == self.folder {
            return Ok(None);
        }
        if let Some(above) = path.parent() {
            let is_file = |it: &&Path| std::fs::symlink_metadata(it).is_ok_and(|meta| !meta.is_dir());
            if let Some(file) = above.ancestors().find(is_file) {
                let file = file.strip_prefix(self.folder).unwrap_or(file).display();
                let words = format!("`{file}` in it is a file as well as the folder of `{name}`");
                return Err(UnpackError::Refused(words));
            }
            private::make_folders(above)?;
        }
        Ok(Some(path))
    }

    /// The path of a name, which passes through no link.
    fn inside(&self, name: &str) -> Result<PathBuf, UnpackError> {
        let mut path = self.folder.to_owned();
        for part in Path::new(name).components() {
            match part {
                Component::Normal(_) if std::fs::symlink_metadata(&path).is_ok_and(|it| it.is_symlink()) => {
                    return Err(UnpackError::Refused(format!("`{name}` in it lies behind a link")));
                }
                Component::Normal(part) => path.push(part),
                Component::CurDir => {}
                _ => return Err(leads_out(name)),
            }
        }
        if name.contains('\0') {
            return Err(leads_out(name));
        }
        Ok(path)
    }

    /// Takes away what an archive names a second time.
    fn clear(&self, path: &Path, name: &str) -> Result<(), UnpackError> {
        match std::fs::symlink_metadata(path) {
            Ok(meta) if meta.is_dir() => {
                Err(UnpackError::Refused(format!("`{name}` in it is a folder as well as something else")))
            }
            Ok(_) => Ok(std::fs::remove_file(path)?),
            Err(_) => Ok(()),
        }
    }

    fn bounded(&self) -> Result<(), UnpackError> {
        let Limits { bytes, entries, ratio, free } = self.limits;
        let words = if self.entries > entries {
            format!("it holds more than {entries} files")
        } else if self.bytes > bytes {
            format!("it unpacks to more than {bytes} bytes")
        } else if self.bytes > free.saturating_add(self.packed.saturating_mul(ratio)) {
            format!("it unpacks to more than {ratio} times its size")
        } else {
            return Ok(());
        };
        Err(UnpackError::Refused(words))
    }
}

fn leads_out(name: &str) -> UnpackError {
    UnpackError::Refused(format!("`{name}` in it leads out of its folder"))
}

/// Whether the target of a link that lies so many folders deep stays inside. Steps up are taken from where the link truly
/// lies, so they come first: behind another link, a step up would lead anywhere.
fn stays_inside(target: &str, depth: usize) -> bool {
    let mut up = 0;
    let mut goes_down = false;
    for part in Path::new(target).components() {
        match part {
            Component::Normal(_) => goes_down = true,
            Component::CurDir => {}
            Component::ParentDir if !goes_down => up += 1,
            _ => return false,
        }
    }
    up <= depth && !target.is_empty() && !target.contains('\0')
}

fn is_folder(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir())
}

#[cfg(unix)]
fn make_symlink(target: &str, path: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn make_symlink(_target: &str, _path: &Path) -> std::io::Result<()> {
    Err(std::io::Error::other("archives with links are not unpacked on this system"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_archives() {
        let kinds = ["a.ZIP", "a.jar", "a.tar", "a.tar.gz", "a.tgz", "a.gz", "zip"].map(kind_of);
        let zip = Some(Kind::Zip);
        let gz = Some(Kind::TarGz);
        assert_eq!(kinds, [zip, zip, Some(Kind::Tar), gz, gz, None, None]);
    }

    #[test]
    fn links_stay_inside() {
        for (target, depth, stays) in [
            ("x", 0, true),
            ("./x/y", 0, true),
            ("../x", 1, true),
            ("../../x", 1, false),
            ("..", 0, false),
            ("/x", 3, false),
            ("x/../y", 3, false),
            ("", 1, false),
            ("x\0", 1, false),
        ] {
            assert_eq!(stays_inside(target, depth), stays, "{target:?}");
        }
    }

    #[test]
    fn archives_are_bounded() {
        let folder = std::env::temp_dir().join(format!("ankus-bounded-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let archive = folder.join("a.zip");
        let mut writer = zip::ZipWriter::new(File::create(&archive).expect("a file"));
        for name in ["a", "b", "c"] {
            writer.start_file(name, zip::write::SimpleFileOptions::default()).expect("an entry");
            writer.write_all(&[0; 10_000]).expect("its bytes");
        }
        writer.finish().expect("an archive");
        let limits = Limits { bytes: 30_000, entries: 3, ratio: 1, free: 30_000 };
        let unpack = |limits| {
            let into = folder.join("into");
            let _ = std::fs::remove_dir_all(&into);
            unpack(&archive, Kind::Zip, &into, limits).map_err(|error| error.to_string())
        };
        assert_eq!(unpack(limits), Ok(()));
        let refused = |words: &str| Err(words.to_owned());
        assert_eq!(unpack(Limits { entries: 2, ..limits }), refused("it holds more than 2 files"));
        assert_eq!(
            unpack(Limits { bytes: 29_999, ..limits }),
            refused("it unpacks to more than 29999 bytes")
        );
        assert_eq!(unpack(Limits { free: 0, ..limits }), refused("it unpacks to more than 1 times its size"));
        std::fs::remove_dir_all(folder).expect("it is removed");
    }

    /// An archive of one file that says so many times that it has it, with the ends of a ZIP for many entries.
    fn zip_of(entries: u64) -> Vec<u8> {
        let header = |signature: &[u8], length: usize| {
            let mut bytes = signature.to_vec();
            bytes.resize(length, 0);
            bytes
        };
        let mut local = header(b"PK\x03\x04", 30);
        local[26] = 8;
        let mut bytes = local;
        bytes.extend(b"00000000");
        let directory = bytes.len() as u64;
        for number in 0..entries {
            let mut central = header(b"PK\x01\x02", 46);
            central[28] = 8;
            bytes.extend(central);
            bytes.extend(format!("{number:08}").bytes());
        }
        let place = bytes.len() as u64;
        let mut long = header(b"PK\x06\x06", 56);
        long[4..12].copy_from_slice(&44_u64.to_le_bytes());
        long[24..32].copy_from_slice(&entries.to_le_bytes());
        long[32..40].copy_from_slice(&entries.to_le_bytes());
        long[40..48].copy_from_slice(&(place - directory).to_le_bytes());
        long[48..56].copy_from_slice(&directory.to_le_bytes());
        bytes.extend(long);
        let mut locator = header(b"PK\x06\x07", 20);
        locator[8..16].copy_from_slice(&place.to_le_bytes());
        locator[16] = 1;
        bytes.extend(locator);
        let mut end = header(b"PK\x05\x06", 22);
        end[8..20].fill(0xff);
        bytes.extend(end);
        bytes
    }

    #[test]
    fn a_zip_of_too_many_files_is_refused_before_it_is_read() {
        let folder = std::env::temp_dir().join(format!("ankus-entries-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let archive = folder.join("a.zip");
        std::fs::write(&archive, zip_of(210_000)).expect("it is written");
        let file = File::open(&archive).expect("it is there");
        assert_eq!(zip_entries(&file).expect("it is read"), Some(210_000));
        let whole = zip::ZipArchive::new(std::io::BufReader::new(file)).expect("a ZIP");
        assert_eq!(whole.len(), 210_000);
        let into = folder.join("into");
        let refused =
            unpack(&archive, Kind::Zip, &into, Limits::default()).map_err(|error| error.to_string());
        assert_eq!(refused, Err("it holds more than 200000 files".to_owned()));
        assert_eq!(std::fs::read_dir(&into).expect("a folder").count(), 0);
        // One that says less than it holds is read no further than it says; cut anywhere, it is refused in words.
        for length in [0, 21, 22, 100] {
            let bytes = zip_of(3);
            std::fs::write(&archive, &bytes[bytes.len() - length.min(bytes.len())..]).expect("it is written");
            assert!(unpack(&archive, Kind::Zip, &into, Limits::default()).is_err(), "{length}");
        }
        std::fs::remove_dir_all(folder).expect("it is removed");
    }
}
