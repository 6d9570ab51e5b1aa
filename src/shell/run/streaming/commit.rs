//! The output folder: nothing of a job shows in it before the job is over (`FileOutputCommitter`, `TextOutputFormat`).

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};

use super::tasks::Stop;
use super::{Codec, Job};

/// Where parts lie until all are written.
const TEMPORARY: &str = "_temporary";

/// An output folder that is being written.
pub(super) struct Output<'j> {
    job: &'j Job,
    folder: PathBuf,
    names: Vec<String>,
}

impl Output<'_> {
    /// Makes the folder, which must not be there yet (`FileOutputFormat.checkOutputSpecs`).
    pub(super) fn new(job: &Job) -> Result<Output<'_>, Stop> {
        if job.output.is_empty() {
            return Err(Stop::Failed("Output directory not set in JobConf.".to_owned()));
        }
        let folder = job.storage.locate(&job.output).map_err(|error| Stop::Failed(error.to_string()))?.path;
        if folder.symlink_metadata().is_ok() {
            return Err(Stop::Failed(format!("Output directory {} already exists", job.output)));
        }
        Ok(Output { job, folder, names: Vec::new() })
    }

    /// A new part.
    pub(super) fn part(&mut self, number: u32) -> std::io::Result<Part> {
        let end = match self.job.codec {
            Some(Codec::Gzip) => ".gz",
            Some(Codec::Deflate) => ".deflate",
            None => "",
        };
        let name = format!("part-{number:05}{end}");
        let folder = self.folder.join(TEMPORARY);
        std::fs::create_dir_all(&folder)?;
        let file = BufWriter::new(File::create(folder.join(&name))?);
        self.names.push(name);
        let writer = match self.job.codec {
            Some(Codec::Gzip) => Writer::Gzip(GzEncoder::new(file, Compression::default())),
            Some(Codec::Deflate) => Writer::Deflate(ZlibEncoder::new(file, Compression::default())),
            None => Writer::Plain(file),
        };
        Ok(Part { writer, separator: self.job.separator.clone().into_bytes() })
    }

    /// All parts are written: they take their places.
    pub(super) fn commit(self) -> std::io::Result<()> {
        std::fs::create_dir_all(self.folder.join(TEMPORARY))?;
        for name in &self.names {
            std::fs::rename(self.folder.join(TEMPORARY).join(name), self.folder.join(name))?;
        }
        std::fs::remove_dir_all(self.folder.join(TEMPORARY))?;
        if self.job.marks_success {
            File::create(self.folder.join("_SUCCESS"))?;
        }
        Ok(())
    }

    /// The job has failed: what was written is removed; the folder stays, as Hadoop leaves it.
    pub(super) fn abort(&self) {
        // What cannot be removed lies in a folder whose name no reader looks at.
        let _ = std::fs::remove_dir_all(self.folder.join(TEMPORARY));
    }
}

/// A file of the output.
pub(super) struct Part {
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

    /// It is whole.
    pub(super) fn finish(self) -> std::io::Result<()> {
        match self.writer {
            Writer::Plain(writer) => writer,
            Writer::Gzip(writer) => writer.finish()?,
            Writer::Deflate(writer) => writer.finish()?,
        }
        .flush()
    }
}
