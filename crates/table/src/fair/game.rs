use super::signed::Signed;
use super::unfair::Unfair;
use crate::log::Start;
use crate::room::{Message, PlayerId};
use war::cards::Card;
use war::support::hex::Hex;
use war::tokens::{Decision, Hand, Kind, TokenRules, commitment};

/// A game as one of its players sees it.
#[derive(Debug, Clone)]
pub(super) struct Game {
    pub(super) kind: Kind,
    /// The player's seat, counted from 0.
    pub(super) seat: usize,
    /// The seed that the player is committed to.
    pub(super) seed: Hex<32>,
    pub(super) start: Start,
    /// By whom it was signed.
    pub(super) signed: Signed,
    /// How much time was left when the player opened their seed.
    opened: Option<u64>,
    /// Whether the table took it.
    seeded: bool,
    /// The player's hands, by deal.
    pub(super) hands: Vec<Hand>,
    /// What the player sent about the last hand, and how much time was left then.
    asked: Option<(Decision, u64)>,
    /// What the table took of it.
    pub(super) decided: Option<Decision>,
}

/// With this much time left when something was sent it came in time, in milliseconds: both
/// clocks and the way to the table need some.
const IN_TIME: u64 = 2_000;

impl Game {
    /// The game that `started`, for the player with this number who chose that kind.
    pub(super) fn started(
        message: &Message,
        own: PlayerId,
        chosen: Kind,
        seed: Hex<32>,
    ) -> Result<Self, Unfair> {
        let Message::Started {
            game_id,
            game,
            seat,
            opponent,
            seed_hashes,
            commitment: table,
            time_ms,
            table: by,
            signature,
            ..
        } = message
        else {
            return Err(Unfair::NotChosen);
        };
        let chairs = [1, 2].contains(seat) && opponent.player != own;
        Unfair::NotChosen.unless(chairs && *game == chosen)?;
        let seat = usize::from(*seat == 2);
        Unfair::OwnHash.unless(seed_hashes[seat] == commitment(&seed))?;
        let signed = Signed::new(*by, *signature)?;
        let mut players = [opponent.player.0; 2];
        players[seat] = own.0;
        let start = Start {
            game: *game_id,
            rules: TokenRules::of(chosen).id().to_owned(),
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
            signed,
            opened: None,
            seeded: false,
            hands: Vec::new(),
            asked: None,
            decided: None,
        })
    }

    pub(super) const fn start(&self) -> &Start {
        &self.start
    }

    /// What was sent before may have been lost with the connection.
    pub(super) fn lost(&mut self) {
        self.opened = self.opened.map(|_| 0);
        self.asked = self.asked.map(|(decision, _)| (decision, 0));
    }

    pub(super) const fn opens(&mut self, left_ms: u64) {
        self.opened = Some(left_ms);
    }

    pub(super) const fn decides(&mut self, decision: Decision, left_ms: u64) {
        self.asked = Some((decision, left_ms));
    }

    /// Whether the table must have the player's seed.
    pub(super) fn has_opened(&self) -> bool {
        self.seeded || self.opened.is_some_and(|left| left >= IN_TIME)
    }

    pub(super) fn seeded(&mut self) -> Result<(), Unfair> {
        self.seeded = true;
        Unfair::WithoutSeed.unless(self.opened.is_some())
    }

    pub(super) fn dealt(&mut self, deal: u32, cards: &[Card]) -> Result<(), Unfair> {
        Unfair::WithoutSeed.unless(self.seeded)?;
        Unfair::Deal.unless(self.hands.is_empty())?;
        self.take(deal, cards)
    }

    pub(super) fn redealt(&mut self, deal: u32, cards: &[Card]) -> Result<(), Unfair> {
        Unfair::NoTie.unless(self.decided == Some(Decision::Play))?;
        self.take(deal, cards)
    }

    fn take(&mut self, deal: u32, cards: &[Card]) -> Result<(), Unfair> {
        let is_hand = cards.len() == self.kind.cards();
        let is_next = deal as usize == self.hands.len() + 1;
        Unfair::Deal.unless(is_hand && is_next)?;
        self.hands.push(cards.to_vec());
        self.asked = None;
        self.decided = None;
        Ok(())
    }

    pub(super) fn decided(
        &mut self,
        deal: u32,
        decision: Decision,
        timed_out: bool,
    ) -> Result<(), Unfair> {
        self.is_in_play(deal)?;
        let asked = self.asked.map(|(asked, _)| asked);
        let is_own = if timed_out {
            let late = self.asked.is_none_or(|(_, left)| left < IN_TIME);
            Unfair::TimedOut.unless(late)?;
            decision == Decision::Fold
        } else {
            asked == Some(decision)
        };
        let first = self.decided.replace(decision).is_none();
        Unfair::Decision.unless(is_own && first)
    }

    /// Checks that the deal is the last one.
    pub(super) fn is_in_play(&self, deal: u32) -> Result<(), Unfair> {
        Unfair::Deal.unless(deal as usize == self.hands.len())
    }
}
