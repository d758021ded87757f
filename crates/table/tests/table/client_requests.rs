//! Requests of clients.
#![allow(dead_code, reason = "the tests of the program need some of it, too")]

use serde_json::{Value, json};
use war::support::hex::Hex;
use war::tokens::commitment;

/// 32 bytes that look random, and are always the same for the same name.
fn bytes(name: &str) -> Hex<32> {
    Hex::from_hash(&blake3::hash(name.as_bytes()))
}

/// Token of the player of this name.
pub(crate) fn token(name: &str) -> String {
    bytes(&format!("token {name}")).to_string()
}

pub(crate) fn hello(name: &str) -> Value {
    hello_by(&token(name), name)
}

/// Hello of a player with this token.
pub(crate) fn hello_by(token: &str, name: &str) -> Value {
    json!({"type": "hello", "id": "h", "name": name, "token": token, "protocol": 2})
}

/// Seed for the choice with this id.
pub(super) fn seed(choice: &str) -> String {
    bytes(choice).to_string()
}

/// Choice of a game, committed to the [`seed`] that belongs to this id.
pub(crate) fn choose(id: &str, game: &str) -> Value {
    let seed_hash = commitment(&bytes(id)).to_string();
    json!({"type": "choose", "id": id, "game": game, "seed_hash": seed_hash})
}

/// Choice of a game of one card against somebody in particular.
pub(crate) fn choose_with(id: &str, with: &Value) -> Value {
    let mut choice = single(id);
    choice["with"] = with.clone();
    choice
}

/// Choice of a game of one card.
pub(crate) fn single(id: &str) -> Value {
    choose(id, "single-card-game")
}

/// Choice of a game of two cards.
pub(super) fn double(id: &str) -> Value {
    choose(id, "double-card-game")
}

pub(crate) fn cancel(id: &str) -> Value {
    json!({"type": "cancel", "id": id, "game": "single-card-game"})
}

/// Request that opens the seed of a choice, in the game of the message `started`.
pub(crate) fn open(id: &str, started: &Value, choice: &str) -> Value {
    json!({"type": "seed", "id": id, "game_id": started["game_id"], "value": seed(choice)})
}

/// Request that decides on the cards of the message `dealt`.
pub(crate) fn decide(id: &str, dealt: &Value, decision: &str) -> Value {
    let (game_id, deal) = (&dealt["game_id"], &dealt["deal"]);
    json!({"type": "decide", "id": id, "game_id": game_id, "deal": deal, "decision": decision})
}
