use super::SEPARATOR;
use crate::cards::Card;
use crate::engine::Seat;
use crate::hex::Hex;
use crate::i18n::{Catalogue, Message, Text};
use crate::tokens::{Decision, Hand, Kind, Name, Secret, TokenEvent};

/// The screens of a token game: the opening, each deal, and the end with what was secret.
pub struct TokenScreens {
    catalogue: &'static Catalogue,
    kind: Kind,
    game: u64,
    commitment: Hex<32>,
    secret: Secret,
    players: Option<[Name; 2]>,
    seeded: [bool; 2],
    deals: u32,
}

impl TokenScreens {
    /// The screens of a game over, of this kind and number, with what was committed to
    /// before it and revealed after it.
    #[must_use]
    pub const fn new(
        catalogue: &'static Catalogue,
        kind: Kind,
        game: u64,
        commitment: Hex<32>,
        secret: Secret,
    ) -> Self {
        Self {
            catalogue,
            kind,
            game,
            commitment,
            secret,
            players: None,
            seeded: [false; 2],
            deals: 0,
        }
    }

    /// Takes the next event and appends what it shows to `out`.
    pub fn show(&mut self, event: &TokenEvent, out: &mut String) {
        match event {
            TokenEvent::Started { players } => self.opening(players, out),
            TokenEvent::Seeded { seat, value } if !value.as_str().is_empty() => {
                if let Some(seeded) = self.seeded.get_mut(seat.index()) {
                    *seeded = true;
                }
                let text = Text::new(Message::TOKEN_SEED).with("seed", value.as_str());
                self.line(out, &self.named(text, *seat));
            }
            // Nothing to show: the deal tells who gave no seed.
            TokenEvent::Seeded { .. } => {}
            TokenEvent::Dealt { hands } => self.dealt(hands, out),
            TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => {
                let message = match (decision, timed_out) {
                    (Decision::Play, _) => Message::TOKEN_PLAYS,
                    (Decision::Fold, false) => Message::TOKEN_FOLDS,
                    (Decision::Fold, true) => Message::TOKEN_TIMED_OUT,
                };
                self.line(out, &self.named(Text::new(message), *seat));
            }
            TokenEvent::Tied => {
                self.line(out, &Text::new(Message::TOKEN_TIED));
                out.push_str(SEPARATOR);
            }
            TokenEvent::Settled { deltas } => self.settled(*deltas, out),
        }
    }

    fn opening(&mut self, players: &[Name; 2], out: &mut String) {
        let [one, two] = players;
        let opening = Text::new(Message::TOKEN_GAME)
            .with("kind", self.kind.name())
            .with("game", self.game.to_string())
            .with("one", one.as_str())
            .with("two", two.as_str());
        self.line(out, &opening);
        let commitment = Text::new(Message::TOKEN_COMMITMENT);
        self.line(
            out,
            &commitment.with("commitment", self.commitment.to_string()),
        );
        self.players = Some(players.clone());
    }

    fn dealt(&mut self, hands: &[Hand; 2], out: &mut String) {
        if self.deals == 0 {
            for seat in [0, 1].map(Seat::from_index) {
                if !self.seeded[seat.index()] {
                    self.line(out, &self.named(Text::new(Message::TOKEN_NO_SEED), seat));
                }
            }
            out.push_str(SEPARATOR);
        }
        self.deals += 1;
        let deal = Text::new(Message::TOKEN_DEAL).with("deal", self.deals);
        self.line(out, &deal);
        for (index, hand) in hands.iter().enumerate() {
            let cards: Vec<_> = hand.iter().map(Card::to_string).collect();
            let text = Text::new(Message::TOKEN_HAND).with("cards", cards.join(" "));
            self.line(out, &self.named(text, Seat::from_index(index)));
        }
    }

    fn settled(&self, deltas: [i64; 2], out: &mut String) {
        out.push_str(SEPARATOR);
        for (index, delta) in deltas.into_iter().enumerate() {
            let message = match delta {
                0.. => Message::TOKEN_WINS,
                _ => Message::TOKEN_LOSES,
            };
            let text = Text::new(message).with("tokens", delta.unsigned_abs());
            self.line(out, &self.named(text, Seat::from_index(index)));
        }
        let secret = Text::new(Message::TOKEN_SECRET);
        self.line(out, &secret.with("seed", self.secret.reveal().to_string()));
    }

    /// The text with the name of the player at this seat.
    fn named(&self, text: Text, seat: Seat) -> Text {
        let players = self.players.as_ref();
        let name = players.and_then(|players| players.get(seat.index()));
        text.with("player", name.map_or("", Name::as_str))
    }

    fn line(&self, out: &mut String, text: &Text) {
        out.push_str(&self.catalogue.text(text));
        out.push('\n');
    }
}
