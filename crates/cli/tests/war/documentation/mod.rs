//! README and book: examples that work, valid links, and completeness.

mod complete;
mod example;
mod game_lengths;
mod links;
mod page;
mod run;
mod settings;
mod token_values;
