use super::violation::{FairnessViolation, LogViolation};
use crate::log::{GameEnd, GameStart, TableId, is_start_signature};
use crate::protocol::{Cards, Decisions, JournalAddress, Message, Outcome, PlayerId, Reveal};
use ed25519_dalek::VerifyingKey;
use std::cmp::Ordering;
use std::time::Duration;
use war::cards::Card;
use war::engine::{Event, Projection, Table};
use war::journal::Verdict;
use war::replay::Replay;
use war::support::hex::Hex;
use war::tokens::{
    DealResult, Decision, Hand, Kind, Seats, Secret, SeedStatus, TokenEvent, TokenGame, TokenRules,
    commitment, compare_hands,
};

/// A running game as one of its players sees it.
#[derive(Debug, Clone)]
pub(super) struct GameChecks {
    pub(super) kind: Kind,
    /// The player's seat, counted from 0.
    seat: usize,
    /// The player's committed seed.
    pub(super) seed: Hex<32>,
    pub(super) start: GameStart,
    /// The table's signature of the start.
    pub(super) signature: StartSignature,
    /// Time left when the player opened their seed.
    seed_time_left: Option<Duration>,
    /// True if the table accepted the player's seed.
    seeded: bool,
    /// The player's hands, in order of the deals.
    hands: Vec<Hand>,
    /// Decision that the player sent on the last hand, with the time left.
    requested: Option<(Decision, Duration)>,
    /// Decision on the last hand that the table accepted.
    pub(super) decided: Option<Decision>,
}

/// Minimum time left for a move to count as sent in time: a margin for the network, and for the
/// difference between the player's clock and the table's.
const SAFE_MARGIN: Duration = Duration::from_secs(2);

impl GameChecks {
    /// Checks a `started` message for a player who chose this kind of game.
    pub(super) fn check_started_message(
        message: &Message,
        own: PlayerId,
        chosen: Kind,
        seed: Hex<32>,
    ) -> Result<Self, FairnessViolation> {
        let Message::Started {
            game_id,
            game,
            seat,
            opponent,
            seed_hashes,
            commitment: table,
            time_ms,
            table: issuer,
            signature,
            ..
        } = message
        else {
            return Err(FairnessViolation::NotChosen);
        };
        let seats_differ = [1, 2].contains(seat) && opponent.player != own;
        FairnessViolation::NotChosen.fail_unless(seats_differ && *game == chosen)?;
        let seat = usize::from(*seat == 2);
        FairnessViolation::OwnHash.fail_unless(seed_hashes[seat] == commitment(&seed))?;
        let signature = StartSignature::new(*issuer, *signature)?;
        let mut players = [opponent.player.0; 2];
        players[seat] = own.0;
        let start = GameStart {
            game: *game_id,
            rules: TokenRules::current(chosen).id().to_owned(),
            players,
            commitment: *table,
            seed_hashes: *seed_hashes,
            time_ms: time_ms.unwrap_or_default(),
        };
        Ok(Self {
            kind: chosen,
            seat,
            seed,
            start,
            signature,
            seed_time_left: None,
            seeded: false,
            hands: Vec::new(),
            requested: None,
            decided: None,
        })
    }

    pub(super) const fn game_start(&self) -> &GameStart {
        &self.start
    }

    /// Assumes that moves sent so far may have been lost with the connection.
    pub(super) fn mark_connection_lost(&mut self) {
        self.seed_time_left = self.seed_time_left.map(|_| Duration::ZERO);
        self.requested = self
            .requested
            .map(|(decision, _)| (decision, Duration::ZERO));
    }

    pub(super) const fn record_seed(&mut self, left: Duration) {
        self.seed_time_left = Some(left);
    }

    pub(super) const fn record_decision(&mut self, decision: Decision, left: Duration) {
        self.requested = Some((decision, left));
    }

    /// Returns true if the table must have received the player's seed in time.
    fn has_opened(&self) -> bool {
        self.seeded || self.seed_time_left.is_some_and(|left| left >= SAFE_MARGIN)
    }

    pub(super) fn check_seeded_message(&mut self) -> Result<(), FairnessViolation> {
        self.seeded = true;
        FairnessViolation::WithoutSeed.fail_unless(self.seed_time_left.is_some())
    }

    pub(super) fn check_dealt_message(
        &mut self,
        deal: u32,
        cards: &[Card],
    ) -> Result<(), FairnessViolation> {
        FairnessViolation::WithoutSeed.fail_unless(self.seeded)?;
        FairnessViolation::UnexpectedDeal.fail_unless(self.hands.is_empty())?;
        self.add_hand(deal, cards)
    }

    pub(super) fn check_redealt_message(
        &mut self,
        deal: u32,
        cards: &[Card],
    ) -> Result<(), FairnessViolation> {
        FairnessViolation::RedealWithoutTie.fail_unless(self.decided == Some(Decision::Play))?;
        self.add_hand(deal, cards)
    }

    fn add_hand(&mut self, deal: u32, cards: &[Card]) -> Result<(), FairnessViolation> {
        let is_hand = cards.len() == self.kind.hand_size();
        let is_next = deal as usize == self.hands.len() + 1;
        FairnessViolation::UnexpectedDeal.fail_unless(is_hand && is_next)?;
        self.hands.push(cards.to_vec());
        self.requested = None;
        self.decided = None;
        Ok(())
    }

    pub(super) fn check_decided_message(
        &mut self,
        deal: u32,
        decision: Decision,
        timed_out: bool,
    ) -> Result<(), FairnessViolation> {
        self.check_last_deal(deal)?;
        let requested = self.requested.map(|(requested, _)| requested);
        let is_own = if timed_out {
            let late = self.requested.is_none_or(|(_, left)| left < SAFE_MARGIN);
            FairnessViolation::TimedOut.fail_unless(late)?;
            decision == Decision::Fold
        } else {
            requested == Some(decision)
        };
        let first = self.decided.replace(decision).is_none();
        FairnessViolation::Decision.fail_unless(is_own && first)
    }

    /// Checks that this is the number of the last deal that the player received.
    pub(super) fn check_last_deal(&self, deal: u32) -> Result<(), FairnessViolation> {
        FairnessViolation::UnexpectedDeal.fail_unless(deal as usize == self.hands.len())
    }
}

impl GameChecks {
    /// Checks that a result follows from the seeds, the decisions and the stakes.
    pub(super) fn check_result(&self, result: &Message) -> Result<SettledGame, FairnessViolation> {
        let Message::Result {
            outcome,
            delta,
            decisions,
            forfeited,
            cards,
            reveal,
            digest,
            time_ms,
            journal,
            ..
        } = result
        else {
            return Err(FairnessViolation::Outcome);
        };
        let secret = Secret::new(reveal.seed);
        FairnessViolation::Commitment.fail_unless(secret.commitment() == self.start.commitment)?;
        let forfeits = self.check_forfeits(forfeited, reveal)?;
        let (decided, hands) = if forfeits.contains(&true) {
            let without_cards = self.hands.is_empty() && reveal.deals == 0;
            let undecided = decisions.is_none() && cards.is_none();
            FairnessViolation::ForfeitMismatch.fail_unless(without_cards && undecided)?;
            (forfeits.map(forfeit_decision), [Hand::new(), Hand::new()])
        } else {
            let hands = self.check_hands(&secret, reveal)?;
            let decided = self.final_decisions(decisions.as_ref())?;
            self.check_shown(cards.as_ref(), decided, &hands)?;
            (decided, hands)
        };
        let DealResult::Deltas(deltas) = DealResult::settle(self.kind, decided, &hands) else {
            return Err(FairnessViolation::SettledTie);
        };
        let won = match *outcome {
            Outcome::Won => deltas[self.seat] > 0,
            Outcome::Lost => deltas[1 - self.seat] > 0,
            Outcome::BothFolded => decided == [Decision::Fold; 2],
        };
        FairnessViolation::Outcome.fail_unless(won)?;
        FairnessViolation::Stakes.fail_unless(*delta == deltas[self.seat])?;
        let opening = |seed: Option<_>| seed.map_or(SeedStatus::Forfeited, SeedStatus::Opened);
        let dealt = reveal.deals > 0;
        let (digest, ended_ms) = digest.zip(*time_ms).ok_or(FairnessViolation::NoDigest)?;
        Ok(SettledGame {
            start: self.start.clone(),
            signature: self.signature,
            seeds: reveal.client_seeds.map(opening),
            deals: reveal.deals,
            decisions: decided.map(|decision| Some(decision).filter(|_| dealt)),
            deltas,
            digest,
            ended_ms,
            journal: *journal,
        })
    }

    /// Returns who forfeited, by seat, after checking the opened seeds against their hashes.
    fn check_forfeits(
        &self,
        seats: &[u8],
        reveal: &Reveal,
    ) -> Result<[bool; 2], FairnessViolation> {
        FairnessViolation::SeedHashes
            .fail_unless(reveal.seed_hashes == Some(self.start.seed_hashes))?;
        let known = seats.iter().all(|seat| [1, 2].contains(seat));
        FairnessViolation::ForfeitMismatch.fail_unless(known)?;
        let forfeits = [1, 2].map(|seat| seats.contains(&seat));
        match reveal.client_seeds[self.seat] {
            Some(seed) => FairnessViolation::SeedSwapped.fail_unless(seed == self.seed)?,
            None if forfeits[self.seat] => {
                FairnessViolation::FalseForfeit.fail_unless(!self.has_opened())?;
            }
            None => return Err(FairnessViolation::SeedDropped),
        }
        if let Some(seed) = reveal.client_seeds[1 - self.seat] {
            let promised = self.start.seed_hashes[1 - self.seat];
            FairnessViolation::OpponentSeed.fail_unless(commitment(&seed) == promised)?;
        }
        let unopened = reveal.client_seeds.map(|seed| seed.is_none());
        FairnessViolation::ForfeitMismatch.fail_unless(forfeits == unopened)?;
        Ok(forfeits)
    }

    /// Returns the hands of the last deal, by seat, after checking that all deals follow from the
    /// seeds and that all but the last are ties.
    fn check_hands(
        &self,
        secret: &Secret,
        reveal: &Reveal,
    ) -> Result<[Hand; 2], FairnessViolation> {
        FairnessViolation::DealCount.fail_unless(reveal.deals as usize == self.hands.len())?;
        let digits = reveal
            .client_seeds
            .map(|seed| seed.map(|seed| seed.to_string()).unwrap_or_default());
        let seeds = digits.each_ref().map(String::as_str);
        let rules = TokenRules::current(self.kind);
        let mut last: Option<[Hand; 2]> = None;
        for (deal, own) in (1..).zip(&self.hands) {
            if let Some([one, other]) = &last {
                FairnessViolation::RedealWithoutTie
                    .fail_unless(compare_hands(one, other) == Ordering::Equal)?;
            }
            let hands = secret.deal(rules, self.start.game, seeds, deal);
            FairnessViolation::Cards.fail_unless(hands[self.seat] == *own)?;
            last = Some(hands);
        }
        last.ok_or(FairnessViolation::DealCount)
    }

    /// Returns the final decisions by seat, after checking the player's own.
    fn final_decisions(
        &self,
        decisions: Option<&Decisions>,
    ) -> Result<[Decision; 2], FairnessViolation> {
        let decisions = decisions.ok_or(FairnessViolation::Decision)?;
        FairnessViolation::Decision.fail_unless(self.decided == Some(decisions.yours))?;
        let mut by_seat = [decisions.theirs; 2];
        by_seat[self.seat] = decisions.yours;
        Ok(by_seat)
    }

    /// Checks that the result shows cards only if both players played, and that these are the cards
    /// that were dealt.
    fn check_shown(
        &self,
        shown: Option<&Cards>,
        decided: [Decision; 2],
        hands: &[Hand; 2],
    ) -> Result<(), FairnessViolation> {
        let due = decided == [Decision::Play; 2];
        let fits = shown.map_or(!due, |cards| {
            let theirs = &hands[1 - self.seat];
            due && cards.yours == hands[self.seat] && cards.theirs == *theirs
        });
        FairnessViolation::WrongHands.fail_unless(fits)
    }
}

/// Decision that counts for a player of a forfeited game: fold if this player forfeited, else play.
const fn forfeit_decision(forfeited: bool) -> Decision {
    if forfeited {
        Decision::Fold
    } else {
        Decision::Play
    }
}

/// A finished game as one of its players knows it, for comparison with its journal and the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettledGame {
    /// The start of the game.
    pub start: GameStart,
    /// The table's signature of the start.
    pub signature: StartSignature,
    /// The players' seeds, opened or forfeited, by seat.
    pub seeds: [SeedStatus; 2],
    /// Number of deals.
    pub deals: u32,
    /// Final decisions, by seat; `None` if no cards were dealt.
    pub decisions: [Option<Decision>; 2],
    /// Tokens won, by seat; negative if lost.
    pub deltas: [i64; 2],
    /// The final digest of the game's journal, according to the table.
    pub digest: Hex<16>,
    /// End time in milliseconds since 1970, according to the table.
    pub ended_ms: u64,
    /// Address of the game's journal; `None` in version 2 of the protocol.
    pub journal: Option<JournalAddress>,
}

impl SettledGame {
    /// The end of the game, as its leaf in the table's log.
    #[must_use]
    pub const fn game_end(&self) -> GameEnd {
        GameEnd {
            game: self.start.game,
            digest: self.digest,
            time_ms: self.ended_ms,
        }
    }

    /// Returns the path of the game's journal below the table's address.
    #[must_use]
    pub fn journal_path(&self) -> String {
        match &self.journal {
            Some(address) => format!("games/{address}/journal.json"),
            None => format!("games/{}/journal.json", self.start.game),
        }
    }

    /// Checks that a journal is intact and records this game, and returns the journal's final
    /// digest.
    ///
    /// # Errors
    ///
    /// [`LogViolation::Journal`] if the journal is not intact or does not record this game.
    pub fn check_journal(&self, journal: &[u8]) -> Result<Hex<16>, LogViolation> {
        let game = self.start.game;
        let other = LogViolation::Journal { game };
        let replay = Replay::open(journal, None).map_err(|_| other.clone())?;
        let mut last = LastState(None);
        let judgement = replay.verify(&mut last).map_err(|_| other.clone())?;
        let intact = judgement.verdict() == Verdict::Verified;
        let is_this = last.0.as_ref().is_some_and(|game| self.matches(game));
        let end = judgement.end().filter(|_| intact && is_this);
        let digest = end.map(|end| end.digest).ok_or_else(|| other.clone())?;
        if digest == self.digest {
            Ok(digest)
        } else {
            Err(other)
        }
    }

    fn matches(&self, game: &TokenGame) -> bool {
        let start = &self.start;
        let seats = Seats::CommittedSeeds {
            players: start.players,
            seed_hashes: start.seed_hashes,
            seeds: self.seeds,
        };
        (game.number(), game.rules().id()) == (start.game, start.rules.as_str())
            && game.secret().commitment() == start.commitment
            && game.seats() == Some(&seats)
            && (game.deals(), game.decisions()) == (self.deals, self.decisions)
            && game.deltas() == Some(self.deltas)
    }
}

/// State of a token game after its last event.
struct LastState(Option<TokenGame>);

impl Projection<TokenGame> for LastState {
    fn project(&mut self, _: &TokenEvent, game: &TokenGame) {
        self.0 = Some(game.clone());
    }
}

impl Projection<Table> for LastState {
    fn project(&mut self, _: &Event, _: &Table) {}
}

/// A table's signature of the start of a game, not yet checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartSignature {
    /// ID of the table that supposedly signed the start.
    pub table: TableId,
    /// The signature.
    pub signature: Hex<64>,
}

impl StartSignature {
    pub(super) fn new(
        table: Option<TableId>,
        signature: Option<Hex<64>>,
    ) -> Result<Self, FairnessViolation> {
        let (table, signature) = table.zip(signature).ok_or(FairnessViolation::Unsigned)?;
        Ok(Self { table, signature })
    }

    /// Checks the signature with the table's key.
    ///
    /// # Errors
    ///
    /// [`FairnessViolation::Signature`] if the signature does not match.
    pub fn check(&self, start: &GameStart, key: &VerifyingKey) -> Result<(), FairnessViolation> {
        let signature = self.signature.to_string();
        let signed = is_start_signature(&self.table, start, &signature, key);
        FairnessViolation::Signature.fail_unless(signed)
    }
}
