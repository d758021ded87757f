//! A game whose journal is still being written, for those who watch it.

use super::events::{Happening, tell};
use crate::machine::followed;
use crate::machine::signals::interrupt;
use crate::watch::{About, Film, Input};
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, sync_channel};
use std::thread::{Builder, JoinHandle};
use war::i18n::{Catalogue, Lang};
use war::journal::{Judgement, ReadError, Unread, Verdict};
use war::projections::frames::{Frame, Frames};
use war::replay::Replay;

/// A journal that is read on a thread of its own, as far as it is written.
pub(crate) struct FollowedGame {
    begun: Receiver<Film>,
    thread: JoinHandle<Result<Judgement, Unread>>,
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
        to: &Sender<Happening>,
    ) -> io::Result<Self> {
        let (first, begun) = sync_channel(1);
        let (path, to) = (path.to_owned(), to.clone());
        let follow = move || {
            let mut reading = Reading {
                to: &to,
                is_watchable: false,
            };
            let mut first = Some(first);
            let judged = read(&path, lang, |frame, replay| match first.take() {
                Some(first) => {
                    let about = About::of(replay.header(), replay.seats(), catalogue);
                    // Where nobody waits for it any more, nobody watches.
                    let _ = first.send(Film::of(about, [frame]));
                }
                None => tell(&to, Happening::Input(Input::Frame(Box::new(frame)))),
            });
            reading.is_watchable = judged.as_ref().is_ok_and(is_watchable);
            judged
        };
        let thread = Builder::new().name("journal".to_owned()).spawn(follow)?;
        Ok(Self { begun, thread })
    }

    /// Waits for the first event; `None` where the reading is over before there is any.
    pub(crate) fn begun(&self) -> Option<Film> {
        self.begun.recv().ok()
    }

    /// Waits until the reading is over; the result is what the journal turned out to be.
    ///
    /// # Panics
    ///
    /// Where the reading thread did.
    pub(crate) fn end(self) -> Result<Judgement, Unread> {
        self.thread.join().expect("the reader ends")
    }

    /// Reads no more; the result is what the journal turned out to be so far.
    ///
    /// # Panics
    ///
    /// As [`end`](Self::end).
    pub(crate) fn leave(self) -> Result<Judgement, Unread> {
        interrupt();
        self.end()
    }
}

/// Whether a journal can be watched: nothing is wrong with what there is of it.
pub(crate) fn is_watchable(judgement: &Judgement) -> bool {
    matches!(judgement.verdict(), Verdict::Verified | Verdict::Incomplete)
}

/// A journal that is being read; when that is over, those who watch hear of it.
struct Reading<'a> {
    to: &'a Sender<Happening>,
    /// Whether all of it can be watched.
    is_watchable: bool,
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        tell(
            self.to,
            if self.is_watchable {
                Happening::Input(Input::Over)
            } else {
                Happening::Refused
            },
        );
    }
}

/// Reads a journal, and shows the frame of each event with what it is a part of.
fn read(
    path: &Path,
    lang: Option<Lang>,
    mut show: impl FnMut(Frame, &Replay<'_>),
) -> Result<Judgement, Unread> {
    let opened = followed::open(path).map_err(ReadError::from);
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
    replay.judged(found)
}
