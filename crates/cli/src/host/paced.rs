//! Screens at the pace of people.

use crate::machine::output::Output;
use crate::machine::signals::is_interrupted;
use std::thread::sleep;
use std::time::{Duration, Instant};
use war::engine::{Projection, State};

/// How long a pause lasts before it looks whether somebody interrupts.
const MOMENT: Duration = Duration::from_millis(50);

/// A projection that waits before each turn but the first, with all sent out that was printed.
pub(crate) struct Paced {
    output: Output,
    pause: Duration,
    turn: Option<u32>,
}

impl Paced {
    /// For what is printed here; so long is each turn alone.
    pub(crate) const fn new(output: Output, pause: Duration) -> Self {
        Self {
            output,
            pause,
            turn: None,
        }
    }

    fn wait(&self) {
        self.output.flush();
        let since = Instant::now();
        while !is_interrupted() {
            match self.pause.checked_sub(since.elapsed()) {
                Some(left) => sleep(left.min(MOMENT)),
                None => return,
            }
        }
    }
}

impl<S: State> Projection<S> for Paced {
    fn project(&mut self, _: &S::Event, state: &S, _: &mut String) {
        let before = self.turn.replace(state.turn());
        if before.is_some_and(|before| before != state.turn()) {
            self.wait();
        }
    }
}
