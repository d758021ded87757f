//! `war simulate`: plays many games by any rules, prints a single game of a run, or joins the parts
//! of a run.

use super::parts::{
    file_name_lookup, find_part_files, part_files_failure, read_part, run_file_error_text,
    run_join_error_text,
};
use super::records::RunRecords;
use super::rules::{JobOptions, RuleOptions, setup_error_text};
use super::summary::summary_lines;
use crate::arguments::journal::{JournalOptions, RESULT_HELP, ResultFormat};
use crate::arguments::values::{
    ShardArgument, column_parser, count_parser, kernel_parser, parse_deck, parse_game_number,
    parse_hand, parse_seed, parse_shard, suggestions,
};
use crate::commands::games::{GameDestination, PlannedGame, run_with_audit_log};
use crate::commands::stats::check_svg_name;
use crate::commands::view::view_game;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure, read_failure};
use crate::machine::input::is_standard_stream;
use crate::machine::output_files::{
    OutputError, OutputFile, OutputFiles, find_overwritten, write_outputs,
};
use crate::machine::progress::GameProgress;
use crate::machine::scenario_files::ScenarioSource;
use crate::machine::signals::Interruption;
use crate::machine::text::path_text;
use clap::{Args, Subcommand};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use war::cards::{Deck, GameNumber, Generator};
use war::i18n::{Count, Text, text};
use war::recording::NewGame;
use war::rules::Variant;
use war::scenario;
use war_simulate::plot;
use war_simulate::{
    Dealing, FixedHand, GameSettings, GameSetup, HandColumn, Kernel, ResumeError, RuleSettings,
    Run, RunPlan,
};

pub(super) const MAX_GAMES: u64 = 1_000_000_000_000;

/// Minimum number of games for a row of the literature: with fewer games, some figures would have
/// no standard error.
pub(super) const MIN_GAMES: u64 = 100;

pub(crate) const SIMULATE_EXAMPLES: &str = "\
Examples:
  war simulate --games 1e6 --seed 1
      play the classic edition a million times
  war simulate --players 4 --deck small --games 100_000
      with 4 players and 24 cards
  war simulate --rules bataille --face-down 1 --games 1000
      by named rules, with one of them changed
  war simulate --game 1:341570 --journal long.json
      print one game of a run, and record it
  war simulate --game 1:341570 --view
      look at it in the browser
  war simulate --seed 1 --games 1e12 --resume run.json
      save the state; after an interruption, the same command goes on
  war simulate --seed 1 --games 1e6 --shard 3/8 --json 3.json
      play an eighth of a run
  war simulate merge parts --plot run.svg
      join the parts of a run in a directory";

const MERGE_EXAMPLES: &str = "\
Examples:
  war simulate merge 1.json 2.json            print the figures of the run
  war simulate merge parts                    join all parts in a directory
  war simulate merge *.json --json run.json   also keep them in a file";

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    pub(crate) rules: RuleOptions,
    /// Number of players, 2 to 5 [default: 2]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = count_parser(2..=5_u8), add = suggestions(2..=5))]
    pub(crate) players: Option<u8>,
    /// Deck to play with [default: thirteen by the rules `xy`, else large]
    ///
    /// `small` has 24 cards from 9 to 14, `large` 52 cards from 2 to 14, `thirteen` 52 cards from
    /// 1 to 13. `RxS`, such as 13x4, has R ranks in S suits: 2 to 255 cards of 64 ranks at most.
    #[arg(long, value_name = "DECK", value_parser = parse_deck, add = suggestions(["small", "large", "thirteen", "13x4"]))]
    pub(crate) deck: Option<Deck>,
    #[arg(long, value_name = "FILE", help = "Scenario file whose hands start every game (- for standard input), or the hands themselves: '[[14,9],[13,10]]'", conflicts_with_all = ["fix", "deck", "players"])]
    pub(crate) deal: Option<PathBuf>,
    /// Cards that player P starts with, in random order; the others get the rest
    #[arg(long, value_name = "P:V,V,...", value_parser = parse_hand)]
    pub(crate) fix: Option<FixedHand>,
    /// Number of games to play [default: 1000000]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = count_parser(1..=MAX_GAMES))]
    pub(crate) games: Option<u64>,
    /// Seed of the run, 0 to 18446744073709551615 [default: a random one, printed with the figures]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = parse_seed)]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) jobs: JobOptions,
    /// Play only part I of N, or that of the task in a Slurm job array (auto)
    ///
    /// `war simulate merge` joins the parts.
    #[arg(long, value_name = "I/N", requires = "seed", value_parser = parse_shard, add = suggestions(["auto"]))]
    pub(crate) shard: Option<ShardArgument>,
    /// Save the state in this file every few seconds, and go on from there if it exists
    ///
    /// The state is a part of the run as `--json` writes it, with the games played so far.
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) files: FigureFiles,
    /// Write a row for each game to this CSV file (- for standard output)
    ///
    /// The column `verdict` says which games ended: `won` or `drawn`. The figures of the summary are
    /// of these games.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv_games: Option<PathBuf>,
    /// Extra columns about the dealt hands, by player: aces,kings,strength
    #[arg(long, value_name = "COLUMN,...", ignore_case = true, value_delimiter = ',', requires = "csv_games", value_parser = column_parser())]
    pub(crate) columns: Vec<HandColumn>,
    /// Simulation engine to use; the results are the same [default: fastest]
    #[arg(long, value_name = "KERNEL", ignore_case = true, value_parser = kernel_parser())]
    pub(crate) kernel: Option<Kernel>,
    /// Print game I of seed S instead
    #[arg(long, value_name = "S:I", conflicts_with_all = ["games", "jobs", "shard", "resume", "json", "csv", "plot", "csv_games", "columns", "kernel"], value_parser = parse_game_number)]
    pub(crate) game: Option<GameNumber>,
    /// Open the game as a page in the browser, in place of the screens
    #[arg(long, requires = "game", conflicts_with_all = ["journal", "result"])]
    pub(crate) view: bool,
    /// Record the game in a new file (- for standard output, in place of the screens)
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) form: JournalOptions,
    #[arg(long, value_name = "FORMAT", ignore_case = true, requires = "game", help = "Print the result as JSON instead of the screens", long_help = RESULT_HELP)]
    pub(crate) result: Option<ResultFormat>,
    #[command(subcommand)]
    pub(crate) merge: Option<MergeCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MergeCommand {
    /// Join the parts of a run, made with `--shard` and `--json`
    #[command(after_help = MERGE_EXAMPLES)]
    Merge {
        /// Parts to join: files, directories of files ending in .json, or - for standard input
        #[arg(value_name = "FILE", required = true)]
        parts: Vec<PathBuf>,
        #[command(flatten)]
        files: FigureFiles,
    },
}

/// Files for the figures of a run.
#[derive(Debug, Args)]
pub(crate) struct FigureFiles {
    /// Write all figures to this JSON file (- for standard output, in place of the summary)
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write the number of games of each length to this CSV file (- for standard output)
    ///
    /// The columns are `turns`, `games` and `ending`. Games that did not end have no number of turns,
    /// and a row with the ending `endless` or `undecided`. By the default rules, most games are
    /// endless; by `--rules household`, all end.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Draw game lengths, winners and endings in this SVG file (- for standard output)
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

impl FigureFiles {
    pub(crate) fn paths(&self) -> [Option<&Path>; 3] {
        [&self.json, &self.csv, &self.plot].map(Option::as_deref)
    }

    /// Returns true if one of these files or `other` is standard output: nothing else may then be
    /// printed to it.
    pub(crate) fn has_stdout(&self, other: Option<&Path>) -> bool {
        let mut all = self.paths().into_iter().chain([other]).flatten();
        all.any(is_standard_stream)
    }
}

/// Default number of games.
const DEFAULT_GAMES: u64 = 1_000_000;

impl SimulateArgs {
    /// Setup of games that are dealt from a deck.
    ///
    /// The error names options that exclude each other.
    pub(crate) fn to_game_setup(&self) -> Result<GameSetup, Text> {
        let chosen = GameSettings {
            rules: self.rules.to_settings(),
            players: self.players,
            deck: self.deck,
            fixed_hand: self.fix.clone(),
        };
        chosen.to_setup().map_err(setup_error_text)
    }

    /// Single game to print, if requested.
    ///
    /// The error names an option that needs a single game, or a seed of another run.
    pub(crate) fn resolve_single_game(&self) -> Result<Option<GameNumber>, Text> {
        match (self.game, self.seed) {
            (Some(game), Some(seed)) if seed != game.seed => Err(text!(
                SimOtherSeed,
                seed = seed.to_string(),
                game = game.to_string()
            )),
            (None, _) if self.journal.is_some() => Err(text!(SimJournalOfNone)),
            (None, _) if self.result.is_some() => Err(text!(SimResultOfNone)),
            (game, _) => Ok(game),
        }
    }

    /// Extra columns of the rows, without duplicates.
    pub(crate) fn distinct_columns(&self) -> Vec<HandColumn> {
        let mut columns = Vec::new();
        for &column in &self.columns {
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
        columns
    }

    /// Number of games of the run, and the range of games to play.
    ///
    /// The error says that the shard is empty or can't be determined.
    pub(crate) fn resolve_part(&self) -> Result<(u64, Range<u64>), Text> {
        let games = self.games.unwrap_or(DEFAULT_GAMES);
        let Some(shard) = self.shard.map(ShardArgument::resolve).transpose()? else {
            return Ok((games, 0..games));
        };
        let part = shard.game_range(games);
        if part.is_empty() {
            let shard = shard.to_string();
            return Err(text!(SimEmptyShard, shard = shard, games = Count(games)));
        }
        Ok((games, part))
    }
}

/// Plays many games, prints a single game of a run, or joins the parts of a run.
pub(crate) fn simulate(
    options: &SimulateArgs,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    if let Some(MergeCommand::Merge { parts, files }) = &options.merge {
        return merge(parts, files, context);
    }
    let journal = options.journal.as_deref();
    let destination = GameDestination::for_single_game(journal, &options.form, options.result)?;
    let setup = load_setup(options)?;
    if let Some(number) = options.resolve_single_game().map_err(Failure::usage)? {
        return play_one(options, &setup, number, destination, context);
    }
    let (games, part) = options.resolve_part().map_err(Failure::usage)?;
    let uses_stdout = options.files.has_stdout(options.csv_games.as_deref());
    let begun = load_begun(options)?;
    let seed = match options.seed.or(begun.as_ref().map(|run| run.seed)) {
        Some(seed) => seed,
        None if uses_stdout => context.draw_seed(),
        // The seed is not printed here, because the summary prints it.
        None => rand::random(),
    };
    check_svg_name(options.files.plot.as_deref()).map_err(Failure::usage)?;
    let outputs = OutputFiles::default();
    let unfinished = outputs.clone();
    // Interrupts are caught before the files are created, so that a second interrupt always
    // removes them.
    let interruption = Interruption::catch(move || unfinished.discard_all());
    let files = outputs.open_all(options.files.paths())?;
    let plan = RunPlan {
        setup,
        seed,
        games,
        part,
        kernel: options.kernel.unwrap_or(Kernel::Fastest),
    };
    let begun = begun.unwrap_or_else(|| plan.begin());
    let checked = plan.check_begun(&begun);
    checked.map_err(|error| resume_failure(error, options.resume.as_deref()))?;
    let mut records = RunRecords::open(options, &plan, &begun, &outputs)?;
    let watch = GameProgress::new(
        plan.part.end - begun.part.end,
        &interruption,
        context.terminal.catalogue,
    );
    let columns = options.csv_games.is_some();
    let columns = columns.then(|| options.distinct_columns());
    let jobs = options.jobs.thread_count();
    let run = plan.resume(begun, jobs, &watch, columns.as_deref(), |run, rows| {
        records.add(run, rows)
    })?;
    let kernel = (plan.choose_kernel(), watch.fallback_games());
    drop(watch);
    if !uses_stdout {
        print_summary(&run, Some(kernel), context);
    }
    records.finish(&run)?;
    write_files(files, &run, context)?;
    if run.partial {
        let games = Count(run.tally.games());
        let text = match &options.resume {
            Some(_) => text!(
                SimPaused,
                games = games,
                all = Count(plan.part.end - plan.part.start)
            ),
            None => text!(SimPartial, games = games),
        };
        context.terminal.report_warning(&text);
        return Ok(ExitStatus::Incomplete);
    }
    Ok(ExitStatus::Success)
}

/// Loads the run to resume, if it was begun.
fn load_begun(options: &SimulateArgs) -> Result<Option<Run>, Failure> {
    let is_missing = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
    match &options.resume {
        Some(path) if !path.metadata().is_err_and(is_missing) => read(path).map(Some),
        _ => Ok(None),
    }
}

/// Error for a run that differs from the requested one.
fn resume_failure(error: ResumeError, file: Option<&Path>) -> Failure {
    let file = path_text(file.unwrap_or(Path::new("")));
    let text = match error {
        ResumeError::Rules(option) => text!(SimResumeRules, file = file, option = option),
        ResumeError::Seed(seed) => text!(SimResumeSeed, file = file, seed = seed.to_string()),
        ResumeError::Games(part, games) => text!(
            SimResumeGames,
            file = file,
            from = Count(part.start),
            to = Count(part.end.saturating_sub(1)),
            of = Count(games)
        ),
    };
    Failure::new(ExitStatus::InvalidData, text)
}

/// Prints the figures as a table.
fn print_summary(run: &Run, kernel: Option<(Kernel, u64)>, context: &mut Context) {
    for line in summary_lines(run, kernel, context.terminal.catalogue) {
        context.terminal.print_line(&line);
    }
}

/// Plays one game of a run with screens.
fn play_one(
    options: &SimulateArgs,
    rules: &GameSetup,
    number: GameNumber,
    destination: GameDestination,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let generator = Generator::Xoshiro256PlusPlus { number };
    let (variant, deck, players) = (rules.variant(), rules.deck, rules.players);
    let opening = match &rules.dealing {
        Dealing::Shuffled => NewGame::shuffled(variant, deck, players, generator)?,
        Dealing::Fixed { seat, cards } => {
            let hand = (*seat, cards.clone());
            NewGame::with_fixed_hand(variant, deck, players, generator, hand)?
        }
        Dealing::Given { name, hands } => {
            NewGame::from_scenario(variant, name, hands.clone(), generator.start())?
        }
    };
    if options.view {
        let name = format!("{}-{}.json", number.seed, number.game);
        return run_with_audit_log(context, |log, context| {
            view_game(opening, Path::new(&name), log, context)
        });
    }
    let session = PlannedGame {
        follows_another: false,
        opening,
        destination,
    };
    run_with_audit_log(context, |log, context| session.play(log, context))
}

/// Writes the files with the figures of a run.
fn write_files(
    files: [Option<OutputFile>; 3],
    run: &Run,
    context: &Context,
) -> Result<(), OutputError> {
    let json = || run.to_json();
    let tally = &run.tally;
    let csv = || {
        let turns = &tally.turns;
        turns.to_csv("games", tally.endless, tally.undecided)
    };
    let plot = || plot::draw_run(run, context.terminal.catalogue);
    write_outputs(files, [&json, &csv, &plot])
}

/// Reads a file with a part of a run.
fn read(path: &Path) -> Result<Run, Failure> {
    read_part(path, Run::from_json, run_file_error_text)
}

fn merge(
    paths: &[PathBuf],
    files: &FigureFiles,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    check_svg_name(files.plot.as_deref()).map_err(Failure::usage)?;
    let paths = &find_part_files(paths).map_err(part_files_failure)?;
    if let Some(output) = find_overwritten(files.paths(), paths) {
        return Err(Failure::usage(text!(
            SimOutputIsPart,
            file = path_text(output)
        )));
    }
    let parts = paths.iter().map(|path| read(path));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let run = Run::join(&parts).map_err(|error| {
        Failure::new(
            ExitStatus::InvalidData,
            run_join_error_text(error, file_name_lookup(paths)),
        )
    })?;
    let uses_stdout = files.has_stdout(None);
    let files = OutputFiles::default().open_all(files.paths())?;
    if !uses_stdout {
        print_summary(&run, None, context);
    }
    write_files(files, &run, context)?;
    Ok(ExitStatus::Success)
}

/// Setup of the games, dealt or given by a scenario.
fn load_setup(options: &SimulateArgs) -> Result<GameSetup, Failure> {
    match &options.deal {
        Some(path) => scenario_setup(path, &options.rules.to_settings()),
        None => options.to_game_setup().map_err(Failure::usage),
    }
}

/// Setup of games that start with the hands of a scenario.
fn scenario_setup(path: &Path, rules: &RuleSettings) -> Result<GameSetup, Failure> {
    let source = ScenarioSource::from_deal(path);
    let bytes = source.read().map_err(|error| read_failure(path, &error))?;
    let name = scenario::scenario_name(&source.file_name(), scenario::CLASSIC_PREFIX).to_owned();
    let parsed = scenario::parse_scenario(&bytes, &Variant::custom(rules.parameters_and_deck().0));
    let hands = parsed.map_err(|error| {
        let text = text!(
            ScenarioBad,
            file = path_text(source.path()),
            reason = Text::from(&error)
        );
        Failure::new(ExitStatus::InvalidData, text)
    })?;
    let setup = rules.to_scenario_setup(name, hands);
    setup.map_err(|error| Failure::usage(setup_error_text(error)))
}
