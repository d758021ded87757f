use super::game::{Finished, GameChecks};
use super::unfair::Unfair;
use crate::log::{Start, TableId};
use crate::protocol::{Message, Opponent, PlayerId, Sent, Whom};
use crate::room::Player;
use ed25519_dalek::VerifyingKey;
use std::collections::{BTreeMap, BTreeSet};
use war::support::hex::Hex;
use war::tokens::{Decision, Kind};

/// A player's evidence against a table, across all their connections and games.
#[derive(Debug, Clone, Default)]
pub struct Checks {
    /// True if the player has never been at the table before.
    is_new: bool,
    player: Option<PlayerId>,
    table: Option<TableId>,
    key: Option<Hex<32>>,
    /// The decoded key, once a signature has been checked with it.
    verifying_key: Option<VerifyingKey>,
    /// True if the caller checks signatures.
    defers_signatures: bool,
    /// Number of the last message; `None` before the first welcome.
    seq: Option<u64>,
    balance: i64,
    /// Last missed message according to the welcome, and the balance after it.
    due: Option<(u64, i64)>,
    /// The requested game, with the committed seed and the requested opponent.
    chosen: Option<(Kind, Hex<32>, Option<Whom>)>,
    game: Option<GameChecks>,
    finished: Option<Finished>,
    /// The opponent in each game that has begun.
    opponents: BTreeMap<u64, PlayerId>,
    commitments: BTreeSet<Hex<32>>,
}

impl Checks {
    /// Starts checks for a new player, with a freshly generated token.
    #[must_use]
    pub fn new() -> Self {
        let is_new = true;
        Self {
            is_new,
            ..Self::default()
        }
    }

    /// Starts checks for a returning player who has kept nothing but their token.
    #[must_use]
    pub fn returning() -> Self {
        Self::default()
    }

    /// Sets the public key of the table that the player expects.
    pub const fn expect_key(&mut self, key: Hex<32>) {
        (self.key, self.verifying_key) = (Some(key), None);
    }

    /// Leaves the signatures of game starts to the caller, to be checked with [`Finished::signed`]:
    /// they take longer than everything else.
    pub const fn defer_signatures(&mut self) {
        self.defers_signatures = true;
    }

    /// Records that the player requests a game, committed to this seed.
    pub const fn chose(&mut self, game: Kind, seed: Hex<32>) {
        self.chosen = Some((game, seed, None));
    }

    /// Records that the player requests a game with a particular opponent, committed to this seed.
    pub const fn chose_with(&mut self, game: Kind, seed: Hex<32>, whom: Whom) {
        self.chosen = Some((game, seed, Some(whom)));
    }

    /// Records that the player sends their seed, with `left_ms` milliseconds left by their own clock.
    pub fn opens(&mut self, left_ms: u64) {
        if let Some(game) = &mut self.game {
            game.opens(left_ms);
        }
    }

    /// Records that the player sends a decision on the last deal, with `left_ms` milliseconds left
    /// by their own clock.
    pub fn decides(&mut self, decision: Decision, left_ms: u64) {
        if let Some(game) = &mut self.game {
            game.decides(decision, left_ms);
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
        self.due.is_none()
    }

    /// The player's balance, computed from the results.
    #[must_use]
    pub const fn balance(&self) -> i64 {
        self.balance
    }

    /// Number of games that have begun.
    #[must_use]
    pub fn games(&self) -> usize {
        self.opponents.len()
    }

    /// The table's ID and public key, if known.
    #[must_use]
    pub fn table(&self) -> Option<(TableId, Hex<32>)> {
        Some((self.table?, self.key?))
    }

    /// The start of the running game, as its leaf in the table's log.
    #[must_use]
    pub fn start(&self) -> Option<&Start> {
        self.game.as_ref().map(GameChecks::start)
    }

    /// The last finished game.
    #[must_use]
    pub const fn finished(&self) -> Option<&Finished> {
        self.finished.as_ref()
    }

    /// Checks and records a message from the table.
    ///
    /// # Errors
    ///
    /// The first unfairness in it. No later message can be trusted then.
    pub fn heard(&mut self, sent: &Sent) -> Result<(), Unfair> {
        let seq = match &sent.message {
            Message::Welcome { .. } => return self.welcome(sent),
            Message::Resync {
                first_seq, balance, ..
            } => return self.resync(sent.seq, *first_seq, *balance),
            Message::People { .. } => return Ok(()),
            Message::Error { .. }
            | Message::Games { .. }
            | Message::Figures { .. }
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
            return Err(Unfair::Sequence);
        }
        self.seq = Some(seq);
        self.take(&sent.message)?;
        match self.due {
            Some((due, balance)) if due == seq => {
                self.due = None;
                Unfair::Balance.unless(balance == self.balance)
            }
            _ => Ok(()),
        }
    }

    fn welcome(&mut self, sent: &Sent) -> Result<(), Unfair> {
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
        check_unchanged(&mut self.player, Some(*player), Unfair::Player)?;
        check_unchanged(&mut self.table, *table, Unfair::Table)?;
        check_unchanged(&mut self.key, *key, Unfair::Key)?;
        if let Some(game) = &mut self.game {
            game.connection_lost();
        }
        let Some(seq) = self.seq else {
            self.seq = Some(sent.seq);
            self.balance = *balance;
            let is_new = (sent.seq, *balance) == (0, Player::OPENING_BALANCE);
            return Unfair::Balance.unless(is_new || !self.is_new);
        };
        Unfair::Sequence.unless(sent.seq >= seq)?;
        self.due = Some((sent.seq, *balance)).filter(|_| sent.seq > seq);
        Unfair::Balance.unless(self.due.is_some() || *balance == self.balance)
    }

    /// Continues after messages that are no longer stored, and whose content is unknown.
    fn resync(&mut self, seq: u64, first: u64, balance: i64) -> Result<(), Unfair> {
        let skips = seq > self.seq() && seq.checked_add(1) == Some(first);
        let within = self.due.is_none_or(|(due, _)| seq <= due);
        Unfair::Sequence.unless(skips && within)?;
        (self.seq, self.balance, self.game) = (Some(seq), balance, None);
        let due = self.due.take_if(|(due, _)| *due == seq);
        Unfair::Balance.unless(due.is_none_or(|(_, due)| due == balance))
    }

    fn take(&mut self, message: &Message) -> Result<(), Unfair> {
        match message {
            Message::Waiting { game, with } => {
                let waits = |(kind, _, whom)| (kind, whom) == (*game, *with);
                Unfair::NotChosen.unless(self.chosen.is_some_and(waits))
            }
            Message::Started { .. } => self.started(message),
            Message::Seeded { game_id } => self.running(*game_id)?.seeded(),
            Message::Dealt {
                game_id,
                deal,
                cards,
                ..
            } => self.running(*game_id)?.dealt(*deal, cards),
            Message::Redealt {
                game_id,
                deal,
                cards,
                ..
            } => self.running(*game_id)?.redealt(*deal, cards),
            Message::Decided {
                game_id,
                deal,
                decision,
                timed_out,
            } => self
                .running(*game_id)?
                .decided(*deal, *decision, *timed_out),
            Message::OpponentDecided { game_id, deal } => self.running(*game_id)?.is_in_play(*deal),
            Message::Result {
                game_id,
                delta,
                balance,
                ..
            } => {
                let finished = self.running(*game_id)?.settled(message)?;
                (self.game, self.finished) = (None, Some(finished));
                self.balance = self.balance.saturating_add(*delta);
                Unfair::Balance.unless(*balance == self.balance)
            }
            Message::Adjusted {
                tokens, balance, ..
            } => {
                self.balance = self.balance.saturating_add(*tokens);
                Unfair::Balance.unless(*balance == self.balance)
            }
            _ => Ok(()),
        }
    }

    fn started(&mut self, message: &Message) -> Result<(), Unfair> {
        let free = self.game.is_none();
        let chosen = self.chosen.take().filter(|_| free);
        let (kind, seed, whom) = chosen.ok_or(Unfair::NotChosen)?;
        let own = self.player.ok_or(Unfair::Player)?;
        let game = GameChecks::started(message, own, kind, seed)?;
        let Message::Started { opponent, .. } = message else {
            return Err(Unfair::NotChosen);
        };
        Unfair::NotChosen.unless(self.is_requested(opponent, whom))?;
        let start = game.start();
        let before = self.opponents.insert(start.game, opponent.player);
        Unfair::OldGame.unless(before.is_none())?;
        let commitment = start.commitment;
        Unfair::OldCommitment.unless(self.commitments.insert(commitment))?;
        let key = self.verifying_key()?;
        Unfair::Table.unless(self.table == Some(game.signed.table))?;
        if !self.defers_signatures {
            game.signed.check(&game.start, &key)?;
        }
        self.game = Some(game);
        Ok(())
    }

    /// Returns true if this opponent is one that the player requested, as far as they can know.
    fn is_requested(&self, opponent: &Opponent, whom: Option<Whom>) -> bool {
        match whom {
            None => true,
            Some(Whom::House) => opponent.house,
            Some(Whom::Invitation(_) | Whom::Accept(_)) => !opponent.house,
            Some(Whom::Rematch(game)) => {
                let known = self.opponents.get(&game);
                !opponent.house && known.is_none_or(|known| *known == opponent.player)
            }
        }
    }

    /// The table's key, decoded for checking signatures.
    fn verifying_key(&mut self) -> Result<VerifyingKey, Unfair> {
        if let Some(key) = self.verifying_key {
            return Ok(key);
        }
        let key = self.key.ok_or(Unfair::Unsigned)?;
        let key = VerifyingKey::from_bytes(key.bytes()).map_err(|_| Unfair::Key)?;
        Ok(*self.verifying_key.insert(key))
    }

    /// The running game, if the message is about it.
    fn running(&mut self, number: u64) -> Result<&mut GameChecks, Unfair> {
        let game = self.game.as_mut();
        let current = game.filter(|game| game.start().game == number);
        current.ok_or(Unfair::OtherGame)
    }
}

/// Records the first value received, and rejects any other value from then on.
fn check_unchanged<T: PartialEq>(
    known: &mut Option<T>,
    received: Option<T>,
    violation: Unfair,
) -> Result<(), Unfair> {
    match known {
        None => *known = received,
        Some(_) => violation.unless(*known == received)?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Checks;
    use crate::fair::Unfair;

    #[test]
    fn adjustments_by_the_operator_change_the_balance() {
        let receive = |checks: &mut Checks, message: &str| {
            checks.heard(&serde_json::from_str(message).expect("a message"))
        };
        let new = || {
            let mut checks = Checks::new();
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
        assert_eq!(receive(&mut checks, resync), Ok(()));
        assert_eq!((checks.seq(), checks.balance()), (8, 7));
        assert_eq!(receive(&mut checks, resync), Err(Unfair::Sequence));
        let wrong = receive(&mut new(), &adjusted(50, 1000));
        assert_eq!(wrong, Err(Unfair::Balance));
    }
}
