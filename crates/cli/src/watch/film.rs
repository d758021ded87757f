use super::about::About;
use war::projections::frames::{Frame, Overview, Shown};

/// A game to be watched: its frames in order, and the whole of them at a glance.
#[derive(Debug, Clone)]
pub struct Film {
    about: About,
    frames: Vec<Frame>,
    overview: Overview,
}

impl Film {
    /// A game with these frames, the first of them that of the deal.
    #[must_use]
    pub fn of(about: About, frames: impl IntoIterator<Item = Frame>) -> Self {
        let mut film = Self {
            about,
            frames: Vec::new(),
            overview: Overview::default(),
        };
        frames.into_iter().for_each(|frame| film.add(frame));
        film
    }

    /// Adds the next frame, or the last one again as it is now. Its screens are not kept: a long
    /// game has many of them, and none is drawn.
    pub(super) fn add(&mut self, frame: Frame) {
        self.overview.add(&frame);
        self.frames.pop_if(|last| last.turn == frame.turn);
        self.frames.push(Frame {
            text: String::new(),
            ..frame
        });
    }

    pub(super) const fn about(&self) -> &About {
        &self.about
    }

    pub(super) const fn overview(&self) -> &Overview {
        &self.overview
    }

    /// The frame of this turn; nothing as long as there is none.
    pub(super) fn frame(&self, turn: usize) -> Option<&Frame> {
        self.frames.get(turn)
    }

    /// The last turn so far.
    pub(super) fn last(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// Whether this turn came to a war.
    pub(super) fn is_war(&self, turn: usize) -> bool {
        let shown = self.frame(turn).map(|frame| &frame.shown);
        matches!(shown, Some(Shown::Turn(turn)) if turn.is_war)
    }

    /// The first war or tie after this turn, if any.
    pub(super) fn next_war(&self, turn: usize) -> Option<usize> {
        let wars = &self.overview.marks().wars;
        let next = wars.partition_point(|war| *war as usize <= turn);
        wars.get(next).map(|war| *war as usize)
    }
}
