use war::cards::Rank;
use war::i18n::{Catalogue, Text, text};
use war::journal::{Header, PlayerLabel, Proof, RecordedRules};
use war::projections::frames::{Frame, Overview, Shown};
use war::support::visible::on_one_line;
use war::tokens::{Fairness, Seats};

/// A game to be watched: its frames in order, and the whole of them at a glance.
#[derive(Debug, Clone)]
pub struct Film {
    info: GameInfo,
    frames: Vec<Frame>,
    overview: Overview,
}

impl Film {
    /// A game with these frames, the first of them that of the deal.
    #[must_use]
    pub fn new(info: GameInfo, frames: impl IntoIterator<Item = Frame>) -> Self {
        let mut film = Self {
            info,
            frames: Vec::new(),
            overview: Overview::default(),
        };
        frames.into_iter().for_each(|frame| film.push(frame));
        film
    }

    /// Adds the next frame, or the last one again as it is now. Its screens are not kept: a long
    /// game has many of them, and none is drawn.
    pub(super) fn push(&mut self, frame: Frame) {
        self.overview.add(&frame);
        self.frames.pop_if(|last| last.turn == frame.turn);
        self.frames.push(Frame {
            text: String::new(),
            ..frame
        });
    }

    pub(super) const fn info(&self) -> &GameInfo {
        &self.info
    }

    pub(super) const fn overview(&self) -> &Overview {
        &self.overview
    }

    /// The frame of this turn; nothing as long as there is none.
    pub(super) fn frame(&self, turn: usize) -> Option<&Frame> {
        self.frames.get(turn)
    }

    /// The last turn so far.
    pub(super) fn last(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// Whether this turn came to a war.
    pub(super) fn is_war(&self, turn: usize) -> bool {
        let shown = self.frame(turn).map(|frame| &frame.shown);
        matches!(shown, Some(Shown::Turn(turn)) if turn.is_war)
    }

    /// The first war or tie after this turn, if any.
    pub(super) fn next_war(&self, turn: usize) -> Option<usize> {
        let wars = &self.overview.marks().wars;
        let next = wars.partition_point(|war| *war as usize <= turn);
        wars.get(next).map(|war| *war as usize)
    }
}

/// What stays the same of a game while it is watched.
#[derive(Debug, Clone, PartialEq)]
pub struct GameInfo {
    /// The rules, the number of players, and that of the cards.
    pub(super) title: Text,
    /// What is known of the game beside that: its seed, or the verdict on its journal.
    pub(super) status: Option<String>,
    /// What the players are called, seat 1 first.
    pub(super) players: Vec<String>,
    /// The cards of the deck.
    pub(super) cards: usize,
    /// Whether 11 to 14 are called jack, queen, king and ace.
    pub(super) has_court: bool,
    /// Whether it is a token game.
    pub(super) is_token_game: bool,
    /// Whether the players commit to seeds, and not the table alone.
    pub(super) has_player_commitments: bool,
}

impl GameInfo {
    /// What a journal's header says of the game; `seats` are what its events told of those who play
    /// a token game. The players are called as in the language of this catalogue.
    #[must_use]
    pub fn new(header: &Header, seats: Option<&Seats>, catalogue: &Catalogue) -> Self {
        let label = |player| match player {
            PlayerLabel::Name(name) => on_one_line(&name),
            PlayerLabel::Number(number) => catalogue.text(&text!(WatchPlayer, number = number)),
        };
        let (players, cards) = (usize::from(header.players), header.deck.size());
        let rules = header.rules.id().to_owned();
        Self {
            title: text!(WatchTitle, rules = rules, players = players, cards = cards),
            status: match header.proof() {
                Proof::Seed(generator) => {
                    Some(catalogue.text(&text!(WatchSeed, seed = generator.seed())))
                }
                Proof::Journal | Proof::Commitment => None,
            },
            players: header.player_labels(seats).into_iter().map(label).collect(),
            cards,
            has_court: header.deck.highest() <= Rank::ACE.get(),
            is_token_game: matches!(header.rules, RecordedRules::Tokens(_)),
            has_player_commitments: matches!(
                header.rules,
                RecordedRules::Tokens(told) if told.rules.fairness == Fairness::Committed
            ),
        }
    }

    /// The same, where this is known of the game, such as the verdict on its journal: it stands
    /// first in the title, in place of a seed.
    #[must_use]
    pub fn with_status(self, status: &str) -> Self {
        Self {
            status: Some(status.to_owned()),
            ..self
        }
    }

    /// What the player of this seat is called.
    pub(super) fn player(&self, seat: usize) -> String {
        self.players.get(seat).cloned().unwrap_or_default()
    }
}
