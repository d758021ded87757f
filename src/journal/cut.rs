//! What a file that was cut off ends with.

/// Whether a text that ends inside a record can go on as one.
///
/// It is the beginning of JSON, for the parser has read it so far. Only into a string that is
/// not closed the parser does not look: what stands there must be the beginning of a name, a
/// hash or a card, unless a player wrote it.
pub(super) fn can_go_on(text: &[u8]) -> bool {
    OpenString::at_the_end_of(text).is_none_or(|open| {
        let is_written = open.is_of_a_player() && begins_text(open.text);
        is_written || is_word(open.text) || is_card(open.text)
    })
}

/// A string whose end is missing.
struct OpenString<'a> {
    /// The names of the fields that it is in, the outermost first.
    fields: Vec<&'a [u8]>,
    /// What there is of it.
    text: &'a [u8],
}

impl<'a> OpenString<'a> {
    fn at_the_end_of(text: &'a [u8]) -> Option<Self> {
        let (mut fields, mut string) = (Vec::new(), &text[..0]);
        let mut rest = text;
        while let [byte, after @ ..] = rest {
            rest = after;
            match byte {
                b'"' => {
                    let Some(length) = length_of_string(after) else {
                        let text = after;
                        return Some(Self { fields, text });
                    };
                    (string, rest) = (&after[..length], &after[length + 1..]);
                }
                // The string before a bracket is the name of the field.
                b'{' | b'[' => fields.push(string),
                b'}' | b']' => drop(fields.pop()),
                _ => {}
            }
        }
        None
    }

    /// Whether it is where a token game holds what its players wrote: names and seeds.
    fn is_of_a_player(&self) -> bool {
        let events: [&[u8]; 2] = [b"started", b"seeded"];
        self.fields.iter().any(|field| events.contains(field))
    }
}

/// How long the string is that begins here, up to its closing mark.
fn length_of_string(text: &[u8]) -> Option<usize> {
    let mut escaped = false;
    text.iter().position(|&byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

/// Whether this is UTF-8, of whose last character the end may be missing.
fn begins_text(text: &[u8]) -> bool {
    std::str::from_utf8(text).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// Whether names of fields and values, and hashes can begin with this.
fn is_word(text: &[u8]) -> bool {
    let of_words = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
    text.iter().all(of_words)
}

/// Whether a card can begin with this: a rank in a capital letter, and a suit.
fn is_card(text: &[u8]) -> bool {
    match text {
        [b'T' | b'J' | b'Q' | b'K' | b'A', suit @ ..] => suit.len() < 2 && is_word(suit),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::can_go_on;

    #[test]
    fn names_hashes_and_cards_may_be_cut_anywhere() {
        for text in [
            &b""[..],
            b"{\"se",
            b"{\"seq\":1",
            b"{\"seq\":1,\"state\":\"0fa",
            b"{\"event\":{\"dealt\":{\"hands\":[[\"9h\",\"T",
            b"{\"event\":{\"dealt\":{\"hands\":[[\"9h\",\"Ts",
        ] {
            assert!(can_go_on(text), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn nothing_else_stands_in_an_open_string() {
        for text in [
            &b"{\"se q"[..],
            b"{\"state\":\"0FA",
            b"{\"state\":\"0f\\u0061",
            b"{\"hands\":[[\"Tss",
            b"{\"event\":{\"started\":{\"players\":[\"Ann\xff\xfe",
            // What a player wrote before it does not count.
            b"{\"event\":{\"started\":{\"players\":[\"Ann\",\"Bob\"]}},\"state\":\"0F",
        ] {
            assert!(!can_go_on(text), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn players_write_what_they_like() {
        for text in [
            &b"{\"event\":{\"started\":{\"players\":[\"Ann \\\"A"[..],
            b"{\"event\":{\"seeded\":{\"player\":1,\"value\":\"Z\xc3",
            // An escaped mark does not close the string, nor its brackets the list.
            b"{\"event\":{\"started\":{\"players\":[\"Ann \\\"]}} \\\" A",
        ] {
            assert!(can_go_on(text), "{}", text.escape_ascii());
        }
    }
}
