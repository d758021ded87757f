//! Whom those who wait want to play with, as the rows of stores keep it.

use super::{Damage, StoreError};
use crate::room::Meeting;

/// What a column keeps: nothing for anyone, else the JSON that events have.
///
/// # Panics
///
/// Never: it is a plain value.
#[must_use]
pub fn column(meeting: Meeting) -> Option<String> {
    let text = || serde_json::to_string(&meeting).expect("plain values");
    (!meeting.is_anyone()).then(text)
}

/// What a column keeps.
///
/// # Errors
///
/// [`StoreError`] where the text is another one.
pub fn meeting(column: Option<&str>) -> Result<Meeting, StoreError> {
    let read = |text| serde_json::from_str(text).map_err(|_| Damage::Layout.into());
    column.map_or(Ok(Meeting::Anyone), read)
}

#[cfg(test)]
mod tests {
    use super::{column, meeting};
    use crate::protocol::PlayerId;
    use crate::room::Meeting;
    use war::support::hex::Hex;

    #[test]
    fn every_meeting_is_read_as_it_was_kept() {
        let rematch = Meeting::Rematch {
            game: 9,
            opponent: PlayerId(3),
        };
        let invitation = Meeting::Invitation(Hex::new([7; 16]));
        for kept in [Meeting::Anyone, Meeting::House, invitation, rematch] {
            let read = meeting(column(kept).as_deref()).expect("what was kept");
            assert_eq!(read, kept);
        }
        assert_eq!(column(Meeting::Anyone), None);
        assert!(meeting(Some("nobody")).is_err());
    }
}
