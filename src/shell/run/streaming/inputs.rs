//! What mappers read: files, and parts of large ones (`FileInputFormat.listStatus`, `getSplits`).

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::read::{MultiGzDecoder, ZlibDecoder};

use super::Job;
use super::lines::Lines;
use super::tasks::Stop;
use crate::shell::run::storage::glob;

/// The largest part of a file, in bytes (`dfs.blocksize`).
const BLOCK: u64 = 128 << 20;

/// More parts are refused.
const MAX_SPLITS: usize = 100_000;

/// What one mapper reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Split {
    /// The URI, for the mapper's environment.
    pub(super) uri: String,
    /// The file.
    pub(super) path: PathBuf,
    /// Where it begins.
    pub(super) start: u64,
    /// How much of it.
    pub(super) length: u64,
}

/// The files of the input, and how long each is.
fn files(job: &Job) -> Result<Vec<(String, PathBuf, u64)>, Stop> {
    let failed = |words: String| Err(Stop::Failed(words));
    if job.inputs.is_empty() {
        return failed("No input paths specified in job".to_owned());
    }
    let mut found = Vec::new();
    for uri in &job.inputs {
        let is_pattern = glob::is_pattern(uri);
        let matched = job.storage.matches(uri).map_err(|error| Stop::Failed(error.to_string()))?;
        let names = |uri: &String| !is_hidden(uri.rsplit('/').next().unwrap_or_default());
        let matched: Vec<String> = matched.into_iter().map(|(spot, _)| spot.uri).filter(names).collect();
        if matched.is_empty() {
            return failed(match is_pattern {
                true => format!("Input Pattern {uri} matches 0 files"),
                false => format!("Input path does not exist: {uri}"),
            });
        }
        for uri in matched {
            let path = job.storage.locate(&uri).map_err(|error| Stop::Failed(error.to_string()))?.path;
            if !path.is_dir() {
                let length = path.metadata()?.len();
                found.push((uri, path, length));
                continue;
            }
            let mut names = Vec::new();
            for entry in std::fs::read_dir(&path)? {
                names.push(entry?.file_name().to_string_lossy().into_owned());
            }
            names.sort();
            for name in names.into_iter().filter(|name| !is_hidden(name)) {
                let below = format!("{uri}/{name}");
                let path = job.storage.locate(&below).map_err(|error| Stop::Failed(error.to_string()))?.path;
                let meta = path.metadata()?;
                if meta.is_dir() {
                    return failed(format!("Not a file: {below}"));
                }
                found.push((below, path, meta.len()));
            }
        }
    }
    Ok(found)
}

/// `FileInputFormat.hiddenFileFilter`
fn is_hidden(name: &str) -> bool {
    name.starts_with(['_', '.'])
}

fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "gz" || end == "deflate")
}

/// What mappers read, the longest first, as jobs are submitted (`JobSubmitter.writeOldSplits`).
pub(super) fn splits(job: &Job) -> Result<Vec<Split>, Stop> {
    let files = files(job)?;
    let total: u64 = files.iter().map(|(_, _, length)| length).sum();
    let goal = total / job.maps.max(1);
    let size = goal.clamp(1, BLOCK);
    let mut splits = Vec::new();
    for (uri, path, length) in files {
        let mut start = 0;
        if !is_compressed(&path) {
            // A rest that is little more than a part stays with the last one (`SPLIT_SLOP`).
            while (length - start) as f64 / size as f64 > 1.1 {
                splits.push(Split { uri: uri.clone(), path: path.clone(), start, length: size });
                start += size;
            }
        }
        if start < length || length == 0 {
            splits.push(Split { uri, path, start, length: length - start });
        }
        if splits.len() > MAX_SPLITS {
            return Err(Stop::Failed(format!("the input has more than {MAX_SPLITS} parts")));
        }
    }
    splits.sort_by_key(|split| std::cmp::Reverse(split.length));
    Ok(splits)
}

impl Split {
    /// Writes what a mapper reads of it; how many lines that are (`LineRecordReader`, `TextInputWriter`).
    pub(super) fn feed(&self, key_separator: Option<&str>, out: &mut dyn Write) -> std::io::Result<u64> {
        let mut file = File::open(&self.path)?;
        let end = match is_compressed(&self.path) {
            true => u64::MAX,
            false => self.start + self.length,
        };
        file.seek(SeekFrom::Start(self.start))?;
        let reader: Box<dyn Read> = match self.path.extension().and_then(|end| end.to_str()) {
            Some("gz") => Box::new(MultiGzDecoder::new(BufReader::new(file))),
            Some("deflate") => Box::new(ZlibDecoder::new(BufReader::new(file))),
            _ => Box::new(file),
        };
        let mut lines = Lines::new(BufReader::new(reader), self.start);
        let mut count = 0;
        let mut is_first = true;
        while let Some((at, line)) = lines.next()? {
            // A line belongs to the part in which it begins; one that begins with a part, to the part before it.
            if at > end {
                break;
            }
            let skips = std::mem::take(&mut is_first) && self.start > 0;
            if skips {
                continue;
            }
            let line = if at == 0 { line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line) } else { line };
            if let Some(separator) = key_separator {
                write!(out, "{at}{separator}")?;
            }
            out.write_all(line)?;
            out.write_all(b"\n")?;
            count += 1;
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_belongs_to_one_part() {
        let folder = std::env::temp_dir().join(format!("ankus-splits-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("lines.txt");
        let text: String = (0..40).map(|number| format!("{}\n", "x".repeat(number % 7))).collect();
        std::fs::write(&path, &text).expect("a file");
        for size in 1..text.len() as u64 + 1 {
            let (mut fed, mut start) = (Vec::new(), 0);
            while start < text.len() as u64 {
                let length = size.min(text.len() as u64 - start);
                let split = Split { uri: String::new(), path: path.clone(), start, length };
                split.feed(None, &mut fed).expect("it can be read");
                start += length;
            }
            assert_eq!(String::from_utf8_lossy(&fed), text, "{size}");
        }
        std::fs::remove_dir_all(folder).expect("it is removed");
    }
}
