//! `war completions`, and the candidates that its scripts ask for.

use super::help::HELP_TOPICS;
use crate::arguments::parsing::{find_command, find_command_path, visible_commands};
use crate::arguments::values::suggestions;
use clap::{Arg, Command};
use clap_complete::engine::complete;
use clap_complete::env::Shells;
use clap_complete::{CompletionCandidate, Shell};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

pub(crate) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  war completions bash >~/.local/share/bash-completion/completions/war
  war completions zsh >~/.zfunc/_war
  war completions fish >~/.config/fish/completions/war.fish

The script asks `war` what to offer, so it never needs to be made again. For
zsh, ~/.zfunc must be in $fpath before compinit runs.";

/// Environment variable that names the shell in a completion request.
pub(crate) const COMPLETE_VARIABLE: &str = "WAR_COMPLETE";

/// Name of the positional arguments PLAYERS and DECK in the parser.
const VALUES_ID: &str = "values";

/// Renders the script that makes a shell ask this program for completions.
pub(crate) fn render_completion_script(shell: Shell) -> String {
    let mut script = Vec::new();
    let name = shell.to_string();
    let shells = Shells::builtins();
    let completer = shells.completer(&name).expect("every shell is built in");
    let written = completer.write_registration(COMPLETE_VARIABLE, "war", "war", "war", &mut script);
    written.expect("memory takes every byte");
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if shell == Shell::Zsh {
        // If zsh loads the script from `fpath`, the whole script is the body of `_war`. Without
        // these lines, the first completion would only define the completing function and not
        // call it.
        script.push_str(
            "if [[ $funcstack[1] == _war ]]; then\n    _clap_dynamic_completer_war \"$@\"\nfi\n",
        );
    }
    script
}

/// Request of a shell for completions.
#[derive(Debug)]
pub(crate) struct CompletionRequest {
    pub(crate) shell: Shell,
    /// Words of the command line, the program first.
    pub(crate) words: Vec<OsString>,
    /// Index of the word being typed; the last one if the shell doesn't say.
    pub(crate) index: Option<usize>,
    /// Separator of the candidates, if the shell names one.
    pub(crate) separator: Option<String>,
}

impl CompletionRequest {
    /// Reads a request from the arguments; `variable` looks up an environment variable.
    pub(crate) fn new(
        shell: Shell,
        arguments: Vec<OsString>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let typed = arguments.into_iter().skip_while(|word| word != "--");
        let index = variable("_CLAP_COMPLETE_INDEX");
        Self {
            shell,
            words: typed.skip(1).collect(),
            index: index.and_then(|index| index.parse().ok()),
            separator: variable("_CLAP_IFS"),
        }
    }

    /// Returns the candidates for the word being typed, in the shell's format.
    ///
    /// # Errors
    ///
    /// If the words are invalid, or the index is out of range.
    pub(crate) fn answer(mut self, root: &Command, directory: Option<&Path>) -> io::Result<String> {
        let last = self.words.len().saturating_sub(1);
        self.words.truncate(self.index.unwrap_or(last) + 1);
        if self.index == Some(self.words.len()) {
            self.words.push(OsString::new());
        }
        if self.shell == Shell::Bash {
            join_values(&mut self.words);
        }
        let separator = self.separator.as_deref().unwrap_or("\n");
        let candidates = candidates(root, self.words, directory)?;
        let lines = candidates
            .iter()
            .map(|candidate| candidate_line(self.shell, candidate));
        Ok(lines.collect::<Vec<_>>().join(separator))
    }
}

/// Removes each `=` between an option and its value: bash passes the `=` as a separate word.
fn join_values(words: &mut Vec<OsString>) {
    let last = words.len() - 1;
    let is_option = |word: &OsString| word.to_string_lossy().starts_with("--");
    let is_sign = |at: usize| at > 0 && words[at] == "=" && is_option(&words[at - 1]);
    let signs: Vec<_> = (0..=last).filter(|&at| is_sign(at)).collect();
    for at in signs.into_iter().rev() {
        if at == last {
            words[at] = OsString::new();
        } else {
            words.remove(at);
        }
    }
}

/// Candidates for the last word.
fn candidates(
    root: &Command,
    words: Vec<OsString>,
    directory: Option<&Path>,
) -> io::Result<Vec<CompletionCandidate>> {
    let (typed, before) = words.split_last().ok_or(io::ErrorKind::InvalidInput)?;
    if find_command_path(root, before)
        .get(1)
        .is_some_and(|word| word == "help")
    {
        return Ok(help_candidates(root, before, typed));
    }
    let index = before.len();
    let mut command = with_suggested_values(root, before);
    let mut candidates = complete(&mut command, words, index, directory)?;
    candidates.retain(|candidate| !candidate.is_hide_set());
    Ok(candidates)
}

/// Candidates after `war help`: commands, and topics if no command is named yet.
fn help_candidates(root: &Command, before: &[OsString], typed: &OsStr) -> Vec<CompletionCandidate> {
    let words = before
        .iter()
        .map(|word| word.to_string_lossy().into_owned());
    let words: Vec<_> = words.skip_while(|word| word != "help").skip(1).collect();
    let typed = typed.to_string_lossy();
    let topics = HELP_TOPICS.iter().filter(|_| words.is_empty());
    let topics = topics.map(|topic| (topic.name, topic.title.to_owned()));
    let commands = find_command(root, &words)
        .into_iter()
        .flat_map(visible_commands);
    let about = |command: &Command| command.get_about().map(ToString::to_string);
    commands
        .map(|command| (command.get_name(), about(command).unwrap_or_default()))
        .chain(topics)
        .filter(|(name, _)| name.starts_with(&*typed))
        .map(|(name, about)| CompletionCandidate::new(name).help(Some(about.into())))
        .collect()
}

/// Adds suggestions for PLAYERS and DECK; after one of these values, commands are no longer
/// suggested.
fn with_suggested_values(root: &Command, before: &[OsString]) -> Command {
    let parsed = root.clone().ignore_errors(true);
    let parsed = parsed.try_get_matches_from(before).ok();
    let parsed = parsed.filter(|matches| matches.subcommand_name().is_none());
    let given = parsed.map(|matches| matches.get_raw(VALUES_ID).map_or(0, Iterator::count));
    let offered = match given {
        Some(0) => suggestions(1..=5),
        Some(1) => suggestions(["small", "large"]),
        Some(_) => suggestions([""; 0]),
        None => return root.clone(),
    };
    let parameters = |arg: Arg| arg.add(offered.clone());
    let command = root.clone().mut_arg(VALUES_ID, parameters);
    if given == Some(0) {
        return command;
    }
    Command::new("war")
        .version(env!("CARGO_PKG_VERSION"))
        .disable_version_flag(true)
        .disable_help_flag(true)
        .args(command.get_arguments().cloned())
}

/// Formats a candidate, with its help if the shell shows help.
fn candidate_line(shell: Shell, candidate: &CompletionCandidate) -> String {
    let value = candidate.get_value().to_string_lossy();
    let meaning = candidate.get_help().map(ToString::to_string);
    let meaning = meaning.as_deref().and_then(|help| help.lines().next());
    match (shell, meaning) {
        (Shell::Zsh, meaning) => {
            let value = value.replace('\\', "\\\\").replace(':', "\\:");
            let meaning = meaning.map(|meaning| format!(":{}", meaning.replace('\\', "\\\\")));
            value + &meaning.unwrap_or_default()
        }
        (Shell::Fish | Shell::PowerShell, Some(meaning)) => format!("{value}\t{meaning}"),
        _ => value.into_owned(),
    }
}
