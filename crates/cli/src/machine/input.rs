//! Input files: `-` for standard input, limits, sizes, and files that are read twice.

use std::fs::File;
use std::io::{self, Read, Seek, Write, stdin};
use std::path::{Path, PathBuf};

/// File name for standard input or output.
const STANDARD_STREAM: &str = "-";

/// File name used for data read from standard input.
pub(crate) const STANDARD_INPUT_NAME: &str = "stdin";

/// Returns true if a path is `-`, the name for standard input or output.
pub(crate) fn is_standard_stream(path: &Path) -> bool {
    path.as_os_str() == STANDARD_STREAM
}

/// Opens a file to read, or standard input for `-`.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    if is_standard_stream(path) {
        return Ok(Box::new(stdin()));
    }
    Ok(Box::new(open_file(path)?))
}

/// Opens a file. Windows denies the permission to open a directory, and Unix only reading it.
fn open_file(path: &Path) -> io::Result<File> {
    File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied if path.is_dir() => io::ErrorKind::IsADirectory.into(),
        _ => error,
    })
}

/// Opens a file as [`open`] does; also returns its size, unless it is a stream.
pub(crate) fn open_with_size(path: &Path) -> io::Result<(Box<dyn Read + Send>, Option<u64>)> {
    if is_standard_stream(path) {
        return Ok((open(path)?, None));
    }
    let file = open_file(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let bytes = metadata.is_file().then_some(metadata.len());
    Ok((Box::new(file), bytes))
}

/// Returns true for a directory, and false if there is none.
///
/// # Errors
///
/// If it can't be told, such as without the permission.
pub(crate) fn is_directory(path: &Path) -> io::Result<bool> {
    match path.metadata() {
        Ok(metadata) => Ok(metadata.is_dir()),
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(false),
            _ => Err(error),
        },
    }
}

/// Total size of these files, unless one of them is a stream; unreadable ones count as empty.
pub(crate) fn total_size(paths: &[PathBuf]) -> Option<u64> {
    let bytes = |path: &PathBuf| match path.metadata() {
        _ if is_standard_stream(path) => None,
        Ok(metadata) => metadata.is_file().then_some(metadata.len()),
        Err(_) => Some(0),
    };
    paths.iter().map(bytes).sum()
}

/// Reads a file, or standard input for `-`; `None` if it has more than `most` bytes.
pub(crate) fn read_limited(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= most))
}

/// File that can be read a second time.
pub(crate) struct RereadableInput {
    path: PathBuf,
    /// Copy of the bytes read from standard input; `None` for a file.
    recorded: Option<File>,
}

/// Reader of standard input that copies the bytes it reads to a file.
struct StdinRecorder(File);

impl Read for StdinRecorder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = stdin().read(buffer)?;
        self.0.write_all(&buffer[..read])?;
        Ok(read)
    }
}

impl RereadableInput {
    /// Opens a file, or standard input for `-`, for its first reading.
    pub(crate) fn open(path: &Path) -> io::Result<(Self, Box<dyn Read + Send>)> {
        let recorded = is_standard_stream(path)
            .then(tempfile::tempfile)
            .transpose()?;
        let input: Box<dyn Read + Send> = match &recorded {
            Some(recorded) => Box::new(StdinRecorder(recorded.try_clone()?)),
            None => open_with_size(path)?.0,
        };
        let path = path.to_owned();
        Ok((Self { path, recorded }, input))
    }

    /// Opens the file for its second reading. For standard input, the reader returns the copy and
    /// then the rest of the input.
    pub(crate) fn reopen(self) -> io::Result<Box<dyn Read + Send>> {
        match self.recorded {
            Some(mut recorded) => {
                recorded.rewind()?;
                Ok(Box::new(recorded.chain(stdin())))
            }
            None => Ok(open_with_size(&self.path)?.0),
        }
    }
}
