use war::cards::Rank;
use war::i18n::{Catalogue, Text, text};
use war::journal::{Header, PlayerLabel, Proof, RecordedRules};
use war::projections::frames::{Frame, FrameContent, Overview};
use war::projections::screens::correction_text;
use war::support::sanitize::replace_unprintable;
use war::tokens::{Fairness, Seats};

/// Game to be watched: its frames in order, and an overview of them.
#[derive(Debug, Clone)]
pub struct Film {
    info: GameInfo,
    frames: Vec<Frame>,
    overview: Overview,
}

impl Film {
    /// Creates a film of these frames, the first of which is the deal.
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

    /// Appends the next frame, or replaces the last one if it has the same turn. Screens are
    /// dropped: a long game has many of them, and none is drawn.
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

    /// Frame of a turn; `None` if the film does not contain that turn yet.
    pub(super) fn frame(&self, turn: usize) -> Option<&Frame> {
        self.frames.get(turn)
    }

    /// Last turn so far.
    pub(super) fn last_turn(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    pub(super) fn is_war(&self, turn: usize) -> bool {
        let shown = self.frame(turn).map(|frame| &frame.content);
        matches!(shown, Some(FrameContent::Turn(turn)) if turn.is_war)
    }

    /// First war or tie after this turn, if any.
    pub(super) fn next_war(&self, turn: usize) -> Option<usize> {
        let wars = &self.overview.notable_turns().wars;
        let next = wars.partition_point(|war| *war as usize <= turn);
        wars.get(next).map(|war| *war as usize)
    }
}

/// Facts about a game that stay the same while it is watched.
#[derive(Debug, Clone, PartialEq)]
pub struct GameInfo {
    /// Rules, number of players and number of cards.
    pub(super) title: Text,
    /// Seed of the game, or the verdict on its journal.
    pub(super) status: Option<String>,
    /// Corrections of the values that the game was started with.
    pub(super) corrections: Vec<Text>,
    /// Names or numbers of the players, seat 1 first.
    pub(super) players: Vec<String>,
    /// Number of cards in the deck.
    pub(super) cards: usize,
    /// True if ranks 11 to 14 are jack, queen, king and ace.
    pub(super) has_court: bool,
    pub(super) is_token_game: bool,
    /// True if not only the table but also the players commit to seeds.
    pub(super) has_player_commitments: bool,
}

impl GameInfo {
    /// Takes the facts from a journal's header, and from `seats`, the players of a token game as
    /// its events name them. Players without a name are called by their number, in the catalogue's
    /// language.
    #[must_use]
    pub fn new(header: &Header, seats: Option<&Seats>, catalogue: &Catalogue) -> Self {
        let label = |player| match player {
            PlayerLabel::Name(name) => replace_unprintable(&name),
            PlayerLabel::Number(number) => {
                catalogue.format_text(&text!(WatchPlayer, number = number))
            }
        };
        let (players, cards) = (usize::from(header.players), header.deck.size());
        let rules = header.rules.id().to_owned();
        Self {
            title: text!(WatchTitle, rules = rules, players = players, cards = cards),
            status: match header.proof() {
                Proof::Seed(generator) => {
                    Some(catalogue.format_text(&text!(WatchSeed, seed = generator.seed())))
                }
                Proof::Journal | Proof::Commitment => None,
            },
            corrections: header
                .corrections
                .iter()
                .filter_map(correction_text)
                .map(|text| text.map_words(replace_unprintable))
                .collect(),
            players: header.player_labels(seats).into_iter().map(label).collect(),
            cards,
            has_court: header.deck.highest_rank() <= Rank::ACE.get(),
            is_token_game: matches!(header.rules, RecordedRules::Tokens(_)),
            has_player_commitments: matches!(
                header.rules,
                RecordedRules::Tokens(told) if told.rules.fairness() == Fairness::CommittedSeeds
            ),
        }
    }

    /// Sets the status that the title shows in place of a seed, such as the verdict on the journal.
    #[must_use]
    pub fn with_status(self, status: &str) -> Self {
        Self {
            status: Some(status.to_owned()),
            ..self
        }
    }

    /// Name or number of the player in this seat.
    pub(super) fn player_name(&self, seat: usize) -> String {
        self.players.get(seat).cloned().unwrap_or_default()
    }
}
