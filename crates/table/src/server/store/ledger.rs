//! What events change in the ledger.

use crate::room::{Player, PlayerId, RoomEvent};
use war::tokens::TokenEvent;

/// The account that opening balances come from and stakes of two folders go to.
const BANK: PlayerId = PlayerId(0);

/// Tokens that go from one account to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transfer {
    /// Who pays.
    pub debit: PlayerId,
    /// Who gets them.
    pub credit: PlayerId,
    /// How many: more than none.
    pub tokens: i64,
}

/// The transfers of an event, in order: the opening balance, what an operator gives or takes, or
/// the stakes from the loser to the winner, or from both to the bank.
#[must_use]
pub fn transfers(event: &RoomEvent) -> Vec<Transfer> {
    match event {
        &RoomEvent::Joined { player, .. } => vec![from_bank(player, Player::OPENING_BALANCE)],
        &RoomEvent::Adjusted { player, tokens, .. } => vec![from_bank(player, tokens)],
        RoomEvent::Played {
            seats: [first, second],
            event: TokenEvent::Settled { deltas },
            ..
        } => match *deltas {
            [won, _] if won > 0 => vec![transfer(*second, *first, won)],
            [_, won] if won > 0 => vec![transfer(*first, *second, won)],
            [one, other] => vec![from_bank(*first, one), from_bank(*second, other)],
        },
        _ => Vec::new(),
    }
}

const fn transfer(debit: PlayerId, credit: PlayerId, tokens: i64) -> Transfer {
    Transfer {
        debit,
        credit,
        tokens,
    }
}

/// Tokens that the bank gives to a player; where the number is negative, it takes some.
const fn from_bank(player: PlayerId, tokens: i64) -> Transfer {
    if tokens < 0 {
        transfer(player, BANK, tokens.saturating_abs())
    } else {
        transfer(BANK, player, tokens)
    }
}
