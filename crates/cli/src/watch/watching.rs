use super::film::Film;
use super::input::{Input, Key};
use super::layer::{Layer, Taken};
use super::pace::Pace;
use std::time::Duration;

/// The shortest time between two pictures.
const PICTURE: Duration = Duration::from_millis(33);

/// The longest time that counts at once: a program that was stopped does not make up for it.
const MOMENT: Duration = Duration::from_millis(250);

/// How many times as long as another turn a war is shown, where people can follow.
const WAR: u32 = 2;

/// How many turns a page is.
const PAGE: usize = 10;

/// What somebody sees of a game, and how it goes on.
///
/// # Examples
///
/// See [the module](crate::watch).
#[derive(Debug, Clone)]
pub struct Watching {
    film: Film,
    /// The turn that is shown.
    turn: usize,
    pace: Pace,
    motion: Motion,
    /// Whether more of the game may come.
    grows: bool,
    layer: Layer,
}

/// How the shown turn changes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Motion {
    /// It stays.
    Paused,
    /// The next one follows when this one was shown long enough; so long it was shown already.
    Playing(Duration),
    /// The last one is shown as soon as it is known.
    Live,
}

impl Watching {
    /// A whole game, played from its beginning at this pace.
    #[must_use]
    pub const fn new(film: Film, pace: Pace) -> Self {
        Self {
            film,
            turn: 0,
            pace,
            motion: Motion::Playing(Duration::ZERO),
            grows: false,
            layer: Layer::None,
        }
    }

    /// A game that still goes on, as far as it has come.
    #[must_use]
    pub fn live(film: Film, pace: Pace) -> Self {
        let turn = film.last();
        Self {
            turn,
            motion: Motion::Live,
            grows: true,
            ..Self::new(film, pace)
        }
    }

    /// The turn that is shown.
    #[must_use]
    pub const fn turn(&self) -> usize {
        self.turn
    }

    /// In which time the next turn is due, if it comes by itself.
    #[must_use]
    pub fn due(&self) -> Option<Duration> {
        match self.motion {
            Motion::Playing(shown) => Some(self.pause().saturating_sub(shown).max(PICTURE)),
            Motion::Paused | Motion::Live => None,
        }
    }

    /// Lets so much time pass.
    pub fn pass(&mut self, time: Duration) {
        let Motion::Playing(before) = self.motion else {
            return;
        };
        let mut shown = before + time.min(self.pause().max(MOMENT));
        while self.turn < self.film.last() && shown >= self.pause() {
            shown -= self.pause();
            self.turn += 1;
        }
        self.motion = match (self.turn < self.film.last(), self.grows) {
            (true, _) => Motion::Playing(shown),
            (false, true) => Motion::Live,
            (false, false) => Motion::Paused,
        };
    }

    /// Takes an input; the result is `false` where somebody wants to see no more.
    pub fn take(&mut self, input: Input) -> bool {
        match input {
            Input::Key(Key::Char('q' | 'Q')) => return false,
            Input::Key(key) => match self.layer.take(key) {
                Some(Taken::Turn(turn)) => self.seek(turn),
                Some(Taken::Nothing) => {}
                None => self.press(key),
            },
            Input::Frame(frame) => {
                self.film.add(*frame);
                if self.motion == Motion::Live {
                    self.turn = self.film.last();
                }
            }
            Input::Over => {
                self.grows = false;
                if self.motion == Motion::Live {
                    self.motion = Motion::Paused;
                }
            }
        }
        true
    }

    fn press(&mut self, key: Key) {
        match key {
            Key::Char(' ') => self.toggle(),
            Key::Left => self.seek(self.turn.saturating_sub(1)),
            Key::Right => self.seek(self.turn + 1),
            Key::PageUp => self.seek(self.turn.saturating_sub(PAGE)),
            Key::PageDown => self.seek(self.turn + PAGE),
            Key::Home => self.seek(0),
            Key::End => {
                self.seek(usize::MAX);
                if self.grows {
                    self.motion = Motion::Live;
                }
            }
            Key::Char('n' | 'N') => {
                if let Some(turn) = self.film.next_war(self.turn) {
                    self.seek(turn);
                }
            }
            Key::Char('+' | '=') => self.pace = self.pace.faster(),
            Key::Char('-' | '_') => self.pace = self.pace.slower(),
            Key::Char('/') => self.layer = Layer::Question(String::new()),
            Key::Char('?') => self.layer = Layer::Help,
            Key::Char(_) | Key::Enter | Key::Backspace | Key::Escape => {}
        }
    }

    /// Goes to a turn and stays there, or at the last one where there are not so many.
    fn seek(&mut self, turn: usize) {
        self.turn = turn.min(self.film.last());
        self.motion = Motion::Paused;
    }

    fn toggle(&mut self) {
        if self.motion != Motion::Paused {
            self.motion = Motion::Paused;
            return;
        }
        if self.turn == self.film.last() && !self.grows {
            self.turn = 0;
        }
        self.motion = Motion::Playing(Duration::ZERO);
    }

    /// How long the turn is shown.
    fn pause(&self) -> Duration {
        let pause = self.pace.pause();
        if pause > PICTURE && self.film.is_war(self.turn) {
            return pause * WAR;
        }
        pause
    }

    pub(super) const fn film(&self) -> &Film {
        &self.film
    }

    pub(super) const fn pace(&self) -> Pace {
        self.pace
    }

    pub(super) const fn motion(&self) -> Motion {
        self.motion
    }

    pub(super) const fn grows(&self) -> bool {
        self.grows
    }

    pub(super) const fn layer(&self) -> &Layer {
        &self.layer
    }
}

#[cfg(test)]
mod tests;
