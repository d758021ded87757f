//! `war watch`: a game in the terminal, recorded, dealt, or still being recorded.

pub(crate) mod command;
pub(crate) mod events;
pub(crate) mod followed_game;
pub(crate) mod full_screen;
