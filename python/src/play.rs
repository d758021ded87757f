//! Playing, with Python free to do something else.

use crate::asked::Asked;
use crate::columns::Columns;
use crate::parts::Parts;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::convert::Infallible;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use war_simulate::{Run, Watch};

/// How often Python is asked whether Ctrl-C was pressed.
const LOOK: Duration = Duration::from_millis(50);

/// A run that ends when this is set.
struct Stop(AtomicBool);

impl Watch for Stop {
    fn goes_on(&self) -> bool {
        !self.0.load(Ordering::Relaxed)
    }
}

/// What is made of a run: its figures, the kernel that played, and the columns if they were
/// asked for.
type Made<'py> = (Parts, &'static str, Option<[Bound<'py, PyByteArray>; 5]>);

/// Plays games. Python's other threads go on meanwhile, and Ctrl-C ends the run.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "Python hands over what it extracts"
)]
pub(crate) fn play<'py>(
    py: Python<'py>,
    asked: Asked<'py>,
    with_columns: bool,
) -> PyResult<Made<'py>> {
    let (plan, jobs) = asked.plan()?;
    let kernel = plan.playing_kernel().name();
    let room = if with_columns {
        Some(Columns::with_room(plan.part.end - plan.part.start)?)
    } else {
        None
    };
    let stop = Stop(AtomicBool::new(false));
    let all = |watch: &Stop| {
        let Some(mut columns) = room else {
            return (plan.play(jobs, watch), None);
        };
        let played = plan.play_with_games(jobs, watch, |games| {
            columns.add(games);
            Ok::<_, Infallible>(())
        });
        match played {
            Ok(run) => (run, Some(columns)),
        }
    };
    let (run, columns) = py.detach(|| interruptible(&stop, all))?;
    let columns = columns.map(|columns| columns.into_python(py)).transpose()?;
    Ok((Parts::of(run), kernel, columns))
}

/// Plays on another thread, while this one looks for signals.
fn interruptible(
    stop: &Stop,
    all: impl FnOnce(&Stop) -> (Run, Option<Columns>) + Send,
) -> PyResult<(Run, Option<Columns>)> {
    let (playing, played) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let playing = scope.spawn(move || {
            // It hangs up when the games are played, or if something breaks.
            let _playing = playing;
            all(stop)
        });
        let mut signal = Ok(());
        while signal.is_ok() && played.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            signal = Python::attach(signals);
        }
        stop.0.store(signal.is_err(), Ordering::Relaxed);
        let made = playing.join();
        signal?;
        made.map_err(|panic| resume_unwind(panic))
    })
}

/// Whether Ctrl-C was pressed, in the only thread that hears of it.
fn signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}
