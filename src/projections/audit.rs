//! The audit log: every fact of a game as a log record, at the level it deserves.

use crate::cards::Rank;
use crate::engine::{Event, Play, Seat, Table, tied};
use crate::tokens::{self, Decision};
use slog::{Drain, FnValue, Level, Logger, crit, debug, error, info, trace};

/// Folds a game into log records.
///
/// Results are CRITICAL, wars ERROR, turns and players leaving INFO, hands and
/// collections DEBUG; at TRACE every line on the screen is a record of its own.
pub struct Audit {
    log: Logger,
    /// The hands, kept only where they are logged.
    table: Option<Table>,
    turn: u32,
    at_war: bool,
}

impl Audit {
    /// The audit of a new game.
    #[must_use]
    pub fn new(log: Logger) -> Self {
        let table = log.is_enabled(Level::Debug).then(Table::default);
        Self {
            log,
            table,
            turn: 0,
            at_war: false,
        }
    }

    /// Logs an event.
    pub fn record(&mut self, event: &Event) {
        if let Some(table) = &mut self.table {
            if matches!(event, Event::Clash { .. }) {
                debug!(self.log, "hands"; "turn" => self.turn + 1, "hands" => hands(table));
            }
            // An event that cannot happen is for whoever verifies to report.
            let _ = table.apply(event);
        }
        match event {
            Event::Dealt { hands } => {
                let count = |hand: &Vec<Rank>| hand.len().to_string();
                let counts = FnValue(|_| hands.iter().map(count).collect::<Vec<_>>().join(" "));
                info!(self.log, "dealt"; "players" => hands.len(), "cards" => counts);
            }
            Event::Reshuffled { .. } => info!(self.log, "hands shuffled"; "turn" => self.turn),
            Event::Clash { plays } => self.clash(plays),
            Event::FaceDown { plays } => {
                let cards = FnValue(|_| cards(plays));
                trace!(self.log, "face down"; "turn" => self.turn, "cards" => cards);
            }
            Event::WarRound { round, plays } => {
                let cards = FnValue(|_| cards(plays));
                let turn = self.turn;
                error!(self.log, "war round"; "turn" => turn, "round" => round, "cards" => cards);
            }
            Event::EndOfCards { seat, .. } => {
                info!(self.log, "end of cards"; "turn" => self.turn, "player" => seat.number());
            }
            Event::Collected { seat, cards } => self.collected(*seat, cards),
            Event::Drawn { .. } => error!(self.log, "war drawn"; "turn" => self.turn),
            Event::Won { seat } => {
                crit!(self.log, "won"; "turn" => self.turn, "player" => seat.number());
            }
            Event::DrawnGame => crit!(self.log, "drawn"; "turn" => self.turn),
            Event::Stopped { winner } => {
                let winner = winner.map_or(0, Seat::number);
                crit!(self.log, "stopped"; "turn" => self.turn, "player" => winner);
            }
            Event::Endless { from, to } => {
                crit!(self.log, "endless"; "from" => from, "to" => to);
            }
        }
    }

    fn clash(&mut self, plays: &[Play]) {
        self.turn += 1;
        self.at_war = !tied(plays).is_empty();
        let turn = self.turn;
        if self.at_war {
            error!(self.log, "war"; "turn" => turn, "cards" => FnValue(|_| cards(plays)));
        } else {
            info!(self.log, "turn"; "turn" => turn, "cards" => FnValue(|_| cards(plays)));
        }
    }

    fn collected(&mut self, seat: Seat, pot: &[Rank]) {
        let (turn, player) = (self.turn, seat.number());
        if self.at_war {
            error!(self.log, "war won"; "turn" => turn, "player" => player);
        }
        let pot = FnValue(|_| list(pot.iter()));
        debug!(self.log, "collected"; "turn" => turn, "player" => player, "cards" => pot);
    }
}

/// Logs an event of a token game: its result is CRITICAL, all else INFO.
pub fn record_tokens(log: &Logger, event: &tokens::TokenEvent) {
    match event {
        tokens::TokenEvent::Started {
            players: [one, two],
        } => {
            info!(log, "started"; "player1" => one.as_str(), "player2" => two.as_str());
        }
        tokens::TokenEvent::Seeded { seat, value } => {
            info!(log, "seed"; "player" => seat.number(), "value" => value.as_str());
        }
        tokens::TokenEvent::Dealt { hands: [one, two] } => {
            info!(log, "dealt"; "player1" => list(one.iter()), "player2" => list(two.iter()));
        }
        tokens::TokenEvent::Decided {
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
        tokens::TokenEvent::Tied => info!(log, "tied"),
        tokens::TokenEvent::Settled { deltas: [one, two] } => {
            crit!(log, "settled"; "player1" => one, "player2" => two);
        }
    }
}

/// Logs what was printed: each line as a TRACE record, without its line end.
pub fn printed(log: &Logger, text: &str) {
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

fn hands(table: &Table) -> String {
    let hand = |(seat, place): (Seat, &crate::engine::Place)| {
        format!("player{seat} [{}]", list(place.hand().iter()))
    };
    table.seated().map(hand).collect::<Vec<_>>().join(", ")
}

fn list<'a, C: ToString + 'a>(cards: impl Iterator<Item = &'a C>) -> String {
    cards.map(C::to_string).collect::<Vec<_>>().join(" ")
}
