//! Texts from elsewhere made fit for a message: short, and without characters that a terminal obeys
//! or hides.

use std::borrow::Cow;

/// Whether a terminal does something else with this character than to show it: it controls the
/// cursor, turns the direction of writing, or can't be seen.
#[must_use]
pub fn steers(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}')
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(character, '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}')
        || matches!(character, '\u{e0000}'..='\u{e007f}')
}

/// A text whose characters can all be seen: those that steer a terminal are written as escapes,
/// line ends are left.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_hidden = |character: char| steers(character) && character != '\n';
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

/// A text that came from outside, without the characters that steer a terminal.
#[must_use]
pub fn on_one_line(text: &str) -> String {
    let visible = |c: char| if steers(c) { '\u{fffd}' } else { c };
    text.chars().map(visible).collect()
}

/// A text from outside on one line: its line ends are shown as `␊`.
#[must_use]
pub fn joined(text: &str) -> String {
    text.replace('\n', "\u{240a}")
}

/// The beginning of a text that was found, short enough for a message: of more than `longest`
/// characters the first ones and an ellipsis.
///
/// # Examples
///
/// ```
/// use war::support::visible::excerpt;
///
/// assert_eq!(excerpt("short", 5), "short");
/// assert_eq!(excerpt("longer", 5), "longe…");
/// ```
#[must_use]
pub fn excerpt(found: &str, longest: usize) -> String {
    match found.char_indices().nth(longest) {
        None => found.to_owned(),
        Some((end, _)) => format!("{}…", &found[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_steers_a_terminal_is_escaped_and_all_else_is_shown() {
        let shown = "żółć ♠ 日本 a\u{301} 1\u{a0}000 \u{2026}\n";
        assert_eq!(visible(shown), shown);
        for (hidden, escape) in [
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("\u{7}\r\t\u{7f}", "\\u{7}\\r\\t\\u{7f}"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("\u{2066}\u{200b}\u{feff}", "\\u{2066}\\u{200b}\\u{feff}"),
            ("\u{e0041}", "\\u{e0041}"),
        ] {
            assert_eq!(visible(hidden), escape);
        }
    }
}
