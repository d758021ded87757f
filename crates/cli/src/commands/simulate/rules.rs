//! Options for the rules of simulations and for the number of threads.

use crate::arguments::values::{
    collect_parser, count_parser, out_of_cards_parser, piles_parser, rules_parser, suggestions,
};
use clap::builder::TypedValueParser;
use clap::{ArgAction, Args};
use std::num::NonZero;
use std::thread::available_parallelism;
use war::i18n::{Text, text};
use war::rules::{CollectOrder, OutOfCards, Piles};
use war_simulate::{NamedRules, RuleSettings, SetupError};

const MAX_JOBS: usize = 1_024;

/// Options for the rules of a simulation.
#[derive(Debug, Args)]
pub(crate) struct RuleOptions {
    /// Rules to start from [default: classic]
    #[arg(long, value_name = "NAME", ignore_case = true, value_parser = rules_parser())]
    pub(crate) rules: Option<NamedRules>,
    /// Cards each player puts face down in a war before the next one face up: 0 to 5
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = count_parser(0..=5_u8), add = suggestions(0..=5))]
    pub(crate) face_down: Option<u8>,
    /// Order in which won cards go under the winner's hand, or one for each player: seat,shuffled
    #[arg(long, value_name = "ORDER", ignore_case = true, value_delimiter = ',', action = ArgAction::Set, value_parser = collect_parser())]
    pub(crate) collect: Option<Vec<CollectOrder>>,
    /// Where won cards go: under the hand, or on a second pile
    #[arg(long, value_name = "PILES", ignore_case = true, value_parser = piles_parser())]
    pub(crate) piles: Option<Piles>,
    /// What happens to players who run out of cards in a war
    #[arg(long, value_name = "RULE", ignore_case = true, value_parser = out_of_cards_parser())]
    pub(crate) out_of_cards: Option<OutOfCards>,
    /// Turns after which a game counts as undecided
    ///
    /// By default there is no limit, because endless games are recognized. The rules `duels`
    /// allow 10 turns a card. If wars shrink and the hands are given or the deck is `RxS`, the
    /// limit is 1000000.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = count_parser(1..=u32::MAX))]
    pub(crate) max_turns: Option<u32>,
}

/// Option for the number of threads.
#[derive(Debug, Args)]
pub(crate) struct JobOptions {
    /// Threads to use [default: one for each processor]
    #[arg(long, value_name = "J", allow_hyphen_values = true, value_parser = count_parser(1..=MAX_JOBS).try_map(NonZero::try_from))]
    jobs: Option<NonZero<usize>>,
}

impl JobOptions {
    /// Number of threads; by default one for each processor.
    pub(crate) fn thread_count(&self) -> NonZero<usize> {
        let processors = || available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        self.jobs.unwrap_or_else(processors)
    }
}

impl RuleOptions {
    /// Rules chosen by these options.
    pub(crate) fn to_settings(&self) -> RuleSettings {
        RuleSettings {
            base: self.rules,
            face_down: self.face_down,
            collect: self
                .collect
                .as_deref()
                .and_then(CollectOrder::from_seat_orders),
            piles: self.piles,
            out_of_cards: self.out_of_cards,
            max_turns: self.max_turns,
        }
    }
}

/// Error for a game that can't be played.
pub(crate) fn setup_error_text(error: SetupError) -> Text {
    match error {
        SetupError::OutOfCardsForTwo { rule, players } => {
            text!(SimCombination, rule = rule, players = usize::from(players))
        }
        SetupError::RulesForTwo {
            rules,
            rule,
            players,
        } => text!(
            SimRulesForTwo,
            rules = rules,
            rule = rule,
            players = usize::from(players)
        ),
        SetupError::Orders { collect, players } => text!(
            SimOrders,
            collect = CollectOrder::BySeat(collect).to_string(),
            orders = usize::from(collect.players()),
            players = usize::from(players)
        ),
        SetupError::TooFewCards { cards, players } => text!(
            SimTooFewCards,
            players = usize::from(players),
            cards = cards
        ),
        SetupError::FixedPlayer { player, players } => text!(
            SimFixPlayer,
            player = u32::from(player),
            players = usize::from(players)
        ),
        SetupError::FixedCards { hand, deck } => text!(
            SimFixCards,
            value = hand,
            deck = deck.name(),
            lowest = u32::from(deck.lowest_rank()),
            highest = u32::from(deck.highest_rank())
        ),
    }
}
