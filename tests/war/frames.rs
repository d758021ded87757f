//! Frames of every journal in `journals/`: one for each turn, with its printed text and the state
//! of a table with the same events.

use crate::shared::{frames_of, project};
use std::fs;
use war::projections::frames::FrameContent;

#[test]
fn every_turn_of_every_journal_has_a_frame() {
    let mut seen = 0;
    for file in fs::read_dir(project().join("journals")).expect("the journals") {
        let path = file.expect("a file").path();
        if !path.is_file() {
            continue;
        }
        let (frames, expected) = frames_of(&fs::read(&path).expect("a journal"));
        let name = path.display();
        assert_eq!(frames.len(), expected.texts.len(), "{name}");
        for (frame, (turn, text)) in frames.iter().zip(&expected.texts) {
            assert_eq!((frame.turn, &frame.text), (*turn, text), "{name}");
            if let FrameContent::Turn(shown) = &frame.content {
                let after: Vec<_> = shown.seats.iter().map(|seat| seat.after).collect();
                assert_eq!(after, expected.held[turn], "{name}: turn {turn}");
                // A frame shows a tie as a war even if no player has a card left to put, so the
                // events of such a turn may contain no war.
                assert!(shown.is_war || !expected.wars[turn], "{name}: turn {turn}");
                let cards = |seat: &war::projections::frames::PlayerTurn| {
                    (seat.before + seat.taken).checked_sub(seat.put.len())
                };
                let moved: Option<Vec<_>> = shown.seats.iter().map(cards).collect();
                assert_eq!(moved, Some(after), "{name}: turn {turn}");
                seen += 1;
            }
        }
        for pair in frames.windows(2) {
            let [FrameContent::Turn(before), FrameContent::Turn(after)] =
                [&pair[0].content, &pair[1].content]
            else {
                continue;
            };
            let left: Vec<_> = before.seats.iter().map(|seat| seat.after).collect();
            let found: Vec<_> = after.seats.iter().map(|seat| seat.before).collect();
            assert_eq!(left, found, "{name}: turn {}", pair[1].turn);
        }
    }
    assert!(seen > 500, "only {seen} turns were seen");
}

#[test]
fn the_lead_changes_when_another_player_holds_the_most() {
    let journal = fs::read(project().join("journals/xy_sample.json")).expect("a journal");
    let (frames, _) = frames_of(&journal);
    let changes = frames.iter().filter_map(|frame| match &frame.content {
        FrameContent::Turn(turn) => Some((frame.turn, turn.new_leader?.number())),
        FrameContent::Deal(_) => None,
    });
    // Read from the printed table: Y leads first, X holds 27 cards at round 6, Y 30 at round 7, and
    // X 31 at round 28.
    assert_eq!(
        changes.take(3).collect::<Vec<_>>(),
        [(5, 1), (6, 2), (27, 1)]
    );
}
