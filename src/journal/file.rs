//! Files of journals: the only code of the engine that writes files.
#![expect(
    clippy::disallowed_methods,
    reason = "a journal that a program asks for is created here, and nowhere else"
)]

use super::writer::Medium;
use crate::support::device_names::refuse_device_name;
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
    /// unchanged. On Windows also if the name belongs to a device.
    pub fn create(path: &Path) -> io::Result<Self> {
        refuse_device_name(path)?;
        // Opened first, so that no file is created in a directory that can't be synced.
        let directory = open_directory_of(path)?;
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        Ok(Self { file, directory })
    }
}

/// Syncs the directory of a file, so that the name of a new file outlasts a crash. Does nothing on
/// systems and file systems that can't sync directories.
///
/// # Errors
///
/// If the directory can't be opened or synced.
pub fn sync_directory_of(path: &Path) -> io::Result<()> {
    open_directory_of(path)?.map_or(Ok(()), |directory| sync_directory(&directory))
}

/// Syncs a directory, unless its file system has no way to do so, as some of networks and in user
/// space. It then keeps names in its own way.
fn sync_directory(directory: &File) -> io::Result<()> {
    match directory.sync_all() {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        synced => synced,
    }
}

/// Opens the directory of a file, to sync it; `None` on systems that can't sync directories.
///
/// # Errors
///
/// If the directory can't be opened.
fn open_directory_of(path: &Path) -> io::Result<Option<File>> {
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
            sync_directory(directory)?;
            self.directory = None;
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::sync_directory;
    use std::fs::File;
    use std::os::fd::OwnedFd;

    #[test]
    fn what_cannot_be_synced_at_all_is_no_failure() {
        // The system's answer for a pipe, EINVAL, is also that of some file systems for a directory.
        let (_, pipe) = std::io::pipe().expect("a pipe");
        let pipe = File::from(OwnedFd::from(pipe));
        let refused = pipe.sync_all().expect_err("a pipe has no disk");
        assert_eq!(refused.kind(), std::io::ErrorKind::InvalidInput);
        assert!(sync_directory(&pipe).is_ok());
    }
}
