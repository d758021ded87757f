//! Signals: the one place that listens to them.
//!
//! A command that runs for long asks for [`on_shutdown_request`], or for an [`Interruption`] where its
//! games only have to know whether to go on.

use super::bar;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io::{self, Write};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread::Builder;
use std::time::{Duration, Instant};
use war::i18n::{Catalogue, text};

/// The exit code of a program that was interrupted, and did not end in good order.
const INTERRUPTED_CODE: i32 = 130;

/// The exit code of a program that ends early because somebody asked for it.
const STOPPED_CODE: i32 = 3;

/// How long a program that reads may take to end by itself.
const GRACE: Duration = Duration::from_secs(1);

/// How soon after the first a signal is still the same one: sent to a process and to its group,
/// it comes twice.
const SAME_SIGNAL: Duration = Duration::from_millis(500);

/// The stack of a thread that only waits: so small that it can be had where others can't.
pub(super) const STACK_SIZE: usize = 128 << 10;

/// What a person or the system asks of a program that runs for long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShutdownRequest {
    /// To end in good order.
    Graceful,
    /// To end at once.
    Immediate,
}

/// A request to end, for games that ask about it from time to time.
#[derive(Debug, Clone)]
pub(crate) struct Interruption(Arc<AtomicBool>);

impl Interruption {
    /// Listens from now on. The second request cleans up and ends the program with 130.
    ///
    /// Where signals can't be handled, an interruption ends the program as usual.
    pub(crate) fn catch(clean_up: impl Fn() + Send + 'static) -> Self {
        Self::catch_with(|| (), clean_up)
    }

    /// Listens as [`catch`](Self::catch) does; the first request is handed on, too.
    fn catch_with(
        forward: impl Fn() + Send + 'static,
        clean_up: impl Fn() + Send + 'static,
    ) -> Self {
        let requested = Arc::new(AtomicBool::new(false));
        let noted = Arc::clone(&requested);
        let _ = on_shutdown_request(&command_signals(), move |request| match request {
            ShutdownRequest::Graceful => {
                noted.store(true, Ordering::Relaxed);
                forward();
            }
            ShutdownRequest::Immediate => {
                clean_up();
                bar::clear();
                exit(INTERRUPTED_CODE);
            }
        });
        Self(requested)
    }

    /// Listens for the games that are recorded or followed from now on, which
    /// [`is_interrupted`] stops.
    pub(crate) fn catch_for_recording() {
        CAUGHT.get_or_init(|| Self::catch(|| ()));
    }

    /// Listens for a program that has the whole terminal from now on: the first request is handed
    /// on to it, and a second one gives the terminal back by `clean_up`.
    #[cfg(feature = "watch")]
    pub(crate) fn catch_for_full_screen(
        forward: impl Fn() + Send + 'static,
        clean_up: impl Fn() + Send + 'static,
    ) {
        CAUGHT.get_or_init(|| Self::catch_with(forward, clean_up));
    }

    /// Listens for what is read from now on, which [`is_interrupted`] stops.
    ///
    /// A program that goes on all the same, as it waits for its input, says so and ends with 3.
    pub(crate) fn catch_for_reading(catalogue: &Catalogue) {
        CAUGHT.get_or_init(|| {
            let words = catalogue.text(&text!(Interrupted));
            let requested = Arc::new(AtomicBool::new(false));
            let noted = Arc::clone(&requested);
            let _ = on_shutdown_request(&command_signals(), move |_| {
                noted.store(true, Ordering::Relaxed);
                std::thread::sleep(GRACE);
                bar::clear();
                // Where standard error is gone, nobody is left to read it.
                let _ = writeln!(io::stderr(), "{words}");
                exit(STOPPED_CODE);
            });
            Self(requested)
        });
    }

    /// Whether somebody has asked the program to end.
    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What everything in this process asks about that should end in good order.
static CAUGHT: OnceLock<Interruption> = OnceLock::new();

/// Whether an interruption leaves it to the program to end.
pub(crate) fn is_catching() -> bool {
    CAUGHT.get().is_some()
}

/// Whether an interruption was caught that asks the program to end.
pub(crate) fn is_interrupted() -> bool {
    CAUGHT.get().is_some_and(Interruption::is_requested)
}

/// Asks everything to end that asks [`is_interrupted`], as a signal would.
#[cfg(feature = "watch")]
pub(crate) fn interrupt() {
    if let Some(caught) = CAUGHT.get() {
        caught.0.store(true, Ordering::Relaxed);
    }
}

/// What a shell asks of one of its jobs.
#[cfg(feature = "watch")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JobControl {
    /// To stop, as Ctrl-Z does.
    Suspend,
    /// To go on after it was stopped.
    Resume,
}

/// Calls `act`, on a thread of its own, at each request of a shell that comes from now on. Who
/// hears of [`JobControl::Stop`] has to [`stop`].
#[cfg(feature = "watch")]
pub(crate) fn on_job_control(mut act: impl FnMut(JobControl) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGTSTP};
    let mut signals = signal_hook::iterator::Signals::new([SIGTSTP, SIGCONT])?;
    let listen = move || {
        for signal in &mut signals {
            act(match signal {
                SIGTSTP => JobControl::Suspend,
                _ => JobControl::Resume,
            });
        }
    };
    let thread = Builder::new()
        .name("jobs".to_owned())
        .stack_size(STACK_SIZE);
    thread.spawn(listen).map(drop)
}

/// Stops this process until somebody lets it go on.
#[cfg(feature = "watch")]
pub(crate) fn suspend_process() {
    // Where it can't be stopped, it goes on.
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP);
}

/// Lets a signal end the program as interrupted, once this is cleaned up.
pub(crate) fn clean_up_on_signal(clean_up: impl Fn() + Send + 'static) {
    // Where the system lets nobody listen, what is unfinished stays.
    let _ = on_shutdown_request(&command_signals(), move |_| {
        clean_up();
        exit(STOPPED_CODE);
    });
}

/// Signals that ask a command to end: from a terminal, from one that is closed, or from a
/// cluster when the time of a job is up.
fn command_signals() -> Vec<i32> {
    let mut signals = SERVER_SIGNALS.to_vec();
    #[cfg(unix)]
    if !ignores_hangup() {
        signals.push(signal_hook::consts::SIGHUP);
    }
    signals
}

/// Signals that ask a server to end, which may outlive the terminal that it was started from.
pub(crate) const SERVER_SIGNALS: &[i32] = &[SIGINT, SIGTERM];

/// Whether the program was started to go on when its terminal is closed, as `nohup` does it.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    // Other systems than Linux don't say it.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal_hook::consts::SIGHUP - 1) & 1 == 1)
}

/// Calls `act`, on a thread of its own, at each request to end that comes from now on by one of
/// these signals.
///
/// The same signal, sent twice at once, is one request; any later one asks to end at once.
pub(crate) fn on_shutdown_request(
    signals: &[i32],
    mut act: impl FnMut(ShutdownRequest) + Send + 'static,
) -> io::Result<()> {
    let (hand_over, handed_over) = mpsc::channel::<SignalListener>();
    let listen = move || {
        let Ok(mut listener) = handed_over.recv() else {
            return;
        };
        let mut history = SignalHistory::default();
        loop {
            listener.next();
            if let Some(request) = history.record(Instant::now()) {
                act(request);
            }
        }
    };
    // Signals are caught only where there is a thread for them: otherwise they would be lost.
    Builder::new()
        .name("signals".to_owned())
        .stack_size(STACK_SIZE)
        .spawn(listen)?;
    // The thread waits for nothing else, so it is there to take it.
    let _ = hand_over.send(SignalListener::new(signals)?);
    Ok(())
}

/// The requests that signals make.
#[derive(Default)]
struct SignalHistory {
    /// When the first signal came.
    first: Option<Instant>,
}

impl SignalHistory {
    /// What a signal at this moment asks for: nothing where it is the first one again.
    fn record(&mut self, now: Instant) -> Option<ShutdownRequest> {
        let Some(first) = self.first else {
            self.first = Some(now);
            return Some(ShutdownRequest::Graceful);
        };
        (now.duration_since(first) >= SAME_SIGNAL).then_some(ShutdownRequest::Immediate)
    }
}

/// What waits for signals that ask the program to end.
#[cfg(unix)]
struct SignalListener(signal_hook::iterator::Signals);

#[cfg(unix)]
impl SignalListener {
    fn new(signals: &[i32]) -> io::Result<Self> {
        signal_hook::iterator::Signals::new(signals).map(Self)
    }

    /// Waits for the next signal.
    fn next(&mut self) {
        self.0.forever().next();
    }
}

/// Elsewhere a signal can only set a flag, and wakes no thread.
#[cfg(not(unix))]
struct SignalListener(Arc<AtomicBool>);

#[cfg(not(unix))]
impl SignalListener {
    fn new(signals: &[i32]) -> io::Result<Self> {
        let arrived = Arc::new(AtomicBool::new(false));
        for &signal in signals {
            signal_hook::flag::register(signal, Arc::clone(&arrived))?;
        }
        Ok(Self(arrived))
    }

    /// Waits for the next signal.
    fn next(&mut self) {
        while !self.0.swap(false, Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Lets a write beyond the largest file allowed fail as every other write does: by itself the
/// signal that comes with it ends the program without a word.
pub(crate) fn survive_file_size_limit() {
    #[cfg(unix)]
    {
        let arrived = Arc::new(AtomicBool::new(false));
        // Where no handler can be set, the program ends as usual.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, arrived);
    }
}

#[cfg(test)]
mod tests {
    use super::{ShutdownRequest, SignalHistory};
    use std::time::{Duration, Instant};

    // A signal to a process and to its group comes twice.
    #[test]
    fn the_second_signal_ends_at_once_unless_it_is_the_first_one_again() {
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut history = SignalHistory::default();
        assert_eq!(history.record(at(0)), Some(ShutdownRequest::Graceful));
        assert_eq!(history.record(at(499)), None);
        assert_eq!(history.record(at(500)), Some(ShutdownRequest::Immediate));
        assert_eq!(history.record(at(501)), Some(ShutdownRequest::Immediate));
    }
}
