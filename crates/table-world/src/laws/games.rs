//! Laws of games: each starts and ends once, players get their full time, and journals and log
//! record what happened.

use super::law::{LawResult, Moment, ensure};
use crate::node::TIMEOUTS;
use crate::schedule::Rng;
use crate::schedule::WorldTime;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;
use war::journal::{CommittedGame, Verdict};
use war::recording::RecordingMetadata;
use war::replay::verify;
use war::support::hex::Hex;
use war::tokens::{Decision, TokenEvent, commitment};
use war_table::fair::SettledGame;
use war_table::log::{GameEnd, GameStart, Leaf};
use war_table::protocol::{PlayerId, Request};
use war_table::room::{Match, Parties, RoomEvent};
use war_table::server::rooms::RoomNumber;
use war_table::time::{WallTime, whole_millis};

/// Limit on settled games remembered.
const MAX_REMEMBERED: usize = 10_000;
/// Largest error of the measured service time, per interruption of the service. A step that takes a
/// second too long counts as served, and so does a wait that was cut short.
const TOLERANCE: Duration = Duration::from_millis(2_500);
/// Least time that players get when a game resumes after a pause.
const RESUME_TIME: Duration = Duration::from_secs(10);
/// Largest difference between the world's clock and a node's clock over one deadline.
const DRIFT: Duration = Duration::from_millis(100);

/// Laws of running games and of the last settled ones.
pub(crate) struct GameLaws {
    running: BTreeMap<u64, RunningGame>,
    /// Highest game number of each room. Each room reserves its own blocks of numbers.
    last: BTreeMap<RoomNumber, u64>,
    /// Timeouts in the current commit.
    new_timeouts: Vec<Timeout>,
    /// Moves accepted in the current commit.
    accepted: Vec<PlayerMove>,
    /// Game of each player who plays.
    playing: BTreeMap<PlayerId, u64>,
    digests: BTreeMap<u64, Hex<16>>,
    replayed: f64,
    rng: Rng,
    /// Number of journals replayed.
    pub(crate) journals: u64,
    /// Number of seeds and decisions that were not sent in time.
    pub(crate) timeouts: u64,
}

impl GameLaws {
    pub(super) const fn new(replayed: f64, rng: Rng) -> Self {
        Self {
            running: BTreeMap::new(),
            last: BTreeMap::new(),
            new_timeouts: Vec::new(),
            accepted: Vec::new(),
            playing: BTreeMap::new(),
            digests: BTreeMap::new(),
            replayed,
            rng,
            journals: 0,
            timeouts: 0,
        }
    }

    pub(super) fn apply(&mut self, event: &RoomEvent, moment: Moment) -> LawResult {
        let unknown = || format!("{event:?}");
        match event {
            RoomEvent::Matched(matched) => {
                let last = self.last.insert(moment.room, matched.game);
                let is_new = last.is_none_or(|last| matched.game > last);
                let known = self.running.contains_key(&matched.game);
                let known = known || self.digests.contains_key(&matched.game);
                ensure("games have new numbers", is_new && !known, unknown)?;
                let others = matched.seats[0] != matched.seats[1];
                ensure("nobody meets themselves", others, unknown)?;
                for seat in matched.seats {
                    let free = self.playing.insert(seat, matched.game).is_none();
                    ensure("nobody plays twice at once", free, unknown)?;
                }
                self.running
                    .insert(matched.game, RunningGame::new(matched, moment));
                Ok(())
            }
            RoomEvent::Played { game, event, .. } => {
                let Some(running) = self.running.get_mut(game) else {
                    return ensure("games go on until they end", false, unknown);
                };
                self.accepted.extend(running.accepted_move(event));
                self.new_timeouts.extend(running.apply(event, moment)?);
                Ok(())
            }
            RoomEvent::WentOn { game, .. } => {
                if let Some(running) = self.running.get_mut(game) {
                    running.resume(moment);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Ends a game. `settlement` completes the journal of the game.
    pub(super) fn settle(&mut self, number: u64, settlement: &RecordingMetadata) -> LawResult {
        let Some(game) = self.running.remove(&number) else {
            return ensure("games end once", false, || number.to_string());
        };
        for seat in game.matched.seats {
            self.playing.remove(&seat);
        }
        self.digests.insert(number, settlement.digest);
        if self.digests.len() > MAX_REMEMBERED {
            self.digests.pop_first();
        }
        if self.rng.draw_bool(self.replayed) {
            self.journals += 1;
            verify_journal(&game.matched, &game.events, settlement)?;
        }
        Ok(())
    }

    /// Checks that a message to a player reveals no secret.
    pub(super) fn check_message(&self, player: PlayerId, body: &str) -> LawResult {
        let game = self.playing.get(&player);
        let running = game.and_then(|game| self.running.get(game));
        running.map_or(Ok(()), |running| running.check_secrets(body))
    }

    /// Checks a commit against the requests received and their times: every accepted move was
    /// requested, and every request in time was accepted. House players act without requests.
    pub(super) fn check_moves(
        &mut self,
        requests: &[(PlayerMove, WorldTime)],
        is_house: impl Fn(PlayerId) -> bool,
    ) -> LawResult {
        for accepted in self.accepted.drain(..) {
            let was_requested = requests.iter().any(|(wish, _)| *wish == accepted);
            ensure(
                "nobody acts for another",
                was_requested || is_house(accepted.player),
                || format!("{accepted:?}"),
            )?;
        }
        self.timeouts += self.new_timeouts.len() as u64;
        for timeout in self.new_timeouts.drain(..) {
            let in_time = requests
                .iter()
                .any(|(wish, at)| timeout.is_disproved_by(wish, *at));
            ensure("what comes in time counts", !in_time, || {
                format!("{:?}", timeout.expected)
            })?;
        }
        for (wish, at) in requests {
            if let Some(running) = self.running.get_mut(&wish.game) {
                running.record_request(wish, *at);
            }
        }
        Ok(())
    }

    /// Checks that the digest a player received is that of the journal.
    pub(crate) fn check_digest(&self, finished: &SettledGame) -> LawResult {
        let game = finished.start.game;
        let (told, Some(kept)) = (finished.digest, self.digests.get(&game)) else {
            return Ok(());
        };
        ensure(
            "players learn the digest of the journal",
            told == *kept,
            || format!("game {game}: {told} instead of {kept}"),
        )
    }

    /// Checks that every game ends in time.
    pub(crate) fn check_deadlines(&self, moment: impl Fn(RoomNumber) -> Moment) -> LawResult {
        let mut games = self.running.values();
        games.try_for_each(|game| game.check_deadline(moment(game.room())))
    }

    /// Returns the number of running games.
    pub(crate) fn running_count(&self) -> usize {
        self.running.len()
    }
}

/// State of a running game, rebuilt from commits.
struct RunningGame {
    matched: Match,
    events: Vec<TokenEvent>,
    deal: u32,
    /// True for each seat that has opened its seed or decided.
    done: [bool; 2],
    /// True for each seat whose request arrived in time.
    in_time: [bool; 2],
    /// Start of the current deadline.
    since: Moment,
    /// Time when the game last resumed after a pause.
    resumed: Option<Moment>,
    /// Seeds that no message may reveal before the end: the table's seed and the opened seeds.
    secrets: Vec<String>,
}

impl RunningGame {
    fn new(matched: &Match, moment: Moment) -> Self {
        Self {
            events: vec![matched.first_event()],
            matched: matched.clone(),
            deal: 0,
            done: [false; 2],
            in_time: [false; 2],
            since: moment,
            resumed: None,
            secrets: vec![matched.secret.reveal().to_string()],
        }
    }

    /// Returns the room in which the game is played.
    const fn room(&self) -> RoomNumber {
        self.since.room
    }

    /// Returns the time limit of the current phase.
    const fn limit(&self) -> Duration {
        if self.deal == 0 {
            TIMEOUTS.seeds
        } else {
            TIMEOUTS.decide
        }
    }

    /// Returns the move that an event accepts.
    fn accepted_move(&self, event: &TokenEvent) -> Option<PlayerMove> {
        match event {
            TokenEvent::Opened { seat, .. }
            | TokenEvent::Decided {
                seat,
                timed_out: false,
                ..
            } => Some(self.expected_move(self.matched.seats[seat.index()])),
            _ => None,
        }
    }

    /// Checks that a message reveals no seed before the end.
    fn check_secrets(&self, body: &str) -> LawResult {
        let secret = !self.secrets.iter().any(|secret| body.contains(secret));
        ensure("seeds are secret until the end", secret, || body.to_owned())
    }

    /// Applies an event and returns the timeout that it records, if any.
    fn apply(&mut self, event: &TokenEvent, moment: Moment) -> LawResult<Option<Timeout>> {
        self.events.push(event.clone());
        let number = self.matched.game;
        let evidence = || format!("game {number}: {event:?}");
        match event {
            TokenEvent::Opened { seat, seed } => {
                let Parties::Committed { seed_hashes } = self.matched.parties else {
                    return Ok(None);
                };
                let fits = commitment(seed) == seed_hashes[seat.index()];
                ensure("seeds are those committed to", fits, evidence)?;
                let first = self.deal == 0 && !self.done[seat.index()];
                ensure("seeds are opened once, before cards", first, evidence)?;
                self.done[seat.index()] = true;
                self.secrets.push(seed.to_string());
            }
            TokenEvent::Forfeited { seat } => return self.time_out(seat.index(), moment).map(Some),
            TokenEvent::Dealt { .. } => {
                ensure(
                    "no cards before what they come from",
                    self.done == [true; 2],
                    evidence,
                )?;
                self.deal += 1;
                (self.done, self.in_time) = ([false; 2], [false; 2]);
                (self.since, self.resumed) = (moment, None);
            }
            TokenEvent::Decided {
                seat,
                timed_out,
                decision,
            } => {
                let first = self.deal > 0 && !self.done[seat.index()];
                ensure("nobody decides twice", first, evidence)?;
                if *timed_out {
                    ensure("time folds", *decision == Decision::Fold, evidence)?;
                    let timeout = self.time_out(seat.index(), moment);
                    self.done[seat.index()] = true;
                    return timeout.map(Some);
                }
                self.done[seat.index()] = true;
            }
            TokenEvent::Settled { .. }
            | TokenEvent::Tied
            | TokenEvent::Started { .. }
            | TokenEvent::Committed { .. }
            | TokenEvent::DuelStarted
            | TokenEvent::Seeded { .. } => {}
        }
        Ok(None)
    }

    /// Checks that a player who timed out had the full time and sent nothing in that time.
    fn time_out(&self, seat: usize, moment: Moment) -> LawResult<Timeout> {
        let (limit, number) = (self.limit(), self.matched.game);
        let had = moment.max_served_since(self.since);
        ensure("nobody folds for an outage", had >= limit, || {
            let (had, limit) = (whole_millis(had), whole_millis(limit));
            format!("game {number}: {had} of {limit} ms at {:?}", moment.now)
        })?;
        let again = self
            .resumed
            .map_or(Duration::MAX, |resumed| moment.max_served_since(resumed));
        ensure(
            "nobody folds right after an outage",
            again >= limit.min(RESUME_TIME),
            || format!("game {number}: {} ms", whole_millis(again)),
        )?;
        let player = self.matched.seats[seat];
        ensure("what comes in time counts", !self.in_time[seat], || {
            format!("game {number}: {player}")
        })?;
        let expected = self.expected_move(player);
        let within = (self.since.now, self.certain_deadline());
        Ok(Timeout { expected, within })
    }

    /// Latest world time by which a request is certainly in time. Over one deadline, the table's
    /// time gains at most [`DRIFT`] on the world's.
    fn certain_deadline(&self) -> WorldTime {
        (self.since.first_arrival + self.limit()).saturating_sub(DRIFT)
    }

    /// Notes a request if it is the expected move and in time.
    fn record_request(&mut self, wish: &PlayerMove, at: WorldTime) {
        let seat = usize::from(self.matched.seats[1] == wish.player);
        let known = self.expected_move(wish.player) == *wish && self.since.now < at;
        if known && at < self.certain_deadline() && !self.done[seat] {
            self.in_time[seat] = true;
        }
    }

    /// Returns the move expected from a player.
    fn expected_move(&self, player: PlayerId) -> PlayerMove {
        let hash = self.committed_hash(player);
        PlayerMove {
            player,
            game: self.matched.game,
            deal: self.deal,
            hash: hash.filter(|_| self.deal == 0),
        }
    }

    /// Returns the hash of the seed that a player has committed to.
    fn committed_hash(&self, player: PlayerId) -> Option<Hex<32>> {
        let Parties::Committed { seed_hashes } = self.matched.parties else {
            return None;
        };
        let mut seats = self.matched.seats.into_iter().zip(seed_hashes);
        seats.find_map(|(seat, hash)| (seat == player).then_some(hash))
    }

    const fn resume(&mut self, moment: Moment) {
        self.resumed = Some(moment);
    }

    /// Checks that the current deadline has not passed.
    fn check_deadline(&self, moment: Moment) -> LawResult {
        let since = self.resumed.unwrap_or(self.since);
        let passed = moment.served.saturating_sub(since.served);
        let allowed = self.limit() + moment.tolerance_since(since);
        ensure("every game ends", passed <= allowed, || {
            let (game, deal) = (self.matched.game, self.deal);
            let (passed, allowed) = (whole_millis(passed), whole_millis(allowed));
            format!("game {game}, deal {deal}: {passed} ms of {allowed}")
        })
    }
}

impl Moment {
    /// Returns an upper bound on the time served since `then`.
    fn max_served_since(self, then: Self) -> Duration {
        self.served.saturating_sub(then.served) + self.tolerance_since(then)
    }

    /// Returns the largest error of the time served since `then`.
    const fn tolerance_since(self, then: Self) -> Duration {
        TOLERANCE.saturating_mul(1 + self.starts.saturating_sub(then.starts))
    }
}

/// Move of a player in a game: opening a seed or deciding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlayerMove {
    pub(super) player: PlayerId,
    pub(super) game: u64,
    /// Deal to decide on, or 0 to open a seed.
    pub(super) deal: u32,
    /// Hash of the opened seed.
    pub(super) hash: Option<Hex<32>>,
}

impl PlayerMove {
    /// Returns the move that a request asks for, if any.
    pub(super) fn from_request(player: PlayerId, request: &Request) -> Option<Self> {
        let (game, deal, hash) = match request {
            Request::Seed { game_id, value, .. } => (*game_id, 0, Some(commitment(value))),
            Request::Decide { game_id, deal, .. } => (*game_id, *deal, None),
            _ => return None,
        };
        Some(Self {
            player,
            game,
            deal,
            hash,
        })
    }
}

/// Timeout of a player.
struct Timeout {
    /// Move that was expected.
    expected: PlayerMove,
    /// World times between which a request would certainly have been in time.
    within: (WorldTime, WorldTime),
}

impl Timeout {
    /// Returns true if this request was the expected move and in time.
    fn is_disproved_by(&self, wish: &PlayerMove, at: WorldTime) -> bool {
        self.expected == *wish && self.within.0 < at && at < self.within.1
    }
}

/// Laws of the log: its leaves are the starts and ends of games, in order.
#[derive(Default)]
pub(super) struct LogLaws {
    expected_leaves: VecDeque<Leaf>,
}

impl LogLaws {
    pub(super) fn apply(&mut self, at: WallTime, event: &RoomEvent) {
        match event {
            RoomEvent::Matched(matched) => {
                let Parties::Committed { seed_hashes } = matched.parties else {
                    return;
                };
                self.expected_leaves.push_back(Leaf::Start(GameStart {
                    game: matched.game,
                    rules: matched.rules().id().to_owned(),
                    players: matched.seats.map(|player| player.0),
                    commitment: matched.secret.commitment(),
                    seed_hashes,
                    time_ms: at.as_millis(),
                }));
            }
            RoomEvent::Played {
                game,
                event: TokenEvent::Settled { .. },
                ..
            } => self.expected_leaves.push_back(Leaf::End(GameEnd {
                game: *game,
                digest: Hex::new([0; 16]),
                time_ms: at.as_millis(),
            })),
            _ => {}
        }
    }

    /// Sets the digest expected in the leaf of a game's end.
    pub(super) fn set_end_digest(&mut self, number: u64, settlement: &RecordingMetadata) {
        for leaf in &mut self.expected_leaves {
            if let Leaf::End(end) = leaf
                && end.game == number
            {
                end.digest = settlement.digest;
            }
        }
    }

    pub(super) fn check_leaf(&mut self, leaf: &Leaf) -> LawResult {
        let due = self.expected_leaves.pop_front();
        ensure(
            "the log is what happened",
            due.as_ref() == Some(leaf),
            || format!("{leaf:?} instead of {due:?}"),
        )
    }

    pub(super) fn check_complete(&self) -> LawResult {
        ensure(
            "the log has all that happened",
            self.expected_leaves.is_empty(),
            || format!("{:?}", self.expected_leaves),
        )
    }
}

/// Replays the journal of a settled game. The journal must verify and have the recorded digest.
fn verify_journal(
    matched: &Match,
    events: &[TokenEvent],
    settlement: &RecordingMetadata,
) -> LawResult {
    let committed = CommittedGame {
        rules: matched.rules(),
        game: matched.game,
        commitment: matched.secret.commitment(),
        secret: matched.secret,
    };
    let journal = settlement
        .write_journal(committed, events)
        .unwrap_or_default();
    let judgement = verify(&journal[..]).ok();
    let digest = judgement
        .as_ref()
        .filter(|judgement| judgement.verdict() == Verdict::Verified)
        .and_then(|judgement| judgement.end())
        .map(|end| end.digest);
    ensure("journals verify", digest == Some(settlement.digest), || {
        format!("game {}: {judgement:?}", matched.game)
    })
}
