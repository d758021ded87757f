//! Files that a command writes: checked to be writable before the command begins, and moved into
//! place when complete.

use super::input::is_standard_stream;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Stdout, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tempfile::TempPath;
use war::journal::sync_directory_of;

/// Error for an output that can't be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OutputError {
    /// Failure to write the file.
    #[error("`{}` can't be written", file.display())]
    Unwritable { file: PathBuf, source: io::Error },
    /// Two outputs with the same destination.
    #[error("two outputs go into `{}`", .0.display())]
    SameDestination(PathBuf),
}

/// Files being written, each next to its destination. Files that are never moved to their
/// destination are removed when the last clone is dropped.
#[derive(Clone, Default)]
pub(crate) struct OutputFiles(Arc<Mutex<Vec<PartialFile>>>);

struct PartialFile {
    destination: PathBuf,
    /// Temporary file to move to the destination; `None` for standard output.
    temporary: Option<TempPath>,
}

impl OutputFiles {
    /// Opens the file if a path is given; `-` is standard output.
    pub(crate) fn open_optional(
        &self,
        path: Option<&Path>,
    ) -> Result<Option<OutputFile>, OutputError> {
        path.map(|path| self.open(path)).transpose()
    }

    /// Opens the file, or standard output for `-`.
    pub(crate) fn open(&self, path: &Path) -> Result<OutputFile, OutputError> {
        let unwritable = |error| unwritable(path, error);
        let is_stdout = is_standard_stream(path);
        let destination = if is_stdout {
            path.to_owned()
        } else {
            resolve_destination(path).map_err(unwritable)?
        };
        // Devices and pipes can't be replaced by a file, so they are written directly.
        let is_in_place =
            !is_stdout && fs::metadata(&destination).is_ok_and(|there| !there.is_file());
        let target = if is_in_place {
            let file = File::options().write(true).open(path);
            Target::InPlace(file.map_err(unwritable)?)
        } else {
            let mut unfinished = self.lock();
            if unfinished
                .iter()
                .any(|other| other.destination == destination)
            {
                return Err(OutputError::SameDestination(path.to_owned()));
            }
            let (target, temporary) = if is_stdout {
                (Target::Standard(stdout()), None)
            } else {
                let (file, temporary) = create_temporary(&destination).map_err(unwritable)?;
                (Target::Temporary(file), Some(temporary))
            };
            let destination = destination.clone();
            unfinished.push(PartialFile {
                destination,
                temporary,
            });
            target
        };
        Ok(OutputFile {
            destination,
            target: BufWriter::new(target),
            is_closed: false,
            outputs: self.clone(),
        })
    }

    /// Opens the files whose paths are given.
    pub(crate) fn open_all<const N: usize>(
        &self,
        paths: [Option<&Path>; N],
    ) -> Result<[Option<OutputFile>; N], OutputError> {
        let mut outputs = [const { None }; N];
        for (output, path) in outputs.iter_mut().zip(paths) {
            *output = self.open_optional(path)?;
        }
        Ok(outputs)
    }

    /// Removes all unfinished files, for a program that is about to exit.
    pub(crate) fn discard_all(&self) {
        self.lock().clear();
    }

    /// Moves the temporary file to its destination, unless it was discarded.
    fn persist(&self, destination: &Path) -> io::Result<()> {
        let mut unfinished = self.lock();
        let at = unfinished
            .iter()
            .position(|file| file.destination == destination);
        match at.and_then(|at| unfinished.swap_remove(at).temporary) {
            Some(temporary) => Ok(temporary.persist(destination)?),
            None => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<PartialFile>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes the outputs that are given, and moves them into place.
pub(crate) fn write_outputs<const N: usize>(
    outputs: [Option<OutputFile>; N],
    contents: [&dyn Fn() -> String; N],
) -> Result<(), OutputError> {
    for (output, content) in outputs.into_iter().zip(contents) {
        if let Some(mut output) = output {
            output.write(content())?;
            output.finish()?;
        }
    }
    Ok(())
}

/// Finds the first output that would overwrite one of these files.
pub(crate) fn find_overwritten<'a>(
    outputs: impl IntoIterator<Item = Option<&'a Path>>,
    files: &[PathBuf],
) -> Option<&'a Path> {
    let is_one = |output: &&Path| files.iter().any(|file| is_same_file(file, output));
    outputs.into_iter().flatten().find(is_one)
}

/// Returns true if both paths lead to the same file.
fn is_same_file(a: &Path, b: &Path) -> bool {
    let places = fs::canonicalize(a).ok().zip(fs::canonicalize(b).ok());
    places.is_some_and(|(a, b)| a == b && a.is_file())
}

/// Resolves links, so that the file they lead to is replaced and not the link.
fn resolve_destination(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        resolved => return resolved,
    }
    let Some(name) = path.file_name() else {
        return Ok(path.to_owned());
    };
    Ok(fs::canonicalize(parent_of(path))?.join(name))
}

fn parent_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

/// Maximum length of a prefix, in bytes. It leaves room for a suffix in the 255 bytes that most
/// file systems allow for a name.
const MAX_PREFIX_LENGTH: usize = 240;

/// Creates a file next to the destination, with the permissions of any new file.
fn create_temporary(destination: &Path) -> io::Result<(File, TempPath)> {
    let mut prefix = OsString::from(destination.file_name().unwrap_or_default());
    if prefix.len() > MAX_PREFIX_LENGTH {
        prefix = "war".into();
    }
    prefix.push(".");
    let mut file = tempfile::Builder::new();
    file.prefix(&prefix).suffix(".part");
    #[cfg(unix)]
    file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    Ok(file.tempfile_in(parent_of(destination))?.into_parts())
}

/// File that is written next to its destination, and moved there when complete.
pub(crate) struct OutputFile {
    destination: PathBuf,
    target: BufWriter<Target>,
    /// True if the target is a pipe whose reader is gone.
    is_closed: bool,
    outputs: OutputFiles,
}

enum Target {
    /// Temporary file, to be moved later.
    Temporary(File),
    /// Device or pipe, written directly.
    InPlace(File),
    Standard(Stdout),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Temporary(file) | Self::InPlace(file) => file.write(bytes),
            Self::Standard(output) => output.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Temporary(file) | Self::InPlace(file) => file.flush(),
            Self::Standard(output) => output.flush(),
        }
    }
}

impl OutputFile {
    /// Appends to the file.
    pub(crate) fn write(&mut self, bytes: impl AsRef<[u8]>) -> Result<(), OutputError> {
        if self.is_closed {
            return Ok(());
        }
        let written = self.target.write_all(bytes.as_ref());
        self.ignore_closed_pipe(written)
    }

    /// Moves the file to its destination.
    pub(crate) fn finish(mut self) -> Result<(), OutputError> {
        let put = self.persist();
        self.ignore_closed_pipe(put)
    }

    /// Treats a closed pipe as success, and drops all later output.
    fn ignore_closed_pipe(&mut self, written: io::Result<()>) -> Result<(), OutputError> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(())
            }
            written => written.map_err(|error| unwritable(&self.destination, error)),
        }
    }

    fn persist(&mut self) -> io::Result<()> {
        if self.is_closed {
            return Ok(());
        }
        self.target.flush()?;
        let Target::Temporary(file) = self.target.get_ref() else {
            return Ok(());
        };
        file.sync_all()?;
        self.outputs.persist(&self.destination)?;
        sync_directory_of(&self.destination)
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        // An unfinished file is useless, so it is removed.
        self.outputs
            .lock()
            .retain(|file| file.destination != self.destination);
    }
}

fn unwritable(file: &Path, source: io::Error) -> OutputError {
    let file = file.to_owned();
    OutputError::Unwritable { file, source }
}
