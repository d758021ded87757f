//! Commands in messages, quoted so that they can be pasted into a shell.

use std::ffi::OsStr;
use war::support::sanitize::is_unprintable;

/// Characters besides letters and digits that need no quotes in any shell.
const SAFE: &str = "-_./:,+=@";

/// Returns a command with these arguments, ready to be pasted into the shell of this system;
/// `None` if one of the arguments can't be pasted. File names come from [`to_file_argument`].
pub(crate) fn quote_command(arguments: &[&str]) -> Option<String> {
    let quoted: Option<Vec<_>> = arguments.iter().map(|argument| quote(argument)).collect();
    Some(quoted?.join(" "))
}

/// Converts a file name to an argument of a command. A name that begins with `-` would be taken for
/// an option, so `./` is put in front. The name `-` alone stays as it is: it stands for standard
/// input or output.
///
/// `None` for a name that is not Unicode or has unprintable characters.
pub(crate) fn to_file_argument(name: &OsStr) -> Option<String> {
    let name = name.to_str()?;
    if name.starts_with('-') && name != "-" {
        return Some(format!("./{name}"));
    }
    Some(name.to_owned())
}

fn quote(argument: &str) -> Option<String> {
    if argument.contains(is_unprintable) {
        return None;
    }
    if cfg!(windows) {
        quote_for_windows(argument)
    } else {
        quote_for_posix(argument)
    }
}

/// Quotes an argument for the shells of Unix.
fn quote_for_posix(argument: &str) -> Option<String> {
    shlex::try_quote(argument).ok().map(Into::into)
}

/// Quotes an argument for `cmd` and PowerShell. Returns `None` for an argument with quotes, with
/// characters that expand variables, or with a backslash at its end: no quoting of these works in
/// both shells.
fn quote_for_windows(argument: &str) -> Option<String> {
    if argument.contains(['$', '`', '%', '"', '!', '“', '”', '„']) || argument.ends_with('\\')
    {
        return None;
    }
    let is_safe = |c: char| c.is_ascii_alphanumeric() || SAFE.contains(c) || c == '\\';
    if !argument.is_empty() && argument.chars().all(is_safe) && !argument.starts_with('@') {
        return Some(argument.to_owned());
    }
    Some(format!("\"{argument}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_shell_splits_a_command_into_its_arguments() {
        let names = [
            "game.json",
            "my game.json",
            "it's.json",
            "a$HOME.json",
            "x;touch y",
            "a`b`",
            "a\"b",
            "a\\b",
            "!!",
            "~",
            "*",
            "#a",
            "żółw.json",
            "",
            "a=b",
            "{a,b}",
            "(a)",
            "a&b",
            "<a>|b",
        ];
        for name in names {
            let command = quote_command(&["war", "replay", name]).expect("a printable name");
            let arguments = shlex::split(&command).expect("a whole command");
            assert_eq!(arguments, ["war", "replay", name], "{command}");
        }
    }

    #[test]
    fn a_name_that_begins_with_a_hyphen_is_no_option() {
        let argument = |name: &str| to_file_argument(OsStr::new(name));
        assert_eq!(argument("-y.json").as_deref(), Some("./-y.json"));
        assert_eq!(argument("-").as_deref(), Some("-"));
        assert_eq!(argument("a-y.json").as_deref(), Some("a-y.json"));
    }

    #[test]
    fn unprintable_names_get_no_command() {
        for name in ["a\nb", "a\u{1b}[2Jb", "a\u{202e}b", "a\0b"] {
            assert_eq!(quote_command(&["war", name]), None, "{name:?}");
        }
    }

    #[test]
    fn names_that_no_windows_shell_leaves_alone_get_no_command() {
        for name in ["a$b", "a`b", "a%b%", "a\"b", "a!b", "folder\\"] {
            assert_eq!(quote_for_windows(name), None, "{name}");
        }
        let quoted = |name: &str| quote_for_windows(name).expect("a name");
        assert_eq!(quoted("my game.json"), "\"my game.json\"");
        assert_eq!(quoted("it's.json"), "\"it's.json\"");
        assert_eq!(quoted("C:\\games\\game.json"), "C:\\games\\game.json");
    }
}
