use super::RoomEvent;
use crate::protocol::{Deed, PlayerId, Tally};
use std::cmp::Reverse;
use war::tokens::{Decision, Hand, Kind, TokenEvent, TokenGame};

/// A game that is over, as it is kept for one of its players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedGame {
    /// Whose it is.
    pub player: PlayerId,
    /// Its number.
    pub game: u64,
    /// When it was over, by the wall clock: milliseconds since 1970.
    pub at: u64,
    /// What was played.
    pub kind: Kind,
    /// Who the opponent was.
    pub opponent: PlayerId,
    /// What the player did in the end.
    pub yours: Deed,
    /// What the opponent did.
    pub theirs: Deed,
    /// The player's cards in the end, if any were dealt.
    pub cards: Option<Hand>,
    /// The opponent's cards, where both played.
    pub their_cards: Option<Hand>,
    /// The tokens that the player won; negative for those that they lost.
    pub tokens: i64,
    /// The player's tokens after the game.
    pub balance: i64,
    /// Whether the two met in the queue that is open to everybody.
    pub is_public: bool,
}

impl FinishedGame {
    /// A game that was over at this time, for each of its players by seat, from all of its events in
    /// order; their balances are left to be filled in. The result is `None` where the events don't fit
    /// together, or the game is not over.
    #[must_use]
    pub fn of(events: &[RoomEvent], at: u64) -> Option<[Self; 2]> {
        let (RoomEvent::Matched(matched), played) = events.split_first()? else {
            return None;
        };
        let mut game = TokenGame::new(matched.rules(), matched.game, matched.secret);
        game.apply(&matched.opening()).ok()?;
        for event in played {
            if let RoomEvent::Played { event, .. } = event {
                game.apply(event).ok()?;
            }
        }
        let tokens = game.deltas()?;
        let deeds = deeds(&game)?;
        let shown = deeds == [Deed::Play; 2];
        let seen = |seat: usize| {
            let hand = |seat: usize| game.hands().map(|hands| hands[seat].clone());
            Self {
                player: matched.seats[seat],
                game: matched.game,
                at,
                kind: matched.kind,
                opponent: matched.seats[1 - seat],
                yours: deeds[seat],
                theirs: deeds[1 - seat],
                cards: hand(seat),
                their_cards: hand(1 - seat).filter(|_| shown),
                tokens: tokens[seat],
                balance: 0,
                is_public: matched.with.is_anyone(),
            }
        };
        Some([seen(0), seen(1)])
    }

    /// The ranks of the player's cards, the highest first; empty where no cards were dealt.
    #[must_use]
    pub fn held(&self) -> String {
        let mut cards = self.cards.clone().unwrap_or_default();
        cards.sort_unstable_by_key(|card| Reverse(card.rank()));
        let rank = |card: &war::cards::Card| card.to_string().chars().next();
        cards.iter().filter_map(rank).collect()
    }
}

/// Whether an event is the last one of its game.
#[must_use]
pub const fn is_end(event: &RoomEvent) -> bool {
    matches!(
        event,
        RoomEvent::Played {
            event: TokenEvent::Settled { .. },
            ..
        }
    )
}

/// What the players of a game that is over did, by seat.
fn deeds(game: &TokenGame) -> Option<[Deed; 2]> {
    let deed = |decision| match decision {
        Decision::Play => Deed::Play,
        Decision::Fold => Deed::Fold,
    };
    if let [Some(one), Some(two)] = game.decisions() {
        return Some([deed(one), deed(two)]);
    }
    let forfeited = game.seats()?.forfeited();
    let deed = |forfeited| if forfeited { Deed::Forfeit } else { Deed::Open };
    Some(forfeited.map(deed))
}

impl Tally {
    /// What came of one game.
    #[must_use]
    pub fn of(game: &FinishedGame) -> Self {
        Self {
            games: 1,
            won: (game.tokens > 0).into(),
            folded: game.yours.is_fold().into(),
            tokens: game.tokens,
        }
    }
}
