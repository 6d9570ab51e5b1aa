//! The streams of the process, and output files that appear whole or not at all.
//!
//! What is no regular file (a device, a pipe) is written through; a link is followed, and its target is replaced.

use std::fs::{File, Metadata};
use std::io::{BufRead, BufReader, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::host::error::ShellError;
use crate::report::visible::Visible;

/// How much output is gathered before it is written.
const BUFFER_BYTES: usize = 64 * 1024;

/// More links are not followed to a file that is to be made.
const MAX_LINKS: usize = 40;

/// Standard input, output and error. Tests put their own in.
pub struct Io {
    /// Results go here.
    pub out: Stream,
    /// Progress and errors go here.
    pub err: Stream,
    /// Requests of `--batch` come from here.
    pub input: Box<dyn BufRead>,
    /// True when `out` is a terminal.
    pub out_is_terminal: bool,
    /// True when `err` is a terminal.
    pub err_is_terminal: bool,
}

/// Standard output or error. What would steer a terminal is written out, whatever command and format it comes from.
pub struct Stream {
    inner: Named,
    visible: Visible,
}

/// A stream whose errors say which one it is.
struct Named(Box<dyn Write>, &'static str);

impl Named {
    fn told(&self, error: std::io::Error) -> std::io::Error {
        std::io::Error::new(error.kind(), format!("cannot write to {}: {error}", self.1))
    }
}

impl Write for Named {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes).map_err(|error| match error.kind() {
            std::io::ErrorKind::Interrupted => error,
            _ => self.told(error),
        })
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush().map_err(|error| self.told(error))
    }
}

impl Stream {
    /// A stream to somewhere.
    pub fn new(name: &'static str, inner: Box<dyn Write>) -> Stream {
        Stream { inner: Named(inner, name), visible: Visible::default() }
    }

    /// Lets our own colours through.
    pub fn with_styles(&mut self, has_styles: bool) {
        self.visible.has_styles = has_styles;
    }

    /// The stream without anything in between: for what draws on a terminal, and for what must stay byte for byte.
    pub fn raw(&mut self) -> &mut dyn Write {
        &mut self.inner
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.visible.write(bytes, &mut self.inner).map(|()| bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // Half a character at the very end; nothing can be said any more when it cannot be written.
        let _ = self.visible.finish(&mut self.inner);
    }
}

/// What stands for a stream that was closed before the program began: nothing can be written to it.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("the stream is closed"))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Io {
    /// The streams of this process. Output is buffered, also to a terminal; it is flushed at the end. `is_closed`: standard
    /// output was closed when the process began.
    pub fn process(is_closed: bool) -> Io {
        let (out, err) = (std::io::stdout(), std::io::stderr());
        let (out_is_terminal, err_is_terminal) = (out.is_terminal(), err.is_terminal());
        Io {
            out: Stream::new("standard output", if is_closed { Box::new(Closed) } else { raw_stdout() }),
            err: Stream::new("standard error", Box::new(err)),
            input: Box::new(BufReader::new(std::io::stdin())),
            out_is_terminal,
            err_is_terminal,
        }
    }

    /// Standard output for what is kept byte for byte (logs, patches, definitions): only a terminal gets it written out.
    pub fn exact(&mut self) -> &mut dyn Write {
        if self.out_is_terminal { &mut self.out } else { self.out.raw() }
    }

    /// A writer for `-o FILE`; without a file it is standard output.
    pub fn output(&mut self, path: Option<&Path>) -> Result<Output<'_>, ShellError> {
        let Some(path) = path.filter(|path| !is_stdout(path)) else {
            return Ok(Output::Stream(&mut self.out));
        };
        let fault = |source| ShellError::Write { path: path.to_owned(), source };
        Ok(match through(path).map_err(fault)? {
            Some(file) => {
                let file = BufWriter::with_capacity(BUFFER_BYTES, file);
                Output::Through(file, Visible::default(), path.to_owned())
            }
            None => Output::File(Box::new(OutputFile::create(path)?), Visible::default()),
        })
    }
}

/// Standard output in large blocks, without the line buffer of `std::io::Stdout`.
#[cfg(unix)]
fn raw_stdout() -> Box<dyn Write> {
    use std::os::fd::AsFd;
    match std::io::stdout().as_fd().try_clone_to_owned() {
        Ok(owned) => Box::new(BufWriter::with_capacity(BUFFER_BYTES, File::from(owned))),
        Err(_) => Box::new(BufWriter::with_capacity(BUFFER_BYTES, std::io::stdout())),
    }
}

#[cfg(not(unix))]
fn raw_stdout() -> Box<dyn Write> {
    Box::new(BufWriter::with_capacity(BUFFER_BYTES, std::io::stdout()))
}

/// Whether a path is another name of standard output, which has a buffer and a position of its own.
fn is_stdout(path: &Path) -> bool {
    cfg!(unix) && ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

/// What is there already and is no regular file, or an open file by its number: it cannot be replaced.
fn through(path: &Path) -> std::io::Result<Option<File>> {
    let is_open_file = cfg!(unix) && (path.starts_with("/dev/fd") || path.starts_with("/proc"));
    match std::fs::metadata(path) {
        Ok(metadata) if !metadata.is_dir() && (!metadata.is_file() || is_open_file) => {
            File::options().append(true).open(path).map(Some)
        }
        _ => Ok(None),
    }
}

/// The file that a path stands for, with its links followed; it need not be there.
fn target(path: &Path) -> std::io::Result<PathBuf> {
    if let Ok(real) = std::fs::canonicalize(path) {
        return Ok(real);
    }
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(link) = std::fs::read_link(&path) else { return Ok(path) };
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    Err(std::io::Error::other("its links lead in a circle"))
}

/// Where a result is written.
pub enum Output<'a> {
    /// A stream.
    Stream(&'a mut Stream),
    /// A device or a pipe.
    Through(BufWriter<File>, Visible, PathBuf),
    /// A file that takes its name when [`Output::finish`] is called.
    File(Box<OutputFile>, Visible),
}

impl Output<'_> {
    /// Makes the output complete: flushes the stream, or gives the file its name.
    pub fn finish(self) -> Result<(), ShellError> {
        match self {
            Output::Stream(stream) => Ok(stream.flush()?),
            Output::Through(mut file, mut visible, path) => {
                let written = visible.finish(&mut file).and_then(|()| file.flush());
                written.map_err(|source| ShellError::Write { path, source })
            }
            Output::File(mut file, mut visible) => {
                let written = visible.finish(&mut file.writer);
                written.map_err(|source| ShellError::Write { path: file.path.clone(), source })?;
                file.finish()
            }
        }
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Output::Stream(stream) => stream.write(bytes),
            Output::Through(file, visible, _) => visible.write(bytes, file).map(|()| bytes.len()),
            Output::File(file, visible) => visible.write(bytes, &mut file.writer).map(|()| bytes.len()),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Output::Stream(stream) => stream.flush(),
            Output::Through(file, ..) => file.flush(),
            Output::File(file, _) => file.writer.flush(),
        }
    }
}

/// A file under a passing name beside its final place; dropped unfinished, it vanishes.
pub struct OutputFile {
    writer: BufWriter<File>,
    passing: PathBuf,
    path: PathBuf,
    finished: bool,
}

/// New contents for a file that exists, with its permissions, ready to take its name. Links are followed.
pub fn replacement(path: &Path, contents: &[u8]) -> Result<OutputFile, ShellError> {
    let fault = |source| ShellError::Write { path: path.to_owned(), source };
    let real = std::fs::canonicalize(path).map_err(fault)?;
    let permissions = std::fs::metadata(&real).map_err(fault)?.permissions();
    let mut file = OutputFile::create(&real)?;
    file.writer.write_all(contents).map_err(fault)?;
    std::fs::set_permissions(&file.passing, permissions).map_err(fault)?;
    Ok(file)
}

/// A file with these contents, byte for byte, ready to take its name, whether there was one or not.
pub fn exact_file(path: &Path, contents: &[u8]) -> Result<OutputFile, ShellError> {
    let fault = |source| ShellError::Write { path: path.to_owned(), source };
    let mut file = OutputFile::create(path)?;
    file.writer.write_all(contents).map_err(fault)?;
    Ok(file)
}

impl OutputFile {
    fn create(path: &Path) -> Result<OutputFile, ShellError> {
        let fault = |source| ShellError::Write { path: path.to_owned(), source };
        if path.is_dir() {
            return Err(fault(std::io::Error::new(std::io::ErrorKind::IsADirectory, "it is a folder")));
        }
        let path = target(path).map_err(fault)?;
        let name = path.file_name().ok_or_else(|| {
            fault(std::io::Error::new(std::io::ErrorKind::InvalidInput, "it does not name a file"))
        })?;
        let former = std::fs::metadata(&path).ok();
        if former.is_some() {
            // Who may not write a file shall not replace it either.
            File::options().append(true).open(&path).map_err(fault)?;
        }
        let passing = path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
        let file = File::options().write(true).create_new(true).open(&passing).map_err(fault)?;
        let made = OutputFile {
            writer: BufWriter::with_capacity(BUFFER_BYTES, file),
            passing,
            path,
            finished: false,
        };
        if let Some(former) = former {
            keep_rights(&made.passing, &former).map_err(fault)?;
        }
        Ok(made)
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> Result<(), ShellError> {
        let renamed = self.writer.flush().and_then(|()| std::fs::rename(&self.passing, &self.path));
        self.finished = renamed.is_ok();
        renamed.map_err(|source| ShellError::Write { path: self.path.clone(), source })
    }
}

/// Gives a new file the owner, where that is allowed, and the mode of the one that it takes the place of.
fn keep_rights(path: &Path, former: &Metadata) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, chown};
        let _ = chown(path, Some(former.uid()), Some(former.gid()));
    }
    std::fs::set_permissions(path, former.permissions())
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if !self.finished {
            // Nothing can be done when even this fails.
            let _ = std::fs::remove_file(&self.passing);
        }
    }
}
