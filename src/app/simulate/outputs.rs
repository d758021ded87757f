//! The files of a simulation: seen to be writable before the first game, put in place whole.

use super::super::display;
use super::super::exit::{Exit, Failure, io_text};
use crate::i18n::{Message, Text};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is written beside its place, and moved there when it is whole.
pub(in crate::app) struct Output {
    path: PathBuf,
    /// Where it is written; nothing where that is its place already.
    beside: Option<PathBuf>,
    file: BufWriter<File>,
    /// Whether it is a pipe that nobody reads any more.
    closed: bool,
}

impl Output {
    /// Opens the file, if one is asked for.
    pub(super) fn create(path: Option<&Path>) -> Result<Option<Self>, Failure> {
        let Some(path) = path else {
            return Ok(None);
        };
        // A file is replaced where it is, and not the links that lead there.
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        // A device or a pipe can't be replaced, and needs not be.
        let (beside, file) = if fs::metadata(&place).is_ok_and(|metadata| !metadata.is_file()) {
            let file = File::options().write(true).open(path);
            (None, file.map_err(|error| unwritable(path, &error))?)
        } else {
            let mut name = place.clone().into_os_string();
            name.push(".part");
            let beside = PathBuf::from(name);
            // What is there is somebody's: another run's, another output of this one, or the
            // user's own file.
            let file = File::create_new(&beside).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => taken(path, &beside),
                _ => unwritable(path, &error),
            })?;
            (Some(beside), file)
        };
        Ok(Some(Self {
            path: place,
            beside,
            file: BufWriter::new(file),
            closed: false,
        }))
    }

    /// Writes more of the file.
    pub(super) fn write(&mut self, text: &str) -> Result<(), Failure> {
        if self.closed {
            return Ok(());
        }
        let written = self.file.write_all(text.as_bytes());
        self.unless_closed(written)
    }

    /// Puts the file in its place.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        let put = self.put_in_place();
        self.unless_closed(put)
    }

    /// What became of a write; a reader who has closed the pipe wants no more of it.
    fn unless_closed(&mut self, written: io::Result<()>) -> Result<(), Failure> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            written => written.map_err(|error| unwritable(&self.path, &error)),
        }
    }

    fn put_in_place(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        self.file.flush()?;
        if let Some(beside) = &self.beside {
            self.file.get_ref().sync_all()?;
            fs::rename(beside, &self.path)?;
            self.beside = None;
        }
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(beside) = self.beside.take() {
            // What was not finished is of no use; if it can't be removed, nothing is lost.
            let _ = fs::remove_file(beside);
        }
    }
}

fn taken(path: &Path, beside: &Path) -> Failure {
    let text = Text::new(Message::SIM_PART_EXISTS)
        .with("file", display(path))
        .with("part", display(beside));
    Failure::new(Exit::InputOutput, text)
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let text = Text::new(Message::SIM_UNWRITABLE)
        .with("file", display(path))
        .with("reason", io_text(error));
    Failure::new(Exit::InputOutput, text)
}
