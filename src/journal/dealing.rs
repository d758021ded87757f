//! Deals described by a header, for recording and for verification.

use super::header::{Deal, Header};
use super::problem::{GameError, HeaderError};
use super::versions::VersionedHeader;
use crate::cards::{Chance, Deck, Rank, deal, deal_with_fixed_hand, remove_cards, sort_cards};
use crate::rules::{Rulebook, Ruleset};

/// Hands that a generator deals, and the generator in its state after the deal.
pub(crate) type DealtHands = (Vec<Vec<Rank>>, Box<dyn Chance>);

impl Deal {
    /// Deals to this many players; `None` if no generator deals.
    pub(crate) fn generate_hands(
        &self,
        deck: Deck,
        players: usize,
    ) -> Result<Option<DealtHands>, GameError> {
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
                let rest = remove_cards(deck.cards(), cards);
                let hands = rest.and_then(|rest| {
                    deal_with_fixed_hand(fixed, rest, players, generator.as_mut())
                });
                Some((hands.ok_or(GameError::NotDeck)?, generator))
            }
            Self::Imported | Self::Scenario { .. } => None,
        })
    }

    /// Checks that the rules allow these hands of this deck. Not needed if a generator deals.
    pub(crate) fn check_hands(
        &self,
        rules: &Ruleset,
        deck: Deck,
        hands: &[Vec<Rank>],
    ) -> Result<(), GameError> {
        let fits = match self {
            Self::Imported => sort_cards(&hands.concat()) == sort_cards(&deck.cards()),
            Self::Scenario { .. } => rules.scenario_limits().find_deck(hands) == Some(deck),
            Self::Shuffled { .. } | Self::Fixed { .. } => true,
        };
        if fits {
            Ok(())
        } else {
            Err(GameError::NotDeck)
        }
    }
}

/// Checks that the rules allow this number of players and the deck, and that the header has the
/// same number of players.
pub(crate) fn check_players(
    header: &Header,
    rules: &Ruleset,
    players: usize,
) -> Result<(), GameError> {
    let (fewest, most) = rules.player_range();
    if !(usize::from(fewest)..=usize::from(most)).contains(&players) {
        return Err(GameError::PlayersOfRules {
            found: players,
            fewest,
            most,
        });
    }
    if !rules.allows_deck(header.deck) {
        return Err(GameError::NotDeck);
    }
    if players != usize::from(header.players) {
        let (found, expected) = (players, header.players);
        return Err(GameError::Players { found, expected });
    }
    Ok(())
}

/// Checks that a header can be read back once it is written.
pub(crate) fn check_header(header: &Header, rules: &Ruleset) -> Result<(), HeaderError> {
    let book = match rules {
        Ruleset::Edition(_) => Rulebook::default(),
        Ruleset::Program(rules) => Rulebook::default().with_rules(rules.clone()),
    };
    VersionedHeader::new(header)
        .into_domain(false, &book)
        .map(drop)
}
