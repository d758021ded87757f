use super::PlayerId;
use crate::tokens::{ClientSeed, Decision, Kind, Name, Secret};

/// What can be asked of a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A new player comes.
    Join {
        /// What they are called.
        name: Name,
        /// Whether they belong to the house.
        house: bool,
    },
    /// A player takes another name.
    Rename {
        /// Who.
        player: PlayerId,
        /// The new name.
        name: Name,
    },
    /// A player chooses a game: they meet the one who waits longest, or wait.
    Choose {
        /// Who.
        player: PlayerId,
        /// The game.
        kind: Kind,
        /// The secret of the game, should one start.
        secret: Secret,
    },
    /// A player waits no longer.
    Cancel {
        /// Who.
        player: PlayerId,
    },
    /// A player adds a seed of their own.
    Seed {
        /// Who.
        player: PlayerId,
        /// The seed.
        value: ClientSeed,
    },
    /// A player decides.
    Decide {
        /// Who.
        player: PlayerId,
        /// What.
        decision: Decision,
    },
    /// Time passed: what is due by now happens.
    Tick,
    /// The table goes on after a pause: those who are awaited have some time to come back.
    GoOn,
    /// No game starts any more.
    Drain,
}
