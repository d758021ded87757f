use super::rows::{Cell, Part, Row};
use crate::log::{Frontier, leaf_hash};
use crate::server::store::Damage;
use std::collections::BTreeMap;

/// What was moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// How many players.
    pub players: u64,
    /// How many of their games run.
    pub running: u64,
    /// How many leaves of the log.
    pub leaves: u64,
}

/// What is found of the rows of a store, in whatever order they come.
#[derive(Default)]
pub(super) struct Findings {
    /// How many rows there are of each kind, and the sum of their digests.
    parts: BTreeMap<Part, (u64, u128)>,
    /// How many tokens each player has beyond what the ledger says.
    unexplained: BTreeMap<i64, i64>,
    /// How many tokens went from one account to another.
    transferred: i64,
    log: Frontier,
}

impl Findings {
    /// Adds rows of a kind.
    ///
    /// # Errors
    ///
    /// [`Damage`] where they are not what they should be.
    pub(super) fn add(&mut self, part: Part, rows: &[Row]) -> Result<(), Damage> {
        for row in rows {
            let (count, sum) = self.parts.entry(part).or_default();
            *count += 1;
            *sum = sum.wrapping_add(digest(row));
            match (part, &row[..]) {
                (Part::Players, [Cell::Number(id), _, _, Cell::Number(balance), ..]) => {
                    self.explain(*id, *balance);
                }
                (
                    Part::Transfers,
                    &[
                        Cell::Number(_),
                        Cell::Number(debit),
                        Cell::Number(credit),
                        Cell::Number(tokens),
                    ],
                ) => {
                    self.explain(debit, tokens);
                    self.explain(credit, tokens.wrapping_neg());
                    self.transferred = self.transferred.wrapping_add(tokens);
                }
                (Part::Leaves, [Cell::Number(number), Cell::Bytes(hash), _, Cell::Text(body)]) => {
                    self.log_leaf(*number, hash, body)?;
                }
                (Part::Players | Part::Transfers | Part::Leaves, _) => return Err(Damage::Layout),
                _ => {}
            }
        }
        Ok(())
    }

    fn explain(&mut self, player: i64, tokens: i64) {
        let unexplained = self.unexplained.entry(player).or_default();
        *unexplained = unexplained.wrapping_add(tokens);
    }

    fn log_leaf(&mut self, number: i64, hash: &[u8], body: &str) -> Result<(), Damage> {
        let expected = i64::try_from(self.log.size());
        let leaf = leaf_hash(body.as_bytes());
        if expected != Ok(number) || hash != leaf.bytes() {
            return Err(Damage::Leaf);
        }
        self.log.append(leaf);
        Ok(())
    }

    /// Checks what holds of every store: each player has what the ledger says.
    ///
    /// # Errors
    ///
    /// [`Damage`] where it does not hold.
    pub(super) fn check(&self) -> Result<(), Damage> {
        /// The account that opening balances come from.
        const BANK: i64 = 0;
        let mut players = self.unexplained.iter().filter(|(id, _)| **id != BANK);
        if players.all(|(_, unexplained)| *unexplained == 0) {
            Ok(())
        } else {
            Err(Damage::Balance)
        }
    }

    /// The first kind of rows of which the other store has others.
    pub(super) fn difference(&self, other: &Self) -> Option<Part> {
        let differs = |part: &Part| self.parts.get(part) != other.parts.get(part);
        let mut parts = Part::ALL.into_iter();
        if let Some(part) = parts.find(differs) {
            return Some(part);
        }
        if (&self.unexplained, self.transferred) != (&other.unexplained, other.transferred) {
            return Some(Part::Transfers);
        }
        let log = |findings: &Self| (findings.log.size(), findings.log.root());
        (log(self) != log(other)).then_some(Part::Leaves)
    }

    pub(super) fn moved(&self) -> Moved {
        let count = |part| self.parts.get(&part).map_or(0, |(count, _)| *count);
        Moved {
            players: count(Part::Players),
            running: count(Part::Seats) / 2,
            leaves: count(Part::Leaves),
        }
    }
}

/// The digest of a row: no two rows have the same one.
fn digest(row: &Row) -> u128 {
    let mut hasher = blake3::Hasher::new();
    for cell in row {
        let (kind, bytes) = match cell {
            Cell::Nothing => (0, &[][..]),
            Cell::Number(number) => (1, &number.to_be_bytes()[..]),
            Cell::Text(text) => (2, text.as_bytes()),
            Cell::Bytes(bytes) => (3, &bytes[..]),
        };
        hasher.update(&[kind]);
        hasher.update(&(bytes.len() as u64).to_be_bytes());
        hasher.update(bytes);
    }
    let mut digest = [0; 16];
    hasher.finalize_xof().fill(&mut digest);
    u128::from_be_bytes(digest)
}
