//! The output folder: nothing of a job shows in it before the job is over (`FileOutputCommitter`, `TextOutputFormat`).

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};

use super::tasks::Stop;
use super::{Codec, Job};
use crate::execute::private;
use crate::execute::storage::Spot;

/// Where parts lie in the output folder until all are written.
const TEMPORARY: &str = "_temporary";

/// An output folder that is being written.
pub(super) struct Output<'j> {
    job: &'j Job,
    /// The folder, in storage.
    spot: Spot,
    /// Where a part lies while it is written, on this machine.
    folder: PathBuf,
    names: Vec<String>,
}

impl Output<'_> {
    /// An output whose folder must not be there yet (`FileOutputFormat.checkOutputSpecs`); `folder` is for what is being
    /// written.
    pub(super) fn new<'j>(job: &'j Job, folder: &Path) -> Result<Output<'j>, Stop> {
        if job.output.is_empty() {
            return Err(Stop::Failed("Output directory not set in JobConf.".to_owned()));
        }
        let spot = job.storage.spot(&job.output)?;
        if spot.status()?.is_some() {
            return Err(Stop::Failed(format!("Output directory {} already exists", job.output)));
        }
        job.storage.guard_change(&spot)?;
        Ok(Output { job, spot, folder: folder.to_owned(), names: Vec::new() })
    }

    /// A new part.
    pub(super) fn part(&self, number: u32) -> std::io::Result<Part> {
        let end = match self.job.codec {
            Some(Codec::Gzip) => ".gz",
            Some(Codec::Deflate) => ".deflate",
            None => "",
        };
        let name = format!("part-{number:05}{end}");
        let file = BufWriter::new(private::create(&self.folder.join(&name))?);
        let writer = match self.job.codec {
            Some(Codec::Gzip) => Writer::Gzip(GzEncoder::new(file, Compression::default())),
            Some(Codec::Deflate) => Writer::Deflate(ZlibEncoder::new(file, Compression::default())),
            None => Writer::Plain(file),
        };
        Ok(Part { name, writer, separator: self.job.separator.clone().into_bytes() })
    }

    /// Takes a part that is written whole into storage, where nobody looks yet.
    pub(super) fn take(&mut self, part: Part) -> Result<(), Stop> {
        let name = part.finish()?;
        let path = self.folder.join(&name);
        let place = self.spot.below(TEMPORARY).below(&name);
        place.backend.create(&place.path, &mut File::open(&path)?)?;
        self.names.push(name);
        Ok(std::fs::remove_file(path)?)
    }

    /// All parts are written: they take their places.
    pub(super) fn commit(self) -> Result<(), Stop> {
        let (storage, temporary) = (&self.spot.backend, self.spot.below(TEMPORARY));
        storage.mkdirs(&temporary.path)?;
        for name in &self.names {
            storage.rename(&temporary.below(name).path, &self.spot.below(name).path)?;
        }
        storage.delete(&temporary.path)?;
        if self.job.marks_success {
            storage.create(&self.spot.below("_SUCCESS").path, &mut std::io::empty())?;
        }
        Ok(())
    }

    /// The job has failed: what was written is removed; the folder stays, as Hadoop leaves it.
    pub(super) fn abort(&self) {
        // What cannot be removed lies in a folder whose name no reader looks at.
        let _ = self.spot.backend.delete(&self.spot.below(TEMPORARY).path);
    }
}

/// A file of the output.
pub(super) struct Part {
    name: String,
    writer: Writer,
    separator: Vec<u8>,
}

enum Writer {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
    Deflate(ZlibEncoder<BufWriter<File>>),
}

impl Part {
    /// Writes a key and a value as a line.
    pub(super) fn write(&mut self, key: &[u8], value: &[u8]) -> std::io::Result<()> {
        let writer: &mut dyn Write = match &mut self.writer {
            Writer::Plain(writer) => writer,
            Writer::Gzip(writer) => writer,
            Writer::Deflate(writer) => writer,
        };
        for bytes in [key, &self.separator, value, b"\n"] {
            writer.write_all(bytes)?;
        }
        Ok(())
    }

    /// It is whole: its name.
    fn finish(self) -> std::io::Result<String> {
        let mut file = match self.writer {
            Writer::Plain(writer) => writer,
            Writer::Gzip(writer) => writer.finish()?,
            Writer::Deflate(writer) => writer.finish()?,
        };
        file.flush().map(|()| self.name)
    }
}
