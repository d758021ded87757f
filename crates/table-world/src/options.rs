//! Options of a world, and the bugs that can be built into it.

use std::fmt;
use war_table::server::hub::{DEFAULT_FULL_LOAD, RoomLoad};
use war_table::server::rooms::RoomCount;

/// Options of a world. Rates are shares from 0 to 1, or events per minute of the world.
#[derive(Debug, Clone, PartialEq, clap::Args)]
pub struct Options {
    /// Number of players at a time
    #[arg(long, default_value_t = 200)]
    pub players: usize,
    /// Number of nodes; two or more share the table
    #[arg(long, default_value_t = 3)]
    pub nodes: usize,
    /// Number of rooms of a shared table; a table with a single node has one room
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    pub rooms: u16,
    /// Number of running games that a room must have to be full and forward players
    #[arg(long, default_value_t = DEFAULT_FULL_LOAD.games)]
    pub full: usize,
    /// Number of requests that such a room must also have in one batch to be full
    #[arg(long, default_value_t = DEFAULT_FULL_LOAD.requests)]
    pub asked: usize,
    /// Number of house players of each room; with 0 the house does not play
    #[arg(long, default_value_t = 2)]
    pub house: usize,
    /// Share of requests that are lost with their connection
    #[arg(long, default_value_t = 0.01)]
    pub lost: f64,
    /// Share of requests that are late, by up to 20 seconds
    #[arg(long, default_value_t = 0.01)]
    pub late: f64,
    /// Share of actions by which a player repeats a request that was already answered
    #[arg(long, default_value_t = 0.05)]
    pub repeated: f64,
    /// Share of actions by which a player sends a request that is wrong at that moment
    #[arg(long, default_value_t = 0.02)]
    pub wrong: f64,
    /// Share of games in which a player does not open their seed or does not decide
    #[arg(long, default_value_t = 0.01)]
    pub idle: f64,
    /// Share of requests after which a player goes offline for a while
    #[arg(long, default_value_t = 0.005)]
    pub vanish: f64,
    /// Share of games after which a player leaves forever and is replaced by a new one
    #[arg(long, default_value_t = 0.002)]
    pub replaced: f64,
    /// Share of games before which a player asks to be forgotten, and returns as a new player
    #[arg(long, default_value_t = 0.002)]
    pub forgotten: f64,
    /// Share of games for which a player opens a second connection
    #[arg(long, default_value_t = 0.02)]
    pub second: f64,
    /// Share of calls to the store that fail without an effect
    #[arg(long, default_value_t = 0.000_01)]
    pub store_errors: f64,
    /// Share of commits that fail without an effect
    #[arg(long, default_value_t = 0.000_2)]
    pub commit_errors: f64,
    /// Share of commits that take effect although they are reported as failed
    #[arg(long, default_value_t = 0.000_2)]
    pub lost_replies: f64,
    /// Times per minute that another program locks the store for a while
    #[arg(long, default_value_t = 0.3)]
    pub busy: f64,
    /// Times per minute that the disk becomes slow for a while
    #[arg(long, default_value_t = 0.3)]
    pub slow: f64,
    /// Times per minute that the program of each node is killed
    #[arg(long, default_value_t = 0.2)]
    pub kills: f64,
    /// Times per minute that the program of each node is stopped while its clock runs on
    #[arg(long, default_value_t = 0.3)]
    pub stops: f64,
    /// Times per minute that each machine is suspended together with its monotonic clock
    #[arg(long, default_value_t = 0.1)]
    pub suspends: f64,
    /// Times per minute that each wall clock is set to another time
    #[arg(long, default_value_t = 0.5)]
    pub jumps: f64,
    /// Times per minute that the program of each node is drained and restarted
    #[arg(long, default_value_t = 0.05)]
    pub drains: f64,
    /// Times per minute that each node of a shared table loses access to the store for a while
    #[arg(long, default_value_t = 0.1)]
    pub cuts: f64,
    /// Times per minute that a link between two nodes breaks
    #[arg(long, default_value_t = 0.3)]
    pub breaks: f64,
    /// Times per minute that a link between two nodes falls silent for a while
    #[arg(long, default_value_t = 0.3)]
    pub silences: f64,
    /// Share of games whose journals are replayed
    #[arg(long, default_value_t = 1.0)]
    pub replayed: f64,
    /// Bug to build in, which the laws have to detect
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
    /// Publication of a batch whose commit has failed.
    AnswerBeforeCommit,
    /// Occasional write of a player's last message number that is one too low.
    SequenceReused,
    /// Continuation of a hub with its state in memory after a commit that may have failed.
    ReloadSkipped,
    /// Use of the wall clock instead of the monotonic clock for the table's time.
    WallClock,
    /// Advance of the table's time while the store is busy.
    BusyTime,
    /// Early removal of stored answers, which should be kept for an hour.
    AnswerForgotten,
    /// Occasional loss of a player's new balance, which is not written.
    LostEntry,
    /// Missing history entries of finished games.
    GameLost,
    /// Loss of forgotten tokens, so that they make new players.
    ForgottenTokenLost,
    /// Loss of the opponent chosen by a waiting player, saved as any opponent.
    MeetingForgotten,
    /// Missing first fence, the check of a room's epoch when its owner begins a transaction: only
    /// the second fence, the check of the batch number, can reject commits of a former owner.
    FenceLeftOut,
    /// Missing fences, so that a former owner of a room commits: neither the room's epoch nor the
    /// batch number is checked.
    FencesLeftOut,
    /// Reload of a room by its owner in the same epoch, after a commit in doubt.
    ReloadInEpoch,
    /// Use of the wall clock for leases.
    WallLease,
    /// Takeover of a room without a check for changes since it was observed.
    TakeBlind,
    /// Advance of a room's time while no node owns the room.
    OwnerlessTime,
    /// Writes of a room about players whom the room has not claimed.
    ClaimLeftOut,
    /// Missing lookup of stored answers, so that a repeated request is carried out again.
    AnswerIgnored,
    /// Neglect of redirects to the room that a player is in.
    ElsewhereIgnored,
    /// Directory of room owners that is read once and never refreshed.
    StaleDirectory,
    /// Missing release of players who no longer wait or play.
    ReleaseForgotten,
    /// Continued service of a room by its owner after the handover.
    HandOverUnclosed,
}

impl fmt::Display for Bug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = clap::ValueEnum::to_possible_value(self);
        let value = value.as_ref().map_or("", |value| value.get_name());
        f.write_str(value)
    }
}
