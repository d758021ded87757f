use crate::i18n::{Message, Text};
use crate::journal::fault::{Code, Divergence, Fault, Position};
use crate::journal::kind::Journaled;
use crate::journal::reader::Entry;

/// An event that is not the one that the rules decide after this state; they decide nothing
/// where the game is over.
///
/// `apply` lets an event happen to a state; the result says whether it could.
pub(super) fn diverges<S: Journaled>(
    entry: &Entry<S::Event>,
    state: &S,
    rules: Option<&S::Event>,
    apply: impl Fn(&mut S, &S::Event) -> bool,
) -> Fault {
    let text = Text::new(Message::JOURNAL_DIVERGES)
        .with("seq", entry.seq.to_string())
        .with("turn", entry.turn);
    let mut fault = Fault::new(Code::Event, entry.at, text);
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

pub(super) fn wrong_deal(at: Position, message: Message) -> Fault {
    Fault::new(Code::Deal, at, Text::new(message))
}
