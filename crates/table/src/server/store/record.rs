//! Whether what is kept of a player's games fits together.

use super::StoreError;
use crate::room::{FinishedGame, HandTally, Player, PlayerId, Tally};
use std::collections::BTreeMap;
use war::tokens::Kind;

/// What operators gave to players, in the order of its times; negative for what they took.
pub(super) type Adjustments = BTreeMap<PlayerId, Vec<i64>>;

/// A player, and what is found of their games: nothing where that can't be read.
pub(super) type Found = (u64, Option<Record>);

/// The players, and whether what is kept of their games fits together. What operators gave is looked
/// for among all events, so only where somebody was given some.
pub(super) fn judged(
    found: Vec<Found>,
    adjustments: impl FnOnce() -> Result<Adjustments, StoreError>,
) -> Result<Vec<(u64, bool)>, StoreError> {
    let is_short = |record: &Record| !record.adds_up(&[]);
    let given = if found
        .iter()
        .filter_map(|(_, record)| record.as_ref())
        .any(is_short)
    {
        adjustments()?
    } else {
        Adjustments::new()
    };
    let is_sound = |(player, record): Found| {
        let given = given.get(&PlayerId(player)).map_or(&[][..], Vec::as_slice);
        let is_sound = record.is_some_and(|record| record.counts && record.adds_up(given));
        (player, is_sound)
    };
    Ok(found.into_iter().map(is_sound).collect())
}

/// What is found of the games of one player, in the order of the times at which they ended.
#[derive(Default)]
pub(super) struct Record {
    /// The tokens that each game moved, and what the player had after it.
    games: Vec<(i64, i64)>,
    figures: BTreeMap<(Kind, String), Tally>,
    /// Whether the figures that are kept are these.
    counts: bool,
}

impl Record {
    /// Adds the next game.
    pub(super) fn add(&mut self, game: &FinishedGame) {
        self.games.push((game.tokens, game.balance));
        let tally = self.figures.entry((game.kind, game.held())).or_default();
        *tally += Tally::of(game);
    }

    /// Compares the figures that are kept, once all games are added.
    pub(super) fn compare(&mut self, figures: &[HandTally]) {
        let kept = figures.iter();
        let kept = kept.map(|hand| ((hand.game, hand.hand.clone()), hand.tally));
        self.counts = kept.collect::<BTreeMap<_, _>>() == self.figures;
    }

    /// Whether each game left as many tokens as it must, where operators gave these, negative for
    /// what they took.
    ///
    /// A clock may have been set back, and the clocks of nodes differ, so that the order of times need
    /// not be the one in which games ended: some order must fit.
    fn adds_up(&self, adjustments: &[i64]) -> bool {
        self.follows(adjustments) || self.gaps() <= adjustments.len()
    }

    /// Whether each game follows from the one before it, and from what operators gave in this order.
    fn follows(&self, adjustments: &[i64]) -> bool {
        let mut adjustments = adjustments.iter();
        let mut has = Player::OPENING_BALANCE;
        self.games.iter().all(|(tokens, balance)| {
            has = has.wrapping_add(*tokens);
            while has != *balance
                && let Some(given) = adjustments.next()
            {
                has = has.wrapping_add(*given);
            }
            has == *balance
        })
    }

    /// How many games began with tokens that no game left, however they are ordered.
    fn gaps(&self) -> usize {
        let mut left: BTreeMap<i64, i64> = BTreeMap::from([(Player::OPENING_BALANCE, 1)]);
        for (tokens, balance) in &self.games {
            *left.entry(*balance).or_default() += 1;
            *left.entry(balance.wrapping_sub(*tokens)).or_default() -= 1;
        }
        let missing = left.values().filter(|left| **left < 0);
        let missing: u64 = missing.map(|left| left.unsigned_abs()).sum();
        usize::try_from(missing).unwrap_or(usize::MAX)
    }
}

/// A game whose events there are, and what is kept of it for its players.
pub struct PlayedGame {
    /// Its number.
    pub game: u64,
    /// What should be kept for each of its players, but for the balance: nothing while it runs.
    pub played: Vec<FinishedGame>,
    /// What is kept.
    pub kept: Vec<FinishedGame>,
}

impl PlayedGame {
    /// Whether the game is kept as it was played.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let same = |(played, kept): (&FinishedGame, &FinishedGame)| {
            let balance = kept.balance;
            *kept
                == FinishedGame {
                    balance,
                    ..played.clone()
                }
        };
        let mut pairs = self.played.iter().zip(&self.kept);
        self.played.len() == self.kept.len() && pairs.all(same)
    }
}

#[cfg(test)]
mod tests {
    use super::Record;
    use crate::room::{Deed, FinishedGame, PlayerId};
    use war::tokens::Kind;

    fn game(tokens: i64, balance: i64) -> FinishedGame {
        FinishedGame {
            player: PlayerId(2),
            game: 1,
            at: 1,
            kind: Kind::Single,
            opponent: PlayerId(3),
            yours: Deed::Open,
            theirs: Deed::Forfeit,
            cards: None,
            their_cards: None,
            tokens,
            balance,
            is_public: true,
        }
    }

    fn adds_up(adjustments: &[i64], games: &[(i64, i64)]) -> bool {
        let mut record = Record::default();
        for (tokens, balance) in games {
            record.add(&game(*tokens, *balance));
        }
        record.adds_up(adjustments)
    }

    #[test]
    fn a_balance_follows_from_the_games_and_from_what_operators_gave() {
        assert!(adds_up(&[], &[(3, 1_003), (-10, 993)]));
        assert!(!adds_up(&[], &[(3, 1_004), (-10, 993)]));
        // Two adjustments between two games, and one that is still to come.
        let given = [5, -20, 100];
        assert!(adds_up(&given, &[(3, 1_003), (-10, 978)]));
        assert!(adds_up(&given, &[(3, 1_008), (-10, 978)]));
        assert!(!adds_up(&given[..1], &[(3, 1_009), (-10, 1_000)]));
    }

    #[test]
    fn games_may_be_kept_in_another_order_than_they_were_played_in() {
        let games = [(3, 1_003), (-10, 993), (10, 1_003), (-1, 1_002)];
        let by_time = |order: [usize; 4]| order.map(|at| games[at]);
        for order in [[0, 1, 2, 3], [3, 0, 1, 2], [1, 3, 0, 2], [3, 2, 1, 0]] {
            assert!(adds_up(&[], &by_time(order)), "{order:?}");
            let mut wrong = by_time(order);
            wrong[1].1 += 1;
            assert!(!adds_up(&[], &wrong), "{order:?}");
        }
        // What an operator gave is between two of them, wherever that was.
        let given = [(3, 1_003), (-10, 1_043)];
        assert!(adds_up(&[50], &given));
        assert!(adds_up(&[50], &[given[1], given[0]]));
        assert!(!adds_up(&[], &[given[1], given[0]]));
    }
}
