use crate::broken::{Lawful, law};
use std::collections::BTreeMap;
use war_table::room::{Player, PlayerId};

/// What every player must have, by the entries of the ledger: what one gets, another one or the
/// bank gives.
#[derive(Default)]
pub(crate) struct Ledger {
    balances: BTreeMap<PlayerId, i64>,
    bank: i64,
    total: i64,
    /// How many games were settled.
    pub(crate) games: u64,
}

impl Ledger {
    pub(super) fn joined(&mut self, id: PlayerId, player: &Player) -> Lawful {
        let opening = Player::OPENING_BALANCE;
        let begins = player.balance == opening && self.balances.insert(id, opening).is_none();
        law("everybody joins once, with the same tokens", begins, || {
            format!("{id} {player:?}")
        })?;
        self.bank -= opening;
        self.total += opening;
        Ok(())
    }

    pub(super) fn settled(&mut self, seats: [PlayerId; 2], deltas: [i64; 2]) {
        for (player, delta) in seats.into_iter().zip(deltas) {
            *self.balances.entry(player).or_default() += delta;
            self.total += delta;
            self.bank -= delta;
        }
        self.games += 1;
    }

    /// What the store has of a player when their batch ends is what the ledger says.
    pub(super) fn persisted(&self, id: PlayerId, player: &Player) -> Lawful {
        let due = self.balances.get(&id);
        law("the ledger adds up", due == Some(&player.balance), || {
            format!("{id} has {} and should have {due:?}", player.balance)
        })?;
        law("the ledger adds up", self.total + self.bank == 0, || {
            format!("players {} bank {}", self.total, self.bank)
        })
    }

    /// What a player must have.
    pub(crate) fn balance(&self, id: PlayerId) -> Option<i64> {
        self.balances.get(&id).copied()
    }
}
