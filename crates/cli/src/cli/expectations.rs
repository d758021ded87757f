//! The command line of what is demanded of a journal.

use clap::Args;
use std::str::FromStr;
use war::engine::Seat;
use war::i18n::{Text, text};
use war::journal::Expected;
use war::support::digits::whole;
use war::support::hex::Hex;

#[derive(Debug, Args)]
pub(crate) struct Expectations {
    /// Final digest that the journal must have, in any letter case
    #[arg(long = "expect-digest", value_name = "HEX")]
    digest: Option<String>,
    /// Commitment of the table that the token game must have
    #[arg(long = "expect-commitment", value_name = "HEX")]
    commitment: Option<String>,
    /// Number that the token game must have
    #[arg(long = "expect-game", value_name = "N", allow_hyphen_values = true)]
    game: Option<String>,
    /// Seed that a player of the token game must have opened; can be repeated
    ///
    /// SEAT is 1 or 2, and HEX the 64 digits of the seed, in any letter case. By version 1 of the
    /// rules, players gave texts: compare those with what the replay prints.
    #[arg(long = "expect-seed", value_name = "SEAT:HEX")]
    seed: Vec<String>,
}

impl Expectations {
    /// What was typed, as it is meant.
    ///
    /// The error says what is not a value of its option.
    pub(crate) fn meant(&self) -> Result<Expected, Text> {
        let digest = self.digest.as_deref().map(|typed| {
            let digest = digits(typed);
            digest.ok_or_else(|| text!(BadDigest, value = typed))
        });
        let commitment = self.commitment.as_deref().map(|typed| {
            let commitment = digits(typed);
            commitment.ok_or_else(|| text!(BadCommitment, value = typed))
        });
        let game = self.game.as_deref().map(|typed| {
            let game = whole(typed);
            game.ok_or_else(|| text!(BadGameNumber, value = typed))
        });
        let seeds = self.seed.iter().map(|typed| {
            let seed = seed(typed);
            seed.ok_or_else(|| text!(BadPlayerSeed, value = typed.as_str()))
        });
        Ok(Expected {
            digest: digest.transpose()?,
            commitment: commitment.transpose()?,
            game: game.transpose()?,
            seeds: seeds.collect::<Result<_, _>>()?,
        })
    }
}

/// Hexadecimal digits in any letter case.
fn digits<const N: usize>(typed: &str) -> Option<Hex<N>> {
    Hex::from_str(&typed.to_ascii_lowercase()).ok()
}

/// A seat of two, and a seed.
fn seed(typed: &str) -> Option<(Seat, Hex<32>)> {
    let (seat, seed) = typed.split_once(':')?;
    let seat = Seat::all().take(2).find(|s| s.to_string() == seat)?;
    Some((seat, digits(seed)?))
}
