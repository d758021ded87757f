use crate::cards::Suit;
use crate::support::hex::Hex;

/// An event of a verified game, with what it changed, as a row of a table.
///
/// Fields that an event does not have are `None`. [`COLUMNS`](super::COLUMNS) has the same
/// fields in the same order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The journal's name.
    pub journal: String,
    /// The name and version of the rules.
    pub rules: String,
    /// The seed that the cards come from, where there is one.
    pub seed: Option<String>,
    /// The event's place in the sequence, counted from 0.
    pub seq: u64,
    /// The turn it belongs to; 0 before the first. In a token game, the number of the deal.
    pub turn: u32,
    /// What happened, by its name in the journal.
    pub event: &'static str,
    /// The number of face-up cards in the longest row of a war.
    pub round: Option<u32>,
    /// Whose event it is, where it is that of one player.
    pub player: Option<u8>,
    /// When a player's end of cards showed.
    pub step: Option<&'static str>,
    /// The winner, where the event ends the game and there is one.
    pub winner: Option<u8>,
    /// Whether several cards of a clash share the highest rank.
    pub war: Option<bool>,
    /// The turn whose start came back in an endless game.
    pub repeats_from: Option<u32>,
    /// For each of `cards`, who put it, got it or took it.
    pub players: Option<Vec<u8>>,
    /// The ranks of the cards that the event moves, in its order.
    pub cards: Option<Vec<u8>>,
    /// For each of `cards`, its suit, where there are suits.
    pub suits: Option<Vec<Suit>>,
    /// For each of `cards` put on the table, where in the hand it was, from the top.
    pub indexes: Option<Vec<u16>>,
    /// The cards in each hand after the event, player 1 first.
    pub hand_sizes: Vec<u32>,
    /// The cards on the table after the event; `None` in a token game.
    pub on_table: Option<u32>,
    /// The names of the players of a token game.
    pub names: Option<Vec<String>>,
    /// The public numbers of the players of a token game, from version 2 of its rules on.
    pub numbers: Option<Vec<u64>>,
    /// The hashes of the seeds that the players are committed to.
    pub seed_hashes: Option<Vec<String>>,
    /// The seed that a player added or opened.
    pub client_seed: Option<String>,
    /// What a player decided.
    pub decision: Option<&'static str>,
    /// Whether time decided for the player.
    pub timed_out: Option<bool>,
    /// What each player wins, player 1 first; negative for a loss.
    pub deltas: Option<Vec<i64>>,
    /// The hash of the state after the event.
    pub state: Hex<8>,
}
