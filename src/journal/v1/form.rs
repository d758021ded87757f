use super::event::EventRecord;
use super::json::json;
use super::state::state;
use super::tokens::{TokenEventRecord, token_state};
use crate::cards::{Card, Rank};
use crate::engine::{Event, Place, State, Table};
use crate::support::hex::Hex;
use crate::tokens::{Decision, TokenEvent, TokenGame};
use serde::Serialize;

/// What version 1 makes of a kind of game.
pub trait Form: State {
    /// An event as it is recorded.
    fn record(event: &Self::Event) -> impl Serialize;

    /// The hash of the state; `room` is room to write in, kept from call to call.
    fn hash(&self, room: &mut Vec<u8>) -> Hex<8>;

    /// The hands as they are, for people.
    fn hands(&self) -> String;

    /// The event as it is in a journal.
    fn event_json(event: &Self::Event) -> String {
        json(&Self::record(event))
    }
}

impl Form for Table {
    fn record(event: &Event) -> impl Serialize {
        <EventRecord>::new(event)
    }

    fn hash(&self, room: &mut Vec<u8>) -> Hex<8> {
        state(self, room)
    }

    fn hands(&self) -> String {
        let hand = |hand: Vec<String>| format!("[{}]", hand.join(","));
        let cards = |place: &Place| hand(place.hand().iter().map(Rank::to_string).collect());
        hand(self.places().iter().map(cards).collect())
    }
}

impl Form for TokenGame {
    fn record(event: &TokenEvent) -> impl Serialize {
        TokenEventRecord::new(event)
    }

    fn hash(&self, _: &mut Vec<u8>) -> Hex<8> {
        token_state(self)
    }

    fn hands(&self) -> String {
        let hand = |(cards, decision): (&Vec<Card>, Option<Decision>)| {
            let cards: Vec<_> = cards.iter().map(Card::to_string).collect();
            let decided = match decision {
                None => "",
                Some(Decision::Play) => " play",
                Some(Decision::Fold) => " fold",
            };
            format!("[{}]{decided}", cards.join(","))
        };
        let hands = TokenGame::hands(self).map(|hands| hands.iter());
        let hands = hands.unwrap_or_default().zip(self.decisions()).map(hand);
        format!("[{}]", hands.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::Form;
    use crate::engine::Seat;
    use crate::tokens::{
        Decision, Fairness, Kind, Move, Name, Secret, TokenEvent, TokenGame, TokenRules,
    };

    #[test]
    fn hands_of_a_token_game_are_shown_with_what_was_decided() {
        let mut game = TokenGame::new(
            TokenRules::by(Kind::Double, Fairness::Added),
            1,
            Secret::new(crate::support::hex::Hex::new([7; 32])),
        );
        let players = ["Ann", "Bob"].map(|name| Name::new(name).expect("a name"));
        game.apply(&TokenEvent::Started { players })
            .expect("a start");
        assert_eq!(Form::hands(&game), "[]");
        let hands = ["2c 3c", "Th As"].map(|hand| {
            let cards = hand.split(' ').map(str::parse);
            cards.map(|card| card.expect("a card")).collect()
        });
        game.apply(&TokenEvent::Dealt { hands }).expect("a deal");
        for (seat, decision, shown) in [
            (Seat::SECOND, Decision::Play, "[[2c,3c],[Th,As] play]"),
            (Seat::FIRST, Decision::Fold, "[[2c,3c] fold,[Th,As] play]"),
        ] {
            let decided = game.decide(&Move::Decide(seat, decision));
            game.apply(&decided.expect("a move")).expect("an event");
            assert_eq!(Form::hands(&game), shown);
        }
    }
}
