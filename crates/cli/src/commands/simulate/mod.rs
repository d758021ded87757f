//! `war simulate`, `war enumerate` and `war literature`: many games, all deals of a deck, and what
//! others have published of such games.

pub(crate) mod command;
pub(crate) mod enumerate;
pub(crate) mod figures;
pub(crate) mod literature;
pub(crate) mod parts;
pub(crate) mod rules;
pub(crate) mod summary;
