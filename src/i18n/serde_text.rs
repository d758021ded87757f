use super::{Message, Text};
use crate::excerpt::excerpt;

/// What serde says of data that do not fit, as a text in any language.
///
/// `reason` is the message of a serde error without its place.
///
/// # Examples
///
/// ```
/// use war::i18n::{Catalogue, Lang, serde_text};
///
/// let text = serde_text("missing field `seq`");
/// assert_eq!(Catalogue::of(Lang::Pl).unwrap().text(&text), "brakuje pola `seq`");
/// ```
#[must_use]
pub fn serde_text(reason: &str) -> Text {
    /// The most characters of a name or a value that are told.
    const LONGEST: usize = 120;
    const KNOWN: [(&str, Message); 6] = [
        ("missing field `", Message::FIELD_MISSING),
        ("unknown field `", Message::FIELD_UNKNOWN),
        ("duplicate field `", Message::FIELD_DUPLICATE),
        ("unknown variant `", Message::FIELD_UNKNOWN_VALUE),
        ("invalid type: ", Message::FIELD_BAD_VALUE),
        ("invalid value: ", Message::FIELD_BAD_VALUE),
    ];
    let known = KNOWN.into_iter().find_map(|(start, message)| {
        let rest = reason.strip_prefix(start)?;
        let name = match message {
            Message::FIELD_BAD_VALUE => rest.split(", expected").next().map(value),
            _ => rest.split('`').next(),
        };
        Some(Text::new(message).with("name", excerpt(name?, LONGEST)))
    });
    known.unwrap_or_else(|| match reason {
        // What the standard library says, through serde.
        "invalid socket address syntax" => Text::new(Message::FIELD_ADDRESS),
        _ => Text::new(Message::FIELD_OTHER).with("reason", excerpt(reason, LONGEST)),
    })
}

/// The value alone, where serde names its type before it.
fn value(told: &str) -> &str {
    told.find(['`', '"']).map_or(told, |at| &told[at..])
}
