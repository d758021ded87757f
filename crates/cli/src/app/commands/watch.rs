use crate::app::commands::play::{scenarios, shuffled};
use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::{unreadable, write_failed};
use crate::app::scenario_games::with_log;
use crate::app::session::ENGINE;
use crate::app::verdict::{Reading, conclude, not_opened, open, read_all};
use crate::cli::{Watch as Options, Watched as What};
use crate::host::followed_game::{FollowedGame, is_watchable};
use crate::host::full_screen;
use crate::host::happenings::Happenings;
use crate::host::paced::Paced;
use crate::host::watching::{self, Watched};
use crate::machine::audit_log::AuditLog;
use crate::machine::followed;
use crate::machine::output::Printer;
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::text::display;
use crate::machine::text::io_text;
use crate::watch::{About, Film, Watching};
use std::io::{self, Read};
use std::path::Path;
use war::i18n::text;
use war::journal::Header;
use war::projections::audit::Audit;
use war::projections::frames::drawn;
use war::projections::screens::correction_text;
use war::recording::{Opening, Recorder};
use war::replay::Replay;
use war::rules::CLASSIC;
use war::scenario::CLASSIC_PREFIX;

/// Shows a game turn by turn: one that was recorded, that is being recorded, that is dealt, or that
/// begins with given hands.
pub(crate) fn watch(options: &Options, context: &mut Context) -> Result<Exit, Failure> {
    let what = options.watched().map_err(Failure::usage)?;
    if !options.plain && !full_screen::is_there() {
        return Err(Failure::usage(text!(WatchNoTerminal)));
    }
    let game = options.game();
    let seed = game.seed().map_err(Failure::usage)?;
    match what {
        What::Journal(path) if options.follow && options.plain => {
            printed_live(path, options, context)
        }
        What::Journal(path) if options.follow => followed(path, options, context),
        What::Journal(path) if options.plain => printed(path, options, context),
        What::Journal(path) => recorded(path, options, context),
        What::Dealt(setup) => {
            let opening = shuffled(CLASSIC, &setup, seed, context)?;
            with_log(context, |log, context| {
                played(opening, options, log, context)
            })
        }
        What::Scenario => {
            if seed.is_some() {
                context.terminal.note(&text!(SeedWithoutEffect));
            }
            let games = scenarios(game.sources(CLASSIC_PREFIX, context)?, Vec::new());
            with_log(context, |log, context| {
                let Some(source) = games.sources.first() else {
                    return Ok(Exit::Bad);
                };
                match games.opening(source, Box::new(()), log, context)? {
                    Some(opening) => played(opening, options, log, context),
                    None => Ok(Exit::Bad),
                }
            })
        }
    }
}

/// Shows a game while it is played, which is recorded nowhere.
fn played(
    opening: Opening,
    options: &Options,
    log: &AuditLog,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let catalogue = context.terminal.catalogue;
    let recorder = Recorder::new(ENGINE, opening, catalogue.lang());
    let header = recorder.header().clone();
    log.begin(&header);
    let recorder = recorder.with(Audit::new(log.logger().clone()));
    let not_played = |error| write_failed(Path::new(""), &error);
    if options.plain {
        Interruption::of_readers(catalogue);
        let (paced, printer) = screens(&header, options, context);
        let recorder = recorder.with(paced).with(printer);
        recorder
            .play_while(|| !is_interrupted())
            .map_err(not_played)?;
        return unless_interrupted(Exit::Success);
    }
    for text in header.corrections.iter().filter_map(correction_text) {
        context.terminal.warning(&text);
    }
    let (all, played) = drawn(|frames| recorder.with(frames).play());
    played.map_err(not_played)?;
    let film = Film::of(About::of(&header, None, catalogue), all);
    let mut watching = Watching::new(film, options.pace());
    let watched = show(&mut watching, &Happenings::begin(), context)?;
    ended(watched, Exit::Success)
}

/// Shows a recorded game, which is verified first.
fn recorded(path: &Path, options: &Options, context: &mut Context) -> Result<Exit, Failure> {
    let mut replay = match Replay::open(open(path, true)?, context.lang_flag) {
        Ok(replay) => replay,
        Err(error) => return Ok(refused(path, &not_opened(error), context)),
    };
    let (all, found) = drawn(|frames| replay.read_to_end(frames));
    let reading = replay.judged(found);
    let verdict = match &reading {
        Ok(judgement) if is_watchable(judgement) => judgement.verdict().word(),
        _ => return Ok(refused(path, &reading, context)),
    };
    let about = About::of(replay.header(), replay.seats(), context.terminal.catalogue);
    let about = about.with_standing(verdict);
    drop(replay);
    let mut watching = Watching::new(Film::of(about, all), options.pace());
    let watched = show(&mut watching, &Happenings::begin(), context)?;
    ended(watched, conclude(path, &reading, &mut context.terminal))
}

/// Prints the screens of a recorded game, which is verified first.
fn printed(path: &Path, options: &Options, context: &mut Context) -> Result<Exit, Failure> {
    let mut journal = Vec::new();
    let read = open(path, true)?.read_to_end(&mut journal);
    read.map_err(|error| unreadable(path, &error))?;
    let reading = read_all(Replay::open(&journal[..], context.lang_flag), &mut ());
    if !reading.as_ref().is_ok_and(is_watchable) {
        return Ok(refused(path, &reading, context));
    }
    Interruption::of_readers(context.terminal.catalogue);
    if let Ok(mut replay) = Replay::open(&journal[..], context.lang_flag) {
        let mut screens = screens(replay.header(), options, context);
        // What is wrong at its end is known already.
        while !is_interrupted() && replay.event(&mut screens).unwrap_or(false) {}
    }
    unless_interrupted(conclude(path, &reading, &mut context.terminal))
}

/// Shows a game while it is recorded.
fn followed(path: &Path, options: &Options, context: &mut Context) -> Result<Exit, Failure> {
    let (catalogue, happenings) = (context.terminal.catalogue, Happenings::begin());
    let game = FollowedGame::follow(path, context.lang_flag, catalogue, &happenings.to);
    let game = game.map_err(|error| failed(&error))?;
    let Some(film) = game.begun() else {
        return Ok(concluded(path, &game.end(), context));
    };
    let mut watching = Watching::live(film, options.pace());
    let watched = show(&mut watching, &happenings, context);
    let reading = match watched {
        Ok(Watched::Refused) => game.end(),
        Ok(Watched::Enough | Watched::Interrupted) | Err(_) => game.leave(),
    };
    ended(watched?, concluded(path, &reading, context))
}

/// Prints the screens of a game while it is recorded.
fn printed_live(path: &Path, options: &Options, context: &mut Context) -> Result<Exit, Failure> {
    Interruption::of_recordings();
    let input = followed::open(path).map_err(|error| unreadable(path, &error))?;
    let mut replay = match Replay::open(input, context.lang_flag) {
        Ok(replay) => replay,
        Err(error) => return Ok(refused(path, &not_opened(error), context)),
    };
    let mut screens = screens(replay.header(), options, context);
    let found = replay.read_to_end(&mut screens);
    let reading = replay.judged(found);
    Ok(concluded(path, &reading, context))
}

/// What prints a game with this header at the pace asked for.
fn screens(header: &Header, options: &Options, context: &Context) -> (Paced, Printer) {
    let out = &context.terminal.out;
    let lang = context.lang_flag.unwrap_or(header.lang);
    let printer = Printer::new(out.clone(), 0..=u32::MAX, header, lang);
    (Paced::new(out.clone(), options.pace().pause()), printer)
}

/// Shows it on the whole terminal.
fn show(
    watching: &mut Watching,
    happenings: &Happenings,
    context: &mut Context,
) -> Result<Watched, Failure> {
    context.terminal.flush();
    let look = (context.terminal.catalogue, context.terminal.is_colored());
    watching::show(watching, happenings, look).map_err(|error| failed(&error))
}

/// Reports what a journal is that can't be watched.
fn refused(path: &Path, reading: &Reading, context: &mut Context) -> Exit {
    let exit = conclude(path, reading, &mut context.terminal);
    if reading.is_ok() {
        let text = text!(WatchRefused, file = display(path));
        context.terminal.error(&text);
    }
    exit
}

/// Reports what a journal is that was followed.
fn concluded(path: &Path, reading: &Reading, context: &mut Context) -> Exit {
    match reading {
        Ok(judgement) if is_watchable(judgement) => {
            if judgement.end().is_none() && is_interrupted() {
                context.terminal.note(&text!(FollowInterrupted));
            }
            conclude(path, reading, &mut context.terminal)
        }
        _ => refused(path, reading, context),
    }
}

/// How the program ends that was watched in this way.
fn ended(watched: Watched, exit: Exit) -> Result<Exit, Failure> {
    match watched {
        Watched::Interrupted => Err(interrupted()),
        Watched::Enough | Watched::Refused => Ok(exit),
    }
}

fn unless_interrupted(exit: Exit) -> Result<Exit, Failure> {
    if is_interrupted() {
        Err(interrupted())
    } else {
        Ok(exit)
    }
}

fn interrupted() -> Failure {
    Failure::new(Exit::Incomplete, text!(Interrupted))
}

fn failed(error: &io::Error) -> Failure {
    let text = text!(WatchFailed, reason = io_text(error));
    Failure::new(Exit::InputOutput, text)
}
