use super::input::Key;

/// What lies over the game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Layer {
    /// Nothing.
    #[default]
    None,
    /// What the keys mean.
    Help,
    /// The question for a turn, with what was typed so far.
    Question(String),
}

/// What comes of a key that a layer took.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// Nothing but what the layer shows.
    Nothing,
    /// To go to this turn.
    Turn(usize),
}

impl Layer {
    /// The most digits of a turn.
    const DIGITS: usize = 9;

    /// Takes a key, unless nothing lies over the game.
    pub(super) fn take(&mut self, key: Key) -> Option<Taken> {
        let mut taken = Taken::Nothing;
        match self {
            Self::None => return None,
            Self::Help => *self = Self::None,
            Self::Question(typed) => match key {
                Key::Char(digit @ '0'..='9') if typed.len() < Self::DIGITS => typed.push(digit),
                Key::Backspace => {
                    typed.pop();
                }
                Key::Enter => {
                    taken = typed.parse().map_or(Taken::Nothing, Taken::Turn);
                    *self = Self::None;
                }
                Key::Escape => *self = Self::None,
                _ => {}
            },
        }
        Some(taken)
    }
}
