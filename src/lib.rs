//! War: an event-sourced engine for the card game and its relatives.

pub mod cards;
pub mod engine;
pub mod i18n;
pub mod journal;
pub mod projections;
pub mod replay;
pub mod rules;
pub mod scenario;
