//! Parsing of untrusted input: no text causes a panic, and every text that is accepted is written
//! back unchanged.

use proptest::prelude::*;
use war_table::log::{Checkpoint, Leaf, Note, Tile, decode_bundle, encode_bundle};

/// A valid text with up to three random changes.
fn nearly(text: &'static str) -> impl Strategy<Value = String> {
    let change = (0..text.chars().count(), any::<char>(), 0..3_u8);
    proptest::collection::vec(change, 0..4).prop_map(move |changes| {
        let mut changed: Vec<char> = text.chars().collect();
        for (at, char, kind) in changes {
            let at = at.min(changed.len().saturating_sub(1));
            match kind {
                0 => changed.insert(at, char),
                1 if !changed.is_empty() => drop(changed.remove(at)),
                _ => changed[at..].iter_mut().take(1).for_each(|it| *it = char),
            }
        }
        changed.into_iter().collect()
    })
}

const LEAF: &str = "war-table end/1\n1234\n65beb305410a611f291a47ef8b561854\n1790000042000\n";

const NOTE: &str = "war-table/00112233445566778899aabbccddeeff\n2\n\
    JImki7x3QIaj3ZLfu3Qn3eMBQRdSzsM/XskQum9RyVw=\n\n\
    \u{2014} war-table/00112233445566778899aabbccddeeff XRWND/1B5DOHnDENpFcnPtbAweosZmEAZP/F/XZ2R/lw9zf+Bno/zGpbWdF1SYpQx7PwAr1EGukZ+icR1CqaebQeawQ=\n";

proptest! {
    #[test]
    fn parsed_texts_are_written_unchanged(
        leaf in nearly(LEAF),
        note in nearly(NOTE),
        tile in nearly("tile/0/x001/067.p/112"),
        bytes in proptest::collection::vec(any::<u8>(), 0..64),
    ) {
        if let Ok(read) = leaf.parse::<Leaf>() {
            prop_assert_eq!(read.to_string(), leaf);
        }
        if let Ok(read) = note.parse::<Note>() {
            prop_assert_eq!(read.to_string(), note.clone());
        }
        if let Ok(read) = tile.parse::<Tile>() {
            prop_assert_eq!(read.to_string(), tile);
        }
        if let Ok(read) = decode_bundle(&bytes) {
            prop_assert_eq!(encode_bundle(read), Ok(bytes));
        }
        // A checkpoint can't be changed without the key.
        let key = ed25519_dalek::SigningKey::from_bytes(&[1; 32]).verifying_key();
        prop_assert_eq!(Checkpoint::parse_verified(&note, &key).is_ok(), note == NOTE);
    }
}
