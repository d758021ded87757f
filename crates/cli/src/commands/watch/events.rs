//! Event loop of `war watch`: handles keys, signals and new frames of the game, then draws the
//! picture again.

use super::full_screen::{FullScreen, restore_terminal};
use super::terminal::watch_for_hangup;
use crate::machine::follow;
use crate::machine::signals::{
    Interruption, JobControl, interrupt, listen_for_job_control, suspend_process,
};
use crate::watch::{Film, GameInfo, KeyPress, Playback, PlaybackInput, PlaybackWidget};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::widgets::Widget;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use war::i18n::{Catalogue, Lang};
use war::journal::{Judgement, ReadError, UnreadableJournal, Verdict};
use war::projections::frames::{Frame, Frames};
use war::replay::Replay;

/// Event while a game is watched.
#[derive(Debug)]
pub(crate) enum WatchEvent {
    /// Input for the playback.
    Input(PlaybackInput),
    /// Resize of the terminal: the picture must be redrawn.
    Resized,
    /// Stop or continuation of the program by a shell.
    Job(JobControl),
    /// Request to end the program.
    Interrupted,
    /// Loss of the terminal.
    TerminalGone,
    /// Damage to the journal: the game can't be watched any longer.
    Unwatchable,
}

/// Both ends of the channel of events.
pub(crate) struct EventChannel {
    pub(crate) sender: Sender<WatchEvent>,
    pub(crate) receiver: Receiver<WatchEvent>,
}

impl EventChannel {
    /// Opens the channel; from now on, signals become events.
    pub(crate) fn open() -> Self {
        let (sender, receiver) = channel();
        let at_end = sender.clone();
        Interruption::catch_for_full_screen(
            move || send(&at_end, WatchEvent::Interrupted),
            restore_terminal,
        );
        Self { sender, receiver }
    }

    /// Waits for the next event, at most this long if there is a limit.
    pub(crate) fn wait_for_event(&self, within: Option<Duration>) -> Option<WatchEvent> {
        match within {
            Some(within) => self.receiver.recv_timeout(within).ok(),
            None => self.receiver.recv().ok(),
        }
    }

    /// Starts to send events of this terminal.
    ///
    /// # Errors
    ///
    /// If a thread can't be started or a signal can't be handled.
    pub(crate) fn listen(&self, screen: &FullScreen) -> io::Result<()> {
        let (at_job, at_key, gone) = (
            self.sender.clone(),
            self.sender.clone(),
            self.sender.clone(),
        );
        listen_for_job_control(move |job| send(&at_job, WatchEvent::Job(job)))?;
        watch_for_hangup(screen.terminal(), move || {
            send(&gone, WatchEvent::TerminalGone);
        })?;
        let thread = Builder::new().name("keys".to_owned());
        thread.spawn(move || read_keys(&at_key))?;
        Ok(())
    }
}

/// Sends an event; a closed channel means that the program is ending.
fn send(to: &Sender<WatchEvent>, event: WatchEvent) {
    let _ = to.send(event);
}

/// Sends all key presses and size changes until the terminal is gone.
fn read_keys(to: &Sender<WatchEvent>) {
    const OTHER: KeyModifiers = KeyModifiers::CONTROL
        .union(KeyModifiers::ALT)
        .union(KeyModifiers::META);
    while let Ok(event) = event::read() {
        match event {
            Event::Key(key) if key.kind == KeyEventKind::Release => {}
            // Some systems turn Ctrl-C into a key instead of a signal.
            Event::Key(key) if is_interrupt(key) => send(to, WatchEvent::Interrupted),
            Event::Key(key) if key.modifiers.intersects(OTHER) => {}
            Event::Key(key) => {
                if let Some(key) = known_key(key.code) {
                    send(to, WatchEvent::Input(PlaybackInput::Key(key)));
                }
            }
            Event::Resize(..) => send(to, WatchEvent::Resized),
            _ => {}
        }
    }
    send(to, WatchEvent::TerminalGone);
}

fn is_interrupt(key: KeyEvent) -> bool {
    key.code == KeyCode::Char('c') && key.modifiers == KeyModifiers::CONTROL
}

/// Translates a key, if playback can handle it.
const fn known_key(code: KeyCode) -> Option<KeyPress> {
    Some(match code {
        KeyCode::Char(character) => KeyPress::Char(character),
        KeyCode::Left => KeyPress::Left,
        KeyCode::Right => KeyPress::Right,
        KeyCode::Home => KeyPress::Home,
        KeyCode::End => KeyPress::End,
        KeyCode::PageUp => KeyPress::PageUp,
        KeyCode::PageDown => KeyPress::PageDown,
        KeyCode::Enter => KeyPress::Enter,
        KeyCode::Backspace => KeyPress::Backspace,
        KeyCode::Esc => KeyPress::Escape,
        _ => return None,
    })
}

/// Maximum number of events handled before the next picture.
const MAX_EVENTS_PER_PICTURE: usize = 10_000;

/// Reason why watching ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WatchEnd {
    /// Quit by the user.
    Quit,
    /// Game that can't be watched any longer.
    Unwatchable,
    /// Request to end the program, or loss of the terminal.
    Interrupted,
}

/// Shows a playback until it ends, and restores the terminal.
///
/// # Errors
///
/// If the terminal can't be used.
pub(crate) fn show_playback(
    playback: &mut Playback,
    events: &EventChannel,
    (catalogue, colors): (&'static Catalogue, bool),
) -> io::Result<WatchEnd> {
    let mut screen = FullScreen::open(colors)?;
    events.listen(&screen)?;
    let watched = show_on(&mut screen, playback, events, (catalogue, colors));
    match watched {
        // Drawing may fail before the event about the lost terminal arrives.
        Err(_) if screen.terminal().is_gone() => Ok(WatchEnd::Interrupted),
        watched => watched,
    }
}

fn show_on(
    screen: &mut FullScreen,
    playback: &mut Playback,
    events: &EventChannel,
    (catalogue, colors): (&'static Catalogue, bool),
) -> io::Result<WatchEnd> {
    let mut since = Instant::now();
    loop {
        let picture = PlaybackWidget {
            playback,
            catalogue,
            colors,
        };
        screen.draw(|buffer| picture.render(buffer.area, buffer))?;
        let first = events.wait_for_event(playback.time_to_next_turn());
        playback.advance(since.elapsed());
        since = Instant::now();
        let more = events.receiver.try_iter().take(MAX_EVENTS_PER_PICTURE);
        for event in first.into_iter().chain(more) {
            match event {
                WatchEvent::Input(input) => {
                    if !playback.handle(input) {
                        return Ok(WatchEnd::Quit);
                    }
                }
                WatchEvent::Resized => {}
                WatchEvent::Job(JobControl::Suspend) => {
                    restore_terminal();
                    suspend_process();
                }
                WatchEvent::Job(JobControl::Resume) => screen.reopen()?,
                WatchEvent::Interrupted | WatchEvent::TerminalGone => {
                    return Ok(WatchEnd::Interrupted);
                }
                WatchEvent::Unwatchable => return Ok(WatchEnd::Unwatchable),
            }
        }
    }
}

/// Journal that is read in a background thread while it is written.
pub(crate) struct FollowedGame {
    film: Receiver<Film>,
    thread: JoinHandle<Result<Judgement, UnreadableJournal>>,
}

impl FollowedGame {
    /// Starts to follow a journal. The first frame makes the film; all others are sent as events.
    /// If `lang` is given, the journal is verified in this language instead of the one in its
    /// header.
    ///
    /// # Errors
    ///
    /// If no thread can be started.
    pub(crate) fn follow(
        path: &Path,
        lang: Option<Lang>,
        catalogue: &'static Catalogue,
        to: &Sender<WatchEvent>,
    ) -> io::Result<Self> {
        let (first, film) = sync_channel(1);
        let (path, to) = (path.to_owned(), to.clone());
        let follow = move || {
            let mut notifier = EndNotifier {
                sender: &to,
                is_watchable: false,
            };
            let mut first = Some(first);
            let judged = read(&path, lang, |frame, replay| match first.take() {
                Some(first) => {
                    let about = GameInfo::new(replay.header(), replay.seats(), catalogue);
                    // If the receiver is gone, nobody watches any more.
                    let _ = first.send(Film::new(about, [frame]));
                }
                None => send(
                    &to,
                    WatchEvent::Input(PlaybackInput::Frame(Box::new(frame))),
                ),
            });
            notifier.is_watchable = judged.as_ref().is_ok_and(is_watchable);
            judged
        };
        let thread = Builder::new().name("journal".to_owned()).spawn(follow)?;
        Ok(Self { film, thread })
    }

    /// Waits for the first frame; `None` if reading ends without a frame.
    pub(crate) fn wait_for_film(&self) -> Option<Film> {
        self.film.recv().ok()
    }

    /// Waits until reading ends; returns the judgement.
    ///
    /// # Panics
    ///
    /// If the reading thread panicked.
    pub(crate) fn finish(self) -> Result<Judgement, UnreadableJournal> {
        self.thread.join().expect("the reader ends")
    }

    /// Stops reading; returns the judgement so far.
    ///
    /// # Panics
    ///
    /// As for [`finish`](Self::finish).
    pub(crate) fn stop(self) -> Result<Judgement, UnreadableJournal> {
        interrupt();
        self.finish()
    }
}

/// Returns true if a journal can be watched: it has no fault, but may be incomplete.
pub(crate) fn is_watchable(judgement: &Judgement) -> bool {
    matches!(judgement.verdict(), Verdict::Verified | Verdict::Incomplete)
}

/// Sends the final event when reading ends, even by a panic.
struct EndNotifier<'a> {
    sender: &'a Sender<WatchEvent>,
    /// True if the whole journal was read and can be watched.
    is_watchable: bool,
}

impl Drop for EndNotifier<'_> {
    fn drop(&mut self) {
        send(
            self.sender,
            if self.is_watchable {
                WatchEvent::Input(PlaybackInput::EndOfGame)
            } else {
                WatchEvent::Unwatchable
            },
        );
    }
}

/// Reads a journal, and passes on the frame of each event.
fn read(
    path: &Path,
    lang: Option<Lang>,
    mut show: impl FnMut(Frame, &Replay<'_>),
) -> Result<Judgement, UnreadableJournal> {
    let opened = follow::open(path).map_err(ReadError::from);
    let mut replay = match opened.and_then(|input| Replay::open(input, lang)) {
        Ok(replay) => replay,
        Err(error) => return Judgement::from_result(Err(error), None, 0),
    };
    let mut frames = Frames::new(drop);
    let found = loop {
        match replay.next_event(&mut frames) {
            Ok(true) => {}
            Ok(false) => break replay.read_end(),
            Err(error) => break Err(error),
        }
        if let Some(frame) = frames.current_frame() {
            show(frame.clone(), &replay);
        }
    };
    replay.judge(found)
}
