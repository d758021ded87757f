//! Files that a command writes: checked to be writable before the command begins, and moved into
//! place when complete.

use super::input::is_standard_stream;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Stdout, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::TempPath;
use war::journal::sync_directory_of;
use war::support::device_names::refuse_device_name;

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
            // Not every system says so when a directory is opened.
            if destination.is_dir() {
                return Err(unwritable(io::ErrorKind::IsADirectory.into()));
            }
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
///
/// # Errors
///
/// If the directory can't be found, or on Windows if the name belongs to a device.
pub(super) fn resolve_destination(path: &Path) -> io::Result<PathBuf> {
    refuse_device_name(path)?;
    match dunce::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        resolved => return resolved,
    }
    let Some(name) = path.file_name() else {
        return Ok(path.to_owned());
    };
    Ok(dunce::canonicalize(parent_of(path))?.join(name))
}

fn parent_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

/// Maximum length of a prefix, in bytes. It leaves room for a suffix in the 255 bytes that most
/// file systems allow for a name.
pub(super) const MAX_PREFIX_LENGTH: usize = 240;

/// End of the name of a temporary file.
const TEMPORARY_SUFFIX: &str = ".part";

/// Number of random characters between the prefix and the suffix of a temporary file.
const TEMPORARY_NAME_LENGTH: usize = 6;

/// Age from which a temporary file that nobody has locked is a leftover.
const MIN_LEFTOVER_AGE: Duration = Duration::from_secs(60);

/// Creates a file next to the destination, with the permissions of any new file. Removes those that
/// killed processes have left there.
fn create_temporary(destination: &Path) -> io::Result<(File, TempPath)> {
    let mut prefix = OsString::from(destination.file_name().unwrap_or_default());
    if prefix.len() > MAX_PREFIX_LENGTH {
        prefix = "war".into();
    }
    prefix.push(".");
    remove_leftovers(parent_of(destination), &prefix);
    let mut file = tempfile::Builder::new();
    file.rand_bytes(TEMPORARY_NAME_LENGTH);
    file.prefix(&prefix).suffix(TEMPORARY_SUFFIX);
    #[cfg(unix)]
    file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let (file, path) = file.tempfile_in(parent_of(destination))?.into_parts();
    // Some file systems have no locks; leftovers stay there.
    let _ = file.try_lock();
    Ok((file, path))
}

/// Removes temporary files with this prefix that no process writes any more: nobody holds their lock.
///
/// New files stay, because a process may be about to lock them.
fn remove_leftovers(directory: &Path, prefix: &OsStr) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let middle = name
            .strip_prefix(prefix.as_encoded_bytes())
            .and_then(|rest| rest.strip_suffix(TEMPORARY_SUFFIX.as_bytes()));
        let is_temporary = middle.is_some_and(|middle| middle.len() == TEMPORARY_NAME_LENGTH);
        if is_temporary && is_leftover(&path).unwrap_or(false) {
            // Another process may have removed it.
            let _ = fs::remove_file(&path);
        }
    }
}

fn is_leftover(path: &Path) -> io::Result<bool> {
    let file = File::open(path)?;
    let age = file.metadata()?.modified()?.elapsed().unwrap_or_default();
    Ok(age > MIN_LEFTOVER_AGE && file.try_lock().is_ok())
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

pub(super) fn unwritable(file: &Path, source: io::Error) -> OutputError {
    let file = file.to_owned();
    OutputError::Unwritable { file, source }
}

#[cfg(test)]
mod tests {
    use super::{MIN_LEFTOVER_AGE, OutputFiles};
    use std::fs::{self, File};
    use std::time::{Duration, SystemTime};

    #[test]
    fn files_that_killed_processes_left_are_removed() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = |name: &str| directory.path().join(name);
        let old = SystemTime::now() - MIN_LEFTOVER_AGE - Duration::from_secs(1);
        let create = |name: &str, at: SystemTime| {
            let file = File::create(path(name)).expect("a file");
            file.set_modified(at).expect("a time");
            file
        };
        create("run.json.abc123.part", old);
        create("run.json.new456.part", SystemTime::now());
        let running = create("run.json.run789.part", old);
        running.lock().expect("a lock");
        for other in [
            "run.json.part",
            "run.json.abcd123.part",
            "run.csv.abc123.part",
        ] {
            create(other, old);
        }
        let outputs = OutputFiles::default();
        let mut output = outputs.open(&path("run.json")).expect("an output");
        output.write("{}").expect("written");
        output.finish().expect("in place");
        let entries = fs::read_dir(directory.path()).expect("a directory");
        let mut names: Vec<_> = entries
            .map(|entry| {
                entry
                    .expect("a file")
                    .file_name()
                    .into_string()
                    .expect("text")
            })
            .collect();
        names.sort();
        let kept = [
            "run.csv.abc123.part",
            "run.json",
            "run.json.abcd123.part",
            "run.json.new456.part",
            "run.json.part",
            "run.json.run789.part",
        ];
        assert_eq!(names, kept);
    }
}
