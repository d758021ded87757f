//! The rules, cards and games of a simulation, as they are meant.

use super::simulate::{RuleOptions, Simulate};
use super::values::TypedShard;
use std::ops::Range;
use war::cards::GameNumber;
use war::i18n::{Count, Text, text};
use war::rules::Collect;
use war_simulate::simulate::{ChosenGame, ChosenRules, Column, GameSetup, NotPlayable};

/// How many games are played where no number is given.
const GAMES: u64 = 1_000_000;

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

    /// The single game asked for, if one was.
    ///
    /// The error says what only goes with such a game, or with one of another run.
    pub(crate) fn single_game(&self) -> Result<Option<GameNumber>, Text> {
        match (self.game, self.seed) {
            (Some(game), Some(seed)) if seed != game.seed => Err(text!(
                SimOtherSeed,
                seed = seed.to_string(),
                game = game.to_string()
            )),
            (None, _) if self.journal.is_some() => Err(text!(SimJournalOfNone)),
            (None, _) if self.result.is_some() => Err(text!(SimResultOfNone)),
            (game, _) => Ok(game),
        }
    }

    /// What else a row says of the hands: each column once, where it was named first.
    pub(crate) fn columns(&self) -> Vec<Column> {
        let mut columns = Vec::new();
        for &column in &self.columns {
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
        columns
    }

    /// How many games the run has, and which of them are to be played.
    ///
    /// The error says why there is no such part of the run.
    pub(crate) fn part(&self) -> Result<(u64, Range<u64>), Text> {
        let games = self.games.unwrap_or(GAMES);
        let Some(shard) = self.shard.map(TypedShard::shard).transpose()? else {
            return Ok((games, 0..games));
        };
        let part = shard.of_games(games);
        if part.is_empty() {
            let shard = shard.to_string();
            return Err(text!(SimEmptyShard, shard = shard, games = Count(games)));
        }
        Ok((games, part))
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
