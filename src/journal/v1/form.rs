use super::event::{EventRecord, json};
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

/// The hash of a table: the turn, all hands from the top, and the cards put by each seat.
///
/// `buffer` is room to write in, kept from call to call.
fn state(table: &Table, buffer: &mut Vec<u8>) -> Hex<8> {
    buffer.clear();
    buffer.extend_from_slice(b"{\"turn\":");
    buffer.extend_from_slice(itoa::Buffer::new().format(table.turn()).as_bytes());
    buffer.extend_from_slice(b",\"hands\":[");
    lists(buffer, table, |place, list| {
        let (top, rest) = place.hand().as_slices();
        top.iter().chain(rest).for_each(|card| list.push(*card));
    });
    buffer.extend_from_slice(b"],\"table\":[");
    lists(buffer, table, |place, list| {
        place.pile().iter().for_each(|put| list.push(put.card));
    });
    buffer.extend_from_slice(b"]}");
    Hex::truncated(&blake3::hash(buffer))
}

/// Writes a list of cards for each place.
fn lists(buffer: &mut Vec<u8>, table: &Table, cards: impl Fn(&Place, &mut List<'_>)) {
    // Each list is as long as all cards can be, and none lies in two.
    let from = buffer.len();
    let most = CARD * table.cards() + LIST * table.places().len();
    buffer.resize(from + most, 0);
    let mut list = List {
        room: &mut buffer[from..],
        length: 0,
    };
    for place in table.places() {
        list.open();
        cards(place, &mut list);
        list.close();
    }
    // The last list has no comma behind it.
    let length = list.length.saturating_sub(1);
    buffer.truncate(from + length);
}

/// The most bytes of a card with its comma.
const CARD: usize = 4;
/// The most bytes of a list beside its cards.
const LIST: usize = 3 + CARD;

/// Lists of cards, written into room that is enough for them.
struct List<'a> {
    room: &'a mut [u8],
    length: usize,
}

impl List<'_> {
    fn open(&mut self) {
        self.room[self.length] = b'[';
        self.length += 1;
    }

    /// Writes a card and a comma. How many digits it has can't be foreseen, so all its bytes are
    /// written and some of them written over.
    fn push(&mut self, card: Rank) {
        let (bytes, length) = WRITTEN[usize::from(card.get())];
        if let Some(room) = self.room[self.length..].first_chunk_mut() {
            *room = bytes;
        }
        self.length += length;
    }

    /// Ends a list, in the place of its last comma.
    fn close(&mut self) {
        if self.room[self.length - 1] == b',' {
            self.length -= 1;
        }
        self.room[self.length..][..2].copy_from_slice(b"],");
        self.length += 2;
    }
}

/// Every card as it is written, with a comma, and how many bytes that takes.
const WRITTEN: [([u8; CARD], usize); Rank::HIGHEST.get() as usize + 1] = {
    let mut written = [([0; CARD], 0); _];
    let mut card = 0_u8;
    while card <= Rank::HIGHEST.get() {
        let ones = b'0' + card % 10;
        written[card as usize] = match card / 10 {
            0 => ([ones, b',', 0, 0], 2),
            tens => ([b'0' + tens, ones, b',', 0], 3),
        };
        card += 1;
    }
    written
};

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
