//! Options of a world, and the bugs that can be built into it.

use std::fmt;
use war_table::server::hub::{DEFAULT_FULL_LOAD, RoomLoad};
use war_table::server::rooms::RoomCount;

/// Options of a world. Rates are shares from 0 to 1, or events per minute of the world.
#[derive(Debug, Clone, PartialEq, clap::Args)]
pub struct Options {
    /// How many players there are at a time
    #[arg(long, default_value_t = 200)]
    pub players: usize,
    /// How many nodes share the table; one has it to itself
    #[arg(long, default_value_t = 3)]
    pub nodes: usize,
    /// How many rooms the table has that nodes share; a node that has it to itself has one
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    pub rooms: u16,
    /// How many games run in a room before players may be sent on to another one
    #[arg(long, default_value_t = DEFAULT_FULL_LOAD.games)]
    pub full: usize,
    /// How much such a room has to be asked for at once, too
    #[arg(long, default_value_t = DEFAULT_FULL_LOAD.requests)]
    pub asked: usize,
    /// House players of each room; with none the house does not play
    #[arg(long, default_value_t = 2)]
    pub house: usize,
    /// Share of requests that are lost with their connection
    #[arg(long, default_value_t = 0.01)]
    pub lost: f64,
    /// Share of requests that are late, by up to 20 seconds
    #[arg(long, default_value_t = 0.01)]
    pub late: f64,
    /// Share of requests that are sent again although they were answered
    #[arg(long, default_value_t = 0.05)]
    pub repeated: f64,
    /// Share of requests that no player should send
    #[arg(long, default_value_t = 0.02)]
    pub wrong: f64,
    /// Share of games in which a player does not open their seed or does not decide
    #[arg(long, default_value_t = 0.01)]
    pub idle: f64,
    /// Share of requests after which a player vanishes for a while
    #[arg(long, default_value_t = 0.005)]
    pub vanish: f64,
    /// Share of games after which a player never comes again, and a new one does
    #[arg(long, default_value_t = 0.002)]
    pub replaced: f64,
    /// Share of games before which a player has themselves forgotten, and comes as a new one
    #[arg(long, default_value_t = 0.002)]
    pub forgotten: f64,
    /// Share of games for which a player opens a second connection
    #[arg(long, default_value_t = 0.02)]
    pub second: f64,
    /// Share of calls by which the store reports an error, and nothing is done
    #[arg(long, default_value_t = 0.000_01)]
    pub store_errors: f64,
    /// Share of commits that fail, and nothing is done
    #[arg(long, default_value_t = 0.000_2)]
    pub commit_errors: f64,
    /// Share of commits that are done, and reported as failed
    #[arg(long, default_value_t = 0.000_2)]
    pub lost_replies: f64,
    /// How often a minute another program writes into the store for a while
    #[arg(long, default_value_t = 0.3)]
    pub busy: f64,
    /// How often a minute the disk is slow for a while
    #[arg(long, default_value_t = 0.3)]
    pub slow: f64,
    /// How often a minute each program is killed
    #[arg(long, default_value_t = 0.2)]
    pub kills: f64,
    /// How often a minute each program is stopped for a while, and its clock goes on
    #[arg(long, default_value_t = 0.3)]
    pub stops: f64,
    /// How often a minute each machine is suspended, with its monotonic clock
    #[arg(long, default_value_t = 0.1)]
    pub suspends: f64,
    /// How often a minute each wall clock is set to another time
    #[arg(long, default_value_t = 0.5)]
    pub jumps: f64,
    /// How often a minute each program is drained and started again
    #[arg(long, default_value_t = 0.05)]
    pub drains: f64,
    /// How often a minute a node of several does not reach the store for a while
    #[arg(long, default_value_t = 0.1)]
    pub cuts: f64,
    /// How often a minute a link between two nodes breaks
    #[arg(long, default_value_t = 0.3)]
    pub breaks: f64,
    /// How often a minute a link between two nodes is silent for a while
    #[arg(long, default_value_t = 0.3)]
    pub silences: f64,
    /// Share of games whose journals are replayed
    #[arg(long, default_value_t = 1.0)]
    pub replayed: f64,
    /// A bug to build in, which has to be found
    #[arg(long)]
    pub bug: Option<Bug>,
}

impl Options {
    /// Returns the rooms of the table: one unless several nodes share it.
    #[must_use]
    pub fn room_count(&self) -> RoomCount {
        let shared = self.nodes > 1;
        let rooms = RoomCount::new(self.rooms).filter(|_| shared);
        rooms.unwrap_or(RoomCount::ONE)
    }

    /// Returns the load above which a room forwards players to another one.
    #[must_use]
    pub const fn full_load(&self) -> RoomLoad {
        RoomLoad {
            games: self.full,
            requests: self.asked,
        }
    }

    /// Returns all rates except `replayed`, with the names of their options.
    fn rates(&self) -> [(&'static str, f64); 22] {
        [
            ("lost", self.lost),
            ("late", self.late),
            ("repeated", self.repeated),
            ("wrong", self.wrong),
            ("idle", self.idle),
            ("vanish", self.vanish),
            ("replaced", self.replaced),
            ("forgotten", self.forgotten),
            ("second", self.second),
            ("store-errors", self.store_errors),
            ("commit-errors", self.commit_errors),
            ("lost-replies", self.lost_replies),
            ("busy", self.busy),
            ("slow", self.slow),
            ("kills", self.kills),
            ("stops", self.stops),
            ("suspends", self.suspends),
            ("jumps", self.jumps),
            ("drains", self.drains),
            ("cuts", self.cuts),
            ("breaks", self.breaks),
            ("silences", self.silences),
        ]
    }
}

impl fmt::Display for Options {
    /// Writes all options as typed on the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            players,
            nodes,
            rooms,
            full,
            asked,
            house,
            replayed,
            ..
        } = self;
        write!(f, "--players {players} --nodes {nodes} --rooms {rooms}")?;
        write!(f, " --full {full} --asked {asked}")?;
        write!(f, " --house {house}")?;
        for (name, rate) in self.rates() {
            write!(f, " --{name} {rate}")?;
        }
        write!(f, " --replayed {replayed}")?;
        match self.bug {
            Some(bug) => write!(f, " --bug {bug}"),
            None => Ok(()),
        }
    }
}

/// Bug built in on purpose around the server. A world whose laws miss it proves little.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Bug {
    /// A commit that failed counts as done, and is published.
    AnswerBeforeCommit,
    /// The number of a player's last message is kept one too low at times.
    SequenceReused,
    /// The hub goes on in memory after a commit that may have failed.
    ReloadSkipped,
    /// The wall clock is taken for the monotonic one.
    WallClock,
    /// Time goes on while the store is busy.
    BusyTime,
    /// Answers are forgotten after a second.
    AnswerForgotten,
    /// A balance is not written at times.
    LostEntry,
    /// Games that are over are not kept for their players.
    GameLost,
    /// The token of those who are forgotten stays theirs.
    TokenKept,
    /// The opponents that waiting players want are not saved.
    MeetingForgotten,
    /// The fence of a shared store is left out: a node that owned a room once goes on.
    FenceLeftOut,
    /// So is the second one.
    FencesLeftOut,
    /// After a commit in doubt the owner loads its room again, and goes on in the same epoch.
    ReloadInEpoch,
    /// Leases are timed by the wall clock.
    WallLease,
    /// A room is taken however it has changed since it was seen.
    TakeBlind,
    /// Time goes on while nobody owns the room.
    OwnerlessTime,
    /// A room writes of players whom it has not claimed.
    ClaimLeftOut,
    /// What was answered is not looked up: a request that comes again is done again.
    AnswerIgnored,
    /// Where a player is instead of here is not heeded.
    ElsewhereIgnored,
    /// Who owns which room is looked up once, and never again.
    StaleDirectory,
    /// Players are not let go.
    ReleaseForgotten,
    /// A room is handed over, and its owner goes on.
    HandOverUnclosed,
}

impl fmt::Display for Bug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = clap::ValueEnum::to_possible_value(self);
        let value = value.as_ref().map_or("", |value| value.get_name());
        f.write_str(value)
    }
}
