use super::seats::SCREEN_SEPARATOR;
use crate::cards::Card;
use crate::engine::{Screen, Seat};
use crate::i18n::{Catalogue, Text, text};
use crate::tokens::{Decision, Fairness, Hand, Seats, TokenEvent, TokenGame};

/// The screens of a token game: the opening, each deal, and the end with the secret.
pub(super) struct TokenScreens {
    catalogue: &'static Catalogue,
}

impl TokenScreens {
    pub(super) const fn new(catalogue: &'static Catalogue) -> Self {
        Self { catalogue }
    }

    fn print_opening(&self, game: &TokenGame, out: &mut String) {
        let kind = match game.rules().fairness() {
            Fairness::TableSeed => "daily",
            Fairness::OptionalSeeds | Fairness::CommittedSeeds => game.kind().name(),
        };
        let opening = text!(
            TokenGame,
            kind = kind,
            game = game.number().to_string(),
            one = self.player_name(game, Seat::FIRST),
            two = self.player_name(game, Seat::SECOND)
        );
        self.print_line(out, &opening);
        let commitment = game.secret().commitment().to_string();
        let Some(Seats::CommittedSeeds {
            players,
            seed_hashes,
            ..
        }) = game.seats()
        else {
            return self.print_line(out, &text!(TokenCommitment, commitment = commitment));
        };
        self.print_line(out, &text!(TokenTableCommitment, commitment = commitment));
        for (number, hash) in players.iter().zip(seed_hashes) {
            let (number, hash) = (number.to_string(), hash.to_string());
            self.print_line(out, &text!(TokenSeedHash, number = number, hash = hash));
        }
    }

    fn print_deal(&self, hands: &[Hand; 2], game: &TokenGame, out: &mut String) {
        if game.deals() == 1 {
            if let Some(Seats::OptionalSeeds { seeds, .. }) = game.seats() {
                for (seat, seed) in Seat::all().zip(seeds) {
                    if seed.as_ref().is_none_or(|seed| seed.as_str().is_empty()) {
                        let player = self.player_name(game, seat);
                        self.print_line(out, &text!(TokenNoSeed, player = player));
                    }
                }
            }
            out.push_str(SCREEN_SEPARATOR);
        }
        let deal = text!(TokenDeal, deal = game.deals());
        self.print_line(out, &deal);
        for (seat, hand) in Seat::all().zip(hands) {
            let cards: Vec<_> = hand.iter().map(Card::to_string).collect();
            let player = self.player_name(game, seat);
            let text = text!(TokenHand, player = player, cards = cards.join(" "));
            self.print_line(out, &text);
        }
    }

    fn print_settlement(&self, deltas: [i64; 2], game: &TokenGame, out: &mut String) {
        out.push_str(SCREEN_SEPARATOR);
        let changed = Seat::all().zip(deltas).filter(|(_, delta)| *delta != 0);
        for (seat, delta) in changed {
            let player = self.player_name(game, seat);
            let tokens = delta.unsigned_abs();
            let text = match delta {
                0.. => text!(TokenWins, player = player, tokens = tokens),
                _ => text!(TokenLoses, player = player, tokens = tokens),
            };
            self.print_line(out, &text);
        }
        let seed = game.secret().reveal().to_string();
        let secret = match game.rules().fairness() {
            Fairness::OptionalSeeds => text!(TokenSecret, seed = seed),
            Fairness::CommittedSeeds | Fairness::TableSeed => text!(TokenTableSeed, seed = seed),
        };
        self.print_line(out, &secret);
    }

    /// Name of the player in this seat, which may be made from their public number.
    fn player_name(&self, game: &TokenGame, seat: Seat) -> String {
        match game.seats() {
            None => String::new(),
            Some(Seats::OptionalSeeds { names, .. }) => names[seat.index()].as_str().to_owned(),
            Some(Seats::CommittedSeeds { players, .. }) => {
                let number = players[seat.index()].to_string();
                self.catalogue
                    .format_text(&text!(TokenPlayer, number = number))
            }
            Some(Seats::TableSeed) => self.catalogue.format_text(&if seat == Seat::FIRST {
                text!(TokenDuelPlayer)
            } else {
                text!(TokenDuelHouse)
            }),
        }
    }

    fn print_line(&self, out: &mut String, text: &Text) {
        out.push_str(&self.catalogue.format_text(text));
        out.push('\n');
    }
}

impl Screen<TokenGame> for TokenScreens {
    fn print(&mut self, event: &TokenEvent, game: &TokenGame, out: &mut String) {
        match event {
            TokenEvent::Started { .. } | TokenEvent::Committed { .. } | TokenEvent::DuelStarted => {
                self.print_opening(game, out);
            }
            TokenEvent::Seeded { seat, value } if !value.as_str().is_empty() => {
                let player = self.player_name(game, *seat);
                let text = text!(TokenSeed, player = player, seed = value.as_str());
                self.print_line(out, &text);
            }
            // The screen of the first deal names the players who gave no seed.
            TokenEvent::Seeded { .. } => {}
            TokenEvent::Opened { seat, seed } => {
                let player = self.player_name(game, *seat);
                let text = text!(TokenOpened, player = player, seed = seed.to_string());
                self.print_line(out, &text);
            }
            TokenEvent::Forfeited { seat } => {
                let player = self.player_name(game, *seat);
                self.print_line(out, &text!(TokenForfeited, player = player));
            }
            TokenEvent::Dealt { hands } => self.print_deal(hands, game, out),
            TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => {
                let player = self.player_name(game, *seat);
                let text = match (decision, timed_out) {
                    (Decision::Play, _) => text!(TokenPlays, player = player),
                    (Decision::Fold, false) => text!(TokenFolds, player = player),
                    (Decision::Fold, true) => text!(TokenTimedOut, player = player),
                };
                self.print_line(out, &text);
            }
            TokenEvent::Tied if game.rules().fairness() == Fairness::TableSeed => {
                self.print_line(out, &text!(TokenDuelTied));
            }
            TokenEvent::Tied => {
                self.print_line(out, &text!(TokenTied));
                out.push_str(SCREEN_SEPARATOR);
            }
            TokenEvent::Settled { deltas } => self.print_settlement(*deltas, game, out),
        }
    }
}
