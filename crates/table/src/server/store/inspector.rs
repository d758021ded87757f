use super::{Damage, FriendLinkRecord, StoreError, StoreReader, StoreSecret};
use crate::ladder::Standing;
use crate::operator::{LedgerPosition, PlayerActivity, PlayerSummary};
use crate::protocol::{HandTally, PlayerId, Tally};
use crate::room::{Player, PlayerGameRecord, RoomEvent};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use war::recording::RecordingMetadata;
use war::support::hex::Hex;
use war::tokens::{Kind, TokenEvent};

/// Read access for operators to everything in a store.
#[expect(
    clippy::missing_errors_doc,
    reason = "each fails if the store fails or is damaged"
)]
pub trait Inspector: StoreReader {
    /// Returns the secret of the store.
    fn secret(&self) -> Result<StoreSecret, StoreError>;

    /// Lists players after this number in the order of their numbers, at most `MAX_LISTED_PLAYERS`.
    fn players(&self, after: u64) -> Result<Vec<PlayerSummary>, StoreError>;

    /// Exports everything stored about a player, except for the events of the game that they are
    /// playing. Returns `None` if there is no such player.
    fn export(&self, player: PlayerId) -> Result<Option<Value>, StoreError>;

    /// Reads about `limit` events after this position with their transfers, and returns the next
    /// position unless those were the last.
    fn ledger_entries(
        &self,
        after: LedgerPosition,
        limit: u32,
    ) -> Result<(Vec<LedgerEntry>, Option<LedgerPosition>), StoreError>;

    /// Counts the players. Also returns the numbers of players whose balance differs from the
    /// ledger.
    fn wrong_balances(&self) -> Result<(u64, Vec<u64>), StoreError>;

    /// Checks the messages to up to `limit` players after this one. Returns true for a player if no
    /// message is missing or wrongly numbered, apart from messages deleted as old. House players
    /// get no messages.
    fn check_messages(&self, after: u64, limit: u32) -> Result<Vec<(u64, bool)>, StoreError>;

    /// Reads up to `limit` games with numbers above this one, each with the records of its players.
    fn game_records(&self, after: u64, limit: u32) -> Result<Vec<GameRecords>, StoreError>;

    /// Checks the game records of up to `limit` players after this one. Returns true for a player
    /// if the records agree with the player's statistics and with the balance after each game.
    /// House players have no records.
    fn check_records(&self, after: u64, limit: u32) -> Result<Vec<(u64, bool)>, StoreError>;

    /// Returns the numbers of up to `limit` games after this one that have a settlement.
    fn settled_games(&self, after: u64, limit: u32) -> Result<Vec<u64>, StoreError>;

    /// Reads the events of each of these games in order; `None` for a game with an event that can't
    /// be read. A store for which each query costs a round trip reads all games at once.
    fn events_of_games(
        &self,
        games: &BTreeSet<u64>,
    ) -> Result<BTreeMap<u64, Option<Vec<RoomEvent>>>, StoreError> {
        let games = games.iter();
        let games = games.map(|&game| Ok((game, damage_to_none(self.game_events(game))?)));
        games.collect()
    }

    /// Reads the settlements of these games, as far as they exist and can be read.
    fn settlements(
        &self,
        games: &BTreeSet<u64>,
    ) -> Result<BTreeMap<u64, RecordingMetadata>, StoreError> {
        let mut found = BTreeMap::new();
        for &game in games {
            if let Some(settled) = damage_to_none(self.settlement(game))?.flatten() {
                found.insert(game, settled);
            }
        }
        Ok(found)
    }
}

/// Converts the error for a damaged store to `None`, for the caller to report as a fault.
///
/// # Errors
///
/// Any other error.
pub fn damage_to_none<T>(read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(StoreError::Damaged(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Entry of the ledger: an event with its transfers.
pub struct LedgerEntry {
    /// Identifier of the event in the store.
    pub name: String,
    /// The event, if it exists and can be read.
    pub event: Option<RoomEvent>,
    /// Transfers that the ledger has for the event.
    pub transfers: Vec<Transfer>,
}

/// Joins events with their transfers. Transfers of missing events come last.
pub fn join_transfers<N: Ord>(
    events: Vec<(N, Option<RoomEvent>)>,
    mut transfers: BTreeMap<N, Vec<Transfer>>,
    name: impl Fn(&N) -> String,
) -> Vec<LedgerEntry> {
    let mut entries = Vec::new();
    for (number, event) in events {
        entries.push(LedgerEntry {
            name: name(&number),
            event,
            transfers: transfers.remove(&number).unwrap_or_default(),
        });
    }
    entries.extend(
        transfers
            .into_iter()
            .map(|(number, transfers)| LedgerEntry {
                name: name(&number),
                event: None,
                transfers,
            }),
    );
    entries
}

/// Builds the summary of a player, with the stored name of the kind of game that they wait for, or
/// the number of the game that they play.
///
/// # Errors
///
/// [`StoreError`] if the kind is unknown.
pub fn build_player_summary(
    (player, known): (PlayerId, Player),
    kind: Option<&str>,
    game: Option<u64>,
) -> Result<PlayerSummary, StoreError> {
    let doing = match (kind, game) {
        (_, Some(game)) => PlayerActivity::Playing(game),
        (Some(kind), _) => PlayerActivity::Waiting(Kind::from_name(kind).ok_or(Damage::Kind)?),
        (None, None) => PlayerActivity::Nothing,
    };
    Ok(PlayerSummary {
        player,
        name: known.name,
        balance: known.balance,
        house: known.house,
        standing: known.status,
        doing,
    })
}

/// Everything stored about a player.
pub struct PlayerExport {
    /// Number of the player.
    pub player: PlayerId,
    /// Name, balance and other data of the player.
    pub data: Player,
    /// Hash of the player's token.
    pub token: Hex<32>,
    /// Transfers: time in milliseconds since 1970, game and tokens.
    pub ledger: Vec<(u64, Option<u64>, i64)>,
    /// Events: time in milliseconds since 1970, and body.
    pub events: Vec<(u64, String)>,
    /// Bodies of the messages to the player.
    pub messages: Vec<String>,
    /// Answers: `id` of the request, and the refusal if there was one.
    pub answers: Vec<(String, Option<String>)>,
    /// The player's friend links.
    pub links: Vec<FriendLinkRecord>,
    /// Records of the player's finished games.
    pub games: Vec<PlayerGameRecord>,
    /// Standings in the ladder, with the name of the period of each.
    pub ladder: Vec<(String, Standing)>,
}

impl PlayerExport {
    /// Converts to the JSON that the operator gets.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if an event or a message can't be read.
    pub fn into_json(self) -> Result<Value, StoreError> {
        let Self { player, data, .. } = self;
        let ledger = self
            .ledger
            .into_iter()
            .map(|(at, game, tokens)| json!({"at_ms": at, "game": game, "tokens": tokens}));
        let event =
            |(at, body): (u64, String)| Ok(json!({"at_ms": at, "event": parse_json(&body)?}));
        let events: Result<Vec<_>, StoreError> = self.events.into_iter().map(event).collect();
        let messages = self.messages.iter().map(|body| parse_json(body));
        let messages: Result<Vec<_>, StoreError> = messages.collect();
        let answers = self.answers.into_iter();
        let answers = answers.map(|(id, refusal)| json!({"id": id, "refusal": refusal}));
        let links = self.links.iter();
        let links = links.map(|link| json!({"link": link.id, "game": link.kind}));
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
            "name": data.name,
            "name_is_fixed": data.name_is_fixed,
            "token_sha256": self.token,
            "balance": data.balance,
            "house": data.house,
            "standing": data.status,
            "watchable": data.watchable,
            "seq": data.seq,
            "ledger": ledger.collect::<Vec<_>>(),
            "events": events?,
            "messages": messages?,
            "answers": answers.collect::<Vec<_>>(),
            "links": links.collect::<Vec<_>>(),
            "games": games.collect::<Vec<_>>(),
            "ladder": ladder.collect::<Vec<_>>(),
        }))
    }
}

fn parse_json(body: &str) -> Result<Value, StoreError> {
    Ok(serde_json::from_str(body).map_err(|_| Damage::Event)?)
}

/// Tokens that operators gave to each player, in order of time; negative for tokens taken away.
pub type Adjustments = BTreeMap<PlayerId, Vec<i64>>;

/// Number of a player and the record of their games, or `None` if the record can't be read.
type NumberedRecord = (u64, Option<PlayerRecord>);

/// Checks the records of players. Calls `adjustments`, which has to search all events, only if some
/// record needs the adjustments.
///
/// # Errors
///
/// [`StoreError`] if the adjustments can't be read.
pub fn validate_records(
    found: Vec<NumberedRecord>,
    adjustments: impl FnOnce() -> Result<Adjustments, StoreError>,
) -> Result<Vec<(u64, bool)>, StoreError> {
    let needs_adjustments = |record: &PlayerRecord| !record.adds_up(&[]);
    let given = if found
        .iter()
        .filter_map(|(_, record)| record.as_ref())
        .any(needs_adjustments)
    {
        adjustments()?
    } else {
        Adjustments::new()
    };
    let is_sound = |(player, record): NumberedRecord| {
        let given = given.get(&PlayerId(player)).map_or(&[][..], Vec::as_slice);
        let is_sound =
            record.is_some_and(|record| record.statistics_match && record.adds_up(given));
        (player, is_sound)
    };
    Ok(found.into_iter().map(is_sound).collect())
}

/// Record of the finished games of one player, in the order of their ends.
#[derive(Default)]
pub struct PlayerRecord {
    /// Tokens won in each game, and the balance after it.
    games: Vec<(i64, i64)>,
    figures: BTreeMap<(Kind, String), Tally>,
    /// `true` if the stored statistics match those of the added games.
    statistics_match: bool,
}

impl PlayerRecord {
    /// Adds the next game that the player finished.
    pub fn add(&mut self, game: &PlayerGameRecord) {
        self.games.push((game.tokens, game.balance));
        let tally = self
            .figures
            .entry((game.kind, game.hand_ranks()))
            .or_default();
        *tally += Tally::from_game(game);
    }

    /// Compares the stored statistics with those of the added games. All games of the player must
    /// have been added.
    pub fn check_statistics(&mut self, figures: &[HandTally]) {
        let kept = figures.iter();
        let kept = kept.map(|hand| ((hand.game, hand.hand.clone()), hand.tally));
        self.statistics_match = kept.collect::<BTreeMap<_, _>>() == self.figures;
    }

    /// Returns true if the balances follow from the games and these adjustments by operators.
    ///
    /// A clock may have been set back, and the clocks of nodes differ, so that times may not be in
    /// the order in which games ended. It is enough that the balances fit in some order.
    fn adds_up(&self, adjustments: &[i64]) -> bool {
        self.adds_up_in_order(adjustments) || self.count_gaps() <= adjustments.len()
    }

    /// Returns true if each balance follows from the balance before it, the tokens won, and the
    /// adjustments in order.
    fn adds_up_in_order(&self, adjustments: &[i64]) -> bool {
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

    /// Counts games that began neither with the opening balance nor with the balance after another
    /// game, in any order of games.
    fn count_gaps(&self) -> usize {
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

/// Stored game, with the records that its players have of it.
pub struct GameRecords {
    /// Number of the game.
    pub game: u64,
    /// Records computed from the game's events, without the balances; empty while the game runs.
    pub computed: Vec<PlayerGameRecord>,
    /// Stored records.
    pub stored: Vec<PlayerGameRecord>,
}

impl GameRecords {
    /// Returns true if the stored records equal the computed ones, apart from the balances.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let same = |(computed, stored): (&PlayerGameRecord, &PlayerGameRecord)| {
            let balance = stored.balance;
            *stored
                == PlayerGameRecord {
                    balance,
                    ..computed.clone()
                }
        };
        let mut pairs = self.computed.iter().zip(&self.stored);
        self.computed.len() == self.stored.len() && pairs.all(same)
    }
}

/// Account that pays the opening balances, and gets the stakes if both players fold.
const BANK: PlayerId = PlayerId(0);

/// Transfer of tokens from one account to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transfer {
    /// Account that pays.
    pub debit: PlayerId,
    /// Account that receives.
    pub credit: PlayerId,
    /// Number of tokens, at least 1.
    pub tokens: i64,
}

/// Computes the transfers of an event, in order: the opening balance, an adjustment by an operator,
/// the stakes from the loser to the winner, or those of both players to the bank.
#[must_use]
pub fn compute_transfers(event: &RoomEvent) -> Vec<Transfer> {
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

/// Creates a transfer from the bank to a player, or back if `tokens` is negative.
const fn from_bank(player: PlayerId, tokens: i64) -> Transfer {
    if tokens < 0 {
        transfer(player, BANK, tokens.saturating_abs())
    } else {
        transfer(BANK, player, tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::PlayerRecord;
    use crate::protocol::{FinalAction, PlayerId};
    use crate::room::PlayerGameRecord;
    use crate::time::WallTime;
    use war::tokens::Kind;

    fn game(tokens: i64, balance: i64) -> PlayerGameRecord {
        PlayerGameRecord {
            player: PlayerId(2),
            game: 1,
            at: WallTime::from_millis(1),
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
        let mut record = PlayerRecord::default();
        for (tokens, balance) in games {
            record.add(&game(*tokens, *balance));
        }
        record.adds_up(adjustments)
    }

    #[test]
    fn a_balance_follows_from_games_and_adjustments() {
        assert!(adds_up(&[], &[(3, 1_003), (-10, 993)]));
        assert!(!adds_up(&[], &[(3, 1_004), (-10, 993)]));
        // Two adjustments between the two games, and one after both.
        let given = [5, -20, 100];
        assert!(adds_up(&given, &[(3, 1_003), (-10, 978)]));
        assert!(adds_up(&given, &[(3, 1_008), (-10, 978)]));
        assert!(!adds_up(&given[..1], &[(3, 1_009), (-10, 1_000)]));
    }

    #[test]
    fn games_may_be_stored_in_another_order_than_they_ended() {
        let games = [(3, 1_003), (-10, 993), (10, 1_003), (-1, 1_002)];
        let by_time = |order: [usize; 4]| order.map(|at| games[at]);
        for order in [[0, 1, 2, 3], [3, 0, 1, 2], [1, 3, 0, 2], [3, 2, 1, 0]] {
            assert!(adds_up(&[], &by_time(order)), "{order:?}");
            let mut wrong = by_time(order);
            wrong[1].1 += 1;
            assert!(!adds_up(&[], &wrong), "{order:?}");
        }
        // An adjustment between the two games fits in either order.
        let given = [(3, 1_003), (-10, 1_043)];
        assert!(adds_up(&[50], &given));
        assert!(adds_up(&[50], &[given[1], given[0]]));
        assert!(!adds_up(&[], &[given[1], given[0]]));
    }
}
