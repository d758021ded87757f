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
    let after = |event: &S::Event| {
        let mut state = state.clone();
        apply(&mut state, event).then_some(state)
    };
    let made = after(&entry.event);
    let happened = made.as_ref().unwrap_or(state).turn();
    let (seq, turn) = (entry.seq, entry.after.map_or(happened, |after| after.turn));
    let mut fault = Fault::new(entry.at, GameError::Event { seq, turn });
    let hands = |state: Option<S>| state.as_ref().map(S::hands).unwrap_or_default();
    fault.divergence = Some(Box::new(Divergence {
        seq,
        turn,
        journal: S::event_json(&entry.event),
        rules: rules.map(S::event_json).unwrap_or_default(),
        journal_hands: hands(made),
        rules_hands: hands(rules.and_then(after)),
    }));
    fault
}
