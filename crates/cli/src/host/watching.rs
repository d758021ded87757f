//! Somebody watches a game on the whole terminal.

use crate::host::full_screen::{FullScreen, give_back};
use crate::host::happenings::{Happening, Happenings};
use crate::machine::signals::{JobControl, stop};
use crate::watch::{Picture, Watching};
use ratatui::widgets::Widget;
use std::io;
use std::time::Instant;
use war::i18n::Catalogue;

/// How much may happen before the next picture.
const AT_ONCE: usize = 10_000;

/// How somebody came to watch no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watched {
    /// They have seen enough.
    Enough,
    /// More came of the game, and it can't be watched.
    Refused,
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
    watching: &mut Watching,
    happenings: &Happenings,
    (catalogue, colors): (&'static Catalogue, bool),
) -> io::Result<Watched> {
    let mut screen = FullScreen::take(colors)?;
    happenings.listen(&screen)?;
    let watched = show_on(&mut screen, watching, happenings, (catalogue, colors));
    match watched {
        // A picture may notice it first.
        Err(_) if screen.is_gone() => Ok(Watched::Interrupted),
        watched => watched,
    }
}

fn show_on(
    screen: &mut FullScreen,
    watching: &mut Watching,
    happenings: &Happenings,
    (catalogue, colors): (&'static Catalogue, bool),
) -> io::Result<Watched> {
    let mut since = Instant::now();
    loop {
        let picture = Picture {
            watching,
            catalogue,
            colors,
        };
        screen.draw(|buffer| picture.render(buffer.area, buffer))?;
        let first = happenings.next(watching.due());
        watching.pass(since.elapsed());
        since = Instant::now();
        let more = happenings.from.try_iter().take(AT_ONCE);
        for happening in first.into_iter().chain(more) {
            match happening {
                Happening::Input(input) => {
                    if !watching.take(input) {
                        return Ok(Watched::Enough);
                    }
                }
                Happening::Resized => {}
                Happening::Job(JobControl::Stop) => {
                    give_back();
                    stop();
                }
                Happening::Job(JobControl::GoOn) => screen.take_again()?,
                Happening::End | Happening::Gone => return Ok(Watched::Interrupted),
                Happening::Refused => return Ok(Watched::Refused),
            }
        }
    }
}
