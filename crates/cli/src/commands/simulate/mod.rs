//! `war simulate`, `war enumerate` and `war literature`: many games, all deals of a deck, and
//! comparisons with the literature.

pub(crate) mod command;
pub(crate) mod enumerate;
pub(crate) mod literature;
mod parts;
mod records;
mod rules;
mod summary;
