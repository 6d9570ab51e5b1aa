//! Records of mappers, sorted for reducers: by reducer, then by the bytes of the key (`Text.Comparator`). What does not
//! fit into memory is sorted in runs on disk.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::PathBuf;

use crate::execute::private;

/// How much is sorted at once, in bytes.
const MAX_BUFFER: usize = 64 << 20;

/// What a record costs besides its bytes.
const OVERHEAD: usize = 64;

/// More runs are not merged.
const MAX_RUNS: usize = 500;

/// A key and its value, and who reduces them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Record {
    /// The number of the reducer.
    pub(super) reducer: u32,
    /// The key.
    pub(super) key: Vec<u8>,
    /// The value.
    pub(super) value: Vec<u8>,
}

/// `HashPartitioner` over `Text.hashCode` (`WritableComparator.hashBytes`).
pub(super) fn reducer_of(key: &[u8], reducers: u32) -> u32 {
    let hash = key
        .iter()
        .fold(1_i32, |hash, byte| hash.wrapping_mul(31).wrapping_add(i32::from(byte.cast_signed())));
    (hash & i32::MAX).cast_unsigned() % reducers.max(1)
}

/// Sorts records; equal keys stay in the order in which they came.
pub(super) struct Shuffle {
    folder: PathBuf,
    buffer: Vec<Record>,
    bytes: usize,
    max: usize,
    runs: Vec<PathBuf>,
}

impl Shuffle {
    /// A new one, with files in a folder.
    pub(super) fn new(folder: PathBuf) -> Shuffle {
        Shuffle { folder, buffer: Vec::new(), bytes: 0, max: MAX_BUFFER, runs: Vec::new() }
    }

    /// Takes a record.
    pub(super) fn push(&mut self, reducer: u32, key: &[u8], value: &[u8]) -> std::io::Result<()> {
        self.bytes += key.len() + value.len() + OVERHEAD;
        self.buffer.push(Record { reducer, key: key.to_vec(), value: value.to_vec() });
        if self.bytes > self.max { self.spill() } else { Ok(()) }
    }

    fn sort(&mut self) {
        self.buffer.sort_by(|a, b| (a.reducer, &a.key).cmp(&(b.reducer, &b.key)));
    }

    fn spill(&mut self) -> std::io::Result<()> {
        if self.runs.len() >= MAX_RUNS {
            return Err(std::io::Error::other(format!(
                "mappers wrote more than {MAX_RUNS} times {MAX_BUFFER} bytes"
            )));
        }
        self.sort();
        private::make_folders(&self.folder)?;
        let path = self.folder.join(format!("run-{}", self.runs.len()));
        let mut out = BufWriter::new(private::create(&path)?);
        for record in self.buffer.drain(..) {
            out.write_all(&record.reducer.to_le_bytes())?;
            for bytes in [&record.key, &record.value] {
                out.write_all(&(bytes.len() as u64).to_le_bytes())?;
                out.write_all(bytes)?;
            }
        }
        out.flush()?;
        self.runs.push(path);
        self.bytes = 0;
        Ok(())
    }

    /// All records in order.
    pub(super) fn sorted(mut self) -> std::io::Result<Sorted> {
        self.sort();
        let runs: std::io::Result<Vec<_>> =
            self.runs.iter().map(|path| Ok(BufReader::new(File::open(path)?))).collect();
        let mut sorted = Sorted { runs: runs?, rest: self.buffer.into_iter(), heap: BinaryHeap::new() };
        for run in 0..=sorted.runs.len() {
            sorted.refill(run)?;
        }
        Ok(sorted)
    }
}

/// Who comes next: reducer and key, then the run, which keeps equal keys in their order; then the value.
type Next = Reverse<(u32, Vec<u8>, usize, Vec<u8>)>;

/// Records in order.
pub(super) struct Sorted {
    runs: Vec<BufReader<File>>,
    /// The last run, which never left memory.
    rest: std::vec::IntoIter<Record>,
    heap: BinaryHeap<Next>,
}

impl Sorted {
    /// The next record.
    pub(super) fn next(&mut self) -> std::io::Result<Option<Record>> {
        let Some(Reverse((reducer, key, run, value))) = self.heap.pop() else { return Ok(None) };
        self.refill(run)?;
        Ok(Some(Record { reducer, key, value }))
    }

    /// The number of the next record's reducer.
    pub(super) fn next_reducer(&self) -> Option<u32> {
        self.heap.peek().map(|Reverse((reducer, ..))| *reducer)
    }

    fn refill(&mut self, run: usize) -> std::io::Result<()> {
        let record = match self.runs.get_mut(run) {
            Some(reader) => read(reader)?,
            None => self.rest.next(),
        };
        if let Some(Record { reducer, key, value }) = record {
            self.heap.push(Reverse((reducer, key, run, value)));
        }
        Ok(())
    }
}

fn read(reader: &mut BufReader<File>) -> std::io::Result<Option<Record>> {
    let mut number = [0; 4];
    match reader.read_exact(&mut number) {
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let mut bytes = || {
        let mut length = [0; 8];
        reader.read_exact(&mut length)?;
        let mut bytes = vec![0; usize::try_from(u64::from_le_bytes(length)).map_err(std::io::Error::other)?];
        reader.read_exact(&mut bytes)?;
        Ok::<_, std::io::Error>(bytes)
    };
    let (key, value) = (bytes()?, bytes()?);
    Ok(Some(Record { reducer: u32::from_le_bytes(number), key, value }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_where_hadoop_sends_them() {
        // `new Text(key).hashCode()`, worked out by hand from its definition.
        for (key, hash) in [("", 1_i64), ("a", 128), ("ab", 4066), ("é", (31 - 61) * 31 - 87)] {
            let reducers = 7;
            let expected = (hash as i32 & i32::MAX) as u32 % reducers;
            assert_eq!(reducer_of(key.as_bytes(), reducers), expected, "{key}");
        }
        assert_eq!(reducer_of(b"anything", 1), 0);
    }

    #[test]
    fn runs_on_disk_change_nothing() {
        let folder = std::env::temp_dir().join(format!("ankus-shuffle-{}", std::process::id()));
        let mut expected = Vec::new();
        let mut shuffles = [Shuffle::new(folder.join("a")), Shuffle::new(folder.join("b"))];
        shuffles[1].max = 1000;
        for number in 0..500_u32 {
            let key = format!("{}", number * 7919 % 83).into_bytes();
            let (reducer, value) = (reducer_of(&key, 3), number.to_string().into_bytes());
            for shuffle in &mut shuffles {
                shuffle.push(reducer, &key, &value).expect("there is room");
            }
            expected.push(Record { reducer, key, value });
        }
        expected.sort_by(|a, b| (a.reducer, &a.key).cmp(&(b.reducer, &b.key)));
        assert!(shuffles[1].runs.len() > 10);
        for shuffle in shuffles {
            let mut sorted = shuffle.sorted().expect("runs can be read");
            let mut found = Vec::new();
            while let Some(record) = sorted.next().expect("runs can be read") {
                found.push(record);
            }
            assert_eq!(found, expected);
        }
        std::fs::remove_dir_all(folder).expect("it is removed");
    }
}
