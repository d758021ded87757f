//! `-` for standard input or output: where it may stand, and how often.

use super::{Cli, Command, GameOptions, Import, Journal, Merge};
use crate::host::standard::is_standard;
use crate::i18n::{Text, text};
use std::path::{Path, PathBuf};

/// The files that a command line names.
#[derive(Default)]
struct Files<'a> {
    /// Those that are read once, from beginning to end.
    inputs: Vec<&'a Path>,
    /// Those that can't be standard input or output, with the options that name them.
    named: Vec<(&'static str, &'a Path)>,
    /// Directories, with the options that name them.
    directories: Vec<(&'static str, &'a Path)>,
}

impl Cli {
    /// What is wrong with a `-` on the command line, where it stands for standard input or
    /// output and can't; `config` is the configuration that is read.
    pub(crate) fn misused_stream(&self, config: Option<&Path>) -> Option<Text> {
        let files = self.files(config);
        let standard = |(_, path): &&(&str, &Path)| is_standard(path);
        if let Some((option, _)) = files.named.iter().find(standard) {
            return Some(text!(NotStandardFile, option = *option));
        }
        if let Some((option, _)) = files.directories.iter().find(standard) {
            return Some(text!(NotStandardDirectory, option = *option));
        }
        let inputs = files.inputs.iter().filter(|path| is_standard(path));
        (inputs.count() > 1).then(|| text!(StandardInputTwice))
    }

    fn files<'a>(&'a self, config: Option<&'a Path>) -> Files<'a> {
        let mut files = Files::default();
        files.inputs.extend(config);
        files.add_game(&self.play.game);
        match &self.command {
            Some(Command::Duels(options)) => files.add_game(&options.game),
            Some(Command::Xy(options)) => files.add_journal(options.journal.as_ref()),
            Some(Command::Import(Import::Xy {
                files: tables,
                journal_dir,
            })) => {
                files.add_inputs(tables);
                files.directories.push(("--journal-dir", journal_dir));
            }
            Some(Command::Replay(options)) => files.inputs.push(&options.file),
            Some(Command::Journal(command)) => files.add_journals(command),
            Some(Command::Simulate(options)) => {
                files.inputs.extend(options.deal.as_deref());
                files.add_journal(options.journal.as_ref());
                if let Some(Merge::Merge { parts, .. }) = &options.merge {
                    files.add_inputs(parts);
                }
            }
            _ => {}
        }
        files
    }
}

impl<'a> Files<'a> {
    fn add_game(&mut self, options: &'a GameOptions) {
        self.inputs
            .extend(options.scenario.as_deref().map(Path::new));
        self.add_journal(options.journal.as_ref());
        for (option, directory) in [
            ("--journal-dir", &options.journal_dir),
            ("--scenarios", &options.scenarios),
        ] {
            let directory = directory.as_deref();
            self.directories
                .extend(directory.map(|path| (option, path)));
        }
    }

    fn add_journals(&mut self, command: &'a Journal) {
        match command {
            Journal::Check { files } => self.add_inputs(files),
            Journal::Show { file } => self.inputs.push(file),
            Journal::Diff { a, b } => self.inputs.extend([a.as_path(), b.as_path()]),
            // The command itself says why it can't read from a pipe.
            Journal::Repair { new, .. } => self.named.push(("NEW", new)),
        }
    }

    fn add_journal(&mut self, journal: Option<&'a PathBuf>) {
        let journal = journal.map(PathBuf::as_path);
        self.named.extend(journal.map(|path| ("--journal", path)));
    }

    fn add_inputs(&mut self, paths: &'a [PathBuf]) {
        self.inputs.extend(paths.iter().map(PathBuf::as_path));
    }
}
