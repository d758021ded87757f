use crate::journal::fault::{Divergence, Fault};
use crate::journal::kind::Journaled;
use crate::journal::problem::GameError;
use crate::journal::reader::Entry;

/// An event that is not the one that the rules decide after this state; they decide nothing
/// where the game is over.
///
/// `apply` applies an event to a state; the result says whether it could.
pub(super) fn diverges<S: Journaled>(
    entry: &Entry<S::Event>,
    state: &S,
    rules: Option<&S::Event>,
    apply: impl Fn(&mut S, &S::Event) -> bool,
) -> Fault {
    let (seq, turn) = (entry.seq, entry.turn);
    let mut fault = Fault::new(entry.at, GameError::Event { seq, turn });
    let hands = |event: &S::Event| {
        let mut state = state.clone();
        if apply(&mut state, event) {
            state.hands()
        } else {
            String::new()
        }
    };
    fault.divergence = Some(Box::new(Divergence {
        seq: entry.seq,
        turn: entry.turn,
        journal: S::event_json(&entry.event),
        rules: rules.map(S::event_json).unwrap_or_default(),
        journal_hands: hands(&entry.event),
        rules_hands: rules.map(hands).unwrap_or_default(),
    }));
    fault
}
