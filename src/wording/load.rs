use crate::i18n::{Catalogue, Text, text};
use crate::load::{PATIENCE, Phase, Trouble};

/// What a load driver does now.
pub(crate) fn phase_text(phase: Phase, catalogue: &Catalogue) -> String {
    let text = match phase {
        Phase::Opening(count) => text!(LoadOpening, count = count),
        Phase::Playing(count) => text!(LoadPlaying, count = count),
        Phase::Comparing(count) => text!(LoadComparing, count = count),
        Phase::Auditing(count) => text!(LoadAuditing, count = count),
    };
    catalogue.text(&text)
}

/// What went wrong for a player of a load driver.
pub(crate) fn trouble_text(trouble: &Trouble) -> Text {
    match trouble {
        Trouble::NoConnection => text!(LoadNoConnection),
        Trouble::TooFast => text!(LoadTooFast),
        Trouble::Lost => text!(LoadLost),
        Trouble::NoAnswer => {
            let seconds = PATIENCE.as_secs().to_string();
            text!(LoadNoAnswer, seconds = seconds)
        }
        Trouble::NoMessage => text!(LoadNoMessage),
        Trouble::Unfair(unfair) => (*unfair).into(),
        Trouble::Unlogged(unlogged) => unlogged.into(),
        Trouble::Unread(reason) => text!(LoadUnread, reason = reason.as_str()),
        Trouble::Unexpected(message) => {
            text!(LoadUnexpected, message = message.as_str())
        }
    }
}
