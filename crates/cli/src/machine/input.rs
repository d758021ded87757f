//! Standard input and output as files: what `-` means where a file is named; and journals that are
//! read twice.

use std::fs::File;
use std::io::{self, Read, Seek, Write, stdin};
use std::path::{Path, PathBuf};

/// The name of standard input or output.
const STANDARD: &str = "-";

/// What is called after its file is called this where it comes from standard input.
pub(crate) const STANDARD_INPUT_NAME: &str = "stdin";

/// Whether this stands for standard input or output and not for a file.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

/// Opens a file to be read, or standard input for `-`.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    if is_standard(path) {
        return Ok(Box::new(stdin()));
    }
    Ok(Box::new(File::open(path)?))
}

/// Opens a file as [`open`] does, and says how many bytes it has, if it is not a stream.
pub(crate) fn open_with_size(path: &Path) -> io::Result<(Box<dyn Read + Send>, Option<u64>)> {
    if is_standard(path) {
        return Ok((open(path)?, None));
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let bytes = metadata.is_file().then_some(metadata.len());
    Ok((Box::new(file), bytes))
}

/// How many bytes these files have in all, if none of them is a stream; one that can't be read
/// has none.
pub(crate) fn total_size(paths: &[PathBuf]) -> Option<u64> {
    let bytes = |path: &PathBuf| match path.metadata() {
        _ if is_standard(path) => None,
        Ok(metadata) => metadata.is_file().then_some(metadata.len()),
        Err(_) => Some(0),
    };
    paths.iter().map(bytes).sum()
}

/// Reads a file to its end, or standard input for `-`; `None` of one with more bytes than this.
pub(crate) fn read_limited(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= most))
}

/// A file that can be read from its beginning again.
pub(crate) struct RereadableInput {
    path: PathBuf,
    /// What was read of standard input.
    recorded: Option<File>,
}

/// Standard input, which is kept while it is read.
struct StdinRecorder(File);

impl Read for StdinRecorder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = stdin().read(buffer)?;
        self.0.write_all(&buffer[..read])?;
        Ok(read)
    }
}

impl RereadableInput {
    /// Opens a file, or standard input for `-`, to be read for the first time.
    pub(crate) fn open(path: &Path) -> io::Result<(Self, Box<dyn Read + Send>)> {
        let recorded = is_standard(path).then(tempfile::tempfile).transpose()?;
        let input: Box<dyn Read + Send> = match &recorded {
            Some(recorded) => Box::new(StdinRecorder(recorded.try_clone()?)),
            None => open_with_size(path)?.0,
        };
        let path = path.to_owned();
        Ok((Self { path, recorded }, input))
    }

    /// Opens it to be read once more: of standard input what was read already, and then the rest.
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
