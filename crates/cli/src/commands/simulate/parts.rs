//! Part files of runs and enumerations, and errors of joining them.

use crate::failure::{ExitStatus, Failure, json_encoding_text, read_failure};
use crate::machine::input;
use crate::machine::text::path_text;
use std::path::{Path, PathBuf};
use std::{fs, io};
use war::i18n::{Count, Text, text};
use war::support::encoding::decode_utf8;
use war_simulate::{EnumerationRun, JoinError, RunFileError};

/// Extension of the parts in a directory.
const EXTENSION: &str = "json";

/// Error for a directory without usable parts.
#[derive(Debug)]
pub(crate) enum PartFilesError {
    /// Directory that can't be read.
    Unreadable(PathBuf, io::Error),
    /// Directory without parts.
    Empty(PathBuf),
}

/// Expands each directory to its files that end in `.json`, in the order of their names.
pub(crate) fn find_part_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, PartFilesError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let found = parts_in(path);
        let mut found = found.map_err(|error| PartFilesError::Unreadable(path.clone(), error))?;
        if found.is_empty() {
            return Err(PartFilesError::Empty(path.clone()));
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

fn parts_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory)?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let is_part = |path: &PathBuf| path.extension().is_some_and(|end| end == EXTENSION);
    let wanted = paths.filter(|path| path.as_ref().map_or(true, is_part));
    wanted.collect()
}

/// Maximum size of a part in bytes: enough for a histogram of a million different lengths.
const MAX_PART_SIZE: u64 = 64 << 20;

/// Reads a part with `parse`; `explain` describes an error of the file with this name.
pub(super) fn read_part<T>(
    path: &Path,
    parse: impl Fn(&[u8]) -> Result<T, RunFileError>,
    explain: impl Fn(&RunFileError, String) -> Text,
) -> Result<T, Failure> {
    let json =
        input::read_limited(path, MAX_PART_SIZE).map_err(|error| read_failure(path, &error))?;
    let failure = |text| Failure::new(ExitStatus::InvalidData, text);
    if let Some(json) = &json {
        decode_utf8(json).map_err(|error| failure(json_encoding_text(path, &error)))?;
    }
    let part = json.ok_or(RunFileError::Changed);
    part.and_then(|json| parse(&json))
        .map_err(|error| failure(explain(&error, path_text(path))))
}

/// Returns the names of these files by index.
pub(super) fn file_name_lookup(paths: &[PathBuf]) -> impl Fn(usize) -> String {
    |index| path_text(paths.get(index).map_or(Path::new(""), PathBuf::as_path))
}

pub(super) fn part_files_failure(error: PartFilesError) -> Failure {
    match error {
        PartFilesError::Unreadable(directory, error) => read_failure(&directory, &error),
        PartFilesError::Empty(directory) => {
            let text = text!(SimNoParts, directory = path_text(&directory));
            Failure::new(ExitStatus::InvalidData, text)
        }
    }
}

/// Error for a file that is not a part of a run.
pub(crate) fn run_file_error_text(error: &RunFileError, file: String) -> Text {
    match error {
        RunFileError::Syntax(_) | RunFileError::Changed => text!(SimNoPart, file = file),
        RunFileError::Version(version) => {
            text!(SimPartVersion, version = *version, file = file)
        }
        RunFileError::Generator(name) => {
            text!(SimPartGenerator, generator = name.as_str(), file = file)
        }
    }
}

/// Error for parts of a run that can't be joined; `file` returns their names by index.
pub(crate) fn run_join_error_text(error: JoinError, file: impl Fn(usize) -> String) -> Text {
    match error {
        JoinError::DifferentRules(first, second, option) => {
            other_rules_text(&file, first, second, option)
        }
        JoinError::DifferentSeed(first, second) => {
            text!(SimMergeSeed, file = file(first), other = file(second))
        }
        JoinError::DifferentGameCount(first, second) => {
            text!(SimMergeGames, file = file(first), other = file(second))
        }
        JoinError::Partial(index) => text!(EnumMergePartial, file = file(index)),
        JoinError::Overlap(first, second, game) => text!(
            SimOverlap,
            file = file(first),
            other = file(second),
            game = Count(game)
        ),
        JoinError::Missing(from, to) => text!(
            SimMissing,
            from = Count(from),
            to = Count(to.saturating_sub(1))
        ),
    }
}

/// Error for a file that is not a part of an enumeration.
pub(crate) fn enumeration_file_error_text(error: &RunFileError, file: String) -> Text {
    match error {
        RunFileError::Version(version) => text!(SimPartVersion, version = *version, file = file),
        RunFileError::Syntax(_) | RunFileError::Changed | RunFileError::Generator(_) => {
            text!(EnumNoPart, file = file)
        }
    }
}

/// Error for parts of an enumeration that can't be joined; `file` returns their names by index.
pub(crate) fn enumeration_join_error_text(
    error: JoinError,
    file: impl Fn(usize) -> String,
) -> Text {
    match error {
        JoinError::DifferentRules(first, second, option) => {
            other_rules_text(&file, first, second, option)
        }
        JoinError::DifferentSeed(first, second) | JoinError::DifferentGameCount(first, second) => {
            text!(EnumMergeParts, file = file(first), other = file(second))
        }
        JoinError::Partial(index) => text!(EnumMergePartial, file = file(index)),
        JoinError::Overlap(first, second, part) => text!(
            EnumOverlap,
            file = file(first),
            other = file(second),
            part = Count(part)
        ),
        JoinError::Missing(from, to) => text!(
            EnumMissing,
            from = Count(from),
            to = Count(to.saturating_sub(1))
        ),
    }
}

fn other_rules_text(
    file: impl Fn(usize) -> String,
    first: usize,
    second: usize,
    option: &'static str,
) -> Text {
    text!(
        SimOtherRules,
        file = file(first),
        other = file(second),
        option = option
    )
}

/// Error for a saved enumeration that differs from the requested one; `None` if it can be resumed.
pub(crate) fn resume_error_text(
    kept: &EnumerationRun,
    fresh: &EnumerationRun,
    file: &str,
) -> Option<Text> {
    if let Some(option) = kept.setup.find_differing_option(&fresh.setup) {
        return Some(text!(EnumResumeRules, file = file, option = option));
    }
    let other = || {
        text!(
            EnumResumeParts,
            file = file,
            from = Count(kept.parts.start),
            to = Count(kept.parts.end.saturating_sub(1)),
            of = Count(kept.total_parts)
        )
    };
    (!kept.has_same_parts(fresh)).then(other)
}
