//! The commands, and which of them an argument belongs to.

use clap::Command;
use std::ffi::OsString;

/// The commands that these arguments lead to: the program first, then each subcommand.
///
/// The arguments begin with the program. Values of options are not told from commands: the
/// first word that names a command is one.
pub(crate) fn path(root: &Command, arguments: &[OsString]) -> Vec<String> {
    let mut command = root;
    let mut path = vec![root.get_name().to_owned()];
    for word in arguments.iter().skip(1).filter_map(|word| word.to_str()) {
        if let Some(next) = command.find_subcommand(word) {
            path.push(next.get_name().to_owned());
            command = next;
        }
    }
    path
}

/// The command that these words name, each of them a subcommand of the one before.
pub(super) fn find<'a>(root: &'a Command, words: &[String]) -> Option<&'a Command> {
    words.iter().try_fold(root, |command, word| {
        command.find_subcommand(word.to_ascii_lowercase())
    })
}

/// The commands that a person may call, in the order of help.
pub(super) fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    let commands = command.get_subcommands();
    commands.filter(|command| !command.is_hide_set())
}

/// The one of these names that was probably meant, if any.
pub(super) fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const NEAR: f64 = 0.8;
    let typed = typed.to_lowercase();
    names
        .map(|name| (strsim::jaro(&typed, name), name))
        .filter(|(likeness, _)| *likeness > NEAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// The command that this word nearly names, if any.
pub(crate) fn nearest_command(root: &Command, word: &str) -> Option<String> {
    let names = shown(root).map(Command::get_name);
    nearest(word, names).map(str::to_owned)
}

/// Whether the command at the end of this path takes this option.
pub(crate) fn takes(root: &Command, path: &[String], option: &str) -> bool {
    let command = find(root, path.get(1..).unwrap_or_default());
    let mut options = command.into_iter().flat_map(Command::get_opts);
    options.any(|known| known.get_long() == option.strip_prefix("--"))
}
