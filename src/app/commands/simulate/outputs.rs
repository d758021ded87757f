//! The files of a simulation: seen to be writable before the first game, put in place whole.

use crate::app::exit::{Exit, Failure, io_text};
use crate::app::journal_file::directory_of;
use crate::app::text::display;
use crate::i18n::{Message, Text};
use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What is being written beside its place, for who ends the program at once.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes what is being written and will not be finished.
pub(crate) fn remove_unfinished() {
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    for beside in unfinished.drain(..) {
        // If it can't be removed, the next run writes over it.
        let _ = fs::remove_file(beside);
    }
}

/// Whether this program is writing this file.
fn is_unfinished(beside: &Path) -> bool {
    let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    fs::canonicalize(beside).is_ok_and(|beside| unfinished.contains(&beside))
}

/// Takes a file off the list of those being written; the result says whether it was there.
fn is_finished(beside: &Path) -> bool {
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    let at = unfinished.iter().position(|other| other == beside);
    at.map(|at| unfinished.swap_remove(at)).is_some()
}

/// A file that is written beside its place, and moved there when it is whole.
pub(crate) struct Output {
    path: PathBuf,
    /// Where it is written; nothing where that is its place already.
    beside: Option<PathBuf>,
    file: BufWriter<File>,
    /// Whether it is a pipe that nobody reads any more.
    closed: bool,
}

impl Output {
    /// Opens the file, if one is asked for.
    pub(crate) fn create(path: Option<&Path>) -> Result<Option<Self>, Failure> {
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
            if is_unfinished(&beside) {
                let text = Text::new(Message::SIM_SAME_OUTPUT).with("file", display(path));
                return Err(Failure::usage(text));
            }
            // To open a pipe would wait for its reader.
            if fs::symlink_metadata(&beside).is_ok_and(|there| !there.is_file()) {
                return Err(taken(path, &beside));
            }
            let file = File::options()
                .write(true)
                .create(true)
                .truncate(false)
                .open(&beside);
            let file = file.map_err(|error| unwritable(path, &error))?;
            if !own(&file, &beside).map_err(|error| unwritable(path, &error))? {
                return Err(taken(path, &beside));
            }
            // So that another name of it is known.
            let beside = fs::canonicalize(&beside).unwrap_or(beside);
            let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
            unfinished.push(beside.clone());
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
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Failure> {
        if self.closed {
            return Ok(());
        }
        let written = self.file.write_all(text.as_bytes());
        self.unless_closed(written)
    }

    /// Puts the file in its place.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
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
            if !is_finished(beside) {
                // Somebody is ending the program, and has removed it.
                return Ok(());
            }
            fs::rename(beside, &self.path)?;
            if let Some(directory) = directory_of(&self.path)? {
                directory.sync_all()?;
            }
            self.beside = None;
        }
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(beside) = self.beside.take() {
            is_finished(&beside);
            // What was not finished is of no use; if it can't be removed, nothing is lost.
            let _ = fs::remove_file(beside);
        }
    }
}

/// Makes a file beside an output ours, and empties it: it may be what a run has left that was
/// killed, but not what another one is writing. The result says whether it is ours.
fn own(file: &File, beside: &Path) -> io::Result<bool> {
    let ours = file.metadata()?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(false),
        // Where a file system knows no locks, only a new file is nobody else's.
        Err(TryLockError::Error(_)) if ours.len() == 0 => {}
        Err(TryLockError::Error(error)) => return Err(error),
    }
    // Another run may have put it in its place between opening and locking.
    let is_ours = fs::symlink_metadata(beside).is_ok_and(|there| is_same(&ours, &there));
    if is_ours {
        file.set_len(0)?;
    }
    Ok(is_ours)
}

#[cfg(unix)]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Elsewhere a file that is open can't change its place.
#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    true
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
