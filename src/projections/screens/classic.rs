use super::layout::{RULE, SEPARATOR};
use super::leader::Leader;
use super::seats::{Rows, Seats, held};
use super::start::{Origin, Start};
use crate::cards::Rank;
use crate::engine::{Event, Play, Projection, Seat, Step, Table};
use crate::i18n::{Message, Template, Text};

/// The screens of the classic edition: dealing, turns, wars and the end.
pub(super) struct ClassicScreens {
    seats: Seats,
    headers: Option<Headers>,
    war: Option<War>,
}

/// The headers of turns, as long as this many players hold cards.
struct Headers {
    players: usize,
    leads: Template<4>,
    draw: Template<3>,
}

/// A war whose next screen waits until it is known whether another reveal follows.
struct War {
    header: String,
    rows: Rows,
    round: u32,
    /// The rows as they were right after the last reveal.
    at_reveal: Rows,
}

impl ClassicScreens {
    pub(super) fn new(start: Start) -> Self {
        Self {
            seats: Seats::new(start),
            headers: None,
            war: None,
        }
    }

    fn opening(&mut self, hands: &[Vec<Rank>], table: &Table, out: &mut String) {
        self.seats.sit_down(table);
        self.seats.corrections(out);
        match &self.seats.origin {
            Origin::Dealt => self.seats.dealing(hands, out),
            Origin::Scenario(name) => {
                let code = name.to_uppercase().replace('_', " ");
                let text = Text::new(Message::SCENARIO_CODE).with("code", code);
                self.seats.line(out, &text);
            }
        }
    }

    fn header(&mut self, players: usize, table: &Table) -> String {
        let seats = &self.seats;
        let headers = self.headers.take();
        let headers = headers.filter(|headers| headers.players == players);
        let headers = headers.unwrap_or_else(|| Headers {
            players,
            leads: seats.catalogue.template(
                seats.game(Text::new(Message::TURN_LEADS), players),
                ["turn", "leader", "cards", "total"],
            ),
            draw: seats.catalogue.template(
                seats.game(Text::new(Message::TURN_DRAW), players),
                ["turn", "cards", "total"],
            ),
        });
        let mut header = String::new();
        let (turn, total) = (table.turn().to_string(), table.cards().to_string());
        match Leader::of(table) {
            Leader::One(seat, cards) => {
                let (leader, cards) = (seat.to_string(), cards.to_string());
                let values = [&turn[..], &leader, &cards, &total];
                headers.leads.fill(&mut header, values);
            }
            Leader::Draw(cards) => {
                let cards = cards.to_string();
                headers.draw.fill(&mut header, [&turn, &cards, &total]);
            }
        }
        self.headers = Some(headers);
        header
    }

    fn clash(&mut self, plays: &[Play], table: &Table, out: &mut String) {
        let header = self.header(plays.len(), table);
        match self.seats.tied(plays) {
            None => {
                out.push_str(&header);
                out.push('\n');
                self.seats.rows(plays, out);
                out.push_str(SEPARATOR);
            }
            Some(rows) => {
                self.war = Some(War {
                    header,
                    at_reveal: rows.clone(),
                    rows,
                    round: 1,
                });
            }
        }
    }

    fn war_round(&mut self, plays: &[Play], out: &mut String) {
        if let Some(war) = &self.war {
            self.war_screen(war, &war.at_reveal, out);
        }
        if let Some(war) = &mut self.war {
            for play in plays {
                war.rows.extend(play.seat, &play.card.to_string());
            }
            war.round += 1;
            war.at_reveal.clone_from(&war.rows);
        }
    }

    fn war_screen(&self, war: &War, rows: &Rows, out: &mut String) {
        out.push_str(&war.header);
        out.push('\n');
        out.push_str(RULE);
        self.seats.line(out, &Text::new(Message::WAR_BANNER));
        out.push_str(RULE);
        rows.write(out);
        out.push('\n');
        let lasted = Text::new(Message::WAR_LASTED).with("rounds", war.round);
        self.seats.line(out, &lasted);
        out.push_str(SEPARATOR);
    }

    /// Adds a mark to the row of a seat in the war.
    fn mark(&mut self, seat: Seat, mark: Message) {
        if let Some(war) = &mut self.war {
            war.rows
                .extend(seat, &self.seats.catalogue.text(&Text::new(mark)));
        }
    }

    fn collected(&mut self, seat: Seat, out: &mut String) {
        self.mark(seat, Message::WINNER_FOUND);
        self.end_war(out);
    }

    /// Shows the last screen of a war, if there is one.
    fn end_war(&mut self, out: &mut String) {
        if let Some(war) = self.war.take() {
            self.war_screen(&war, &war.rows, out);
        }
    }

    fn end(&self, text: Text, table: &Table, out: &mut String) {
        out.push_str(SEPARATOR);
        let text = self.seats.game(text, table.places().len());
        let turn = table.turn().max(1);
        self.seats.line(out, &text.with("turn", turn));
    }
}

impl Projection<Table> for ClassicScreens {
    fn project(&mut self, event: &Event, table: &Table, out: &mut String) {
        match event {
            Event::Dealt { hands } => self.opening(hands, table, out),
            Event::Clash { plays } => self.clash(plays, table, out),
            Event::FaceDown { plays } => {
                if let Some(war) = &mut self.war {
                    for play in plays {
                        war.rows.extend(play.seat, "?");
                    }
                }
            }
            Event::WarRound { plays, .. } => self.war_round(plays, out),
            Event::EndOfCards { step, .. } if *step == Step::TurnEnd => {}
            Event::EndOfCards { seat, .. } => self.mark(*seat, Message::END_OF_CARDS),
            Event::Collected { seat, .. } => self.collected(*seat, out),
            Event::Drawn { .. } => self.end_war(out),
            Event::Won { seat } => {
                let won = Text::new(Message::WON)
                    .with("winner", usize::from(seat.number()))
                    .with("cards", held(table, *seat))
                    .with("total", table.cards());
                self.end(won, table, out);
            }
            Event::Endless { from, to } => {
                let endless = Text::new(Message::ENDLESS).with("from", *from);
                self.end(endless.with("to", *to), table, out);
            }
            Event::DrawnGame => {
                self.end_war(out);
                self.end(Text::new(Message::GAME_DRAWN), table, out);
            }
            Event::Stopped { .. } => self.end(Text::new(Message::UNDECIDED), table, out),
            Event::Reshuffled { .. } => {}
        }
    }
}
