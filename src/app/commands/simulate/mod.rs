//! `war simulate`: many games of any rules, one of them, or the parts of a run joined.

mod options;

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::unreadable;
use crate::app::scenario_games::with_log;
use crate::app::session::{Destination, Session};
use crate::app::text::display;
use crate::cards::{GameNumber, Generator};
use crate::cli::{FigureFiles, Merge, Simulate};
use crate::host::outputs::{Output, OutputError, Outputs};
use crate::host::progress::Games;
use crate::host::signals::Interruption;
use crate::host::standard::{self, is_standard};
use crate::i18n::{Count, text};
use crate::plot;
use crate::recording::Opening;
use crate::simulate::{
    Dealing, GameSetup, Kernel, NotJoined, Plan, ROWS, Run, RunFileError, Shard,
};
use crate::wording::summary_lines;
use std::fmt::Write;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How many games are played where no number is given.
const GAMES: u64 = 1_000_000;

/// Plays many games, one of them, or joins parts of a run.
pub(crate) fn simulate(options: &Simulate, context: &mut Context) -> Result<Exit, Failure> {
    if let Some(Merge::Merge { parts, files }) = &options.merge {
        return merge(parts, files, context);
    }
    let journal = options.journal.as_deref();
    let to = Destination::one(journal, &options.form, options.result)?;
    let rules = options::game_rules(options)?;
    if let Some(number) = options.game {
        return play_one(options, &rules, number, to, context);
    }
    if options.journal.is_some() {
        return Err(Failure::usage(text!(SimJournalOfNone)));
    }
    if options.result.is_some() {
        return Err(Failure::usage(text!(SimResultOfNone)));
    }
    let games = options.games.unwrap_or(GAMES);
    let part = match options.shard {
        Some(shard) => part(shard, games)?,
        None => 0..games,
    };
    let takes_output = options.files.takes_output(options.csv_games.as_deref());
    let seed = match options.seed {
        Some(seed) => seed,
        None if takes_output => context.draw_seed(),
        // The summary says it.
        None => rand::random(),
    };
    options.files.check_drawing()?;
    let outputs = Outputs::default();
    let unfinished = outputs.clone();
    // Before there is anything that a second interruption would have to remove.
    let interruption = Interruption::catch(move || unfinished.remove());
    let files = Files::create(&options.files, &outputs)?;
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
            rows.write(ROWS)?;
            plan.play_with_rows(jobs, &watch, |text| rows.write(text))?
        }
        None => plan.play(jobs, &watch),
    };
    drop(watch);
    if !takes_output {
        print_summary(&run, context);
    }
    if let Some(rows) = rows {
        rows.finish()?;
    }
    files.write(&run, context)?;
    if run.partial {
        let games = run.tally.games();
        let text = text!(SimPartial, games = Count(games));
        context.terminal.warning(&text);
        return Ok(Exit::Incomplete);
    }
    Ok(Exit::Success)
}

/// Prints the figures as a table for people.
fn print_summary(run: &Run, context: &mut Context) {
    for line in summary_lines(run, context.terminal.catalogue) {
        context.terminal.print_line(&line);
    }
}

/// The games of a part of the run.
fn part(shard: Shard, games: u64) -> Result<Range<u64>, Failure> {
    let part = shard.of_games(games);
    if part.is_empty() {
        let text = text!(
            SimEmptyShard,
            shard = shard.to_string(),
            games = Count(games)
        );
        return Err(Failure::usage(text));
    }
    Ok(part)
}

/// Plays one game of a run on the console.
fn play_one(
    options: &Simulate,
    rules: &GameSetup,
    number: GameNumber,
    to: Destination,
    context: &mut Context,
) -> Result<Exit, Failure> {
    if let Some(seed) = options.seed.filter(|&seed| seed != number.seed) {
        let text = text!(
            SimOtherSeed,
            seed = seed.to_string(),
            game = number.to_string()
        );
        return Err(Failure::usage(text));
    }
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
    let session = Session {
        follows: false,
        opening,
        to,
    };
    with_log(context, |log, context| session.play(log, context))
}

/// The files that hold the figures of a run.
struct Files {
    json: Option<Output>,
    csv: Option<Output>,
    plot: Option<Output>,
}

impl Files {
    fn create(files: &FigureFiles, outputs: &Outputs) -> Result<Self, OutputError> {
        Ok(Self {
            json: outputs.create(files.json.as_deref())?,
            csv: outputs.create(files.csv.as_deref())?,
            plot: outputs.create(files.plot.as_deref())?,
        })
    }

    fn write(self, run: &Run, context: &Context) -> Result<(), Failure> {
        let histogram = || {
            let mut csv = "turns,games\n".to_owned();
            for (turns, games) in run.tally.turns.iter() {
                writeln!(csv, "{turns},{games}").expect("memory takes every byte");
            }
            csv
        };
        for (output, content) in [
            (self.json, &(|| run.to_json()) as &dyn Fn() -> String),
            (self.csv, &histogram),
            (self.plot, &|| plot::draw(run, context.terminal.catalogue)),
        ] {
            if let Some(mut output) = output {
                output.write(content())?;
                output.finish()?;
            }
        }
        Ok(())
    }
}

impl FigureFiles {
    /// Whether one of the files, these or another one, is standard output: nothing else is
    /// printed there.
    fn takes_output(&self, other: Option<&Path>) -> bool {
        let own = [&self.json, &self.csv, &self.plot].map(Option::as_deref);
        let mut all = own.into_iter().chain([other]).flatten();
        all.any(is_standard)
    }

    /// Checks that a drawing does not get the name of another kind of picture.
    fn check_drawing(&self) -> Result<(), Failure> {
        const OTHERS: [&str; 6] = ["png", "jpg", "jpeg", "gif", "webp", "pdf"];
        let Some(path) = &self.plot else {
            return Ok(());
        };
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        if OTHERS.contains(&extension.to_lowercase().as_str()) {
            let text = text!(SimNoSvg, file = display(path));
            return Err(Failure::usage(text));
        }
        Ok(())
    }
}

/// The most bytes of a part: more than a histogram of a million different lengths takes.
const LARGEST_PART: u64 = 64 << 20;

/// Joins the parts of a run.
fn merge(paths: &[PathBuf], files: &FigureFiles, context: &mut Context) -> Result<Exit, Failure> {
    files.check_drawing()?;
    let outputs = [&files.json, &files.csv, &files.plot];
    for output in outputs.into_iter().flatten() {
        if paths.iter().any(|path| is_same_file(path, output)) {
            let text = text!(SimOutputIsPart, file = display(output));
            return Err(Failure::usage(text));
        }
    }
    let mut parts = Vec::new();
    for path in paths {
        let read = standard::read(path, LARGEST_PART);
        let read = read.map_err(|error| unreadable(path, &error))?;
        let part = read.ok_or(RunFileError::Changed);
        let part = part.and_then(|json| Run::from_json(&json));
        parts.push(part.map_err(|error| no_part(&error, path))?);
    }
    let run = Run::joined(&parts).map_err(|error| not_joined(error, paths))?;
    let takes_output = files.takes_output(None);
    let files = Files::create(files, &Outputs::default())?;
    if !takes_output {
        print_summary(&run, context);
    }
    files.write(&run, context)?;
    Ok(Exit::Success)
}

/// Whether both names lead to one file.
fn is_same_file(a: &Path, b: &Path) -> bool {
    let places = fs::canonicalize(a).ok().zip(fs::canonicalize(b).ok());
    places.is_some_and(|(a, b)| a == b && a.is_file())
}

fn no_part(error: &RunFileError, path: &Path) -> Failure {
    let file = display(path);
    let text = match error {
        RunFileError::Syntax(_) | RunFileError::Changed => text!(SimNoPart, file = file),
        RunFileError::Version(version) => {
            text!(SimPartVersion, version = *version, file = file)
        }
        RunFileError::Generator(name) => {
            text!(SimPartGenerator, generator = name.as_str(), file = file)
        }
    };
    Failure::new(Exit::Bad, text)
}

fn not_joined(error: NotJoined, paths: &[PathBuf]) -> Failure {
    let file = |index: usize| display(paths.get(index).map_or(Path::new(""), PathBuf::as_path));
    let text = match error {
        NotJoined::OtherRules(first, second, option) => {
            text!(
                SimOtherRules,
                file = file(first),
                other = file(second),
                option = option
            )
        }
        NotJoined::OtherSeed(first, second) => {
            text!(SimMergeSeed, file = file(first), other = file(second))
        }
        NotJoined::OtherGames(first, second) => {
            text!(SimMergeGames, file = file(first), other = file(second))
        }
        NotJoined::Partial(index) => {
            text!(SimMergePartial, file = file(index))
        }
        NotJoined::Overlap(first, second, game) => {
            text!(
                SimOverlap,
                file = file(first),
                other = file(second),
                game = Count(game)
            )
        }
        NotJoined::Missing(from, to) => text!(
            SimMissing,
            from = Count(from),
            to = Count(to.saturating_sub(1))
        ),
    };
    Failure::new(Exit::Bad, text)
}
