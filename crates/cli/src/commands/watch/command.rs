//! `war watch`: its options, and what is shown.

use super::events::{self, FollowedGame, Happenings, is_watchable};
use super::full_screen;
use crate::arguments::journal::JournalForm;
use crate::arguments::values;
use crate::commands::games::{ENGINE, GameOptions, with_log};
use crate::commands::play::{scenarios, shuffled};
use crate::context::Context;
use crate::failure::{Exit, Failure, unreadable, write_failed};
use crate::machine::audit_log::AuditLog;
use crate::machine::followed;
use crate::machine::output::{Output, Printer};
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::text::{display, io_text};
use crate::verdict::{Reading, conclude, not_opened, open, read_all};
use crate::watch::{About, Film, Pace, Watching};
use clap::{Args, ValueHint};
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};
use war::engine::{Projection, State};
use war::i18n::{Text, text};
use war::journal::Header;
use war::projections::audit::Audit;
use war::projections::frames::drawn;
use war::projections::screens::correction_text;
use war::recording::{Opening, Recorder};
use war::replay::Replay;
use war::rules::CLASSIC;
use war::scenario::CLASSIC_PREFIX;
use war::setup::Setup;

const WATCH_USAGE: &str = "\
war watch [OPTIONS] FILE
       war watch [OPTIONS] PLAYERS DECK
       war watch [OPTIONS] --scenario X";

pub(crate) const WATCH_EXAMPLES: &str = "\
Examples:
  war watch game.json                  watch a recorded game
  war watch 4 small --seed 1           deal a game, and watch it
  war watch --scenario example         watch a game of given hands
  war watch --follow game.json         watch a game while it is recorded
  war watch --plain game.json          print its screens, a turn a second

Space pauses, the arrows step, + and - change the speed, n goes to the next war,
/ to a turn, ? explains all keys, and q quits. Colors follow `--color` and
NO_COLOR. The terminal needs 80 columns and 24 rows.

A journal is verified first, and the verdict goes to standard error at the end.
A game is shown only if its journal is VERIFIED or INCOMPLETE.";

#[derive(Debug, Args)]
#[command(override_usage = WATCH_USAGE)]
pub(crate) struct Watch {
    /// Journal to watch, or - for standard input; or the number of players, 1 to 5, and the deck,
    /// `small` or `large`, to deal a game
    #[arg(value_name = "FILE|PLAYERS DECK", num_args = 0.., allow_negative_numbers = true, value_hint = ValueHint::FilePath)]
    values: Vec<OsString>,
    /// Seed to deal from, 0 to 18446744073709551615 [default: a random one, printed to stderr]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    seed: Option<String>,
    /// Scenario to watch: a path, a name in any letter case, or - for standard input
    #[arg(long, value_name = "X", value_hint = ValueHint::FilePath)]
    scenario: Option<OsString>,
    /// Directory to look for scenarios in [default: `WAR_SCENARIOS`, else ./scenarios]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    scenarios: Option<PathBuf>,
    /// Watch a game while it is being recorded: show each turn as soon as it is written
    #[arg(long)]
    pub(crate) follow: bool,
    /// Print the screens of the game one after the other, as for a screen reader
    #[arg(long)]
    pub(crate) plain: bool,
    /// Turns a second at the start [default: 1]
    #[arg(long, value_name = "TURNS", value_parser = values::pace())]
    speed: Option<Pace>,
}

/// What is to be watched.
pub(crate) enum Watched<'a> {
    /// A recorded game, or one that is being recorded.
    Journal(&'a Path),
    /// A game that is dealt.
    Dealt(Setup),
    /// A game of given hands.
    Scenario,
}

impl Watch {
    /// What is to be watched.
    ///
    /// # Errors
    ///
    /// What is wrong with what was typed.
    pub(crate) fn watched(&self) -> Result<Watched<'_>, Text> {
        let watched = match (&self.values[..], &self.scenario) {
            ([], Some(_)) => Watched::Scenario,
            ([file], None) => Watched::Journal(Path::new(file)),
            ([players, deck], None) => Watched::Dealt(Setup::from_typed(
                &players.to_string_lossy(),
                &deck.to_string_lossy(),
            )),
            _ => return Err(text!(WatchWhat)),
        };
        match watched {
            Watched::Dealt(_) | Watched::Scenario if self.follow => Err(text!(WatchFollowsFile)),
            Watched::Journal(_) if self.seed.is_some() => Err(text!(WatchSeedOfFile)),
            watched => Ok(watched),
        }
    }

    /// How fast turns follow each other.
    pub(crate) fn pace(&self) -> Pace {
        self.speed.unwrap_or_default()
    }

    /// The options of a game that is recorded nowhere.
    pub(crate) fn game(&self) -> GameOptions {
        GameOptions {
            seed: self.seed.clone(),
            journal: None,
            journal_dir: None,
            form: JournalForm::default(),
            scenario: self.scenario.clone(),
            scenarios: self.scenarios.clone(),
            result: None,
        }
    }

    /// The journal and the scenario, each of which may be standard input.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Path> {
        let journal = match &self.values[..] {
            [file] => Some(file),
            _ => None,
        };
        journal.into_iter().chain(&self.scenario).map(Path::new)
    }

    /// The directory of scenarios.
    pub(crate) const fn directory(&self) -> Option<&PathBuf> {
        self.scenarios.as_ref()
    }
}

/// Shows a game turn by turn: one that was recorded, that is being recorded, that is dealt, or that
/// begins with given hands.
pub(crate) fn watch(options: &Watch, context: &mut Context) -> Result<Exit, Failure> {
    let what = options.watched().map_err(Failure::usage)?;
    if !options.plain && !full_screen::is_there() {
        return Err(Failure::usage(text!(WatchNoTerminal)));
    }
    let game = options.game();
    let seed = game.seed().map_err(Failure::usage)?;
    match what {
        Watched::Journal(path) if options.follow && options.plain => {
            printed_live(path, options, context)
        }
        Watched::Journal(path) if options.follow => followed(path, options, context),
        Watched::Journal(path) if options.plain => printed(path, options, context),
        Watched::Journal(path) => recorded(path, options, context),
        Watched::Dealt(setup) => {
            let opening = shuffled(CLASSIC, &setup, seed, context)?;
            with_log(context, |log, context| {
                played(opening, options, log, context)
            })
        }
        Watched::Scenario => {
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
    options: &Watch,
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
fn recorded(path: &Path, options: &Watch, context: &mut Context) -> Result<Exit, Failure> {
    let mut replay = match Replay::open(open(path, true)?, context.lang_flag) {
        Ok(replay) => replay,
        Err(error) => return Ok(refused(path, &not_opened(error), context)),
    };
    let (all, found) = drawn(|frames| replay.read_to_end(frames));
    let reading = replay.judge(found);
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
fn printed(path: &Path, options: &Watch, context: &mut Context) -> Result<Exit, Failure> {
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
fn followed(path: &Path, options: &Watch, context: &mut Context) -> Result<Exit, Failure> {
    let (catalogue, happenings) = (context.terminal.catalogue, Happenings::begin());
    let game = FollowedGame::follow(path, context.lang_flag, catalogue, &happenings.to);
    let game = game.map_err(|error| failed(&error))?;
    let Some(film) = game.begun() else {
        return Ok(concluded(path, &game.end(), context));
    };
    let mut watching = Watching::live(film, options.pace());
    let watched = show(&mut watching, &happenings, context);
    let reading = match watched {
        Ok(events::Watched::Refused) => game.end(),
        Ok(events::Watched::Enough | events::Watched::Interrupted) | Err(_) => game.leave(),
    };
    ended(watched?, concluded(path, &reading, context))
}

/// Prints the screens of a game while it is recorded.
fn printed_live(path: &Path, options: &Watch, context: &mut Context) -> Result<Exit, Failure> {
    Interruption::of_recordings();
    let input = followed::open(path).map_err(|error| unreadable(path, &error))?;
    let mut replay = match Replay::open(input, context.lang_flag) {
        Ok(replay) => replay,
        Err(error) => return Ok(refused(path, &not_opened(error), context)),
    };
    let mut screens = screens(replay.header(), options, context);
    let found = replay.read_to_end(&mut screens);
    let reading = replay.judge(found);
    Ok(concluded(path, &reading, context))
}

/// What prints a game with this header at the pace asked for.
fn screens(header: &Header, options: &Watch, context: &Context) -> (Paced, Printer) {
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
) -> Result<events::Watched, Failure> {
    context.terminal.flush();
    let look = (context.terminal.catalogue, context.terminal.is_colored());
    events::show(watching, happenings, look).map_err(|error| failed(&error))
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
fn ended(watched: events::Watched, exit: Exit) -> Result<Exit, Failure> {
    match watched {
        events::Watched::Interrupted => Err(interrupted()),
        events::Watched::Enough | events::Watched::Refused => Ok(exit),
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
    fn project(&mut self, _: &S::Event, state: &S) {
        let before = self.turn.replace(state.turn());
        if before.is_some_and(|before| before != state.turn()) {
            self.wait();
        }
    }
}
