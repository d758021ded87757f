use super::layout::SEPARATOR;
use crate::cards::Card;
use crate::engine::{Projection, Seat};
use crate::i18n::{Catalogue, Message, Text};
use crate::tokens::{Decision, Hand, Name, TokenEvent, TokenGame};

/// The screens of a token game: the opening, each deal, and the end with what was secret.
pub(super) struct TokenScreens {
    catalogue: &'static Catalogue,
}

impl TokenScreens {
    pub(super) const fn new(catalogue: &'static Catalogue) -> Self {
        Self { catalogue }
    }

    fn opening(&self, players: &[Name; 2], game: &TokenGame, out: &mut String) {
        let [one, two] = players;
        let opening = Text::new(Message::TOKEN_GAME)
            .with("kind", game.kind().name())
            .with("game", game.number().to_string())
            .with("one", one.as_str())
            .with("two", two.as_str());
        self.line(out, &opening);
        let commitment = game.secret().commitment().to_string();
        let commitment = Text::new(Message::TOKEN_COMMITMENT).with("commitment", commitment);
        self.line(out, &commitment);
    }

    fn dealt(&self, hands: &[Hand; 2], game: &TokenGame, out: &mut String) {
        if game.deals() == 1 {
            for (index, seed) in game.seeds().iter().enumerate() {
                if seed.as_ref().is_none_or(|seed| seed.as_str().is_empty()) {
                    let text = Text::new(Message::TOKEN_NO_SEED);
                    self.line(out, &named(text, game, Seat::from_index(index)));
                }
            }
            out.push_str(SEPARATOR);
        }
        let deal = Text::new(Message::TOKEN_DEAL).with("deal", game.deals());
        self.line(out, &deal);
        for (index, hand) in hands.iter().enumerate() {
            let cards: Vec<_> = hand.iter().map(Card::to_string).collect();
            let text = Text::new(Message::TOKEN_HAND).with("cards", cards.join(" "));
            self.line(out, &named(text, game, Seat::from_index(index)));
        }
    }

    fn settled(&self, deltas: [i64; 2], game: &TokenGame, out: &mut String) {
        out.push_str(SEPARATOR);
        for (index, delta) in deltas.into_iter().enumerate() {
            let message = match delta {
                0.. => Message::TOKEN_WINS,
                _ => Message::TOKEN_LOSES,
            };
            let text = Text::new(message).with("tokens", delta.unsigned_abs());
            self.line(out, &named(text, game, Seat::from_index(index)));
        }
        let secret = Text::new(Message::TOKEN_SECRET);
        self.line(
            out,
            &secret.with("seed", game.secret().reveal().to_string()),
        );
    }

    fn line(&self, out: &mut String, text: &Text) {
        out.push_str(&self.catalogue.text(text));
        out.push('\n');
    }
}

impl Projection<TokenGame> for TokenScreens {
    fn project(&mut self, event: &TokenEvent, game: &TokenGame, out: &mut String) {
        match event {
            TokenEvent::Started { players } => self.opening(players, game, out),
            TokenEvent::Seeded { seat, value } if !value.as_str().is_empty() => {
                let text = Text::new(Message::TOKEN_SEED).with("seed", value.as_str());
                self.line(out, &named(text, game, *seat));
            }
            // Nothing to show: the first deal names those who gave no seed.
            TokenEvent::Seeded { .. } => {}
            TokenEvent::Dealt { hands } => self.dealt(hands, game, out),
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
                self.line(out, &named(Text::new(message), game, *seat));
            }
            TokenEvent::Tied => {
                self.line(out, &Text::new(Message::TOKEN_TIED));
                out.push_str(SEPARATOR);
            }
            TokenEvent::Settled { deltas } => self.settled(*deltas, game, out),
        }
    }
}

/// The text with the name of the player at this seat.
fn named(text: Text, game: &TokenGame, seat: Seat) -> Text {
    let name = game.players().and_then(|players| players.get(seat.index()));
    text.with("player", name.map_or("", Name::as_str))
}
