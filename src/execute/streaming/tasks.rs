//! The tasks of a job, one after the other: mappers, combiners, reducers.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::commit::{Output, Part};
use super::counters::Counters;
use super::inputs::{self, Split};
use super::lines::{Lines, split};
use super::shuffle::{Record, Shuffle, Sorted, reducer_of};
use super::{Fields, Job};
use crate::execute::attempt::Attempt;
use crate::execute::private;
use crate::execute::process::{self, Alone, End, Streams};
use crate::execute::storage::fault::StorageFault;

/// Why a job comes to no good end.
#[derive(Debug)]
pub(super) enum Stop {
    /// Somebody has asked for that.
    Killed,
    /// It failed, in words.
    Failed(String),
    /// Storage did.
    Storage(StorageFault),
    /// The machine did.
    Io(std::io::Error),
}

impl From<StorageFault> for Stop {
    fn from(fault: StorageFault) -> Stop {
        Stop::Storage(fault)
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Stop {
        Stop::Io(error)
    }
}

/// A job while it runs.
pub(super) struct Tasks<'j> {
    job: &'j Job,
    attempt: &'j Attempt,
    grace: Duration,
    /// Where what passes between programs lies.
    folder: PathBuf,
    counters: Counters,
}

impl Tasks<'_> {
    /// Runs a job.
    pub(super) fn run(job: &Job, attempt: &Attempt, grace: Duration) -> Result<Counters, Stop> {
        let folder = attempt.folder().join("streaming");
        let mut output = Output::new(job, &folder)?;
        let splits = inputs::splits(job)?;
        private::make_folders(&folder)?;
        private::create(&attempt.stderr())?;
        let mut tasks = Tasks { job, attempt, grace, folder, counters: Counters::default() };
        let worked = tasks.work(&splits, &mut output);
        let removed = std::fs::remove_dir_all(&tasks.folder);
        match worked {
            Ok(()) => {
                removed?;
                output.commit()?;
                Ok(tasks.counters)
            }
            Err(stop) => {
                output.abort();
                Err(stop)
            }
        }
    }

    fn work(&mut self, splits: &[Split], output: &mut Output<'_>) -> Result<(), Stop> {
        let job = self.job;
        let mut shuffle = Shuffle::new(self.folder.join("shuffle"));
        for (split, number) in splits.iter().zip(0_u32..) {
            let written = self.map(split, number)?;
            if job.reducers == 0 {
                let mut part = output.part(number)?;
                self.counters.map_out += write_all(&written, &job.map_output, &mut part)?;
                output.take(part)?;
            } else if let Some(combiner) = &job.combiner {
                let mut own = Shuffle::new(self.folder.join("combine"));
                let taken = self.take(&written, &job.map_output, &mut own)?;
                self.counters.map_out += taken;
                self.counters.combine_in += taken;
                let mut sorted = own.sorted()?;
                while let Some(reducer) = sorted.next_reducer() {
                    let (combined, _) = self.reduce(combiner, &mut sorted, reducer, false)?;
                    self.counters.combine_out += self.take(&combined, &job.reduce_output, &mut shuffle)?;
                }
            } else {
                self.counters.map_out += self.take(&written, &job.map_output, &mut shuffle)?;
            }
        }
        let mut sorted = shuffle.sorted()?;
        for reducer in 0..job.reducers {
            let mut part = output.part(reducer)?;
            match &job.reducer {
                Some(command) => {
                    let (written, records) = self.reduce(command, &mut sorted, reducer, true)?;
                    // What a program writes that was given nothing is not taken (`PipeMapRed.waitOutputThreads`).
                    if records > 0 {
                        self.counters.reduce_out += write_all(&written, &job.reduce_output, &mut part)?;
                    }
                }
                None => {
                    let mut last = None;
                    while let Some(record) = self.next(&mut sorted, reducer, &mut last, true)? {
                        part.write(&record.key, &record.value)?;
                        self.counters.reduce_out += 1;
                    }
                }
            }
            output.take(part)?;
        }
        Ok(())
    }

    /// Runs the mapper over a part of the input; the file that it wrote.
    fn map(&mut self, split: &Split, number: u32) -> Result<PathBuf, Stop> {
        let job = self.job;
        let (from, to) = (self.folder.join("in"), self.folder.join("out"));
        let mut out = BufWriter::new(private::create(&from)?);
        self.counters.map_in += split.feed(job.map_input_separator.as_deref(), &mut out)?;
        out.flush()?;
        let own = [
            ("mapreduce_task_ismap", "true".to_owned()),
            ("mapreduce_task_partition", number.to_string()),
            ("mapreduce_map_input_file", split.spot.uri.clone()),
            ("mapreduce_map_input_start", split.start.to_string()),
            ("mapreduce_map_input_length", split.length.to_string()),
        ];
        self.program(&job.mapper, &own, &from, &to)?;
        Ok(to)
    }

    /// Runs a reducer or a combiner over the records of a reducer; the file that it wrote, and how many records it got.
    fn reduce(
        &mut self,
        command: &[String],
        sorted: &mut Sorted,
        reducer: u32,
        counts: bool,
    ) -> Result<(PathBuf, u64), Stop> {
        let (from, to) = (self.folder.join("reduce-in"), self.folder.join("reduce-out"));
        let mut out = BufWriter::new(private::create(&from)?);
        let (mut last, mut count) = (None, 0);
        while let Some(record) = self.next(sorted, reducer, &mut last, counts)? {
            for bytes in [&record.key, self.job.reduce_input_separator.as_bytes(), &record.value, b"\n"] {
                out.write_all(bytes)?;
            }
            count += 1;
        }
        out.flush()?;
        let is_map = !counts;
        let own =
            [("mapreduce_task_ismap", is_map.to_string()), ("mapreduce_task_partition", reducer.to_string())];
        self.program(command, &own, &from, &to)?;
        Ok((to, count))
    }

    /// The next record of a reducer.
    fn next(
        &mut self,
        sorted: &mut Sorted,
        reducer: u32,
        last: &mut Option<Vec<u8>>,
        counts: bool,
    ) -> std::io::Result<Option<Record>> {
        if sorted.next_reducer() != Some(reducer) {
            return Ok(None);
        }
        let record = sorted.next()?;
        if let Some(record) = record.as_ref().filter(|_| counts) {
            self.counters.reduce_in += 1;
            if last.as_ref() != Some(&record.key) {
                self.counters.groups += 1;
                *last = Some(record.key.clone());
            }
        }
        Ok(record)
    }

    /// Runs a program from a file to a file.
    fn program(
        &self,
        command: &[String],
        own: &[(&str, String)],
        from: &Path,
        to: &Path,
    ) -> Result<(), Stop> {
        if self.attempt.is_to_be_killed() {
            return Err(Stop::Killed);
        }
        let mut command = command.to_vec();
        let Some(program) = command.first_mut() else {
            return Err(Stop::Failed("there is no program".to_owned()));
        };
        // The action's folder comes before what is on the path (`PipeMapRed.configure`).
        let beside = self.attempt.work().join(&*program);
        if Path::new(&*program).is_relative() && beside.is_file() {
            *program = beside.to_string_lossy().into_owned();
        }
        let name = program.clone();
        let mut env = self.job.env.clone();
        env.extend(own.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        let errors = private::append(&self.attempt.stderr())?;
        let streams = Streams { input: Some(File::open(from)?), output: private::create(to)?, errors };
        match process::run_with(self.attempt, &command, &env, self.grace, &mut Alone, streams)? {
            End::Killed => Err(Stop::Killed),
            End::NotStarted(error) => Err(Stop::Failed(format!("cannot run `{name}`: {error}"))),
            End::Over(status) if status.success() || !self.job.fails_on_exit_code => Ok(()),
            End::Over(status) => {
                let code = status.code().map_or_else(|| status.to_string(), |code| code.to_string());
                Err(Stop::Failed(format!("`{name}`: subprocess failed with code {code}")))
            }
        }
    }

    /// Takes the records of a file in.
    fn take(&self, file: &Path, fields: &Fields, shuffle: &mut Shuffle) -> std::io::Result<u64> {
        each(file, fields, |key, value| shuffle.push(reducer_of(key, self.job.reducers), key, value))
    }
}

fn write_all(file: &Path, fields: &Fields, part: &mut Part) -> std::io::Result<u64> {
    each(file, fields, |key, value| part.write(key, value))
}

/// Does something with each record of a file; how many there are.
fn each(
    file: &Path,
    fields: &Fields,
    mut act: impl FnMut(&[u8], &[u8]) -> std::io::Result<()>,
) -> std::io::Result<u64> {
    let mut lines = Lines::new(BufReader::new(File::open(file)?), 0);
    let mut count = 0;
    while let Some((_, line)) = lines.next()? {
        let (key, value) = split(line, fields.separator.as_bytes(), fields.keys);
        act(key, value)?;
        count += 1;
    }
    Ok(count)
}
