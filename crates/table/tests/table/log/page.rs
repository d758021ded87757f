//! Test vectors of the book, computed by an independent implementation in another language, with
//! signatures from OpenSSL.

use crate::shared::project;
use ed25519_dalek::SigningKey;
use sha2::{Digest, Sha256};
use std::fs;
use war::support::hex::Hex;
use war_table::log::{
    Checkpoint, Leaf, LogTree, TableId, TreeHash, format_verifier_key, hash_leaf,
    is_start_signature, sign_start,
};

/// Texts of the page's test vectors, each without the line feed before the closing fence.
fn vectors() -> Vec<String> {
    let page = fs::read_to_string(project().join("docs/reference/table-log.md"));
    let page = page.expect("the page");
    let (_, vectors) = page.split_once("\n## Test vectors\n").expect("the vectors");
    let texts = vectors.split("\n```text\n").skip(1);
    let text = |text: &str| text.split_once("\n```").expect("its end").0.to_owned();
    texts.map(text).collect()
}

#[test]
fn the_book_s_vectors_are_reproduced() {
    let vectors = vectors();
    let [
        public,
        fingerprint,
        start,
        start_hash,
        signature,
        end,
        end_hash,
        root,
        checkpoint,
        name,
    ] = &vectors[..]
    else {
        panic!("{} vectors", vectors.len());
    };
    let key = SigningKey::from_bytes(&[1; 32]);
    let verifying = key.verifying_key();
    let hex = |bytes: [u8; 32]| TreeHash::new(bytes).to_string();
    assert_eq!(hex(verifying.to_bytes()), *public);
    assert_eq!(
        hex(Sha256::digest(verifying.as_bytes()).into()),
        *fingerprint
    );
    let table: TableId = "00112233445566778899aabbccddeeff".parse().expect("digits");

    let [start, end] = [start, end].map(|text| format!("{text}\n"));
    let Ok(Leaf::Start(begun)) = Leaf::from_bytes(start.as_bytes()) else {
        panic!("no start: {start}");
    };
    let bytes = std::array::from_fn(|at| u8::try_from(at).expect("small"));
    let expected = [bytes, [0x11; 32], [0x22; 32]].map(|seed: [u8; 32]| Sha256::digest(seed));
    let [commitment, first, second] = expected.map(|hash| Hex::new(hash.into()));
    assert_eq!((begun.game, begun.players), (1234, [12, 7]));
    assert_eq!(
        (begun.commitment, begun.seed_hashes),
        (commitment, [first, second])
    );
    assert_eq!(Leaf::Start(begun.clone()).to_string(), start);
    assert_eq!(sign_start(&table, &begun, &key), *signature);
    assert!(is_start_signature(&table, &begun, signature, &verifying));
    for wrong in [
        "",
        &signature[1..],
        &signature.to_uppercase(),
        &signature.replace('5', "6"),
    ] {
        assert!(
            !is_start_signature(&table, &begun, wrong, &verifying),
            "{wrong}"
        );
    }
    let other = SigningKey::from_bytes(&[2; 32]).verifying_key();
    assert!(!is_start_signature(&table, &begun, signature, &other));

    assert_eq!(
        Leaf::from_bytes(end.as_bytes()).map(|end| end.to_string()),
        Ok(end.clone())
    );
    let hashes = [&start, &end].map(|text| hash_leaf(text.as_bytes()));
    assert_eq!(
        hashes.map(|hash| hash.to_string()),
        [start_hash.clone(), end_hash.clone()]
    );
    let tree: LogTree = hashes.into_iter().collect();
    assert_eq!(tree.root().to_string(), *root);
    let (size, root) = (tree.size(), tree.root());
    let now = Checkpoint { table, size, root };
    assert_eq!(now.sign(&key), format!("{checkpoint}\n"));
    assert_eq!(
        Checkpoint::parse_verified(&now.sign(&key), &verifying),
        Ok(now)
    );
    assert_eq!(format_verifier_key(&now.origin(), &verifying), *name);
}
