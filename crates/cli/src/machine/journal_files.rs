//! Journals written to new files and to standard output.

use super::input::is_standard_stream;
use super::interruptible_writer::{InterruptibleWriter, StandardStream};
use std::fs::{self, File};
use std::io::{self, StdoutLock, Write, stdout};
use std::path::Path;
use war::journal::{JournalFile, Medium};

/// Creates a file with this content and syncs it. An existing file is left alone, and a new
/// one that can't be written completely is removed.
pub(crate) fn create_synced_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = JournalFile::create(path)?;
    let written = file.write_all(content).and_then(|()| file.sync());
    written.inspect_err(|_| remove_partial_journal(path))
}

/// Removes a journal that was not copied completely: half a copy helps nobody.
pub(crate) fn remove_partial_journal(path: &Path) {
    // If the file can't be removed, a reader still finds that the journal is cut off.
    let _ = fs::remove_file(path);
}

/// Creates the medium to record a game on: a new file, or standard output for `-`.
pub(crate) fn create_medium(path: &Path) -> io::Result<Box<dyn Medium>> {
    Ok(if is_standard_stream(path) {
        Box::new(StdoutJournal::open())
    } else {
        Box::new(JournalFile::create(path)?)
    })
}

/// Returns true if a journal recorded to this path can be synced to disk.
pub(crate) fn is_syncable(path: &Path) -> bool {
    !is_standard_stream(path) || StdoutJournal::open().file.is_some()
}

/// Unbuffered journal on standard output.
struct StdoutJournal {
    stream: InterruptibleWriter<StdoutLock<'static>>,
    /// Standard output, if it is a file.
    file: Option<File>,
}

impl StdoutJournal {
    fn open() -> Self {
        let stream = stdout().lock();
        let is_file = |file: &File| file.metadata().is_ok_and(|file| file.is_file());
        Self {
            file: stream.duplicate().ok().filter(is_file),
            stream: InterruptibleWriter::queued(stream),
        }
    }
}

impl Write for StdoutJournal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Medium for StdoutJournal {
    /// Syncs the file; through a pipe, syncing is left to the reader.
    fn sync(&mut self) -> io::Result<()> {
        self.stream.flush()?;
        self.file.as_ref().map_or(Ok(()), File::sync_all)
    }
}
