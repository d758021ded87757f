//! What happens while a game is watched: keys, signals, and what comes of the game, which may still
//! be recorded; and the picture of it that follows.

use super::full_screen::{FullScreen, restore_terminal};
use crate::machine::follow;
use crate::machine::signals::{
    Interruption, JobControl, interrupt, on_job_control, suspend_process,
};
use crate::watch::{Film, GameInfo, Input, Key, Picture, Playback};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::widgets::Widget;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::termios::isatty;
use std::fs::File;
use std::io::{self, stdin};
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use war::i18n::{Catalogue, Lang};
use war::journal::{Judgement, ReadError, UnreadableJournal, Verdict};
use war::projections::frames::{Frame, Frames};
use war::replay::Replay;

/// What happens to somebody who watches.
#[derive(Debug)]
pub(crate) enum WatchEvent {
    /// Something changes what is watched.
    Input(Input),
    /// The picture has to be drawn again.
    Resized,
    /// A shell stops the program, or lets it go on.
    Job(JobControl),
    /// The program is asked to end.
    Interrupted,
    /// The terminal is gone.
    TerminalGone,
    /// What came of the game can't be watched: its journal is damaged.
    Unwatchable,
}

/// What happens, and the way to say that something does.
pub(crate) struct EventChannel {
    pub(crate) to: Sender<WatchEvent>,
    pub(crate) from: Receiver<WatchEvent>,
}

impl EventChannel {
    /// Nothing yet; from now on, a signal does not end the program but happens.
    pub(crate) fn open() -> Self {
        let (to, from) = channel();
        let at_end = to.clone();
        Interruption::catch_for_full_screen(
            move || send(&at_end, WatchEvent::Interrupted),
            restore_terminal,
        );
        Self { to, from }
    }

    /// The next thing that happens, if any does in this time, where there is a limit.
    pub(crate) fn next(&self, within: Option<Duration>) -> Option<WatchEvent> {
        match within {
            Some(within) => self.from.recv_timeout(within).ok(),
            None => self.from.recv().ok(),
        }
    }

    /// Listens from now on to what happens at this terminal.
    ///
    /// # Errors
    ///
    /// Where no thread can be started, or no signal be heard.
    pub(crate) fn listen(&self, screen: &FullScreen) -> io::Result<()> {
        let (at_job, at_key, gone) = (self.to.clone(), self.to.clone(), self.to.clone());
        on_job_control(move |job| send(&at_job, WatchEvent::Job(job)))?;
        let terminals = terminals(screen)?;
        let wait = move || {
            wait_until_gone(&terminals);
            send(&gone, WatchEvent::TerminalGone);
        };
        let thread = |name: &str| Builder::new().name(name.to_owned());
        thread("terminal").spawn(wait)?;
        thread("keys").spawn(move || read_keys(&at_key))?;
        Ok(())
    }
}

/// Says what happens; where nobody takes it any more, the program is ending.
fn send(to: &Sender<WatchEvent>, event: WatchEvent) {
    let _ = to.send(event);
}

/// The terminals that may go away: the one that is drawn on, and the one that is typed on.
fn terminals(screen: &FullScreen) -> io::Result<Vec<File>> {
    let mut terminals = vec![screen.terminal()?];
    if isatty(stdin()) {
        terminals.push(File::from(stdin().as_fd().try_clone_to_owned()?));
    }
    Ok(terminals)
}

/// Waits until one of these terminals is gone.
///
/// Not everybody hears of it by a signal, and what reads keys waits on for ever where there can't
/// be any.
fn wait_until_gone(terminals: &[File]) {
    let nothing = PollFlags::empty();
    let fds = terminals.iter();
    let mut fds: Vec<_> = fds.map(|file| PollFd::new(file, nothing)).collect();
    while poll(&mut fds, None) == Err(Errno::INTR) {}
}

/// Tells of each key and of each change of the size, as long as there can be any.
fn read_keys(to: &Sender<WatchEvent>) {
    const OTHER: KeyModifiers = KeyModifiers::CONTROL
        .union(KeyModifiers::ALT)
        .union(KeyModifiers::META);
    while let Ok(event) = event::read() {
        match event {
            Event::Key(key) if key.kind == KeyEventKind::Release => {}
            Event::Key(key) if key.modifiers.intersects(OTHER) => {}
            Event::Key(key) => {
                if let Some(key) = known_key(key.code) {
                    send(to, WatchEvent::Input(Input::Key(key)));
                }
            }
            Event::Resize(..) => send(to, WatchEvent::Resized),
            _ => {}
        }
    }
    send(to, WatchEvent::TerminalGone);
}

/// The key, if it can mean something.
const fn known_key(code: KeyCode) -> Option<Key> {
    Some(match code {
        KeyCode::Char(character) => Key::Char(character),
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Enter => Key::Enter,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Esc => Key::Escape,
        _ => return None,
    })
}

/// How much may happen before the next picture.
const MAX_EVENTS_PER_PICTURE: usize = 10_000;

/// How somebody came to watch no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WatchEnd {
    /// They have seen enough.
    Quit,
    /// More came of the game, and it can't be watched.
    Unwatchable,
    /// The program was asked to end, or the terminal is gone.
    Interrupted,
}

/// Shows what is watched until somebody ends it, in colors or without them, and gives the terminal
/// back.
///
/// # Errors
///
/// Where the terminal can't be used.
pub(crate) fn show(
    playback: &mut Playback,
    events: &EventChannel,
    (catalogue, colors): (&'static Catalogue, bool),
) -> io::Result<WatchEnd> {
    let mut screen = FullScreen::open(colors)?;
    events.listen(&screen)?;
    let watched = show_on(&mut screen, playback, events, (catalogue, colors));
    match watched {
        // A picture may notice it first.
        Err(_) if screen.is_gone() => Ok(WatchEnd::Interrupted),
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
        let picture = Picture {
            playback,
            catalogue,
            colors,
        };
        screen.draw(|buffer| picture.render(buffer.area, buffer))?;
        let first = events.next(playback.until_next_turn());
        playback.advance(since.elapsed());
        since = Instant::now();
        let more = events.from.try_iter().take(MAX_EVENTS_PER_PICTURE);
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

/// A journal that is read on a thread of its own, as far as it is written.
pub(crate) struct FollowedGame {
    film: Receiver<Film>,
    thread: JoinHandle<Result<Judgement, UnreadableJournal>>,
}

impl FollowedGame {
    /// Follows a journal from now on; what comes of it after its first event happens.
    ///
    /// `lang` is a language to verify it in that is not its own.
    ///
    /// # Errors
    ///
    /// Where no thread can be started.
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
                to: &to,
                is_watchable: false,
            };
            let mut first = Some(first);
            let judged = read(&path, lang, |frame, replay| match first.take() {
                Some(first) => {
                    let about = GameInfo::new(replay.header(), replay.seats(), catalogue);
                    // Where nobody waits for it any more, nobody watches.
                    let _ = first.send(Film::new(about, [frame]));
                }
                None => send(&to, WatchEvent::Input(Input::Frame(Box::new(frame)))),
            });
            notifier.is_watchable = judged.as_ref().is_ok_and(is_watchable);
            judged
        };
        let thread = Builder::new().name("journal".to_owned()).spawn(follow)?;
        Ok(Self { film, thread })
    }

    /// Waits for the first event; `None` where the reading is over before there is any.
    pub(crate) fn wait_for_film(&self) -> Option<Film> {
        self.film.recv().ok()
    }

    /// Waits until the reading is over; the result is what the journal turned out to be.
    ///
    /// # Panics
    ///
    /// Where the reading thread did.
    pub(crate) fn finish(self) -> Result<Judgement, UnreadableJournal> {
        self.thread.join().expect("the reader ends")
    }

    /// Reads no more; the result is what the journal turned out to be so far.
    ///
    /// # Panics
    ///
    /// As [`end`](Self::end).
    pub(crate) fn stop(self) -> Result<Judgement, UnreadableJournal> {
        interrupt();
        self.finish()
    }
}

/// Whether a journal can be watched: nothing is wrong with what there is of it.
pub(crate) fn is_watchable(judgement: &Judgement) -> bool {
    matches!(judgement.verdict(), Verdict::Verified | Verdict::Incomplete)
}

/// A journal that is being read; when that is over, those who watch hear of it.
struct EndNotifier<'a> {
    to: &'a Sender<WatchEvent>,
    /// Whether all of it can be watched.
    is_watchable: bool,
}

impl Drop for EndNotifier<'_> {
    fn drop(&mut self) {
        send(
            self.to,
            if self.is_watchable {
                WatchEvent::Input(Input::EndOfGame)
            } else {
                WatchEvent::Unwatchable
            },
        );
    }
}

/// Reads a journal, and shows the frame of each event with what it is a part of.
fn read(
    path: &Path,
    lang: Option<Lang>,
    mut show: impl FnMut(Frame, &Replay<'_>),
) -> Result<Judgement, UnreadableJournal> {
    let opened = follow::open(path).map_err(ReadError::from);
    let mut replay = match opened.and_then(|input| Replay::open(input, lang)) {
        Ok(replay) => replay,
        Err(error) => return Judgement::of(Err(error), None, 0),
    };
    let mut frames = Frames::new(drop);
    let found = loop {
        match replay.event(&mut frames) {
            Ok(true) => {}
            Ok(false) => break replay.end(),
            Err(error) => break Err(error),
        }
        if let Some(frame) = frames.open() {
            show(frame.clone(), &replay);
        }
    };
    replay.judge(found)
}
