use crate::cards::Rank;
use crate::engine::{Place, Table};
use crate::support::hex::Hex;

/// The hash of a table: the turn, all hands from the top, and the cards put by each seat.
///
/// `buffer` is room to write in, kept from call to call.
pub(in crate::journal) fn state(table: &Table, buffer: &mut Vec<u8>) -> Hex<8> {
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
