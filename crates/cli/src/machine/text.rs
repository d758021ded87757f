//! Formats texts, paths and I/O errors for messages.

use super::signals::is_interrupted;
use std::io;
use std::path::Path;
use war::i18n::{Catalogue, Lang, Text, text};
use war::support::sanitize::replace_unprintable;

/// Formats a text in English, for the log.
pub(crate) fn english_text(text: &Text) -> String {
    Catalogue::built_in(Lang::En).format_text(&text.map_words(hide_secret))
}

/// Formats a path on one line.
pub(crate) fn path_text(path: &Path) -> String {
    replace_unprintable(&path.display().to_string())
}

/// Describes an I/O error, in the user's language if the error is a common one.
pub(crate) fn io_text(error: &io::Error) -> Text {
    match error.kind() {
        io::ErrorKind::NotFound => text!(IoNotFound),
        io::ErrorKind::ConnectionRefused => text!(IoRefused),
        io::ErrorKind::PermissionDenied => text!(IoPermission),
        io::ErrorKind::AlreadyExists => text!(IoExists),
        io::ErrorKind::IsADirectory => text!(IoDirectory),
        io::ErrorKind::NotADirectory => text!(IoNotDirectory),
        io::ErrorKind::StorageFull => text!(IoFull),
        io::ErrorKind::FileTooLarge => text!(IoTooLarge),
        io::ErrorKind::InvalidData => text!(IoNotText),
        io::ErrorKind::BrokenPipe => text!(IoClosed),
        io::ErrorKind::TimedOut if is_interrupted() => text!(Interrupted),
        io::ErrorKind::ReadOnlyFilesystem => text!(IoReadOnly),
        _ => text!(IoOther, reason = error.to_string()),
    }
}

/// Replaces a word of a message by `…`, after its scheme, if it may contain a secret: the password
/// in the address of a database, or the key in a link.
pub(crate) fn hide_secret(word: &str) -> String {
    let (scheme, rest) = match word.trim_start_matches('"').split_once("://") {
        Some((scheme, rest)) if scheme.chars().all(|c| c.is_ascii_alphanumeric()) => (scheme, rest),
        _ => ("", word),
    };
    let is_windows_path = word
        .get(1..3)
        .is_some_and(|after| matches!(after, ":\\" | ":/"));
    let has_credentials = rest.rsplit_once('@').is_some_and(|(before, _)| {
        before.contains(':') || !scheme.is_empty() && before.contains(['@', '/'])
    }) && !is_windows_path;
    let is_database = scheme.to_ascii_lowercase().starts_with("postgres");
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let has_bad_port = is_database
        && !rest.contains('@')
        && authority.rsplit_once(':').is_some_and(|(_, port)| {
            port.is_empty() || port.contains(|c: char| !c.is_ascii_digit())
        });
    let has_password = ["password", "passwd", "pgpass"]
        .iter()
        .any(|name| word.to_ascii_lowercase().contains(name))
        && word.contains('=');
    let has_key = !scheme.is_empty() && rest.contains('#') || has_player_key(word);
    // The text of a secret key where the name of its file belongs.
    let has_key = has_key || SECRET_KEY_STARTS.iter().any(|start| word.contains(start));
    if !(has_credentials || has_bad_port || has_password || has_key) {
        return word.to_owned();
    }
    if scheme.is_empty() {
        "…".to_owned()
    } else {
        format!("{scheme}://…")
    }
}

/// Beginnings of minisign's secret keys: with a password, and without one.
const SECRET_KEY_STARTS: [&str; 2] = ["RWRTY0Iy", "RWQAAEIy"];

/// Returns true for a link with a player's key, even one without its beginning.
fn has_player_key(word: &str) -> bool {
    /// Fewer characters than any key has.
    const SHORT: usize = 8;
    let word = word.to_ascii_lowercase();
    word.split("key=").skip(1).any(|key| {
        let is_of_key = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        key.chars().take_while(is_of_key).count() >= SHORT
    })
}

#[cfg(test)]
mod tests {
    use super::hide_secret;

    #[test]
    fn a_word_with_a_secret_is_hidden_behind_its_scheme() {
        for word in [
            "postgres://ann:secret@db/war",
            "postgres://ann:secret",
            "postgres://ann:secret/war",
            "postgres://db/war?password=secret",
            "postgresql://ann:a@secret@db/war",
            "mysql://ann:secret@db",
            "https://war.example/#secret",
            "https://war.example/#ky=secret",
            "https://ann:secret@war.example/log/",
        ] {
            let (scheme, _) = word.split_once(':').expect("a scheme");
            assert_eq!(hide_secret(word), format!("{scheme}://…"), "{word}");
        }
        for word in [
            "ann:secret@db/war",
            "postgres:/ann:secret@db/war",
            "host=db password=secret",
            "PASSWORD=secret",
            "war.example/#key=abcdefgh",
            "#KEY=abcdefgh",
            "RWRTY0Iyabcdefgh",
            "a sentence with `postgres://ann:secret@db`",
        ] {
            assert_eq!(hide_secret(word), "…", "{word}");
        }
    }

    #[test]
    fn other_words_are_shown() {
        for word in [
            "game.json",
            "postgres://ann@db:5432/war",
            "postgres://db:5432/war",
            "https://war.example:8443/log/",
            "/home/ann@example/games/1.json",
            "C:\\games\\1.json",
            "C:\\ann@example\\1.json",
            "sqlite:table.db",
            "a password",
            "#1.json",
            "--key=k.key",
            "monkey=3",
        ] {
            assert_eq!(hide_secret(word), word);
        }
    }
}
