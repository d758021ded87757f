use super::event::{EventRecord, to_json};
use super::tokens::{TokenEventRecord, hash_token_game};
use crate::cards::{Card, Rank};
use crate::engine::{Event, Place, State, Table};
use crate::support::hex::Hex;
use crate::tokens::{Decision, TokenEvent, TokenGame};
use serde::Serialize;

/// Form of a game's events and states in version 1.
pub trait RecordForm: State {
    /// The record of an event.
    fn event_record(event: &Self::Event) -> impl Serialize;

    /// Hashes the state. `buffer` is scratch space to reuse between calls.
    fn hash(&self, buffer: &mut Vec<u8>) -> Hex<8>;

    /// The hands of all players as text, for messages.
    fn hands_text(&self) -> String;

    /// The JSON of an event in a journal.
    fn event_json(event: &Self::Event) -> String {
        to_json(&Self::event_record(event))
    }
}

impl RecordForm for Table {
    fn event_record(event: &Event) -> impl Serialize {
        <EventRecord>::new(event)
    }

    fn hash(&self, buffer: &mut Vec<u8>) -> Hex<8> {
        hash_table(self, buffer)
    }

    fn hands_text(&self) -> String {
        let hand = |hand: Vec<String>| format!("[{}]", hand.join(","));
        let cards = |place: &Place| hand(place.hand().iter().map(Rank::to_string).collect());
        hand(self.places().iter().map(cards).collect())
    }
}

impl RecordForm for TokenGame {
    fn event_record(event: &TokenEvent) -> impl Serialize {
        TokenEventRecord::new(event)
    }

    fn hash(&self, _: &mut Vec<u8>) -> Hex<8> {
        hash_token_game(self)
    }

    fn hands_text(&self) -> String {
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

/// Hashes the turn, all hands from the top, and the cards that each seat has on the table.
fn hash_table(table: &Table, buffer: &mut Vec<u8>) -> Hex<8> {
    buffer.clear();
    buffer.extend_from_slice(b"{\"turn\":");
    buffer.extend_from_slice(itoa::Buffer::new().format(table.turn()).as_bytes());
    buffer.extend_from_slice(b",\"hands\":[");
    write_lists(buffer, table, |place, list| {
        let (top, rest) = place.hand().as_slices();
        top.iter().chain(rest).for_each(|card| list.push(*card));
    });
    buffer.extend_from_slice(b"],\"table\":[");
    write_lists(buffer, table, |place, list| {
        place.pile().iter().for_each(|put| list.push(put.card));
    });
    buffer.extend_from_slice(b"]}");
    Hex::from_hash(&blake3::hash(buffer))
}

/// Writes a list of cards for each place.
fn write_lists(buffer: &mut Vec<u8>, table: &Table, cards: impl Fn(&Place, &mut List<'_>)) {
    // Each card is in one list only.
    let from = buffer.len();
    let capacity = MAX_CARD * table.card_count() + MAX_LIST * table.places().len();
    buffer.resize(from + capacity, 0);
    let mut list = List {
        buffer: &mut buffer[from..],
        length: 0,
    };
    for place in table.places() {
        list.open();
        cards(place, &mut list);
        list.close();
    }
    // No comma follows the last list.
    let length = list.length.saturating_sub(1);
    buffer.truncate(from + length);
}

/// Maximum length of a card with its comma, in bytes.
const MAX_CARD: usize = 4;
/// Maximum length of a list without its cards, in bytes.
const MAX_LIST: usize = 3 + MAX_CARD;

/// Writer of card lists into a buffer that is large enough for all of them.
struct List<'a> {
    buffer: &'a mut [u8],
    length: usize,
}

impl List<'_> {
    fn open(&mut self) {
        self.buffer[self.length] = b'[';
        self.length += 1;
    }

    /// Writes a card and a comma. Always copies the maximum length, without a branch on the number
    /// of digits; the next write overwrites the rest.
    fn push(&mut self, card: Rank) {
        let (bytes, length) = CARD_TEXTS[usize::from(card.get())];
        if let Some(target) = self.buffer[self.length..].first_chunk_mut() {
            *target = bytes;
        }
        self.length += length;
    }

    /// Ends a list; the bracket replaces the last comma.
    fn close(&mut self) {
        if self.buffer[self.length - 1] == b',' {
            self.length -= 1;
        }
        self.buffer[self.length..][..2].copy_from_slice(b"],");
        self.length += 2;
    }
}

/// Text of every card with a comma, and its length in bytes.
const CARD_TEXTS: [([u8; MAX_CARD], usize); Rank::HIGHEST.get() as usize + 1] = {
    let mut texts = [([0; MAX_CARD], 0); _];
    let mut card = 0_u8;
    while card <= Rank::HIGHEST.get() {
        let ones = b'0' + card % 10;
        texts[card as usize] = match card / 10 {
            0 => ([ones, b',', 0, 0], 2),
            tens => ([b'0' + tens, ones, b',', 0], 3),
        };
        card += 1;
    }
    texts
};

#[cfg(test)]
mod tests {
    use super::RecordForm;
    use crate::engine::Seat;
    use crate::tokens::{Decision, Kind, Move, Name, Secret, TokenEvent, TokenGame, TokenRules};

    #[test]
    fn hands_of_a_token_game_are_shown_with_their_decisions() {
        let mut game = TokenGame::new(
            TokenRules::first_version(Kind::Double),
            1,
            Secret::new(crate::support::hex::Hex::new([7; 32])),
        );
        let players = ["Ann", "Bob"].map(|name| Name::new(name).expect("a name"));
        game.apply(&TokenEvent::Started { players })
            .expect("a start");
        assert_eq!(RecordForm::hands_text(&game), "[]");
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
            assert_eq!(RecordForm::hands_text(&game), shown);
        }
    }
}
