use super::number::whole;
use super::{PlayerId, described};
use schemars::JsonSchema;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
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

/// Whom a player wants to play with, as requests and messages say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Whom {
    /// With the house, at once.
    House,
    /// With the player who has the same invitation: 16 random bytes, fresh for each game. The one
    /// who comes first waits.
    Invitation(#[schemars(with = "described::Hex<16>")] Hex<16>),
    /// With the player who waits with this invitation; it is refused where nobody does.
    Accept(#[schemars(with = "described::Hex<16>")] Hex<16>),
    /// Once more with the opponent of this game, which is over: they learn of it, and play once
    /// they want it as well.
    Rematch(#[schemars(with = "described::Whole")] u64),
}

impl<'de> Deserialize<'de> for Whom {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Reads it strictly: `house` is a word and all else is one field, without a second way to write
/// either.
struct Reader;

/// The names of the fields.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Field {
    Invitation,
    Accept,
    Rematch,
}

/// The number of a game.
#[derive(Deserialize)]
struct Game(#[serde(deserialize_with = "whole")] u64);

impl<'de> Visitor<'de> for Reader {
    type Value = Whom;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`house`, or an object with `invitation`, `accept` or `rematch`")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Whom, E> {
        match word {
            "house" => Ok(Whom::House),
            other => Err(E::unknown_variant(other, &["house"])),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Whom, A::Error> {
        let whom = match map.next_key()? {
            Some(Field::Invitation) => Whom::Invitation(map.next_value()?),
            Some(Field::Accept) => Whom::Accept(map.next_value()?),
            Some(Field::Rematch) => Whom::Rematch(map.next_value::<Game>()?.0),
            None => return Err(A::Error::missing_field("invitation")),
        };
        match map.next_key::<String>()? {
            Some(second) => Err(A::Error::unknown_field(&second, &[])),
            None => Ok(whom),
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
    use super::{Meeting, Whom};
    use crate::room::PlayerId;
    use war::support::hex::Hex;

    #[test]
    fn whom_to_play_with_is_read_strictly() {
        let code = "0f".repeat(16);
        let read = |text: &str| serde_json::from_str::<Whom>(text).ok();
        assert_eq!(read(r#""house""#), Some(Whom::House));
        let invitation = Whom::Invitation(Hex::new([15; 16]));
        let text = format!(r#"{{"invitation":"{code}"}}"#);
        assert_eq!(read(&text), Some(invitation));
        assert_eq!(serde_json::to_string(&invitation).expect("JSON"), text);
        assert_eq!(read(r#"{"rematch":7.0}"#), Some(Whom::Rematch(7)));
        let accept = format!(r#"{{"accept":"{code}"}}"#);
        assert_eq!(read(&accept), Some(Whom::Accept(Hex::new([15; 16]))));
        let twice = format!(r#"{{"invitation":"{code}","rematch":7}}"#);
        let short = r#"{"invitation":"0f"}"#;
        let bad = [
            "null",
            "{}",
            r#""anyone""#,
            r#"{"house":null}"#,
            r#"{"rematch":-1}"#,
            r#"{"rematch":9007199254740992}"#,
            r#"["house"]"#,
            short,
            &twice,
        ];
        for text in bad {
            assert_eq!(read(text), None, "{text}");
        }
    }

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
