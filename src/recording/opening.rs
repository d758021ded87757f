use crate::cards::{Chance, Deck, Generator, Rank};
use crate::engine::{Game, Seat};
use crate::journal::{Deal, Dealt, Format, GameError, Header, Problem, RecordedRules};
use crate::journal::{check_header, check_players};
use crate::lang::Lang;
use crate::rules::Ruleset;
use crate::setup::Correction;

/// A game of War about to be recorded: rules, where the cards come from, and the cards.
///
/// What a journal says of a game before its first event follows from it, so the two can't
/// contradict each other: a generator that the journal names is the one that deals.
///
/// # Examples
///
/// ```
/// use war::cards::{Deck, Generator};
/// use war::journal::{GameError, Problem};
/// use war::recording::Opening;
/// use war::rules::{CLASSIC, DUELS};
///
/// let generator = Generator::ChaCha8 { seed: 1 };
/// assert!(Opening::shuffled(CLASSIC, Deck::Small, 4, generator).is_ok());
/// // Six players are one too many.
/// let Err(Problem::Game(error)) = Opening::shuffled(DUELS, Deck::Small, 6, generator) else {
///     panic!("six players");
/// };
/// assert!(matches!(error, GameError::PlayersOfRules { found: 6, .. }));
/// ```
pub struct Opening {
    rules: Ruleset,
    deal: Deal,
    deck: Deck,
    corrections: Vec<Correction>,
    hands: Vec<Vec<Rank>>,
    chance: Box<dyn Chance>,
}

impl Opening {
    /// A game whose deck this generator shuffles. What the rules leave to chance afterwards
    /// comes from the same stream.
    ///
    /// # Errors
    ///
    /// [`Problem`] where the rules are not for this deck or this number of players.
    pub fn shuffled(
        rules: impl Into<Ruleset>,
        deck: Deck,
        players: u8,
        generator: Generator,
    ) -> Result<Self, Problem> {
        Self::generated(rules.into(), deck, players, Deal::Shuffled { generator })
    }

    /// The same where one player's hand is fixed but for its order; see
    /// [`deal_fixed`](crate::cards::deal_fixed).
    ///
    /// # Errors
    ///
    /// As [`Opening::shuffled`], and where the deck lacks the cards or the game the player.
    pub fn fixed(
        rules: impl Into<Ruleset>,
        deck: Deck,
        players: u8,
        generator: Generator,
        (seat, cards): (Seat, Vec<Rank>),
    ) -> Result<Self, Problem> {
        let deal = Deal::Fixed {
            generator,
            seat,
            cards,
        };
        Self::generated(rules.into(), deck, players, deal)
    }

    /// A game with the hands of a scenario, top card first, of this name; `chance` is where the
    /// rules take from what they leave to chance: `()` where they leave nothing.
    ///
    /// # Errors
    ///
    /// [`Problem`] where these hands can't be played by the rules, or no scenario can have the
    /// name.
    pub fn scenario(
        rules: impl Into<Ruleset>,
        name: &str,
        hands: Vec<Vec<Rank>>,
        chance: Box<dyn Chance>,
    ) -> Result<Self, Problem> {
        let rules = rules.into();
        let deck = rules.scenarios().deck(&hands).ok_or(GameError::NoDeck)?;
        let name = name.to_owned();
        Self::given(rules, Deal::Scenario { name }, deck, (hands, chance))
    }

    /// A game that was printed elsewhere, with the hands it began with; `chance` repeats what
    /// chance brought in it.
    ///
    /// # Errors
    ///
    /// [`Problem`] where the hands are not this deck, or the rules are not for it.
    pub fn imported(
        rules: impl Into<Ruleset>,
        deck: Deck,
        hands: Vec<Vec<Rank>>,
        chance: Box<dyn Chance>,
    ) -> Result<Self, Problem> {
        Self::given(rules.into(), Deal::Imported, deck, (hands, chance))
    }

    /// The same game, where these values were typed wrong: they are printed before all else.
    ///
    /// # Errors
    ///
    /// [`Problem`] where the corrections lead to another game.
    pub fn corrected(mut self, corrections: Vec<Correction>) -> Result<Self, Problem> {
        self.corrections = corrections;
        self.checked()
    }

    fn generated(rules: Ruleset, deck: Deck, players: u8, deal: Deal) -> Result<Self, Problem> {
        let dealt = deal.dealt(deck, players.into())?;
        let dealt = dealt.expect("a generator deals");
        Self::of(rules, deal, deck, dealt)
    }

    fn given(rules: Ruleset, deal: Deal, deck: Deck, dealt: Dealt) -> Result<Self, Problem> {
        deal.check_given(&rules, deck, &dealt.0)?;
        Self::of(rules, deal, deck, dealt)
    }

    fn of(rules: Ruleset, deal: Deal, deck: Deck, (hands, chance): Dealt) -> Result<Self, Problem> {
        let opening = Self {
            rules,
            deal,
            deck,
            corrections: Vec::new(),
            hands,
            chance,
        };
        opening.checked()
    }

    /// Sees that the journal's header can be read, and allows the deal.
    fn checked(self) -> Result<Self, Problem> {
        let header = self.header("", Lang::En, 0);
        check_players(&header, &self.rules, self.hands.len())?;
        check_header(&header, &self.rules)?;
        Ok(self)
    }

    /// What a journal of the game says before its first event.
    pub(super) fn header(&self, engine: &str, lang: Lang, renderer: u32) -> Header {
        Header {
            engine: engine.to_owned(),
            rules: RecordedRules::War {
                rules: self.rules.clone(),
                deal: self.deal.clone(),
            },
            // More players than the rules are for are found out.
            players: u8::try_from(self.hands.len()).unwrap_or(u8::MAX),
            deck: self.deck,
            renderer,
            lang,
            corrections: self.corrections.clone(),
            format: Format::V1,
        }
    }

    pub(super) const fn rules(&self) -> &Ruleset {
        &self.rules
    }

    pub(super) const fn deal(&self) -> &Deal {
        &self.deal
    }

    pub(super) fn corrections(&self) -> &[Correction] {
        &self.corrections
    }

    /// The game before its first event.
    pub(super) fn game(self) -> Game {
        let game = Game::new(self.rules.start(), self.hands);
        let game = game.expect("hands that the rules are for hold cards");
        game.with_chance(self.chance)
    }
}
