use super::{Meeting, PlayerId};
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Name, Secret};

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
    /// A player chooses a game: they meet the one who waits longest for them, or wait.
    Choose {
        /// Who.
        player: PlayerId,
        /// The game.
        kind: Kind,
        /// Whom they want to play with; only players of the house meet those who want the house.
        meeting: Meeting,
        /// The SHA-256 of the seed that they will open.
        seed_hash: Hex<32>,
        /// The secret of the game, should one start.
        secret: Secret,
    },
    /// A player waits no longer.
    Cancel {
        /// Who.
        player: PlayerId,
        /// The game that they waited for.
        kind: Kind,
    },
    /// A player who waits for anyone goes on waiting in another room of the table.
    SendOn {
        /// Who.
        player: PlayerId,
        /// The number of that room.
        room: u16,
    },
    /// A player comes who waits in another room no longer: they meet the one who waits longest,
    /// or wait.
    Receive {
        /// Who.
        player: PlayerId,
        /// The game that they chose.
        kind: Kind,
        /// How long they have waited, in milliseconds.
        waited: u64,
        /// The SHA-256 of the seed that they will open.
        seed_hash: Hex<32>,
        /// The secret of the game, should one start.
        secret: Secret,
    },
    /// A player opens the seed that they are committed to.
    Seed {
        /// Who.
        player: PlayerId,
        /// In which game.
        game: u64,
        /// The seed.
        value: Hex<32>,
    },
    /// A player decides.
    Decide {
        /// Who.
        player: PlayerId,
        /// In which game.
        game: u64,
        /// On which deal of it.
        deal: u32,
        /// What.
        decision: Decision,
    },
    /// Time passed: what is due by now happens.
    Tick,
    /// The table goes on after a pause: those who are awaited have some time to come back.
    GoOn,
    /// No game starts any more, and nobody waits for one.
    Drain,
}
