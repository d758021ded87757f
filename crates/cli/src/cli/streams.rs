//! `-` for standard input or output: where it may stand, and how often.

use super::result::ResultFormat;
use crate::commands::journal::Journal;
use crate::commands::journal::upgrade::Upgrade;
use crate::commands::replay::Replay;
use crate::machine::input::is_standard;
use std::path::{Path, PathBuf};
use war::i18n::{Text, text};

/// The files that a command line names.
#[derive(Default)]
pub(crate) struct Files<'a> {
    /// Those that are read once, from beginning to end.
    pub(crate) inputs: Vec<&'a Path>,
    /// Those that can't be standard input or output, with the options that name them.
    named: Vec<(&'static str, &'a Path)>,
    /// The journal of a game.
    journal: Option<&'a Path>,
    /// Whether the result of a game is printed.
    result: bool,
    /// Directories, with the options that name them.
    directories: Vec<(&'static str, &'a Path)>,
}

impl<'a> Files<'a> {
    /// What is wrong with a `-` among them, where it stands for standard input or output and
    /// can't.
    pub(crate) fn misused_stream(&self) -> Option<Text> {
        let standard = |(_, path): &&(&str, &Path)| is_standard(path);
        if let Some((option, _)) = self.named.iter().find(standard) {
            return Some(text!(NotStandardFile, option = *option));
        }
        if let Some((option, _)) = self.directories.iter().find(standard) {
            return Some(text!(NotStandardDirectory, option = *option));
        }
        if self.record_to_output() && self.result {
            return Some(text!(JournalAndResult));
        }
        let inputs = self.inputs.iter().filter(|path| is_standard(path));
        (inputs.count() > 1).then(|| text!(StandardInputTwice))
    }

    pub(crate) fn add_inputs(&mut self, paths: &'a [PathBuf]) {
        self.inputs.extend(paths.iter().map(PathBuf::as_path));
    }

    /// Whether a game is recorded on standard output.
    pub(crate) fn record_to_output(&self) -> bool {
        self.journal.is_some_and(is_standard)
    }

    /// Adds where a game is recorded, and whether its result is printed.
    pub(crate) fn add_game(&mut self, journal: Option<&'a PathBuf>, result: Option<ResultFormat>) {
        self.journal = self.journal.or(journal.map(PathBuf::as_path));
        self.result |= result.is_some();
    }

    /// Adds a file that can't be standard input or output, with the option that names it.
    #[cfg(feature = "table")]
    pub(crate) fn add_named(&mut self, option: &'static str, file: Option<&'a PathBuf>) {
        let file = file.map(PathBuf::as_path);
        self.named.extend(file.map(|path| (option, path)));
    }

    /// Adds a file that is read and written again.
    pub(crate) fn add_resumed(&mut self, file: Option<&'a Path>) {
        self.named.extend(file.map(|file| ("--resume", file)));
    }

    pub(crate) fn add_directory(&mut self, option: &'static str, directory: Option<&'a PathBuf>) {
        let directory = directory.map(PathBuf::as_path);
        self.directories
            .extend(directory.map(|path| (option, path)));
    }

    /// Adds a journal that is replayed; one with a signature beside it is a file.
    pub(crate) fn add_replay(&mut self, options: &'a Replay) {
        match &options.public_key {
            Some(key) => {
                self.inputs.push(Path::new(key));
                self.named.push(("FILE", &options.file));
            }
            None => self.inputs.push(&options.file),
        }
    }

    pub(crate) fn add_journals(&mut self, command: &'a Journal) {
        match command {
            Journal::Check { files, .. } => self.add_inputs(files),
            Journal::Show { file } => self.inputs.push(file),
            Journal::Diff { a, b } => self.inputs.extend([a.as_path(), b.as_path()]),
            // The command itself says why it can't read from a pipe.
            Journal::Repair { new, .. } | Journal::Upgrade(Upgrade { new, .. }) => {
                self.named.push(("NEW", new));
            }
            Journal::Sign(options) => {
                self.inputs.push(&options.key);
                self.add_signed(&options.files);
            }
            Journal::Verify(options) => {
                self.inputs.push(Path::new(&options.public_key));
                self.add_signed(&options.files);
            }
            Journal::Export(options) => self.add_inputs(&options.files),
        }
    }

    /// Journals with a signature beside them.
    fn add_signed(&mut self, journals: &'a [PathBuf]) {
        let journals = journals.iter().map(|path| ("FILE", path.as_path()));
        self.named.extend(journals);
    }
}
