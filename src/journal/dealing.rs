//! What a header promises of the first event, the deal: for those who record it and for those
//! who verify it.

use super::header::{Deal, Header};
use super::problem::{GameError, HeaderError};
use super::versions::HeaderRecord;
use crate::cards::{Chance, Deck, Rank, deal, deal_fixed, sorted, without};
use crate::rules::{Rulebook, Ruleset};

/// The hands that a generator deals, and the generator where the deal leaves it.
pub(crate) type Dealt = (Vec<Vec<Rank>>, Box<dyn Chance>);

impl Deal {
    /// What this many players are dealt, where a generator deals.
    pub(crate) fn dealt(&self, deck: Deck, players: usize) -> Result<Option<Dealt>, GameError> {
        Ok(match self {
            Self::Shuffled { generator } => {
                let mut generator = generator.start();
                let mut cards = deck.cards();
                generator.shuffle(&mut cards);
                Some((deal(&cards, players), generator))
            }
            Self::Fixed {
                generator,
                seat,
                cards,
            } => {
                let mut generator = generator.start();
                let fixed = (seat.index(), cards.clone());
                let rest = without(deck.cards(), cards);
                let hands =
                    rest.and_then(|rest| deal_fixed(fixed, rest, players, generator.as_mut()));
                Some((hands.ok_or(GameError::NoDeck)?, generator))
            }
            Self::Imported | Self::Scenario { .. } => None,
        })
    }

    /// Checks that these hands can be played by these rules with this deck, where no generator
    /// deals.
    pub(crate) fn check_given(
        &self,
        rules: &Ruleset,
        deck: Deck,
        hands: &[Vec<Rank>],
    ) -> Result<(), GameError> {
        let fits = match self {
            Self::Imported => sorted(&hands.concat()) == sorted(&deck.cards()),
            Self::Scenario { .. } => rules.scenarios().deck(hands) == Some(deck),
            Self::Shuffled { .. } | Self::Fixed { .. } => true,
        };
        if fits { Ok(()) } else { Err(GameError::NoDeck) }
    }
}

/// Checks that as many play as the rules and the header say, with a deck of the rules.
pub(crate) fn check_players(
    header: &Header,
    rules: &Ruleset,
    players: usize,
) -> Result<(), GameError> {
    let (fewest, most) = rules.players();
    if !(usize::from(fewest)..=usize::from(most)).contains(&players) {
        return Err(GameError::PlayersOfRules {
            found: players,
            fewest,
            most,
        });
    }
    if !rules.is_played_with(header.deck) {
        return Err(GameError::NoDeck);
    }
    if players != usize::from(header.players) {
        let (found, expected) = (players, header.players);
        return Err(GameError::Players { found, expected });
    }
    Ok(())
}

/// Checks that a header about to be written is one that can be read.
pub(crate) fn check_header(header: &Header, rules: &Ruleset) -> Result<(), HeaderError> {
    let book = match rules {
        Ruleset::Edition(_) => Rulebook::default(),
        Ruleset::Own(rules) => Rulebook::default().with(rules.clone()),
    };
    HeaderRecord::new(header)
        .into_domain(false, &book)
        .map(drop)
}
