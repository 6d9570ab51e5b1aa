//! What mappers read: files, and parts of large ones (`FileInputFormat.listStatus`, `getSplits`).

use std::io::{BufReader, Read, Write};

use flate2::read::{MultiGzDecoder, ZlibDecoder};

use super::Job;
use super::lines::Lines;
use super::tasks::Stop;
use crate::execute::storage::{Spot, backend::Status, glob};

/// The largest part of a file of storage without blocks, in bytes (`dfs.blocksize`).
const BLOCK: u64 = 128 << 20;

/// More parts are refused.
const MAX_SPLITS: usize = 100_000;

/// What one mapper reads.
#[derive(Clone, Debug)]
pub(super) struct Split {
    /// The file.
    pub(super) spot: Spot,
    /// Where it begins.
    pub(super) start: u64,
    /// How much of it.
    pub(super) length: u64,
}

/// The files of the input, and what each is.
fn files(job: &Job) -> Result<Vec<(Spot, Status)>, Stop> {
    let failed = |words: String| Err(Stop::Failed(words));
    if job.inputs.is_empty() {
        return failed("No input paths specified in job".to_owned());
    }
    let mut found = Vec::new();
    for uri in &job.inputs {
        let is_pattern = glob::is_pattern(uri);
        let mut matched = job.storage.matches(uri)?;
        matched.retain(|(spot, _)| !is_hidden(spot.uri.rsplit('/').next().unwrap_or_default()));
        if matched.is_empty() {
            return failed(match is_pattern {
                true => format!("Input Pattern {uri} matches 0 files"),
                false => format!("Input path does not exist: {uri}"),
            });
        }
        for (spot, status) in matched {
            if status.is_file() {
                found.push((spot, status));
                continue;
            }
            let inside = spot.backend.list(&spot.path)?;
            for (name, status) in inside.into_iter().filter(|(name, _)| !is_hidden(name)) {
                let below = spot.below(&name);
                if status.is_folder {
                    return failed(format!("Not a file: {}", below.uri));
                }
                found.push((below, status));
            }
        }
    }
    Ok(found)
}

/// `FileInputFormat.hiddenFileFilter`
fn is_hidden(name: &str) -> bool {
    name.starts_with(['_', '.'])
}

/// How a file is packed, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packed {
    Not,
    Gzip,
    Deflate,
}

fn packed(spot: &Spot) -> Packed {
    match spot.path.rsplit('/').next().and_then(|name| name.rsplit_once('.')) {
        Some((_, "gz")) => Packed::Gzip,
        Some((_, "deflate")) => Packed::Deflate,
        _ => Packed::Not,
    }
}

/// What mappers read, the longest first, as jobs are submitted (`JobSubmitter.writeOldSplits`).
pub(super) fn splits(job: &Job) -> Result<Vec<Split>, Stop> {
    let files = files(job)?;
    let total = files.iter().fold(0_u64, |sum, (_, status)| sum.saturating_add(status.length));
    let goal = total / job.maps.max(1);
    let mut splits = Vec::new();
    for (spot, Status { length, block_size, .. }) in files {
        let size = goal.clamp(1, block_size.filter(|size| *size > 0).unwrap_or(BLOCK));
        let mut start = 0;
        // A rest that is little more than a part stays with the last one (`SPLIT_SLOP`).
        while packed(&spot) == Packed::Not && (length - start) as f64 / size as f64 > 1.1 {
            splits.push(Split { spot: spot.clone(), start, length: size });
            if splits.len() > MAX_SPLITS {
                break;
            }
            start += size;
        }
        if start < length || length == 0 {
            splits.push(Split { spot, start, length: length - start });
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
    pub(super) fn feed(&self, key_separator: Option<&str>, out: &mut dyn Write) -> Result<u64, Stop> {
        let content = self.spot.backend.open_at(&self.spot.path, self.start)?;
        let whole = u64::MAX;
        let (end, reader): (u64, Box<dyn Read + '_>) = match packed(&self.spot) {
            Packed::Gzip => (whole, Box::new(MultiGzDecoder::new(BufReader::new(content)))),
            Packed::Deflate => (whole, Box::new(ZlibDecoder::new(BufReader::new(content)))),
            Packed::Not => (self.start + self.length, content),
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
    use crate::execute::storage::Storage;
    use crate::shell::config::Config;

    #[test]
    fn every_line_belongs_to_one_part() {
        let folder = std::env::temp_dir().join(format!("ankus-splits-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("lines.txt");
        let storage = Storage::new(&Config::default(), &folder).expect("storage");
        let spot = storage.spot(&format!("file://{}", path.display())).expect("a place");
        let text: String = (0..40).map(|number| format!("{}\n", "x".repeat(number % 7))).collect();
        std::fs::write(&path, &text).expect("a file");
        for size in 1..text.len() as u64 + 1 {
            let (mut fed, mut start) = (Vec::new(), 0);
            while start < text.len() as u64 {
                let length = size.min(text.len() as u64 - start);
                let split = Split { spot: spot.clone(), start, length };
                split.feed(None, &mut fed).expect("it can be read");
                start += length;
            }
            assert_eq!(String::from_utf8_lossy(&fed), text, "{size}");
        }
        std::fs::remove_dir_all(folder).expect("it is removed");
    }
}
