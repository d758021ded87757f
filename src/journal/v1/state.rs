use crate::cards::Rank;
use crate::engine::Table;
use crate::hex::Hex;
use std::io::Write;

/// The hash of a table: the turn, all hands from the top, and the cards put by each seat.
///
/// `buffer` is room to write in, kept from call to call.
pub(in crate::journal) fn state(table: &Table, buffer: &mut Vec<u8>) -> Hex<8> {
    let places = table.places().iter();
    buffer.clear();
    buffer.extend_from_slice(b"{\"turn\":");
    // Writing to memory never fails.
    let _ = write!(buffer, "{}", table.turn());
    buffer.extend_from_slice(b",\"hands\":[");
    lists(buffer, places.clone().map(|place| place.hand().iter()));
    buffer.extend_from_slice(b"],\"table\":[");
    lists(
        buffer,
        places.map(|place| place.pile().iter().map(|put| &put.card)),
    );
    buffer.extend_from_slice(b"]}");
    Hex::truncated(&blake3::hash(buffer))
}

fn lists<'a>(out: &mut Vec<u8>, lists: impl Iterator<Item = impl Iterator<Item = &'a Rank>>) {
    for (index, cards) in lists.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.push(b'[');
        for (index, card) in cards.enumerate() {
            if index > 0 {
                out.push(b',');
            }
            // A rank has two digits at most.
            if card.get() >= 10 {
                out.push(b'0' + card.get() / 10);
            }
            out.push(b'0' + card.get() % 10);
        }
        out.push(b']');
    }
}
