//! `war simulate`: many games of any rules, one of them, or the parts of a run joined.

mod options;

use crate::app::commands::view::view_game;
use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::unreadable;
use crate::app::scenario_games::with_log;
use crate::app::session::{Destination, Session};
use crate::cli::{FigureFiles, Merge, Simulate, check_drawing};
use crate::host::part_files::{NoParts, part_files};
use crate::machine::input;
use crate::machine::outputs::{Output, OutputError, Outputs, overwriting, write_all};
use crate::machine::progress::Games;
use crate::machine::signals::Interruption;
use crate::machine::text::display;
use crate::wording::{no_part_of_run_text, runs_not_joined_text, summary_lines};
use std::path::{Path, PathBuf};
use war::cards::{GameNumber, Generator};
use war::i18n::{Count, text};
use war::recording::Opening;
use war_simulate::plot;
use war_simulate::simulate::{Dealing, GameSetup, Kernel, Plan, Run, RunFileError, heading};

/// Plays many games, one of them, or joins parts of a run.
pub(crate) fn simulate(options: &Simulate, context: &mut Context) -> Result<Exit, Failure> {
    if let Some(Merge::Merge { parts, files }) = &options.merge {
        return merge(parts, files, context);
    }
    let journal = options.journal.as_deref();
    let to = Destination::one(journal, &options.form, options.result)?;
    let rules = options::game_rules(options)?;
    if let Some(number) = options.single_game().map_err(Failure::usage)? {
        return play_one(options, &rules, number, to, context);
    }
    let (games, part) = options.part().map_err(Failure::usage)?;
    let takes_output = options.files.take_output(options.csv_games.as_deref());
    let seed = match options.seed {
        Some(seed) => seed,
        None if takes_output => context.draw_seed(),
        // The summary says it.
        None => rand::random(),
    };
    check_drawing(options.files.plot.as_deref()).map_err(Failure::usage)?;
    let outputs = Outputs::default();
    let unfinished = outputs.clone();
    // Before there is anything that a second interruption would have to remove.
    let interruption = Interruption::catch(move || unfinished.remove());
    let files = outputs.create_all(options.files.all())?;
    let mut rows = outputs.create(options.csv_games.as_deref())?;
    let plan = Plan {
        rules,
        seed,
        games,
        part,
        kernel: options.kernel.unwrap_or(Kernel::Fastest),
    };
    let jobs = options.jobs.number();
    let watch = Games::new(
        plan.part.end - plan.part.start,
        &interruption,
        context.terminal.catalogue,
    );
    let run = match &mut rows {
        Some(rows) => {
            rows.write(heading(&options.columns(), plan.rules.players))?;
            plan.play_with_rows(jobs, &watch, &options.columns(), |text| rows.write(text))?
        }
        None => plan.play(jobs, &watch),
    };
    let kernel = (plan.playing_kernel(), watch.left());
    drop(watch);
    if !takes_output {
        print_summary(&run, Some(kernel), context);
    }
    if let Some(rows) = rows {
        rows.finish()?;
    }
    write_files(files, &run, context)?;
    if run.partial {
        let games = run.tally.games();
        let text = text!(SimPartial, games = Count(games));
        context.terminal.warning(&text);
        return Ok(Exit::Incomplete);
    }
    Ok(Exit::Success)
}

/// Prints the figures as a table for people.
fn print_summary(run: &Run, kernel: Option<(Kernel, u64)>, context: &mut Context) {
    for line in summary_lines(run, kernel, context.terminal.catalogue) {
        context.terminal.print_line(&line);
    }
}

/// Plays one game of a run on the console.
fn play_one(
    options: &Simulate,
    rules: &GameSetup,
    number: GameNumber,
    to: Destination,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let generator = Generator::Xoshiro256PlusPlus { number };
    let (variant, deck, players) = (rules.variant(), rules.deck, rules.players);
    let opening = match &rules.dealing {
        Dealing::Shuffled => Opening::shuffled(variant, deck, players, generator)?,
        Dealing::Fixed { seat, cards } => {
            let hand = (*seat, cards.clone());
            Opening::fixed(variant, deck, players, generator, hand)?
        }
        Dealing::Given { name, hands } => {
            Opening::scenario(variant, name, hands.clone(), generator.start())?
        }
    };
    if options.view {
        let name = format!("{}-{}.json", number.seed, number.game);
        return with_log(context, |log, context| {
            view_game(opening, Path::new(&name), log, context)
        });
    }
    let session = Session {
        follows: false,
        opening,
        to,
    };
    with_log(context, |log, context| session.play(log, context))
}

/// Writes the files that hold the figures of a run.
fn write_files(
    files: [Option<Output>; 3],
    run: &Run,
    context: &Context,
) -> Result<(), OutputError> {
    let json = || run.to_json();
    let csv = || run.tally.turns.to_csv("games");
    let plot = || plot::draw(run, context.terminal.catalogue);
    write_all(files, [&json, &csv, &plot])
}

/// The most bytes of a part: more than a histogram of a million different lengths takes.
const LARGEST_PART: u64 = 64 << 20;

/// Joins the parts of a run.
fn merge(paths: &[PathBuf], files: &FigureFiles, context: &mut Context) -> Result<Exit, Failure> {
    check_drawing(files.plot.as_deref()).map_err(Failure::usage)?;
    let paths = &part_files(paths).map_err(no_parts)?;
    if let Some(output) = overwriting(files.all(), paths) {
        return Err(Failure::usage(text!(
            SimOutputIsPart,
            file = display(output)
        )));
    }
    let mut parts = Vec::new();
    for path in paths {
        let read = input::read(path, LARGEST_PART);
        let read = read.map_err(|error| unreadable(path, &error))?;
        let part = read.ok_or(RunFileError::Changed);
        let part = part.and_then(|json| Run::from_json(&json));
        let no_part = |error| Failure::new(Exit::Bad, no_part_of_run_text(&error, display(path)));
        parts.push(part.map_err(no_part)?);
    }
    let run = Run::joined(&parts)
        .map_err(|error| Failure::new(Exit::Bad, runs_not_joined_text(error, named(paths))))?;
    let takes_output = files.take_output(None);
    let files = Outputs::default().create_all(files.all())?;
    if !takes_output {
        print_summary(&run, None, context);
    }
    write_files(files, &run, context)?;
    Ok(Exit::Success)
}

/// The names of these files, by number.
pub(super) fn named(paths: &[PathBuf]) -> impl Fn(usize) -> String {
    |index| display(paths.get(index).map_or(Path::new(""), PathBuf::as_path))
}

/// Why the parts of a directory can't be joined.
pub(super) fn no_parts(error: NoParts) -> Failure {
    match error {
        NoParts::Unreadable(directory, error) => unreadable(&directory, &error),
        NoParts::Empty(directory) => {
            let text = text!(SimNoParts, directory = display(&directory));
            Failure::new(Exit::Bad, text)
        }
    }
}
