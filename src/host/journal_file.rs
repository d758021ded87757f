use crate::host::interruptible::{Interruptible, Stream};
use crate::host::standard::is_standard;
use crate::journal::Medium;
use std::fs::{self, File, OpenOptions};
use std::io::{self, StdoutLock, Write, stdout};
use std::path::Path;

/// What a game is recorded on: the file named, or standard output for `-`.
pub(crate) fn create(path: &Path) -> io::Result<Box<dyn Medium>> {
    Ok(if is_standard(path) {
        Box::new(JournalStream::open())
    } else {
        Box::new(JournalFile::create(path)?)
    })
}

/// Whether what is recorded there can be on a disk for certain before a game goes on.
pub(crate) fn can_be_synced(path: &Path) -> bool {
    !is_standard(path) || JournalStream::open().file.is_some()
}

/// A journal on standard output, unbuffered.
struct JournalStream {
    stream: Interruptible<StdoutLock<'static>>,
    /// The file that standard output is, if it is one.
    file: Option<File>,
}

impl JournalStream {
    fn open() -> Self {
        let stream = stdout().lock();
        let is_file = |file: &File| file.metadata().is_ok_and(|file| file.is_file());
        Self {
            file: stream.duplicate().ok().filter(is_file),
            stream: Interruptible::queued(stream),
        }
    }
}

impl Write for JournalStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Medium for JournalStream {
    /// Syncs the file; what goes through a pipe is for its reader to keep.
    fn sync(&mut self) -> io::Result<()> {
        self.stream.flush()?;
        self.file.as_ref().map_or(Ok(()), File::sync_all)
    }
}

/// A journal's file: new, unbuffered, synced with its directory.
pub(crate) struct JournalFile {
    file: File,
    /// The directory, until it is synced too.
    directory: Option<File>,
}

impl JournalFile {
    /// Creates the file; one that exists, whatever it is, is left alone.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        // Opened first: a directory that can't be synced should not get a file.
        let directory = directory_of(path)?;
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        Ok(Self { file, directory })
    }
}

/// The directory of a file, to be synced; nothing on systems that can't do this.
pub(crate) fn directory_of(path: &Path) -> io::Result<Option<File>> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    cfg!(unix).then(|| File::open(directory)).transpose()
}

impl Write for JournalFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Medium for JournalFile {
    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_all()?;
        if let Some(directory) = &self.directory {
            directory.sync_all()?;
            self.directory = None;
        }
        Ok(())
    }
}

/// Removes a journal made from another file that can't be written to its end: half of it helps
/// nobody.
pub(crate) fn abandon(path: &Path) {
    // Where it can't be removed, it reads as cut off.
    let _ = fs::remove_file(path);
}
