//! The rules and cards of a simulation, as they are meant.

use super::simulate::{RuleOptions, Simulate};
use super::values::{FixedHand, NamedRules};
use crate::cards::{Deck, Rank, without};
use crate::engine::Seat;
use crate::i18n::{Text, text};
use crate::rules::{Limit, OutOfCards, Parameters};
use crate::simulate::{Dealing, GameSetup};

impl RuleOptions {
    /// The parameters asked for, and the deck of the named rules.
    pub(crate) fn parameters(&self) -> (Parameters, Deck) {
        let NamedRules {
            mut parameters,
            deck,
            ..
        } = self.rules.unwrap_or_default();
        parameters.face_down = self.face_down.unwrap_or(parameters.face_down);
        parameters.collect = self.collect.unwrap_or(parameters.collect);
        parameters.out_of_cards = self.out_of_cards.unwrap_or(parameters.out_of_cards);
        // Rules with a limit of their own go on until then.
        if parameters.limit.is_none() {
            parameters = parameters.with_cycles_ended();
        }
        if let Some(turns) = self.max_turns {
            parameters = parameters.with_limit(turns);
        }
        (parameters, deck)
    }
}

/// How many turns a game may last where wars shrink, unless the number was typed: with few
/// cards everybody can take what the other put for ever.
const MOST_SHRINKING_TURNS: u32 = 1_000_000;

/// The parameters for a game with these cards, with a limit where it may never end and no
/// repetition proves it.
pub(crate) fn with_an_end(mut parameters: Parameters, cards: &[Rank]) -> Parameters {
    if !matches!(parameters.limit, Some(Limit::TurnsPerCard(_))) {
        parameters = parameters.for_cards(cards);
    }
    if parameters.out_of_cards == OutOfCards::Shrink && parameters.limit.is_none() {
        return parameters.with_limit(MOST_SHRINKING_TURNS);
    }
    parameters
}

impl Simulate {
    /// The rules asked for, where the cards are those of a deck.
    ///
    /// The error says what does not go together.
    pub(crate) fn game_setup(&self) -> Result<GameSetup, Text> {
        let (mut parameters, default_deck) = self.rules.parameters();
        let players = self.players.unwrap_or(2);
        check_players(players, &parameters, &self.rules)?;
        let deck = self.deck.unwrap_or(default_deck);
        if !matches!(deck, Deck::Small | Deck::Large | Deck::Thirteen) {
            parameters = with_an_end(parameters, &deck.cards());
        }
        if usize::from(players) > deck.size() {
            let text = text!(
                SimTooFewCards,
                players = usize::from(players),
                cards = deck.size()
            );
            return Err(text);
        }
        let dealing = match &self.fix {
            Some(hand) => fixed(hand, players, deck)?,
            None => Dealing::Shuffled,
        };
        Ok(GameSetup {
            parameters,
            players,
            deck,
            dealing,
        })
    }
}

fn check_players(players: u8, parameters: &Parameters, typed: &RuleOptions) -> Result<(), Text> {
    if players == 2 || parameters.out_of_cards == OutOfCards::EndOfCards {
        return Ok(());
    }
    // What was typed is named: the rule itself, or the rules that it is part of.
    let (rule, players) = (parameters.out_of_cards.name(), usize::from(players));
    let text = match (typed.out_of_cards, typed.rules) {
        (None, Some(rules)) => {
            text!(
                SimRulesForTwo,
                rules = rules.name,
                rule = rule,
                players = players
            )
        }
        _ => text!(SimCombination, rule = rule, players = players),
    };
    Err(text)
}

/// The deal in which a player holds these cards.
fn fixed(hand: &FixedHand, players: u8, deck: Deck) -> Result<Dealing, Text> {
    let FixedHand { player, cards } = hand;
    let seat = Seat::from_number(*player).filter(|_| *player <= players);
    let seat = seat.ok_or_else(|| {
        text!(
            SimFixPlayer,
            player = u32::from(*player),
            players = usize::from(players)
        )
    })?;
    let Some(rest) = without(deck.cards(), cards) else {
        return Err(text!(
            SimFixCards,
            value = hand.to_string(),
            deck = deck.name(),
            lowest = u32::from(deck.lowest()),
            highest = u32::from(deck.highest())
        ));
    };
    if rest.len() < usize::from(players) - 1 {
        let text = text!(
            SimTooFewCards,
            players = usize::from(players) - 1,
            cards = rest.len()
        );
        return Err(text);
    }
    Ok(Dealing::Fixed {
        seat,
        cards: cards.clone(),
    })
}
