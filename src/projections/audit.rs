//! The audit log: every event of a game as a log record at an appropriate level.

use crate::cards::Rank;
use crate::engine::{Event, Place, Play, Projection, Seat, Table, tied_plays};
use crate::tokens::{Decision, TokenEvent, TokenGame};
use slog::{Drain, FnValue, Level, Logger, crit, debug, error, info, trace};

/// Projection of a game into log records.
///
/// Results are logged at CRITICAL, wars at ERROR, turns and players without cards at INFO, hands
/// and collections at DEBUG; at TRACE, every line of the screens is a separate record.
#[derive(Debug)]
pub struct AuditProjection {
    log: Logger,
    at_war: bool,
}

impl AuditProjection {
    /// Audit log of a new game.
    #[must_use]
    pub const fn new(log: Logger) -> Self {
        let at_war = false;
        Self { log, at_war }
    }

    fn log_clash(&mut self, plays: &[Play], table: &Table) {
        self.at_war = !tied_plays(plays).is_empty();
        let turn = table.turn();
        debug!(self.log, "hands"; "turn" => turn, "hands" => FnValue(|_| hands(plays, table)));
        if self.at_war {
            error!(self.log, "war"; "turn" => turn, "cards" => FnValue(|_| cards(plays)));
        } else {
            info!(self.log, "turn"; "turn" => turn, "cards" => FnValue(|_| cards(plays)));
        }
    }

    fn log_collection(&self, seat: Seat, pot: &[Rank], turn: u32) {
        let player = seat.number();
        if self.at_war {
            error!(self.log, "war won"; "turn" => turn, "player" => player);
        }
        let pot = FnValue(|_| list(pot.iter()));
        debug!(self.log, "collected"; "turn" => turn, "player" => player, "cards" => pot);
    }
}

impl Projection<Table> for AuditProjection {
    fn project(&mut self, event: &Event, table: &Table) {
        let turn = table.turn();
        match event {
            Event::Dealt { hands } => {
                let count = |hand: &Vec<Rank>| hand.len().to_string();
                let counts = FnValue(|_| hands.iter().map(count).collect::<Vec<_>>().join(" "));
                info!(self.log, "dealt"; "players" => hands.len(), "cards" => counts);
            }
            Event::Reshuffled { .. } => info!(self.log, "hands shuffled"; "turn" => turn),
            Event::Clash { plays } => self.log_clash(plays, table),
            Event::FaceDown { plays } => {
                let cards = FnValue(|_| cards(plays));
                trace!(self.log, "face down"; "turn" => turn, "cards" => cards);
            }
            Event::WarRound { round, plays } => {
                let cards = FnValue(|_| cards(plays));
                error!(self.log, "war round"; "turn" => turn, "round" => round, "cards" => cards);
            }
            Event::EndOfCards { seat, .. } => {
                info!(self.log, "end of cards"; "turn" => turn, "player" => seat.number());
            }
            Event::Collected { seat, cards } => self.log_collection(*seat, cards, turn),
            Event::Drawn { .. } => error!(self.log, "war drawn"; "turn" => turn),
            Event::Won { seat } => {
                crit!(self.log, "won"; "turn" => turn, "player" => seat.number());
            }
            Event::DrawnGame => crit!(self.log, "drawn"; "turn" => turn),
            Event::Stopped { winner } => {
                let winner = winner.map_or(0, Seat::number);
                crit!(self.log, "stopped"; "turn" => turn, "player" => winner);
            }
            Event::Endless { from, to } => {
                crit!(self.log, "endless"; "from" => from, "to" => to);
            }
        }
    }

    fn project_text(&mut self, text: &str, _: &Table) {
        log_text(&self.log, text);
    }
}

/// Logs the result of a token game at CRITICAL, everything else at INFO.
impl Projection<TokenGame> for AuditProjection {
    fn project(&mut self, event: &TokenEvent, _: &TokenGame) {
        let log = &self.log;
        match event {
            TokenEvent::Started {
                players: [one, two],
            } => {
                info!(log, "started"; "player1" => one.as_str(), "player2" => two.as_str());
            }
            TokenEvent::Seeded { seat, value } => {
                info!(log, "seed"; "player" => seat.number(), "value" => value.as_str());
            }
            TokenEvent::Committed {
                players: [one, two],
                seed_hashes: [hash_one, hash_two],
            } => {
                info!(log, "committed";
                    "player1" => one, "player2" => two,
                    "hash1" => %hash_one, "hash2" => %hash_two);
            }
            TokenEvent::DuelStarted => info!(log, "duel started"),
            TokenEvent::Opened { seat, seed } => {
                info!(log, "opened"; "player" => seat.number(), "value" => %seed);
            }
            TokenEvent::Forfeited { seat } => {
                info!(log, "forfeited"; "player" => seat.number());
            }
            TokenEvent::Dealt { hands: [one, two] } => {
                info!(log, "dealt"; "player1" => list(one.iter()), "player2" => list(two.iter()));
            }
            TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => {
                let decision = match decision {
                    Decision::Play => "play",
                    Decision::Fold => "fold",
                };
                info!(log, "decided";
                    "player" => seat.number(), "decision" => decision, "timed out" => timed_out);
            }
            TokenEvent::Tied => info!(log, "tied"),
            TokenEvent::Settled { deltas: [one, two] } => {
                crit!(log, "settled"; "player1" => one, "player2" => two);
            }
        }
    }

    fn project_text(&mut self, text: &str, _: &TokenGame) {
        log_text(&self.log, text);
    }
}

/// Logs each line of printed text as a TRACE record.
pub fn log_text(log: &Logger, text: &str) {
    if log.is_enabled(Level::Trace) {
        for line in text.split_terminator('\n') {
            trace!(log, "screen |{line}");
        }
    }
}

fn cards(plays: &[Play]) -> String {
    let play = |play: &Play| format!("player{} {}", play.seat, play.card);
    plays.iter().map(play).collect::<Vec<_>>().join(", ")
}

/// All hands before these cards were put on the table.
fn hands(plays: &[Play], table: &Table) -> String {
    let hand = |(seat, place): (Seat, &Place)| {
        let mut hand = place.hand().clone();
        if let Some(play) = plays.iter().find(|play| play.seat == seat) {
            hand.insert(play.index.into(), play.card);
        }
        format!("player{seat} [{}]", list(hand.iter()))
    };
    table
        .places_by_seat()
        .map(hand)
        .collect::<Vec<_>>()
        .join(", ")
}

fn list<'a, C: ToString + 'a>(cards: impl Iterator<Item = &'a C>) -> String {
    cards.map(C::to_string).collect::<Vec<_>>().join(" ")
}
