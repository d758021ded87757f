use super::{Deal, Turn};

/// What a turn of a game shows, and what it printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The turn, or of a token game the deal; 0 is what comes before the first.
    pub turn: u32,
    /// What there is to draw.
    pub shown: Shown,
    /// The screens of the turn, as `war replay --turn` prints them; nothing of a game that
    /// prints nothing.
    pub text: String,
}

/// What a frame has to draw, by the kind of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// A turn of War.
    Turn(Turn),
    /// A deal of a token game.
    Deal(Deal),
}
