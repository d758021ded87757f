use crate::protocol::{OpponentFilter, PlayerId};
use crate::time::TableTime;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use war::support::hex::Hex;
use war::tokens::Kind;

/// A player's choice of opponent, as events record it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpponentChoice {
    /// Anyone who chose the same game, or the house if nobody else comes.
    #[default]
    Anyone,
    /// The house.
    House,
    /// Another player with the same invitation: 16 random bytes.
    Invitation(Hex<16>),
    /// The opponent of a finished game.
    Rematch {
        /// The number of that game.
        game: u64,
        /// The opponent in that game.
        opponent: PlayerId,
    },
    /// The player who made a friend link; for that player, another one who waits with the link.
    Friend {
        /// The link's ID.
        link: Hex<8>,
        /// The player who made the link.
        inviter: PlayerId,
    },
}

impl OpponentChoice {
    /// Returns true for [`Self::Anyone`].
    #[must_use]
    pub const fn is_anyone(&self) -> bool {
        matches!(self, Self::Anyone)
    }

    /// The choice as the player requested it; `None` for anyone.
    #[must_use]
    pub const fn to_filter(self) -> Option<OpponentFilter> {
        match self {
            Self::Anyone => None,
            Self::House => Some(OpponentFilter::House),
            Self::Invitation(code) => Some(OpponentFilter::Invitation(code)),
            Self::Rematch { game, .. } => Some(OpponentFilter::Rematch(game)),
            Self::Friend { link, .. } => Some(OpponentFilter::Friend(link)),
        }
    }
}

/// Queues of waiting players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Queues {
    /// Players waiting for anyone, by kind of game, longest wait first.
    public: [VecDeque<WaitingPlayer>; 2],
    /// Players waiting for a particular opponent, each with the kind of game.
    private: BTreeMap<(OpponentChoice, PlayerId), (Kind, WaitingPlayer)>,
}

/// A player waiting for an opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WaitingPlayer {
    pub(super) player: PlayerId,
    pub(super) since: TableTime,
    /// Hash of the player's seed; `None` if the player chose the game under an earlier version of
    /// the server.
    pub(super) seed_hash: Option<Hex<32>>,
}

impl Queues {
    /// Creates empty queues.
    pub(super) const fn new() -> Self {
        Self {
            public: [VecDeque::new(), VecDeque::new()],
            private: BTreeMap::new(),
        }
    }

    /// Adds a waiting player.
    pub(super) fn push(&mut self, waiting: WaitingPlayer, kind: Kind, meeting: OpponentChoice) {
        if meeting.is_anyone() {
            self.public[kind as usize].push_back(waiting);
        } else {
            let key = (meeting, waiting.player);
            self.private.insert(key, (kind, waiting));
        }
    }

    /// Removes a player from the queue for this game and opponent.
    pub(super) fn remove(&mut self, player: PlayerId, kind: Kind, meeting: OpponentChoice) {
        if meeting.is_anyone() {
            self.public[kind as usize].retain(|waiting| waiting.player != player);
        } else {
            self.private.remove(&(meeting, player));
        }
    }

    /// Players waiting for anyone in a game of this kind, longest wait first.
    pub(super) fn players_waiting_for_anyone(
        &self,
        kind: Kind,
    ) -> impl Iterator<Item = &WaitingPlayer> {
        self.public[kind as usize].iter()
    }

    /// Waiting players whose choice of opponent matches that of this player, each with the kind of
    /// game that they wait for.
    pub(super) fn waiting_counterparts(
        &self,
        player: PlayerId,
        meeting: OpponentChoice,
    ) -> impl Iterator<Item = (Kind, &WaitingPlayer)> {
        let counterpart = match meeting {
            OpponentChoice::Rematch { game, .. } => OpponentChoice::Rematch {
                game,
                opponent: player,
            },
            meeting => meeting,
        };
        let found = self.private.range((counterpart, PlayerId(0))..);
        let found = found.take_while(move |((other, _), _)| *other == counterpart);
        let others = found.filter(move |((_, other), _)| match meeting {
            OpponentChoice::Rematch { opponent, .. } => *other == opponent,
            OpponentChoice::Friend { inviter, .. } if player != inviter => *other == inviter,
            _ => *other != player,
        });
        others.map(|(_, (kind, waiting))| (*kind, waiting))
    }

    /// Players waiting with friend links, each with the link's ID and the player who made it.
    pub(super) fn players_with_links(
        &self,
    ) -> impl Iterator<Item = (OpponentChoice, &WaitingPlayer)> {
        let first = OpponentChoice::Friend {
            link: Hex::new([0; 8]),
            inviter: PlayerId(0),
        };
        let found = self.private.range((first, PlayerId(0))..);
        found.map(|((choice, _), (_, waiting))| (*choice, waiting))
    }

    /// All waiting players.
    pub(super) fn players(&self) -> impl Iterator<Item = PlayerId> {
        let public = self.public.iter().flatten();
        let private = self.private.values().map(|(_, waiting)| waiting);
        public.chain(private).map(|waiting| waiting.player)
    }

    /// Number of waiting players.
    pub(super) fn player_count(&self) -> usize {
        let public: usize = self.public.iter().map(VecDeque::len).sum();
        public + self.private.len()
    }
}

#[cfg(test)]
mod tests {
    use super::OpponentChoice;
    use crate::protocol::{OpponentFilter, PlayerId};

    #[test]
    fn anyone_is_omitted_from_messages() {
        let rematch = OpponentChoice::Rematch {
            game: 7,
            opponent: PlayerId(2),
        };
        assert_eq!(rematch.to_filter(), Some(OpponentFilter::Rematch(7)));
        assert_eq!(
            OpponentChoice::House.to_filter(),
            Some(OpponentFilter::House)
        );
        assert_eq!(OpponentChoice::Anyone.to_filter(), None);
        assert!(OpponentChoice::Anyone.is_anyone() && !OpponentChoice::House.is_anyone());
    }
}
