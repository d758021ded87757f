use crate::protocol::{PlayerId, Whom};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use war::support::hex::Hex;
use war::tokens::Kind;

/// Whom a player who chose a game plays with, as events keep it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Meeting {
    /// With anyone who chose the same game; with the house, where nobody else comes.
    #[default]
    Anyone,
    /// With the house.
    House,
    /// With a player who has the same invitation: 16 bytes that one of them drew.
    Invitation(Hex<16>),
    /// With the opponent of a game that is over.
    Rematch {
        /// The number of that game.
        game: u64,
        /// Who played it against them.
        opponent: PlayerId,
    },
}

impl Meeting {
    /// Whether it is anyone.
    #[must_use]
    pub const fn is_anyone(&self) -> bool {
        matches!(self, Self::Anyone)
    }

    /// As the player asked for it; nothing for anyone.
    #[must_use]
    pub const fn whom(self) -> Option<Whom> {
        match self {
            Self::Anyone => None,
            Self::House => Some(Whom::House),
            Self::Invitation(code) => Some(Whom::Invitation(code)),
            Self::Rematch { game, .. } => Some(Whom::Rematch(game)),
        }
    }
}

/// Who waits for an opponent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Queues {
    /// Who waits for anyone in a game of each kind, the longest first.
    public: [VecDeque<Waiting>; 2],
    /// Who waits for somebody in particular, and for which game.
    private: BTreeMap<(Meeting, PlayerId), (Kind, Waiting)>,
}

/// A player who waits for an opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Waiting {
    pub(super) player: PlayerId,
    pub(super) since: u64,
    /// What they are committed to; nothing where they chose at an earlier program.
    pub(super) seed_hash: Option<Hex<32>>,
}

impl Queues {
    /// Nobody waits.
    pub(super) const fn new() -> Self {
        Self {
            public: [VecDeque::new(), VecDeque::new()],
            private: BTreeMap::new(),
        }
    }

    /// Lets a player wait.
    pub(super) fn push(&mut self, waiting: Waiting, kind: Kind, meeting: Meeting) {
        if meeting.is_anyone() {
            self.public[kind as usize].push_back(waiting);
        } else {
            let key = (meeting, waiting.player);
            self.private.insert(key, (kind, waiting));
        }
    }

    /// Lets a player wait no longer who waits for this.
    pub(super) fn remove(&mut self, player: PlayerId, kind: Kind, meeting: Meeting) {
        if meeting.is_anyone() {
            self.public[kind as usize].retain(|waiting| waiting.player != player);
        } else {
            self.private.remove(&(meeting, player));
        }
    }

    /// Those who wait for anyone in a game of this kind, the longest first.
    pub(super) fn public(&self, kind: Kind) -> impl Iterator<Item = &Waiting> {
        self.public[kind as usize].iter()
    }

    /// Those who wait for a player as this one does for somebody, and for which game.
    pub(super) fn private(
        &self,
        player: PlayerId,
        meeting: Meeting,
    ) -> impl Iterator<Item = (Kind, &Waiting)> {
        let waited_for = match meeting {
            Meeting::Rematch { game, .. } => Meeting::Rematch {
                game,
                opponent: player,
            },
            meeting => meeting,
        };
        let found = self.private.range((waited_for, PlayerId(0))..);
        let found = found.take_while(move |((other, _), _)| *other == waited_for);
        let others = found.filter(move |((_, other), _)| match meeting {
            Meeting::Rematch { opponent, .. } => *other == opponent,
            _ => *other != player,
        });
        others.map(|(_, (kind, waiting))| (*kind, waiting))
    }

    /// All who wait.
    pub(super) fn players(&self) -> impl Iterator<Item = PlayerId> {
        let public = self.public.iter().flatten();
        let private = self.private.values().map(|(_, waiting)| waiting);
        public.chain(private).map(|waiting| waiting.player)
    }

    /// How many wait.
    pub(super) fn len(&self) -> usize {
        let public: usize = self.public.iter().map(VecDeque::len).sum();
        public + self.private.len()
    }
}

#[cfg(test)]
mod tests {
    use super::Meeting;
    use crate::protocol::{PlayerId, Whom};

    #[test]
    fn only_anyone_is_not_said() {
        let rematch = Meeting::Rematch {
            game: 7,
            opponent: PlayerId(2),
        };
        assert_eq!(rematch.whom(), Some(Whom::Rematch(7)));
        assert_eq!(Meeting::House.whom(), Some(Whom::House));
        assert_eq!(Meeting::Anyone.whom(), None);
        assert!(Meeting::Anyone.is_anyone() && !Meeting::House.is_anyone());
    }
}
