//! Plays games while Python's other threads go on.

use crate::arguments::RunArguments;
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
use war_simulate::{Monitor, Run};

/// Interval between checks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Flag that ends the run when it is set.
struct StopFlag(AtomicBool);

impl Monitor for StopFlag {
    fn should_continue(&self) -> bool {
        !self.0.load(Ordering::Relaxed)
    }
}

/// Output of a run: its parts, the kernel that played, and the columns if they were asked for.
type PlayOutput<'py> = (Parts, &'static str, Option<[Bound<'py, PyByteArray>; 5]>);

/// Plays games. Python's other threads go on meanwhile, and Ctrl-C ends the run.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "Python hands over what it extracts"
)]
pub(crate) fn play<'py>(
    py: Python<'py>,
    arguments: RunArguments<'py>,
    with_columns: bool,
) -> PyResult<PlayOutput<'py>> {
    let (plan, jobs) = arguments.to_plan()?;
    let kernel = plan.choose_kernel().name();
    let room = if with_columns {
        Some(Columns::with_capacity(plan.part.end - plan.part.start)?)
    } else {
        None
    };
    let stop = StopFlag(AtomicBool::new(false));
    let all = |watch: &StopFlag| {
        let Some(mut columns) = room else {
            return (plan.play(jobs, watch), None);
        };
        let played = plan.play_with_visitor(jobs, watch, |games| {
            columns.add(games);
            Ok::<_, Infallible>(())
        });
        match played {
            Ok(run) => (run, Some(columns)),
        }
    };
    let (run, columns) = py.detach(|| interruptible(&stop, all))?;
    let columns = columns.map(|columns| columns.into_python(py)).transpose()?;
    Ok((Parts::new(run), kernel, columns))
}

/// Plays on another thread, while this one checks for signals.
fn interruptible(
    stop: &StopFlag,
    all: impl FnOnce(&StopFlag) -> (Run, Option<Columns>) + Send,
) -> PyResult<(Run, Option<Columns>)> {
    let (playing, played) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let playing = scope.spawn(move || {
            // The channel closes when the games are played, or if the thread panics.
            let _playing = playing;
            all(stop)
        });
        let mut signal = Ok(());
        while signal.is_ok()
            && played.recv_timeout(SIGNAL_INTERVAL) == Err(RecvTimeoutError::Timeout)
        {
            signal = Python::attach(check_signals);
        }
        stop.0.store(signal.is_err(), Ordering::Relaxed);
        let made = playing.join();
        signal?;
        made.map_err(|panic| resume_unwind(panic))
    })
}

/// Checks for Ctrl-C; only the main thread gets the signal.
fn check_signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}
