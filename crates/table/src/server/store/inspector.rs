use super::{Damage, PlayedGame, Reader, StoreError, Transfer};
use crate::ladder::Standing;
use crate::operator::{Doing, LedgerPlace, Listed};
use crate::room::{FinishedGame, Player, PlayerId, RoomEvent};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use war::support::hex::Hex;
use war::tokens::Kind;

/// A store for operators, who look at all of it.
#[expect(
    clippy::missing_errors_doc,
    reason = "each of them where the store fails or is damaged"
)]
pub trait Inspector: Reader {
    /// Players after this number, in the order of their numbers: as many as are listed at once.
    fn players(&self, after: u64) -> Result<Vec<Listed>, StoreError>;

    /// All that is kept of a player, but the events of the game that they play; nothing where
    /// nobody has this number.
    fn export(&self, player: PlayerId) -> Result<Option<Value>, StoreError>;

    /// About so many events behind these with their entries in the ledger, and where to go on,
    /// unless those were all.
    fn booked(
        &self,
        after: LedgerPlace,
        most: u32,
    ) -> Result<(Vec<Booked>, Option<LedgerPlace>), StoreError>;

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
pub(super) fn paired<N: Ord>(
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
pub(super) fn listed(
    (player, known): (PlayerId, Player),
    kind: Option<&str>,
    game: Option<u64>,
) -> Result<Listed, StoreError> {
    let doing = match (kind, game) {
        (_, Some(game)) => Doing::Playing(game),
        (Some(kind), _) => Doing::Waiting(Kind::named(kind).ok_or(Damage::Kind)?),
        (None, None) => Doing::Nothing,
    };
    Ok(Listed {
        player,
        name: known.name,
        balance: known.balance,
        house: known.house,
        standing: known.standing,
        doing,
    })
}

/// All that is kept of a player, as it is read.
pub(super) struct Kept {
    pub(super) player: PlayerId,
    pub(super) known: Player,
    pub(super) token: Hex<32>,
    /// When tokens were moved, in which game, and how many.
    pub(super) ledger: Vec<(u64, Option<u64>, i64)>,
    /// When something happened, and what.
    pub(super) events: Vec<(u64, String)>,
    pub(super) messages: Vec<String>,
    /// The `id` of each request, and why it was not granted.
    pub(super) answers: Vec<(String, Option<String>)>,
    /// The games that are over.
    pub(super) games: Vec<FinishedGame>,
    /// Where they stand in the ladder, over each span.
    pub(super) ladder: Vec<(String, Standing)>,
}

impl Kept {
    /// The same for the operator.
    pub(super) fn value(self) -> Result<Value, StoreError> {
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
