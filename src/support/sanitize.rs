//! Untrusted text made safe for messages: short, and without characters that control a terminal or
//! are invisible.

use std::borrow::Cow;

/// Returns `true` for control characters, characters that change the writing direction, and
/// invisible ones.
#[must_use]
pub fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}')
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(character, '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}')
        || matches!(character, '\u{e0000}'..='\u{e007f}')
}

/// Escapes the unprintable characters of a text, except line ends.
#[must_use]
pub fn escape_unprintable(text: &str) -> Cow<'_, str> {
    let is_hidden = |character: char| is_unprintable(character) && character != '\n';
    if !text.contains(is_hidden) {
        return text.into();
    }
    let mut visible = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) {
            visible.extend(character.escape_default());
        } else {
            visible.push(character);
        }
    }
    visible.into()
}

/// Replaces the unprintable characters of a text, including line ends, with `�`.
#[must_use]
pub fn replace_unprintable(text: &str) -> String {
    let visible = |c: char| if is_unprintable(c) { '\u{fffd}' } else { c };
    text.chars().map(visible).collect()
}

/// Puts a text on one line, with its line ends shown as `␊`.
#[must_use]
pub fn join_lines(text: &str) -> String {
    text.replace('\n', "\u{240a}")
}

/// Truncates a text to `longest` characters, followed by an ellipsis if any are cut.
///
/// # Examples
///
/// ```
/// use war::support::sanitize::truncate_text;
///
/// assert_eq!(truncate_text("short", 5), "short");
/// assert_eq!(truncate_text("longer", 5), "longe…");
/// ```
#[must_use]
pub fn truncate_text(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::escape_unprintable;

    #[test]
    fn unprintable_characters_are_escaped_and_others_are_kept() {
        let shown = "żółć ♠ 日本 a\u{301} 1\u{a0}000 \u{2026}\n";
        assert_eq!(escape_unprintable(shown), shown);
        for (hidden, escape) in [
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("\u{7}\r\t\u{7f}", "\\u{7}\\r\\t\\u{7f}"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("\u{2066}\u{200b}\u{feff}", "\\u{2066}\\u{200b}\\u{feff}"),
            ("\u{e0041}", "\\u{e0041}"),
        ] {
            assert_eq!(escape_unprintable(hidden), escape);
        }
    }
}
