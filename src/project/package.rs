//! Applications of 2009 as they are shipped: a ZIP archive with `workflow.xml` at its root, read from its bytes.
//!
//! The central directory is read here, since what is hostile shows there: doubled names, names that lead outside, links,
//! encryption, too many entries. Nothing is written anywhere, and contents are read within limits.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};

use crate::diag::{Group, Info, Severity, Stage};

/// An archive is no package, or holds what none may hold.
pub static PACKAGE_INVALID: Info = Info {
    name: "package-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &[],
    explanation: "A ZIP archive is not a package of an application.

A package holds the definition as `workflow.xml` at its root, perhaps `configuration.xml` with default values beside it,
libraries in `lib/` and whatever files the definition names. Refused are archives without `workflow.xml`, entries of one
name, entries that lead outside, links, encryption, and archives beyond the limits: 20,000 entries, and 256 MiB of what is
read of them.",
};

/// More entries than this are refused.
pub const MAX_ENTRIES: usize = 20_000;
/// More bytes than this are not read of one archive.
pub const MAX_READ_BYTES: u64 = 256 << 20;
/// The definition.
pub const DEFINITION: &str = "workflow.xml";

/// Why an archive is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageFault {
    /// What is wrong.
    pub message: String,
    /// The way out.
    pub help: Option<String>,
}

/// What is known of a package.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// Its files: those that a definition may name are read, of others there is no more than that they are there.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Why it is refused; empty when it is not.
    pub faults: Vec<PackageFault>,
}

/// Whether the first bytes of a file are those of a ZIP archive.
pub fn is_package(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}

/// Files that a check or a plan looks into.
const READ: [&str; 4] = [".xml", ".pig", ".properties", ".txt"];

/// Reads a package: what a definition may name, of other files only that they are there.
pub fn read(bytes: &[u8]) -> Package {
    read_those(bytes, &|name| READ.iter().any(|end| name.ends_with(end)), MAX_READ_BYTES)
}

/// Reads a package with the contents of all its files.
pub fn read_whole(bytes: &[u8]) -> Package {
    read_those(bytes, &|_| true, MAX_READ_BYTES)
}

/// Writes a package: the definition first, then the others by name; the same files always give the same bytes.
///
/// # Errors
/// Where there is no definition, or something does not fit an archive.
pub fn write(files: &BTreeMap<String, Vec<u8>>) -> Result<Vec<u8>, String> {
    if !files.contains_key(DEFINITION) {
        return Err(format!("there is no `{DEFINITION}`"));
    }
    if files.len() > MAX_ENTRIES {
        return Err(format!("there are more than {MAX_ENTRIES} files"));
    }
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default())
        .unix_permissions(0o644);
    let (first, others): (Vec<_>, Vec<_>) = files.iter().partition(|(name, _)| *name == DEFINITION);
    for (name, content) in first.into_iter().chain(others) {
        let written = writer.start_file(name.as_str(), options).map_err(|error| error.to_string());
        written.and_then(|()| writer.write_all(content).map_err(|error| error.to_string()))?;
    }
    writer.finish().map(Cursor::into_inner).map_err(|error| error.to_string())
}

fn read_those(bytes: &[u8], wanted: &dyn Fn(&str) -> bool, limit: u64) -> Package {
    let mut package = Package::default();
    let entries = match entries(bytes) {
        Ok(entries) => entries,
        Err(message) => {
            package.faults.push(fault(message, Some("make the archive anew")));
            return package;
        }
    };
    let mut names: Vec<&str> = Vec::new();
    for entry in &entries {
        package.faults.extend(refuse(entry));
        names.push(&entry.name);
    }
    names.sort_unstable();
    for pair in names.windows(2).filter(|pair| pair[0] == pair[1]) {
        package.faults.push(fault(format!("two entries are named `{}`", pair[0]), Some("keep one of them")));
    }
    if !names.contains(&DEFINITION) {
        let inside = names.iter().find(|name| name.ends_with(&format!("/{DEFINITION}")));
        let help = inside.map(|name| {
            let folder = &name[..name.len() - DEFINITION.len()];
            format!("put what `{folder}` holds at the root of the archive")
        });
        let message = format!("the archive holds no `{DEFINITION}` at its root");
        package.faults.push(PackageFault { message, help });
    }
    if package.faults.is_empty()
        && let Err(message) = contents(bytes, &entries, (wanted, limit), &mut package.files)
    {
        package.faults.push(fault(message, Some("make the archive anew")));
        package.files.clear();
    }
    package
}

fn fault(message: String, help: Option<&str>) -> PackageFault {
    PackageFault { message, help: help.map(str::to_owned) }
}

/// An entry of the central directory.
struct Entry {
    name: String,
    is_encrypted: bool,
    is_link: bool,
}

impl Entry {
    fn is_folder(&self) -> bool {
        self.name.ends_with('/')
    }
}

fn refuse(entry: &Entry) -> Option<PackageFault> {
    let name = &entry.name;
    let leads_out = name.starts_with(['/', '\\'])
        || name.contains('\0')
        || name.split(['/', '\\']).any(|step| step == "..")
        || name.as_bytes().get(1) == Some(&b':');
    if leads_out {
        return Some(fault(
            format!("the entry `{}` leads out of the archive", name.escape_default()),
            Some("remove it"),
        ));
    }
    if entry.is_link {
        return Some(fault(format!("the entry `{name}` is a link"), Some("put there what it leads to")));
    }
    entry
        .is_encrypted
        .then(|| fault(format!("the entry `{name}` is encrypted"), Some("pack it without a password")))
}

/// The entries of the central directory.
fn entries(bytes: &[u8]) -> Result<Vec<Entry>, String> {
    const TRUNCATED: &str = "the archive is truncated or corrupt";
    let end = end_of_directory(bytes).ok_or(TRUNCATED)?;
    let number = usize::from(u16_at(bytes, end + 10).ok_or(TRUNCATED)?);
    let mut at = u32_at(bytes, end + 16).ok_or(TRUNCATED)? as usize;
    if number > MAX_ENTRIES {
        return Err(format!("the archive holds {number} entries, more than {MAX_ENTRIES}"));
    }
    let mut found = Vec::with_capacity(number);
    while bytes.get(at..at + 4) == Some(b"PK\x01\x02") {
        let length = |offset| u16_at(bytes, at + offset).map(usize::from).ok_or(TRUNCATED);
        let (flags, name, extra, comment) = (length(8)?, length(28)?, length(30)?, length(32)?);
        let mode = u32_at(bytes, at + 38).ok_or(TRUNCATED)? >> 16;
        let is_unix = bytes.get(at + 5) == Some(&3);
        let text = bytes.get(at + 46..at + 46 + name).ok_or(TRUNCATED)?;
        found.push(Entry {
            name: String::from_utf8_lossy(text).into_owned(),
            is_encrypted: flags & 1 != 0,
            is_link: is_unix && mode & 0o170_000 == 0o120_000,
        });
        if found.len() > MAX_ENTRIES {
            return Err(format!("the archive holds more than {MAX_ENTRIES} entries"));
        }
        at += 46 + name + extra + comment;
    }
    // 65,535 stands for more than fits, which is refused above.
    if found.len() == number { Ok(found) } else { Err(TRUNCATED.to_owned()) }
}

/// Where the record at the end of the archive begins.
fn end_of_directory(bytes: &[u8]) -> Option<usize> {
    const LENGTH: usize = 22;
    let last = bytes.len().checked_sub(LENGTH)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    (first..=last).rev().find(|at| {
        bytes[*at..].starts_with(b"PK\x05\x06")
            && u16_at(bytes, at + 20).is_some_and(|comment| at + LENGTH + usize::from(comment) == bytes.len())
    })
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// Reads what may be looked into.
fn contents(
    bytes: &[u8],
    entries: &[Entry],
    (wanted, limit): (&dyn Fn(&str) -> bool, u64),
    files: &mut BTreeMap<String, Vec<u8>>,
) -> Result<(), String> {
    let broken =
        |name: &str, error: &dyn std::fmt::Display| format!("the entry `{name}` cannot be read: {error}");
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let mut left = limit;
    for entry in entries.iter().filter(|entry| !entry.is_folder()) {
        let name = entry.name.as_str();
        if !wanted(name) {
            files.insert(name.to_owned(), Vec::new());
            continue;
        }
        let file = archive.by_name(name).map_err(|error| broken(name, &error))?;
        let mut content = Vec::new();
        file.take(left + 1).read_to_end(&mut content).map_err(|error| broken(name, &error))?;
        left = left
            .checked_sub(content.len() as u64)
            .ok_or_else(|| format!("the files of the archive are larger than {} MiB", limit >> 20))?;
        files.insert(name.to_owned(), content);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(files: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in files {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).expect("an entry");
            writer.write_all(text.as_bytes()).expect("it is written");
        }
        writer.finish().expect("it ends").into_inner()
    }

    fn faults(bytes: &[u8]) -> Vec<String> {
        read(bytes).faults.into_iter().map(|fault| fault.message).collect()
    }

    #[test]
    fn a_package_is_read() {
        let bytes = archive(&[("workflow.xml", "<a/>"), ("lib/a.jar", "x"), ("conf/b.xml", "<b/>")]);
        let package = read(&bytes);
        assert!(is_package(&bytes) && package.faults.is_empty(), "{:?}", package.faults);
        assert_eq!(package.files["workflow.xml"], b"<a/>");
        assert_eq!(package.files.keys().collect::<Vec<_>>(), ["conf/b.xml", "lib/a.jar", "workflow.xml"]);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let files: BTreeMap<String, Vec<u8>> = [("a.jar", "\0x"), ("workflow.xml", "<a/>"), ("lib/b.so", "")]
            .into_iter()
            .map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()))
            .collect();
        let bytes = write(&files).expect("a package");
        assert_eq!(write(&files).expect("a package"), bytes);
        assert_eq!(read_whole(&bytes).files, files);
        assert_eq!(write(&BTreeMap::new()), Err("there is no `workflow.xml`".to_owned()));
    }

    #[test]
    fn bombs_are_not_unpacked() {
        let zeros = vec![0; 3 << 20];
        let files = [("workflow.xml".to_owned(), b"<a/>".to_vec()), ("bomb.xml".to_owned(), zeros)].into();
        let bytes = write(&files).expect("a package");
        assert!(bytes.len() < 1 << 16);
        let package = read_those(&bytes, &|_| true, 2 << 20);
        assert_eq!(package.faults[0].message, "the files of the archive are larger than 2 MiB");
        let mut many = b"PK\x05\x06".to_vec();
        many.extend([0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(faults(&many), ["the archive holds 65535 entries, more than 20000"]);
    }

    #[test]
    fn what_is_hostile_is_refused() {
        let package = |name: &str| faults(&archive(&[("workflow.xml", "<a/>"), (name, "x")]));
        assert_eq!(package("../x"), ["the entry `../x` leads out of the archive"]);
        assert_eq!(package("a/../../x"), ["the entry `a/../../x` leads out of the archive"]);
        assert_eq!(package("/etc/x"), ["the entry `/etc/x` leads out of the archive"]);
        // Two names of one length in one archive, made one.
        let mut twice = archive(&[("workflow.xml", "<a/>"), ("a.xml", "x"), ("b.xml", "y")]);
        let places: Vec<usize> = (0..twice.len() - 5).filter(|at| &twice[*at..at + 5] == b"b.xml").collect();
        places.into_iter().for_each(|at| twice[at] = b'a');
        assert_eq!(faults(&twice), ["two entries are named `a.xml`"]);
        let bytes = archive(&[("workflow.xml", "<a/>")]);
        let mut encrypted = bytes.clone();
        let header =
            (0..bytes.len() - 4).find(|at| bytes[*at..].starts_with(b"PK\x01\x02")).expect("a header");
        encrypted[header + 8] |= 1;
        assert_eq!(faults(&encrypted), ["the entry `workflow.xml` is encrypted"]);
        let mut link = bytes.clone();
        link[header + 5] = 3;
        link[header + 40..header + 42].copy_from_slice(&0o120_777_u16.to_le_bytes());
        assert_eq!(faults(&link), ["the entry `workflow.xml` is a link"]);
    }

    #[test]
    fn what_is_no_package_says_why() {
        assert_eq!(
            faults(&archive(&[("app/workflow.xml", "<a/>")])),
            ["the archive holds no `workflow.xml` at its root"]
        );
        let help = read(&archive(&[("app/workflow.xml", "<a/>")])).faults[0].help.clone();
        assert_eq!(help.as_deref(), Some("put what `app/` holds at the root of the archive"));
        let bytes = archive(&[("workflow.xml", "<a/>")]);
        for end in 0..bytes.len() {
            assert!(!read(&bytes[..end]).faults.is_empty(), "{end}");
        }
        assert!(!is_package(b"<hadoop-workflow/>"));
        let many: Vec<(String, &str)> = (0..=MAX_ENTRIES).map(|n| (format!("{n}"), "")).collect();
        let many: Vec<(&str, &str)> = many.iter().map(|(name, text)| (name.as_str(), *text)).collect();
        assert_eq!(faults(&archive(&many)), ["the archive holds 20001 entries, more than 20000"]);
    }
}
