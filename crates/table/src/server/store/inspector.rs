use super::{Damage, Reader, StoreError};
use crate::ladder::Standing;
use crate::operator::{LedgerPosition, PlayerActivity, PlayerSummary};
use crate::protocol::{HandTally, PlayerId, Tally};
use crate::room::{FinishedGame, Player, RoomEvent};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use war::support::hex::Hex;
use war::tokens::{Kind, TokenEvent};

/// A store for operators, who look at all of it.
#[expect(
    clippy::missing_errors_doc,
    reason = "each of them where the store fails or is damaged"
)]
pub trait Inspector: Reader {
    /// Players after this number, in the order of their numbers: as many as are listed at once.
    fn players(&self, after: u64) -> Result<Vec<PlayerSummary>, StoreError>;

    /// All that is kept of a player, but the events of the game that they play; nothing where
    /// nobody has this number.
    fn export(&self, player: PlayerId) -> Result<Option<Value>, StoreError>;

    /// About so many events behind these with their entries in the ledger, and where to go on,
    /// unless those were all.
    fn booked(
        &self,
        after: LedgerPosition,
        most: u32,
    ) -> Result<(Vec<Booked>, Option<LedgerPosition>), StoreError>;

    /// How many players there are, and those whose balance is not what the ledger makes it.
    fn wrong_balances(&self) -> Result<(u64, Vec<u64>), StoreError>;

    /// Up to so many players behind this one, and whether the messages to each are there: all
    /// that were not removed, each with its number. The house gets none.
    fn kept_messages(&self, after: u64, most: u32) -> Result<Vec<(u64, bool)>, StoreError>;

    /// Up to so many games behind this one, by number: each with what is kept of it for its players.
    fn played_games(&self, after: u64, most: u32) -> Result<Vec<PlayedGame>, StoreError>;

    /// Up to so many players behind this one, and whether what is kept of the games of each fits
    /// together: their figures, and what they had after each. Nothing is kept for the house.
    fn records(&self, after: u64, most: u32) -> Result<Vec<(u64, bool)>, StoreError>;

    /// The numbers of up to so many games behind this one whose journals are kept.
    fn settled_games(&self, after: u64, most: u32) -> Result<Vec<u64>, StoreError>;
}

/// An event, if it can be read, and its entries in the ledger.
pub struct Booked {
    /// What the store calls it.
    pub name: String,
    /// The event.
    pub event: Option<RoomEvent>,
    /// What was written into the ledger for it.
    pub entries: Vec<Transfer>,
}

/// Events with their entries; entries of events that are not there stand alone.
pub fn paired<N: Ord>(
    events: Vec<(N, Option<RoomEvent>)>,
    mut entries: BTreeMap<N, Vec<Transfer>>,
    name: impl Fn(&N) -> String,
) -> Vec<Booked> {
    let mut booked = Vec::new();
    for (number, event) in events {
        booked.push(Booked {
            name: name(&number),
            event,
            entries: entries.remove(&number).unwrap_or_default(),
        });
    }
    booked.extend(entries.into_iter().map(|(number, entries)| Booked {
        name: name(&number),
        event: None,
        entries,
    }));
    booked
}

/// A player as they are listed, with the kind of game that they wait for or the number of the one
/// that they play, as a store has them.
///
/// # Errors
///
/// [`StoreError`] where the kind is none.
pub fn listed(
    (player, known): (PlayerId, Player),
    kind: Option<&str>,
    game: Option<u64>,
) -> Result<PlayerSummary, StoreError> {
    let doing = match (kind, game) {
        (_, Some(game)) => PlayerActivity::Playing(game),
        (Some(kind), _) => PlayerActivity::Waiting(Kind::named(kind).ok_or(Damage::Kind)?),
        (None, None) => PlayerActivity::Nothing,
    };
    Ok(PlayerSummary {
        player,
        name: known.name,
        balance: known.balance,
        house: known.house,
        standing: known.standing,
        doing,
    })
}

/// All that is kept of a player, as it is read.
pub struct Kept {
    /// Whose it is.
    pub player: PlayerId,
    /// The player.
    pub known: Player,
    /// The hash of their token.
    pub token: Hex<32>,
    /// When tokens were moved, in which game, and how many.
    pub ledger: Vec<(u64, Option<u64>, i64)>,
    /// When something happened, and what.
    pub events: Vec<(u64, String)>,
    /// What they were sent.
    pub messages: Vec<String>,
    /// The `id` of each request, and why it was not granted.
    pub answers: Vec<(String, Option<String>)>,
    /// The games that are over.
    pub games: Vec<FinishedGame>,
    /// Where they stand in the ladder, over each span.
    pub ladder: Vec<(String, Standing)>,
}

impl Kept {
    /// The same for the operator.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where an event or a message can't be read.
    pub fn value(self) -> Result<Value, StoreError> {
        let Self { player, known, .. } = self;
        let ledger = self
            .ledger
            .into_iter()
            .map(|(at, game, tokens)| json!({"at_ms": at, "game": game, "tokens": tokens}));
        let event = |(at, body): (u64, String)| Ok(json!({"at_ms": at, "event": parsed(&body)?}));
        let events: Result<Vec<_>, StoreError> = self.events.into_iter().map(event).collect();
        let messages = self.messages.iter().map(|body| parsed(body));
        let messages: Result<Vec<_>, StoreError> = messages.collect();
        let answers = self.answers.into_iter();
        let answers = answers.map(|(id, refusal)| json!({"id": id, "refusal": refusal}));
        let games = self.games.iter().map(|game| {
            json!({
                "game": game.game, "at_ms": game.at, "kind": game.kind, "opponent": game.opponent,
                "yours": game.yours, "theirs": game.theirs, "cards": game.cards,
                "their_cards": game.their_cards, "tokens": game.tokens, "balance": game.balance,
                "public": game.is_public,
            })
        });
        let ladder = self.ladder.iter().map(|(span, standing)| {
            json!({
                "span": span, "rating": standing.rating, "deviation": standing.deviation,
                "volatility": standing.volatility, "games": standing.games, "day": standing.day,
            })
        });
        Ok(json!({
            "format": "war-table-player",
            "version": 1,
            "player": player,
            "name": known.name,
            "name_is_fixed": known.name_is_fixed,
            "token_sha256": self.token,
            "balance": known.balance,
            "house": known.house,
            "standing": known.standing,
            "watchable": known.watchable,
            "seq": known.seq,
            "ledger": ledger.collect::<Vec<_>>(),
            "events": events?,
            "messages": messages?,
            "answers": answers.collect::<Vec<_>>(),
            "games": games.collect::<Vec<_>>(),
            "ladder": ladder.collect::<Vec<_>>(),
        }))
    }
}

fn parsed(body: &str) -> Result<Value, StoreError> {
    Ok(serde_json::from_str(body).map_err(|_| Damage::Event)?)
}

/// What operators gave to players, in the order of its times; negative for what they took.
pub type Adjustments = BTreeMap<PlayerId, Vec<i64>>;

/// A player, and what is found of their games: nothing where that can't be read.
type Found = (u64, Option<Record>);

/// The players, and whether what is kept of their games fits together. What operators gave is looked
/// for among all events, so only where somebody was given some.
///
/// # Errors
///
/// [`StoreError`] where what operators gave can't be read.
pub fn judged(
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
pub struct Record {
    /// The tokens that each game moved, and what the player had after it.
    games: Vec<(i64, i64)>,
    figures: BTreeMap<(Kind, String), Tally>,
    /// Whether the figures that are kept are these.
    counts: bool,
}

impl Record {
    /// Adds the next game.
    pub fn add(&mut self, game: &FinishedGame) {
        self.games.push((game.tokens, game.balance));
        let tally = self.figures.entry((game.kind, game.held())).or_default();
        *tally += Tally::of(game);
    }

    /// Compares the figures that are kept, once all games are added.
    pub fn compare(&mut self, figures: &[HandTally]) {
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

#[cfg(test)]
mod tests {
    use super::Record;
    use crate::protocol::{FinalAction, PlayerId};
    use crate::room::FinishedGame;
    use war::tokens::Kind;

    fn game(tokens: i64, balance: i64) -> FinishedGame {
        FinishedGame {
            player: PlayerId(2),
            game: 1,
            at: 1,
            kind: Kind::Single,
            opponent: PlayerId(3),
            yours: FinalAction::Open,
            theirs: FinalAction::Forfeit,
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
