//! Files of journals: the only code of the engine that writes files.
#![expect(
    clippy::disallowed_methods,
    reason = "a journal that a program asks for is created here, and nowhere else"
)]

use super::writer::Medium;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// A new file for a journal, unbuffered and synced together with its directory.
///
/// # Examples
///
/// ```no_run
/// use war::cards::{Deck, Generator};
/// use war::journal::JournalFile;
/// use war::lang::Lang;
/// use war::recording::{NewGame, Recorder};
/// use war::rules::CLASSIC;
///
/// let generator = Generator::ChaCha8 { seed: 1 };
/// let opening = NewGame::shuffled(CLASSIC, Deck::Small, 4, generator).unwrap();
/// let file = JournalFile::create("game.json".as_ref()).unwrap();
/// let recorder = Recorder::new("example", opening, Lang::En).write_to(file);
/// println!("{}", recorder.play().unwrap().digest);
/// ```
#[derive(Debug)]
pub struct JournalFile {
    file: File,
    /// The directory, until it is synced.
    directory: Option<File>,
}

impl JournalFile {
    /// Creates the file.
    ///
    /// # Errors
    ///
    /// If the file can't be created, or something with this name already exists, which is left
    /// unchanged.
    pub fn create(path: &Path) -> io::Result<Self> {
        // Opened first, so that no file is created in a directory that can't be synced.
        let directory = open_directory_of(path)?;
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        Ok(Self { file, directory })
    }
}

/// Opens the directory of a file, to sync it; `None` on systems that can't sync directories.
///
/// # Errors
///
/// If the directory can't be opened.
pub fn open_directory_of(path: &Path) -> io::Result<Option<File>> {
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
