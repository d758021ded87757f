//! `war watch`: its options, and the games it shows.

use super::events::{self, EventChannel, FollowedGame, is_watchable};
use super::terminal;
use crate::arguments::journal::JournalOptions;
use crate::arguments::values;
use crate::commands::games::{ENGINE, GameOptions, run_with_audit_log};
use crate::commands::play::{classic_scenarios, deal_opening};
use crate::context::Context;
use crate::failure::{ExitStatus, Failure, read_failure, write_failure};
use crate::machine::audit_log::AuditLog;
use crate::machine::follow;
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::stdout::{Printer, StandardOutput};
use crate::machine::text::{io_text, path_text};
use crate::verdict::{
    JournalReading, judge_unopened_journal, open_journal, read_journal, report_verdict,
};
use crate::watch::{Film, GameInfo, Pace, Playback};
use clap::{Args, ValueHint};
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};
use war::engine::{Projection, State};
use war::i18n::{Text, text};
use war::journal::Header;
use war::projections::audit::AuditProjection;
use war::projections::frames::collect_frames;
use war::projections::screens::correction_text;
use war::recording::{NewGame, Recorder};
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
pub(crate) struct WatchArgs {
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
    #[arg(long, value_name = "TURNS", value_parser = values::pace_parser())]
    speed: Option<Pace>,
}

/// Game to watch.
pub(crate) enum WatchSubject<'a> {
    /// Recorded game, finished or still being recorded.
    Journal(&'a Path),
    /// Game that is dealt to be watched.
    Dealt(Setup),
    /// Game of a scenario.
    Scenario,
}

impl WatchArgs {
    /// Returns the game to watch.
    ///
    /// # Errors
    ///
    /// If the arguments name no game, or an option does not apply to the game.
    pub(crate) fn parse_subject(&self) -> Result<WatchSubject<'_>, Text> {
        let watched = match (&self.values[..], &self.scenario) {
            ([], Some(_)) => WatchSubject::Scenario,
            ([file], None) => WatchSubject::Journal(Path::new(file)),
            ([players, deck], None) => WatchSubject::Dealt(Setup::from_typed(
                &players.to_string_lossy(),
                &deck.to_string_lossy(),
            )),
            _ => return Err(text!(WatchWhat)),
        };
        match watched {
            WatchSubject::Dealt(_) | WatchSubject::Scenario if self.follow => {
                Err(text!(WatchFollowsFile))
            }
            WatchSubject::Journal(_) if self.seed.is_some() => Err(text!(WatchSeedOfFile)),
            watched => Ok(watched),
        }
    }

    pub(crate) fn pace(&self) -> Pace {
        self.speed.unwrap_or_default()
    }

    /// Options of a game that is not recorded.
    pub(crate) fn to_game_options(&self) -> GameOptions {
        GameOptions {
            seed: self.seed.clone(),
            journal: None,
            journal_dir: None,
            form: JournalOptions::default(),
            scenario: self.scenario.clone(),
            scenarios: self.scenarios.clone(),
            result: None,
        }
    }

    /// Files that may be standard input: the journal and the scenario.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Path> {
        let journal = match &self.values[..] {
            [file] => Some(file),
            _ => None,
        };
        journal.into_iter().chain(&self.scenario).map(Path::new)
    }

    pub(crate) const fn directory(&self) -> Option<&PathBuf> {
        self.scenarios.as_ref()
    }
}

/// Shows a game turn by turn: recorded, still being recorded, dealt, or of a scenario.
pub(crate) fn watch(options: &WatchArgs, context: &mut Context) -> Result<ExitStatus, Failure> {
    let what = options.parse_subject().map_err(Failure::usage)?;
    if !options.plain && !terminal::is_available() {
        return Err(Failure::usage(text!(WatchNoTerminal)));
    }
    let game = options.to_game_options();
    let seed = game.parse_seed().map_err(Failure::usage)?;
    match what {
        WatchSubject::Journal(path) if options.follow && options.plain => {
            print_followed(path, options, context)
        }
        WatchSubject::Journal(path) if options.follow => watch_followed(path, options, context),
        WatchSubject::Journal(path) if options.plain => print_recorded(path, options, context),
        WatchSubject::Journal(path) => watch_recorded(path, options, context),
        WatchSubject::Dealt(setup) => {
            let opening = deal_opening(CLASSIC, &setup, seed, context)?;
            run_with_audit_log(context, |log, context| {
                watch_new_game(opening, options, log, context)
            })
        }
        WatchSubject::Scenario => {
            if seed.is_some() {
                context.terminal.report_note(&text!(SeedWithoutEffect));
            }
            let games =
                classic_scenarios(game.find_scenarios(CLASSIC_PREFIX, context)?, Vec::new());
            run_with_audit_log(context, |log, context| {
                let Some(source) = games.sources.first() else {
                    return Ok(ExitStatus::InvalidData);
                };
                match games.load_opening(source, Box::new(()), log, context)? {
                    Some(opening) => watch_new_game(opening, options, log, context),
                    None => Ok(ExitStatus::InvalidData),
                }
            })
        }
    }
}

/// Plays and shows a game that is not recorded.
fn watch_new_game(
    opening: NewGame,
    options: &WatchArgs,
    log: &AuditLog,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let catalogue = context.terminal.catalogue;
    let recorder = Recorder::new(ENGINE, opening, catalogue.lang());
    let header = recorder.header().clone();
    log.log_game(&header);
    let recorder = recorder.with_projection(AuditProjection::new(log.logger().clone()));
    let not_played = |error| write_failure(Path::new(""), &error);
    if options.plain {
        Interruption::catch_for_reading(catalogue);
        let (pacer, printer) = screen_printer(&header, options, context);
        let recorder = recorder.with_projection(pacer).with_projection(printer);
        recorder
            .play_while(|| !is_interrupted())
            .map_err(not_played)?;
        return unless_interrupted(ExitStatus::Success);
    }
    for text in header.corrections.iter().filter_map(correction_text) {
        context.terminal.report_warning(&text);
    }
    let (all, played) = collect_frames(|frames| recorder.with_projection(frames).play());
    played.map_err(not_played)?;
    let film = Film::new(GameInfo::new(&header, None, catalogue), all);
    let mut playback = Playback::new(film, options.pace());
    let watched = show(&mut playback, &EventChannel::open(), context)?;
    exit_after(watched, ExitStatus::Success)
}

/// Verifies and shows a recorded game.
fn watch_recorded(
    path: &Path,
    options: &WatchArgs,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let mut replay = match Replay::open(open_journal(path)?, context.lang_flag) {
        Ok(replay) => replay,
        Err(error) => {
            return Ok(report_unwatchable(
                path,
                &judge_unopened_journal(error),
                context,
            ));
        }
    };
    let (all, found) = collect_frames(|frames| replay.read_to_end(frames));
    let reading = replay.judge(found);
    let verdict = match &reading {
        Ok(judgement) if is_watchable(judgement) => judgement.verdict().name(),
        _ => return Ok(report_unwatchable(path, &reading, context)),
    };
    let about = GameInfo::new(replay.header(), replay.seats(), context.terminal.catalogue);
    let about = about.with_status(verdict);
    drop(replay);
    let mut playback = Playback::new(Film::new(about, all), options.pace());
    let watched = show(&mut playback, &EventChannel::open(), context)?;
    exit_after(
        watched,
        report_verdict(path, &reading, &mut context.terminal),
    )
}

/// Verifies a recorded game, and prints its screens.
fn print_recorded(
    path: &Path,
    options: &WatchArgs,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let mut journal = Vec::new();
    let read = open_journal(path)?.read_to_end(&mut journal);
    read.map_err(|error| read_failure(path, &error))?;
    let reading = read_journal(Replay::open(&journal[..], context.lang_flag), &mut ());
    if !reading.as_ref().is_ok_and(is_watchable) {
        return Ok(report_unwatchable(path, &reading, context));
    }
    Interruption::catch_for_reading(context.terminal.catalogue);
    if let Ok(mut replay) = Replay::open(&journal[..], context.lang_flag) {
        let mut screens = screen_printer(replay.header(), options, context);
        // A fault at the end of the journal was already found when the journal was verified.
        while !is_interrupted() && replay.next_event(&mut screens).unwrap_or(false) {}
    }
    unless_interrupted(report_verdict(path, &reading, &mut context.terminal))
}

/// Shows a game while it is recorded.
fn watch_followed(
    path: &Path,
    options: &WatchArgs,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let (catalogue, channel) = (context.terminal.catalogue, EventChannel::open());
    let game = FollowedGame::follow(path, context.lang_flag, catalogue, &channel.sender);
    let game = game.map_err(|error| terminal_failure(&error))?;
    let Some(film) = game.wait_for_film() else {
        return Ok(report_followed(path, &game.finish(), context));
    };
    let mut playback = Playback::live(film, options.pace());
    let watched = show(&mut playback, &channel, context);
    let reading = match watched {
        Ok(events::WatchEnd::Unwatchable) => game.finish(),
        Ok(events::WatchEnd::Quit | events::WatchEnd::Interrupted) | Err(_) => game.stop(),
    };
    exit_after(watched?, report_followed(path, &reading, context))
}

/// Prints the screens of a game while it is recorded.
fn print_followed(
    path: &Path,
    options: &WatchArgs,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    Interruption::catch_for_recording();
    let input = follow::open(path).map_err(|error| read_failure(path, &error))?;
    let mut replay = match Replay::open(input, context.lang_flag) {
        Ok(replay) => replay,
        Err(error) => {
            return Ok(report_unwatchable(
                path,
                &judge_unopened_journal(error),
                context,
            ));
        }
    };
    let mut screens = screen_printer(replay.header(), options, context);
    let found = replay.read_to_end(&mut screens);
    let reading = replay.judge(found);
    Ok(report_followed(path, &reading, context))
}

/// Printer of a game's screens, with the pacer that waits between turns.
fn screen_printer(header: &Header, options: &WatchArgs, context: &Context) -> (TurnPacer, Printer) {
    let out = &context.terminal.out;
    let lang = context.lang_flag.unwrap_or(header.lang);
    let printer = Printer::new(out.clone(), 0..=u32::MAX, header, lang);
    (
        TurnPacer::new(out.clone(), options.pace().turn_duration()),
        printer,
    )
}

/// Shows the playback on the full screen.
fn show(
    playback: &mut Playback,
    channel: &EventChannel,
    context: &mut Context,
) -> Result<events::WatchEnd, Failure> {
    context.terminal.flush();
    let look = (context.terminal.catalogue, context.terminal.is_colored());
    events::show_playback(playback, channel, look).map_err(|error| terminal_failure(&error))
}

/// Reports the verdict on a journal that can't be watched.
fn report_unwatchable(path: &Path, reading: &JournalReading, context: &mut Context) -> ExitStatus {
    let exit = report_verdict(path, reading, &mut context.terminal);
    if reading.is_ok() {
        let text = text!(WatchRefused, file = path_text(path));
        context.terminal.report_error(&text);
    }
    exit
}

/// Reports the verdict on a journal that was followed.
fn report_followed(path: &Path, reading: &JournalReading, context: &mut Context) -> ExitStatus {
    match reading {
        Ok(judgement) if is_watchable(judgement) => {
            if judgement.end().is_none() && is_interrupted() {
                context.terminal.report_note(&text!(FollowInterrupted));
            }
            report_verdict(path, reading, &mut context.terminal)
        }
        _ => report_unwatchable(path, reading, context),
    }
}

/// Exit status of the program after watching ended in this way.
fn exit_after(watched: events::WatchEnd, exit: ExitStatus) -> Result<ExitStatus, Failure> {
    match watched {
        events::WatchEnd::Interrupted => Err(interrupted_failure()),
        events::WatchEnd::Quit | events::WatchEnd::Unwatchable => Ok(exit),
    }
}

fn unless_interrupted(exit: ExitStatus) -> Result<ExitStatus, Failure> {
    if is_interrupted() {
        Err(interrupted_failure())
    } else {
        Ok(exit)
    }
}

fn interrupted_failure() -> Failure {
    Failure::new(ExitStatus::Incomplete, text!(Interrupted))
}

fn terminal_failure(error: &io::Error) -> Failure {
    let text = text!(WatchFailed, reason = io_text(error));
    Failure::new(ExitStatus::InputOutput, text)
}

/// Interval at which a pause checks for an interrupt.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Projection that flushes the output and waits before each turn but the first.
pub(crate) struct TurnPacer {
    output: StandardOutput,
    pause: Duration,
    turn: Option<u32>,
}

impl TurnPacer {
    /// Creates a pacer for this output and this time per turn.
    pub(crate) const fn new(output: StandardOutput, pause: Duration) -> Self {
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
                Some(left) => sleep(left.min(POLL_INTERVAL)),
                None => return,
            }
        }
    }
}

impl<S: State> Projection<S> for TurnPacer {
    fn project(&mut self, _: &S::Event, state: &S) {
        let before = self.turn.replace(state.turn());
        if before.is_some_and(|before| before != state.turn()) {
            self.wait();
        }
    }
}
