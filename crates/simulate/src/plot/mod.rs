//! Charts of the results of a run (lengths of games, winners, outcomes), and of the number of cards
//! that each player holds during a game.

mod card_counts;
mod drawing;
mod svg;

pub use card_counts::{draw_card_counts, draw_text_chart};
pub use drawing::{deal_text, draw_run, extra_rules_text, format_extra_rules};
