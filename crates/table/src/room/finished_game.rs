use super::RoomEvent;
use crate::protocol::{FinalAction, PlayerId, Tally};
use crate::time::WallTime;
use std::cmp::Reverse;
use war::cards::Card;
use war::tokens::{Decision, Hand, Kind, TokenEvent, TokenGame};

/// A finished game as stored for one of its players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerGameRecord {
    /// The player.
    pub player: PlayerId,
    /// The number of the game.
    pub game: u64,
    /// Time at which the game ended.
    pub at: WallTime,
    /// The kind of game.
    pub kind: Kind,
    /// The opponent.
    pub opponent: PlayerId,
    /// The player's final action.
    pub yours: FinalAction,
    /// The opponent's final action.
    pub theirs: FinalAction,
    /// The player's final hand, if cards were dealt.
    pub cards: Option<Hand>,
    /// The opponent's final hand, if both played.
    pub their_cards: Option<Hand>,
    /// Tokens won; negative if lost.
    pub tokens: i64,
    /// The player's balance after the game.
    pub balance: i64,
    /// True if the players met in the public queue.
    pub is_public: bool,
}

impl PlayerGameRecord {
    /// Builds the records of a game that ended at `at`, one for each player by seat, from all its
    /// events in order. Balances are left at 0. Returns `None` if the events don't fit together or
    /// the game is not over.
    #[must_use]
    pub fn from_events(events: &[RoomEvent], at: WallTime) -> Option<[Self; 2]> {
        let (RoomEvent::Matched(matched), played) = events.split_first()? else {
            return None;
        };
        let mut game = TokenGame::new(matched.rules(), matched.game, matched.secret);
        game.apply(&matched.first_event()).ok()?;
        for event in played {
            if let RoomEvent::Played { event, .. } = event {
                game.apply(event).ok()?;
            }
        }
        let tokens = game.deltas()?;
        let actions = final_actions(&game)?;
        let both_played = actions == [FinalAction::Play; 2];
        let record = |seat: usize| {
            let hand = |seat: usize| game.hands().map(|hands| hands[seat].clone());
            Self {
                player: matched.seats[seat],
                game: matched.game,
                at,
                kind: matched.kind,
                opponent: matched.seats[1 - seat],
                yours: actions[seat],
                theirs: actions[1 - seat],
                cards: hand(seat),
                their_cards: hand(1 - seat).filter(|_| both_played),
                tokens: tokens[seat],
                balance: 0,
                is_public: matched.with.is_anyone(),
            }
        };
        Some([record(0), record(1)])
    }

    /// Ranks of the player's final hand, highest first; empty if no cards were dealt.
    #[must_use]
    pub fn hand_ranks(&self) -> String {
        format_ranks(self.cards.as_deref().unwrap_or_default())
    }
}

/// Formats the ranks of a hand, the highest first: `QT`.
#[must_use]
pub fn format_ranks(hand: &[Card]) -> String {
    let mut cards = hand.to_vec();
    cards.sort_unstable_by_key(|card| Reverse(card.rank()));
    let rank = |card: &Card| card.to_string().chars().next();
    cards.iter().filter_map(rank).collect()
}

/// Returns true for the last event of a game.
#[must_use]
pub const fn is_game_end(event: &RoomEvent) -> bool {
    matches!(
        event,
        RoomEvent::Played {
            event: TokenEvent::Settled { .. },
            ..
        }
    )
}

/// Final actions of the players in a finished game, by seat.
fn final_actions(game: &TokenGame) -> Option<[FinalAction; 2]> {
    let action = |decision| match decision {
        Decision::Play => FinalAction::Play,
        Decision::Fold => FinalAction::Fold,
    };
    if let [Some(one), Some(two)] = game.decisions() {
        return Some([action(one), action(two)]);
    }
    let forfeited = game.seats()?.have_forfeited();
    let action = |forfeited| {
        if forfeited {
            FinalAction::Forfeit
        } else {
            FinalAction::Open
        }
    };
    Some(forfeited.map(action))
}

impl Tally {
    /// Totals of a single game.
    #[must_use]
    pub fn from_game(game: &PlayerGameRecord) -> Self {
        Self {
            games: 1,
            won: (game.tokens > 0).into(),
            folded: game.yours.is_fold().into(),
            tokens: game.tokens,
        }
    }
}
