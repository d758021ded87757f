use super::layout::SEPARATOR;
use crate::cards::Card;
use crate::engine::{Projection, Seat};
use crate::i18n::{Catalogue, Text, text};
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
        let opening = text!(
            TokenGame,
            kind = game.kind().name(),
            game = game.number().to_string(),
            one = one.as_str(),
            two = two.as_str()
        );
        self.line(out, &opening);
        let commitment = game.secret().commitment().to_string();
        let commitment = text!(TokenCommitment, commitment = commitment);
        self.line(out, &commitment);
    }

    fn dealt(&self, hands: &[Hand; 2], game: &TokenGame, out: &mut String) {
        if game.deals() == 1 {
            for (seat, seed) in Seat::all().zip(game.seeds()) {
                if seed.as_ref().is_none_or(|seed| seed.as_str().is_empty()) {
                    let player = name(game, seat);
                    self.line(out, &text!(TokenNoSeed, player = player));
                }
            }
            out.push_str(SEPARATOR);
        }
        let deal = text!(TokenDeal, deal = game.deals());
        self.line(out, &deal);
        for (seat, hand) in Seat::all().zip(hands) {
            let cards: Vec<_> = hand.iter().map(Card::to_string).collect();
            let player = name(game, seat);
            let text = text!(TokenHand, player = player, cards = cards.join(" "));
            self.line(out, &text);
        }
    }

    fn settled(&self, deltas: [i64; 2], game: &TokenGame, out: &mut String) {
        out.push_str(SEPARATOR);
        for (seat, delta) in Seat::all().zip(deltas) {
            let player = name(game, seat);
            let tokens = delta.unsigned_abs();
            let text = match delta {
                0.. => text!(TokenWins, player = player, tokens = tokens),
                _ => text!(TokenLoses, player = player, tokens = tokens),
            };
            self.line(out, &text);
        }
        let seed = game.secret().reveal().to_string();
        self.line(out, &text!(TokenSecret, seed = seed));
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
                let player = name(game, *seat);
                let text = text!(TokenSeed, player = player, seed = value.as_str());
                self.line(out, &text);
            }
            // Nothing to show: the first deal names those who gave no seed.
            TokenEvent::Seeded { .. } => {}
            TokenEvent::Dealt { hands } => self.dealt(hands, game, out),
            TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => {
                let player = name(game, *seat);
                let text = match (decision, timed_out) {
                    (Decision::Play, _) => text!(TokenPlays, player = player),
                    (Decision::Fold, false) => text!(TokenFolds, player = player),
                    (Decision::Fold, true) => text!(TokenTimedOut, player = player),
                };
                self.line(out, &text);
            }
            TokenEvent::Tied => {
                self.line(out, &text!(TokenTied));
                out.push_str(SEPARATOR);
            }
            TokenEvent::Settled { deltas } => self.settled(*deltas, game, out),
        }
    }
}

/// The name of the player at this seat.
fn name(game: &TokenGame, seat: Seat) -> &str {
    let players = game.players().expect("a game starts with its players");
    players[seat.index()].as_str()
}
