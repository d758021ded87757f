//! The rules and cards of a simulation, as they are meant.

use super::simulate::{RuleOptions, Simulate};
use crate::i18n::{Text, text};
use crate::rules::Collect;
use crate::simulate::{ChosenGame, ChosenRules, GameSetup, NotPlayable};

impl RuleOptions {
    /// The rules asked for.
    pub(crate) fn chosen(&self) -> ChosenRules {
        ChosenRules {
            rules: self.rules,
            face_down: self.face_down,
            collect: self.collect.as_deref().and_then(Collect::by_seat),
            piles: self.piles,
            out_of_cards: self.out_of_cards,
            max_turns: self.max_turns,
        }
    }
}

impl Simulate {
    /// The rules asked for, where the cards are those of a deck.
    ///
    /// The error says what does not go together.
    pub(crate) fn game_setup(&self) -> Result<GameSetup, Text> {
        let chosen = ChosenGame {
            rules: self.rules.chosen(),
            players: self.players,
            deck: self.deck,
            fix: self.fix.clone(),
        };
        chosen.setup().map_err(not_playable)
    }
}

/// Why a game can't be played.
pub(crate) fn not_playable(error: NotPlayable) -> Text {
    match error {
        NotPlayable::Combination { rule, players } => {
            text!(SimCombination, rule = rule, players = usize::from(players))
        }
        NotPlayable::RulesForTwo {
            rules,
            rule,
            players,
        } => text!(
            SimRulesForTwo,
            rules = rules,
            rule = rule,
            players = usize::from(players)
        ),
        NotPlayable::Orders { collect, players } => text!(
            SimOrders,
            collect = Collect::BySeat(collect).to_string(),
            orders = usize::from(collect.players()),
            players = usize::from(players)
        ),
        NotPlayable::TooFewCards { cards, players } => text!(
            SimTooFewCards,
            players = usize::from(players),
            cards = cards
        ),
        NotPlayable::FixedPlayer { player, players } => text!(
            SimFixPlayer,
            player = u32::from(player),
            players = usize::from(players)
        ),
        NotPlayable::FixedCards { hand, deck } => text!(
            SimFixCards,
            value = hand,
            deck = deck.name(),
            lowest = u32::from(deck.lowest()),
            highest = u32::from(deck.highest())
        ),
    }
}
