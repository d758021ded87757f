//! What events change in the ledger.

use crate::room::{Player, PlayerId, RoomEvent};
use crate::tokens::TokenEvent;

/// The account that opening balances come from and stakes of two folders go to.
const BANK: PlayerId = PlayerId(0);

/// Tokens that go from one account to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Transfer {
    /// Who pays.
    pub(super) debit: PlayerId,
    /// Who gets them.
    pub(super) credit: PlayerId,
    /// How many: more than none.
    pub(super) tokens: i64,
}

/// The transfers of an event: the opening balance, or the stakes from the loser to the winner, or
/// from both to the bank.
pub(super) fn transfers(event: &RoomEvent) -> Vec<Transfer> {
    let transfer = |debit, credit, tokens| Transfer {
        debit,
        credit,
        tokens,
    };
    match event {
        &RoomEvent::Joined { player, .. } => {
            vec![transfer(BANK, player, Player::OPENING_BALANCE)]
        }
        RoomEvent::Played {
            seats: [first, second],
            event: TokenEvent::Settled { deltas },
            ..
        } => match *deltas {
            [won, _] if won > 0 => vec![transfer(*second, *first, won)],
            [_, won] if won > 0 => vec![transfer(*first, *second, won)],
            [one, other] => vec![
                transfer(*first, BANK, -one),
                transfer(*second, BANK, -other),
            ],
        },
        _ => Vec::new(),
    }
}
