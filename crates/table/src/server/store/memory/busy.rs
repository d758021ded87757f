use crate::room::{Match, PlayerId, RoomEvent, is_end};

/// Whether an event lets a player wait or play, if it says so.
pub(super) fn busy_by(event: &RoomEvent, player: PlayerId) -> Option<bool> {
    match event {
        RoomEvent::Chose { player: id, .. }
        | RoomEvent::SentOn { player: id, .. }
        | RoomEvent::Came { player: id, .. } => (*id == player).then_some(true),
        RoomEvent::Cancelled { player: id } => (*id == player).then_some(false),
        RoomEvent::Matched(Match { seats, .. }) => seats.contains(&player).then_some(true),
        RoomEvent::Played { seats, .. } if is_end(event) => {
            seats.contains(&player).then_some(false)
        }
        _ => None,
    }
}
