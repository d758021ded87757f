use super::{Meeting, PlayerId};
use std::collections::{BTreeMap, VecDeque};
use war::support::hex::Hex;
use war::tokens::Kind;

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
