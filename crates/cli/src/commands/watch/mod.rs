//! `war watch`: shows a game in the terminal, recorded, dealt, or still being recorded.

pub(crate) mod command;
mod events;
mod full_screen;
mod terminal;
