//! The figures of a run as a drawing: how long games are, who wins, how games end.

mod drawing;
mod rules;
mod svg;

pub use drawing::draw;
pub use rules::{dealt, limit, limit_text};
