//! Signal handling, for the whole program.
//!
//! A long-running command uses an [`Interruption`] or [`clean_up_on_signal`], and the card table
//! uses [`listen_for_server_requests`]. The page of the exit codes has a table of all signals.

use super::bar;
#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use std::io::{self, Write};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread::Builder;
use std::time::{Duration, Instant};
use war::i18n::{Catalogue, text};

/// Exit code after a second interrupt, which cuts the program short.
const INTERRUPTED_CODE: i32 = 130;

/// Exit code of a program that ends early on request.
const STOPPED_CODE: i32 = 3;

/// Time after an interrupt in which a program that reads can end by itself.
const GRACE_PERIOD: Duration = Duration::from_secs(1);

/// Time after the first signal in which another signal counts as the same one: a signal sent to a
/// process and to its group arrives twice.
const DUPLICATE_WINDOW: Duration = Duration::from_millis(500);

/// Stack of a thread that only waits, small enough to be available even if memory is scarce.
pub(super) const LISTENER_STACK_SIZE: usize = 128 << 10;

/// Request to end a long-running program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShutdownRequest {
    /// Request to end in good order.
    Graceful,
    /// Request to end at once.
    Immediate,
}

/// Flag set by a request to end, for games that poll it.
#[derive(Debug, Clone)]
pub(crate) struct Interruption(Arc<AtomicBool>);

impl Interruption {
    /// Catches interrupts from now on. The second interrupt calls `clean_up` and exits with 130.
    ///
    /// If signals can't be handled, an interrupt ends the program as usual.
    pub(crate) fn catch(clean_up: impl Fn() + Send + 'static) -> Self {
        Self::catch_with(|| (), clean_up)
    }

    /// Catches interrupts as [`catch`](Self::catch) does, and calls `forward` at the first one.
    fn catch_with(
        forward: impl Fn() + Send + 'static,
        clean_up: impl Fn() + Send + 'static,
    ) -> Self {
        let requested = Arc::new(AtomicBool::new(false));
        let noted = Arc::clone(&requested);
        let _ = listen_for_shutdown_requests(move |request| match request {
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

    /// Catches interrupts for games that are recorded or followed, which poll [`is_interrupted`].
    pub(crate) fn catch_for_recording() {
        PROCESS_INTERRUPTION.get_or_init(|| Self::catch(|| ()));
    }

    /// Catches interrupts for a program that uses the whole terminal: the first one calls
    /// `forward`, and the second one restores the terminal with `clean_up`.
    #[cfg(feature = "watch")]
    pub(crate) fn catch_for_full_screen(
        forward: impl Fn() + Send + 'static,
        clean_up: impl Fn() + Send + 'static,
    ) {
        PROCESS_INTERRUPTION.get_or_init(|| Self::catch_with(forward, clean_up));
    }

    /// Catches interrupts for readers, which poll [`is_interrupted`].
    ///
    /// A program that is still waiting for input after a grace period prints a message and exits
    /// with 3.
    pub(crate) fn catch_for_reading(catalogue: &Catalogue) {
        PROCESS_INTERRUPTION.get_or_init(|| {
            let words = catalogue.format_text(&text!(Interrupted));
            let requested = Arc::new(AtomicBool::new(false));
            let noted = Arc::clone(&requested);
            let _ = listen_for_shutdown_requests(move |request| {
                noted.store(true, Ordering::Relaxed);
                if request == ShutdownRequest::Immediate {
                    bar::clear();
                    exit(INTERRUPTED_CODE);
                }
                std::thread::sleep(GRACE_PERIOD);
                bar::clear();
                // If standard error is gone, nobody is left to read the message.
                let _ = writeln!(io::stderr(), "{words}");
                exit(STOPPED_CODE);
            });
            Self(requested)
        });
    }

    /// Returns true once the program was asked to end.
    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Interruption that everything in this process polls.
static PROCESS_INTERRUPTION: OnceLock<Interruption> = OnceLock::new();

/// Returns true if interrupts are caught, so that they don't end the program themselves.
pub(crate) fn is_catching_interrupts() -> bool {
    PROCESS_INTERRUPTION.get().is_some()
}

/// Returns true once an interrupt was caught.
pub(crate) fn is_interrupted() -> bool {
    PROCESS_INTERRUPTION
        .get()
        .is_some_and(Interruption::is_requested)
}

/// Sets the flag of [`is_interrupted`], as a signal would.
#[cfg(feature = "watch")]
pub(crate) fn interrupt() {
    if let Some(caught) = PROCESS_INTERRUPTION.get() {
        caught.0.store(true, Ordering::Relaxed);
    }
}

/// Job control request of a shell.
#[cfg(feature = "watch")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(unix), expect(dead_code, reason = "only Unix has job control"))]
pub(crate) enum JobControl {
    /// Request to stop, as after Ctrl-Z.
    Suspend,
    /// Request to continue after a stop.
    Resume,
}

/// Calls `act` in a background thread for each request of a shell. After [`JobControl::Suspend`],
/// the caller must call [`suspend_process`].
#[cfg(all(feature = "watch", unix))]
pub(crate) fn listen_for_job_control(
    mut act: impl FnMut(JobControl) + Send + 'static,
) -> io::Result<()> {
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
        .stack_size(LISTENER_STACK_SIZE);
    thread.spawn(listen).map(drop)
}

/// Does nothing: only Unix has job control.
#[cfg(all(feature = "watch", not(unix)))]
pub(crate) fn listen_for_job_control(_: impl FnMut(JobControl) + Send + 'static) -> io::Result<()> {
    Ok(())
}

/// Stops this process until it is continued, on a system with job control.
#[cfg(feature = "watch")]
pub(crate) fn suspend_process() {
    #[cfg(unix)]
    {
        // If the process can't be stopped, it keeps running.
        let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP);
    }
}

/// Cleans up and exits when a signal asks the program to end: with 3, or with 130 if at once.
pub(crate) fn clean_up_on_signal(clean_up: impl Fn() + Send + 'static) {
    // If no handler can be installed, a signal ends the program and leaves unfinished files.
    let _ = listen_for_shutdown_requests(move |request| {
        clean_up();
        exit(match request {
            ShutdownRequest::Graceful => STOPPED_CODE,
            ShutdownRequest::Immediate => INTERRUPTED_CODE,
        });
    });
}

/// Signals that ask a command to end: from Ctrl-C, from a terminal that is closed, or from a
/// cluster when a job's time is up.
#[cfg(unix)]
fn command_signals() -> Vec<i32> {
    let mut signals = vec![SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2];
    if !ignores_hangup() {
        signals.push(SIGHUP);
    }
    signals
}

/// Signal that stands for every event of a console.
#[cfg(windows)]
fn command_signals() -> Vec<i32> {
    vec![SIGINT]
}

/// Returns true if the program should outlive its terminal, as `nohup` arranges it.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    // Only Linux provides this file.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (SIGHUP - 1) & 1 == 1)
}

/// Calls `act` in a background thread for each signal that asks a command to end.
///
/// The first signal is a graceful request. Copies of it that arrive right after are ignored, and
/// any later signal asks to end at once, as SIGQUIT always does.
fn listen_for_shutdown_requests(
    mut act: impl FnMut(ShutdownRequest) + Send + 'static,
) -> io::Result<()> {
    let mut history = SignalHistory::default();
    listen_for_signals(&command_signals(), move |signal| {
        if let Some(request) = history.record(signal, Instant::now()) {
            act(request);
        }
    })
}

/// Request of a signal to a server.
#[cfg(feature = "table")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServerRequest {
    /// Request to end, as a command gets it.
    Shutdown(ShutdownRequest),
    /// Request to open the log file again by its name, after a program has moved it away.
    ReopenLog,
}

/// Calls `act` in a background thread for each request that a signal makes to a server.
///
/// SIGINT, SIGTERM and SIGQUIT ask to end as they ask a command, and SIGUSR1 asks to reopen the
/// log. SIGHUP is ignored if it was when the program started; it asks to end if the server has a
/// terminal, which is closed then, and to reopen the log if it has none.
#[cfg(feature = "table")]
pub(crate) fn listen_for_server_requests(
    mut act: impl FnMut(ServerRequest) + Send + 'static,
) -> io::Result<()> {
    let mut signals = vec![SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2];
    if !ignores_hangup() {
        signals.push(SIGHUP);
    }
    let hangup_ends = std::fs::File::open("/dev/tty").is_ok();
    let mut history = SignalHistory::default();
    listen_for_signals(&signals, move |signal| match signal {
        SIGUSR2 => {}
        SIGUSR1 => act(ServerRequest::ReopenLog),
        SIGHUP if !hangup_ends => act(ServerRequest::ReopenLog),
        _ => {
            if let Some(request) = history.record(signal, Instant::now()) {
                act(ServerRequest::Shutdown(request));
            }
        }
    })
}

/// Calls `act` in a background thread with each of these signals that arrives.
fn listen_for_signals(
    signals: &[i32],
    mut act: impl FnMut(i32) + Send + 'static,
) -> io::Result<()> {
    let (hand_over, handed_over) = mpsc::channel::<SignalListener>();
    let listen = move || {
        let Ok(mut listener) = handed_over.recv() else {
            return;
        };
        loop {
            if let Some(signal) = listener.next() {
                act(signal);
            }
        }
    };
    // Signals are caught only once a thread is there to handle them, or they would be lost.
    Builder::new()
        .name("signals".to_owned())
        .stack_size(LISTENER_STACK_SIZE)
        .spawn(listen)?;
    // The thread is waiting for this message, so sending can't fail.
    let _ = hand_over.send(SignalListener::new(signals)?);
    Ok(())
}

/// Translates signals to requests.
#[derive(Default)]
struct SignalHistory {
    /// Time of the first signal.
    first: Option<Instant>,
}

impl SignalHistory {
    /// Request made by a signal at this time; `None` if it is a copy of the first one.
    fn record(&mut self, signal: i32, now: Instant) -> Option<ShutdownRequest> {
        #[cfg(unix)]
        if signal == SIGQUIT {
            return Some(ShutdownRequest::Immediate);
        }
        #[cfg(not(unix))]
        let _ = signal;
        let Some(first) = self.first else {
            self.first = Some(now);
            return Some(ShutdownRequest::Graceful);
        };
        (now.duration_since(first) >= DUPLICATE_WINDOW).then_some(ShutdownRequest::Immediate)
    }
}

/// Waits for signals that ask the program to end.
#[cfg(unix)]
struct SignalListener(signal_hook::iterator::Signals);

#[cfg(unix)]
impl SignalListener {
    fn new(signals: &[i32]) -> io::Result<Self> {
        signal_hook::iterator::Signals::new(signals).map(Self)
    }

    /// Waits for the next signal.
    fn next(&mut self) -> Option<i32> {
        self.0.forever().next()
    }
}

/// Waits for events of the console that ask the program to end: Ctrl-C, Ctrl-Break, or its closing.
#[cfg(windows)]
struct SignalListener(mpsc::Receiver<()>);

#[cfg(windows)]
impl SignalListener {
    /// Fails if another listener waits already.
    fn new(_: &[i32]) -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        let handle = move || {
            // The program is ending if nobody receives.
            let _ = sender.send(());
        };
        ctrlc::try_set_handler(handle).map_err(io::Error::other)?;
        Ok(Self(receiver))
    }

    /// Waits for the next event.
    fn next(&mut self) -> Option<i32> {
        self.0.recv().ok().map(|()| SIGINT)
    }
}

/// Number that stands for every event of a console.
#[cfg(windows)]
const SIGINT: i32 = 2;

/// Makes a write beyond the file size limit fail with an error: by default, the signal of such a
/// write kills the program without a message.
pub(crate) fn ignore_file_size_signal() {
    #[cfg(unix)]
    {
        let arrived = Arc::new(AtomicBool::new(false));
        // If no handler can be set, such a write still kills the program.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, arrived);
    }
}

#[cfg(test)]
mod tests {
    use super::{SIGINT, ShutdownRequest, SignalHistory};
    use std::time::{Duration, Instant};

    // A signal to a process and to its group arrives twice.
    #[test]
    fn the_second_signal_ends_at_once_unless_it_is_a_copy_of_the_first() {
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut history = SignalHistory::default();
        assert_eq!(
            history.record(SIGINT, at(0)),
            Some(ShutdownRequest::Graceful)
        );
        assert_eq!(history.record(SIGINT, at(499)), None);
        assert_eq!(
            history.record(SIGINT, at(500)),
            Some(ShutdownRequest::Immediate)
        );
        assert_eq!(
            history.record(SIGINT, at(501)),
            Some(ShutdownRequest::Immediate)
        );
    }
}
