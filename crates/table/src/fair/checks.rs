use super::game::{GameChecks, SettledGame};
use super::violation::FairnessViolation;
use crate::log::{GameStart, TableId};
use crate::protocol::{Message, NumberedMessage, Opponent, OpponentFilter, PlayerId, RequestId};
use crate::room::Player;
use ed25519_dalek::VerifyingKey;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use war::support::hex::Hex;
use war::tokens::{Decision, Kind};

/// A player's checks of a table, across all of the player's connections and games.
#[derive(Debug, Clone, Default)]
pub struct FairnessChecks {
    /// True if the player has never been at the table before.
    is_new: bool,
    player: Option<PlayerId>,
    table: Option<TableId>,
    key: Option<Hex<32>>,
    /// The decoded key, once a signature has been checked with it.
    verifying_key: Option<VerifyingKey>,
    /// True if other devices may play as the same player. Their games are not checked.
    has_other_devices: bool,
    /// True if the caller checks the signatures of game starts.
    defers_signatures: bool,
    /// Number of the last message; `None` before the first welcome.
    seq: Option<u64>,
    balance: i64,
    /// Last message number and balance that the last welcome stated; `None` once all messages up to
    /// that number have arrived.
    catch_up: Option<(u64, i64)>,
    /// The requested game, with the committed seed and the requested opponent.
    chosen: Option<(Kind, Hex<32>, Option<OpponentFilter>)>,
    /// ID of the last request for a game, if the caller records it.
    choice_id: Option<RequestId>,
    /// ID of the request by which the player waits, on whatever device.
    waiting_id: Option<RequestId>,
    /// Number of finished games that another device began.
    unchecked_games: u64,
    game: Option<GameChecks>,
    finished: Option<SettledGame>,
    /// The opponent in each game that has begun.
    opponents: BTreeMap<u64, PlayerId>,
    commitments: BTreeSet<Hex<32>>,
}

impl FairnessChecks {
    /// Starts checks for a new player, with a freshly generated token.
    #[must_use]
    pub fn new() -> Self {
        let is_new = true;
        Self {
            is_new,
            ..Self::default()
        }
    }

    /// Starts checks for a returning player who has kept nothing but their token, which other devices
    /// may have as well.
    #[must_use]
    pub fn for_returning_player() -> Self {
        let mut checks = Self::default();
        checks.allow_other_devices();
        checks
    }

    /// Expects games that another device begins with the same token. They are counted in place of
    /// being checked.
    pub const fn allow_other_devices(&mut self) {
        self.has_other_devices = true;
    }

    /// Sets the public key that the player expects the table to have.
    pub const fn expect_key(&mut self, key: Hex<32>) {
        (self.key, self.verifying_key) = (Some(key), None);
    }

    /// Leaves the signatures of game starts to the caller, to be checked with
    /// [`SettledGame::signature`]: checking a signature takes longer than all other checks.
    pub const fn defer_signatures(&mut self) {
        self.defers_signatures = true;
    }

    /// Records that the player requests a game, committed to this seed.
    pub const fn record_choice(&mut self, game: Kind, seed: Hex<32>) {
        self.chosen = Some((game, seed, None));
    }

    /// Records that the player requests a game with a particular opponent, committed to this seed.
    pub const fn record_choice_of_opponent(
        &mut self,
        game: Kind,
        seed: Hex<32>,
        filter: OpponentFilter,
    ) {
        self.chosen = Some((game, seed, Some(filter)));
    }

    /// Records the ID of the request for the chosen game. Only its answers are about this game if
    /// other devices may play.
    pub fn record_choice_id(&mut self, id: RequestId) {
        self.choice_id = Some(id);
    }

    /// Records that the player sends their seed, with this time left by their own clock.
    pub fn record_seed(&mut self, left: Duration) {
        if let Some(game) = &mut self.game {
            game.record_seed(left);
        }
    }

    /// Records that the player sends a decision on the last deal, with this time left by their own
    /// clock.
    pub fn record_decision(&mut self, decision: Decision, left: Duration) {
        if let Some(game) = &mut self.game {
            game.record_decision(decision, left);
        }
    }

    /// Number of the last message.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq.unwrap_or_default()
    }

    /// Returns true if no messages are missing according to the last welcome.
    #[must_use]
    pub const fn is_up_to_date(&self) -> bool {
        self.catch_up.is_none()
    }

    /// The player's balance, computed from the results.
    #[must_use]
    pub const fn balance(&self) -> i64 {
        self.balance
    }

    /// Number of games that have begun.
    #[must_use]
    pub fn game_count(&self) -> usize {
        self.opponents.len()
    }

    /// Number of finished games that another device of the player began, or that a table began which
    /// feigned another device. Nothing is proven about these games.
    #[must_use]
    pub const fn unchecked_games(&self) -> u64 {
        self.unchecked_games
    }

    /// The player's number; `None` before the first welcome.
    #[must_use]
    pub const fn player(&self) -> Option<PlayerId> {
        self.player
    }

    /// The table's ID and public key, if known.
    #[must_use]
    pub fn table_and_key(&self) -> Option<(TableId, Hex<32>)> {
        Some((self.table?, self.key?))
    }

    /// The start of the running game, as its leaf in the table's log.
    #[must_use]
    pub fn game_start(&self) -> Option<&GameStart> {
        self.game.as_ref().map(GameChecks::game_start)
    }

    /// The last finished game.
    #[must_use]
    pub const fn last_finished_game(&self) -> Option<&SettledGame> {
        self.finished.as_ref()
    }

    /// Checks and records a message from the table.
    ///
    /// # Errors
    ///
    /// The first violation found in the message. After an error, later messages can't be trusted.
    pub fn receive(&mut self, sent: &NumberedMessage) -> Result<(), FairnessViolation> {
        let seq = match &sent.message {
            Message::Welcome { .. } => return self.check_welcome(sent),
            Message::Resync {
                first_seq, balance, ..
            } => return self.check_resync(sent.seq, *first_seq, *balance),
            Message::People { .. }
            | Message::Settings { .. }
            | Message::Links { .. }
            | Message::Friend { .. } => return Ok(()),
            Message::Error { .. }
            | Message::Games { .. }
            | Message::Figures { .. }
            | Message::Score { .. }
            | Message::Ladder { .. }
            | Message::Watched { .. }
            | Message::Forgotten { .. } => self.seq(),
            Message::Waiting { .. }
            | Message::Cancelled { .. }
            | Message::RematchWanted { .. }
            | Message::RematchWithdrawn { .. }
            | Message::Draining { .. }
            | Message::Started { .. }
            | Message::Seeded { .. }
            | Message::Dealt { .. }
            | Message::Clock { .. }
            | Message::Decided { .. }
            | Message::OpponentDecided { .. }
            | Message::Redealt { .. }
            | Message::Result { .. }
            | Message::Adjusted { .. } => self.seq() + 1,
        };
        if sent.seq != seq {
            return Err(FairnessViolation::Sequence);
        }
        self.seq = Some(seq);
        self.check_message(&sent.message)?;
        match &sent.message {
            Message::Waiting { in_reply_to, .. } => self.waiting_id.clone_from(in_reply_to),
            Message::Cancelled { .. } | Message::Draining { .. } | Message::Started { .. } => {
                self.waiting_id = None;
            }
            _ => {}
        }
        match self.catch_up {
            Some((due, balance)) if due == seq => {
                self.catch_up = None;
                FairnessViolation::Balance.fail_unless(balance == self.balance)
            }
            _ => Ok(()),
        }
    }

    fn check_welcome(&mut self, sent: &NumberedMessage) -> Result<(), FairnessViolation> {
        let Message::Welcome {
            player,
            balance,
            table,
            key,
            ..
        } = &sent.message
        else {
            return Ok(());
        };
        check_unchanged(&mut self.player, Some(*player), FairnessViolation::Player)?;
        check_unchanged(&mut self.table, *table, FairnessViolation::Table)?;
        check_unchanged(&mut self.key, *key, FairnessViolation::Key)?;
        if let Some(game) = &mut self.game {
            game.mark_connection_lost();
        }
        let Some(seq) = self.seq else {
            self.seq = Some(sent.seq);
            self.balance = *balance;
            let is_new = (sent.seq, *balance) == (0, Player::OPENING_BALANCE);
            return FairnessViolation::Balance.fail_unless(is_new || !self.is_new);
        };
        FairnessViolation::Sequence.fail_unless(sent.seq >= seq)?;
        self.catch_up = Some((sent.seq, *balance)).filter(|_| sent.seq > seq);
        FairnessViolation::Balance.fail_unless(self.catch_up.is_some() || *balance == self.balance)
    }

    /// Skips messages that the table no longer stores, and whose content is unknown. Only messages
    /// from before the last `welcome` can be gone.
    fn check_resync(
        &mut self,
        seq: u64,
        first: u64,
        balance: i64,
    ) -> Result<(), FairnessViolation> {
        let skips = seq > self.seq() && seq.checked_add(1) == Some(first);
        let within = self.catch_up.is_some_and(|(due, _)| seq <= due);
        FairnessViolation::Sequence.fail_unless(skips && within)?;
        (self.seq, self.balance, self.game) = (Some(seq), balance, None);
        let due = self.catch_up.take_if(|(due, _)| *due == seq);
        FairnessViolation::Balance.fail_unless(due.is_none_or(|(_, due)| due == balance))
    }

    fn check_message(&mut self, message: &Message) -> Result<(), FairnessViolation> {
        if self.is_of_other_device(message) {
            return self.skip_message(message);
        }
        match message {
            Message::Waiting { game, with, .. } => {
                let waits = |(kind, _, filter)| (kind, filter) == (*game, *with);
                FairnessViolation::NotChosen.fail_unless(self.chosen.is_some_and(waits))
            }
            Message::Started { .. } => self.check_started(message),
            Message::Seeded { game_id, .. } => self.running_game(*game_id)?.check_seeded_message(),
            Message::Dealt {
                game_id,
                deal,
                cards,
                ..
            } => self
                .running_game(*game_id)?
                .check_dealt_message(*deal, cards),
            Message::Redealt {
                game_id,
                deal,
                cards,
                ..
            } => self
                .running_game(*game_id)?
                .check_redealt_message(*deal, cards),
            Message::Decided {
                game_id,
                deal,
                decision,
                timed_out,
                ..
            } => self
                .running_game(*game_id)?
                .check_decided_message(*deal, *decision, *timed_out),
            Message::OpponentDecided { game_id, deal } => {
                self.running_game(*game_id)?.check_last_deal(*deal)
            }
            Message::Result {
                game_id,
                delta,
                balance,
                ..
            } => {
                let finished = self.running_game(*game_id)?.check_result(message)?;
                (self.game, self.finished) = (None, Some(finished));
                self.balance = self.balance.saturating_add(*delta);
                FairnessViolation::Balance.fail_unless(*balance == self.balance)
            }
            Message::Adjusted {
                tokens, balance, ..
            } => {
                self.balance = self.balance.saturating_add(*tokens);
                FairnessViolation::Balance.fail_unless(*balance == self.balance)
            }
            _ => Ok(()),
        }
    }

    /// Returns true if a message answers a request of another device, or is about a game that
    /// another device began.
    fn is_of_other_device(&self, message: &Message) -> bool {
        let answers_other = |id: Option<&RequestId>| match &self.choice_id {
            Some(own) => id != Some(own),
            None => self.chosen.is_none(),
        };
        let is_of_other = match message {
            Message::Waiting { in_reply_to, .. } => answers_other(in_reply_to.as_ref()),
            Message::Started { in_reply_to, .. } => {
                answers_other(in_reply_to.as_ref().or(self.waiting_id.as_ref()))
            }
            Message::Seeded { game_id, .. }
            | Message::Dealt { game_id, .. }
            | Message::Redealt { game_id, .. }
            | Message::Decided { game_id, .. }
            | Message::OpponentDecided { game_id, .. }
            | Message::Result { game_id, .. } => {
                self.game_start().map(|start| start.game) != Some(*game_id)
            }
            _ => false,
        };
        self.has_other_devices && is_of_other
    }

    /// Skips a message about a game of another device; only the balance is checked.
    fn skip_message(&mut self, message: &Message) -> Result<(), FairnessViolation> {
        let Message::Result { delta, balance, .. } = message else {
            return Ok(());
        };
        self.unchecked_games += 1;
        self.balance = self.balance.saturating_add(*delta);
        FairnessViolation::Balance.fail_unless(*balance == self.balance)
    }

    fn check_started(&mut self, message: &Message) -> Result<(), FairnessViolation> {
        let free = self.game.is_none();
        let chosen = self.chosen.take().filter(|_| free);
        let (kind, seed, filter) = chosen.ok_or(FairnessViolation::NotChosen)?;
        let own = self.player.ok_or(FairnessViolation::Player)?;
        let game = GameChecks::check_started_message(message, own, kind, seed)?;
        let Message::Started { opponent, .. } = message else {
            return Err(FairnessViolation::NotChosen);
        };
        FairnessViolation::NotChosen.fail_unless(self.is_requested(opponent, filter))?;
        let start = game.game_start();
        let before = self.opponents.insert(start.game, opponent.player);
        FairnessViolation::OldGame.fail_unless(before.is_none())?;
        let commitment = start.commitment;
        FairnessViolation::OldCommitment.fail_unless(self.commitments.insert(commitment))?;
        let key = self.verifying_key()?;
        FairnessViolation::Table.fail_unless(self.table == Some(game.signature.table))?;
        if !self.defers_signatures {
            game.signature.check(&game.start, &key)?;
        }
        self.game = Some(game);
        Ok(())
    }

    /// Returns true if this opponent is one that the player requested, as far as the player can
    /// know.
    fn is_requested(&self, opponent: &Opponent, filter: Option<OpponentFilter>) -> bool {
        match filter {
            None => true,
            Some(OpponentFilter::House) => opponent.house,
            Some(
                OpponentFilter::Invitation(_)
                | OpponentFilter::Accept(_)
                | OpponentFilter::Friend(_),
            ) => !opponent.house,
            Some(OpponentFilter::Rematch(game)) => {
                let known = self.opponents.get(&game);
                !opponent.house && known.is_none_or(|known| *known == opponent.player)
            }
        }
    }

    /// The table's key, decoded for checking signatures.
    fn verifying_key(&mut self) -> Result<VerifyingKey, FairnessViolation> {
        if let Some(key) = self.verifying_key {
            return Ok(key);
        }
        let key = self.key.ok_or(FairnessViolation::Unsigned)?;
        let key = VerifyingKey::from_bytes(key.bytes()).map_err(|_| FairnessViolation::Key)?;
        Ok(*self.verifying_key.insert(key))
    }

    /// The running game if it has this number, else the violation [`FairnessViolation::OtherGame`].
    fn running_game(&mut self, number: u64) -> Result<&mut GameChecks, FairnessViolation> {
        let game = self.game.as_mut();
        let current = game.filter(|game| game.game_start().game == number);
        current.ok_or(FairnessViolation::OtherGame)
    }
}

/// Records the first value received, and rejects any other value from then on.
fn check_unchanged<T: PartialEq>(
    known: &mut Option<T>,
    received: Option<T>,
    violation: FairnessViolation,
) -> Result<(), FairnessViolation> {
    match known {
        None => *known = received,
        Some(_) => violation.fail_unless(*known == received)?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::FairnessChecks;
    use crate::fair::FairnessViolation;
    use crate::protocol::RequestId;
    use war::support::hex::Hex;
    use war::tokens::Kind;

    #[test]
    fn adjustments_by_the_operator_change_the_balance() {
        let receive = |checks: &mut FairnessChecks, message: &str| {
            checks.receive(&serde_json::from_str(message).expect("a message"))
        };
        let new = || {
            let mut checks = FairnessChecks::new();
            let welcome = r#"{"seq":0,"type":"welcome","player":7,"balance":1000,"now_ms":0,
                "protocol":2,"in_reply_to":"a"}"#;
            assert_eq!(receive(&mut checks, welcome), Ok(()));
            checks
        };
        let adjusted = |tokens: i64, balance: i64| {
            format!(
                r#"{{"seq":1,"type":"adjusted","tokens":{tokens},"balance":{balance},"reason":"x"}}"#
            )
        };
        let mut checks = new();
        assert_eq!(receive(&mut checks, &adjusted(-1200, -200)), Ok(()));
        assert_eq!(checks.balance(), -200);
        let resync = r#"{"seq":8,"type":"resync","first_seq":9,"balance":7,"place":"free",
            "cards":[]}"#;
        assert_eq!(
            receive(&mut checks.clone(), resync),
            Err(FairnessViolation::Sequence),
            "nothing is missing"
        );
        let welcome = r#"{"seq":8,"type":"welcome","player":7,"balance":7,"now_ms":0,
            "protocol":2,"in_reply_to":"b"}"#;
        assert_eq!(receive(&mut checks, welcome), Ok(()));
        assert_eq!(receive(&mut checks, resync), Ok(()));
        assert_eq!((checks.seq(), checks.balance()), (8, 7));
        assert_eq!(
            receive(&mut checks, resync),
            Err(FairnessViolation::Sequence)
        );
        let wrong = receive(&mut new(), &adjusted(50, 1000));
        assert_eq!(wrong, Err(FairnessViolation::Balance));
    }

    /// Messages of a game, from the wait to the result, that the request `choice` began.
    fn game_of(choice: &str) -> [String; 4] {
        let hash = "11".repeat(32);
        [
            format!(
                r#"{{"seq":1,"type":"waiting","game":"single-card-game","in_reply_to":"{choice}"}}"#
            ),
            format!(
                r#"{{"seq":2,"type":"started","game_id":5,"game":"single-card-game","seat":1,
                "opponent":{{"player":9,"house":true}},"seed_hashes":["{hash}","{hash}"],
                "commitment":"{hash}","time_ms":1,"deadline_ms":1,"left_ms":1}}"#
            ),
            r#"{"seq":3,"type":"dealt","game_id":5,"deal":1,"cards":["2c"],"deadline_ms":1,
                "left_ms":1}"#
                .to_owned(),
            format!(
                r#"{{"seq":4,"type":"result","game_id":5,"outcome":"lost","delta":-3,"balance":997,
                "reveal":{{"seed":"{hash}","client_seeds":[null,null],"deals":1}}}}"#
            ),
        ]
    }

    fn welcomed(mut checks: FairnessChecks) -> FairnessChecks {
        let welcome = r#"{"seq":0,"type":"welcome","player":7,"balance":1000,"now_ms":0,
            "protocol":3,"in_reply_to":"a"}"#;
        let welcome = serde_json::from_str(welcome).expect("a message");
        assert_eq!(checks.receive(&welcome), Ok(()));
        checks.record_choice(Kind::Single, Hex::new([2; 32]));
        checks.record_choice_id(RequestId::new("own").expect("an ID"));
        checks
    }

    /// Verdict on these messages.
    fn received(checks: &mut FairnessChecks, messages: &[String]) -> Result<(), FairnessViolation> {
        messages
            .iter()
            .try_for_each(|text| checks.receive(&serde_json::from_str(text).expect("a message")))
    }

    #[test]
    fn a_game_of_another_device_is_counted_and_accuses_nobody() {
        let mut checks = welcomed(FairnessChecks::for_returning_player());
        assert_eq!(received(&mut checks, &game_of("other")), Ok(()));
        assert_eq!((checks.unchecked_games(), checks.balance()), (1, 997));
        assert_eq!(checks.game_count(), 0);
        // A start that answers the player's own request has to have the player's own hash.
        let mut checks = welcomed(FairnessChecks::for_returning_player());
        let swapped = received(&mut checks, &game_of("own"));
        assert_eq!(swapped, Err(FairnessViolation::OwnHash));
        // Nobody else has the token of a new player.
        let mut checks = welcomed(FairnessChecks::new());
        let feigned = received(&mut checks, &game_of("other"));
        assert_eq!(feigned, Err(FairnessViolation::OwnHash));
    }
}
