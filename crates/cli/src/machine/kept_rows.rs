//! Rows of a run that can go on after an interruption.

use super::input::is_standard_stream;
use super::output_files::{MAX_PREFIX_LENGTH, OutputError, resolve_destination, unwritable};
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use war::journal::sync_directory_of;
use war::support::device_names::refuse_device_name;

/// File of rows. Until the run is complete, the rows are in a file next to it, whose name ends in
/// `.part`, and which an interruption leaves there.
#[derive(Debug)]
pub(crate) struct KeptRows {
    destination: PathBuf,
    part: PathBuf,
    file: BufWriter<File>,
}

/// Error for rows that can't be kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeptRowsError {
    /// Standard output, a pipe or a device, which keeps nothing.
    #[error("`{}` keeps no rows", .0.display())]
    Stream(PathBuf),
    /// File without the rows of the games that were played.
    #[error("`{}` lacks rows", .0.display())]
    Missing(PathBuf),
    /// File with other columns.
    #[error("`{}` has other columns", .0.display())]
    Columns(PathBuf),
    /// File of a run that goes on.
    #[error("`{}` is in use", .0.display())]
    InUse(PathBuf),
    /// File that can't be read or written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl KeptRows {
    /// Opens the rows of a run of which `count` games were played, and removes later rows.
    ///
    /// Returns `None` if the run `is_complete`, and so are the rows.
    pub(crate) fn open(
        path: &Path,
        header: &str,
        count: u64,
        is_complete: bool,
    ) -> Result<Option<Self>, KeptRowsError> {
        let failed = |error| unwritable(path, error);
        refuse_device_name(path).map_err(failed)?;
        if is_standard_stream(path) || fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(KeptRowsError::Stream(path.to_owned()));
        }
        let destination = resolve_destination(path).map_err(failed)?;
        let part = part_path(&destination);
        let is_missing = !part.try_exists().map_err(failed)?;
        if is_complete && is_missing && destination.is_file() {
            return Ok(None);
        }
        if count > 0 && is_missing {
            return Err(KeptRowsError::Missing(part));
        }
        let mut options = File::options();
        let file = options.read(true).write(true).create(true).truncate(false);
        let file = file.open(&part).map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(KeptRowsError::InUse(part)),
            // Some file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let mut rows = Self {
            destination,
            part,
            file: BufWriter::new(file),
        };
        rows.keep(header, count)?;
        Ok(Some(rows))
    }

    /// Keeps the header and this number of rows, or writes the header if there are none.
    fn keep(&mut self, header: &str, count: u64) -> Result<(), KeptRowsError> {
        let failed = |error| unwritable(&self.destination, error);
        let file = self.file.get_mut();
        if count == 0 {
            file.set_len(0).map_err(failed)?;
            return Ok(self.file.write_all(header.as_bytes()).map_err(failed)?);
        }
        let mut lines = BufReader::new(&*file);
        let (mut line, mut length) = (Vec::new(), 0);
        for number in 0..=count {
            line.clear();
            length += lines.read_until(b'\n', &mut line).map_err(failed)? as u64;
            if number == 0 && line != header.as_bytes() {
                return Err(KeptRowsError::Columns(self.part.clone()));
            }
            if !line.ends_with(b"\n") {
                return Err(KeptRowsError::Missing(self.part.clone()));
            }
        }
        file.set_len(length).map_err(failed)?;
        file.seek(SeekFrom::Start(length)).map_err(failed)?;
        Ok(())
    }

    /// Appends rows.
    pub(crate) fn write(&mut self, rows: &str) -> Result<(), OutputError> {
        let written = self.file.write_all(rows.as_bytes());
        written.map_err(|error| unwritable(&self.destination, error))
    }

    /// Brings all rows to the disk.
    pub(crate) fn sync(&mut self) -> Result<(), OutputError> {
        let synced = self.file.flush();
        let synced = synced.and_then(|()| self.file.get_ref().sync_data());
        synced.map_err(|error| unwritable(&self.destination, error))
    }

    /// Moves the complete rows to their destination.
    pub(crate) fn finish(mut self) -> Result<(), OutputError> {
        self.sync()?;
        self.move_into_place()
            .map_err(|error| unwritable(&self.destination, error))
    }

    fn move_into_place(&self) -> io::Result<()> {
        fs::rename(&self.part, &self.destination)?;
        sync_directory_of(&self.destination)
    }
}

/// Path of the rows of a run that is not complete.
fn part_path(destination: &Path) -> PathBuf {
    let mut name = OsString::from(destination.file_name().unwrap_or_default());
    if name.len() > MAX_PREFIX_LENGTH {
        name = "war".into();
    }
    name.push(".part");
    destination.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::{KeptRows, KeptRowsError};
    use std::fs;

    const HEADER: &str = "seed,game\n";

    #[test]
    fn rows_of_games_that_were_not_counted_are_removed() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("rows.csv");
        let part = directory.path().join("rows.csv.part");
        let open = |count, is_complete| KeptRows::open(&path, HEADER, count, is_complete);
        let mut rows = open(0, false).expect("a file").expect("rows");
        rows.write("1,0\n1,1\n1,2").expect("written");
        rows.sync().expect("synced");
        assert!(matches!(open(2, false), Err(KeptRowsError::InUse(_))));
        drop(rows);
        assert!(matches!(open(3, false), Err(KeptRowsError::Missing(_))));
        let other = KeptRows::open(&path, "seed\n", 2, false);
        assert!(matches!(other, Err(KeptRowsError::Columns(_))));
        let mut rows = open(1, false).expect("a file").expect("rows");
        rows.write("1,1\n").expect("written");
        assert!(!path.exists());
        rows.finish().expect("in place");
        assert_eq!(
            fs::read_to_string(&path).expect("rows"),
            "seed,game\n1,0\n1,1\n"
        );
        assert!(!part.exists());
        assert!(open(2, true).expect("a file").is_none());
        assert!(matches!(open(2, false), Err(KeptRowsError::Missing(_))));
    }
}
