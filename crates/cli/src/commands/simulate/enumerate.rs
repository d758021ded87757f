//! `war enumerate`: plays all deals of a small deck or a part of them, or joins such parts, and
//! prints exact figures.

use super::parts::{
    enumeration_file_error_text, enumeration_join_error_text, file_name_lookup, find_part_files,
    part_files_failure, read_part, resume_error_text,
};
use super::rules::{JobOptions, RuleOptions};
use crate::arguments::values::{ShardArgument, parse_deck, parse_shard, suggestions};
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::machine::input::is_standard_stream;
use crate::machine::output_files::{
    OutputError, OutputFile, OutputFiles, find_overwritten, write_outputs,
};
use crate::machine::progress::GameProgress;
use crate::machine::signals::Interruption;
use crate::machine::state_file::StateFile;
use crate::machine::text::path_text;
use clap::{Args, Subcommand};
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use war::cards::Deck;
use war::i18n::{Catalogue, Count, Text, text};
use war_simulate::plot::extra_rules_text;
use war_simulate::{
    Dealing, Enumeration, EnumerationError, EnumerationMethod, EnumerationRun, ExactFigures,
    GameSetup, LongestGame, MAX_DEALS,
};

pub(crate) const ENUMERATE_EXAMPLES: &str = "\
Examples:
  war enumerate 2x4 --rules bataille   38 deals
  war enumerate 4x4 --rules bataille   31,532,760 deals
  war enumerate 16x1 --rules bataille --resume 16x1.json --yes
      save the state; after an interruption, the same command goes on
  war enumerate 5x4 --rules bataille --shard 3/8 --json 3.json
      play an eighth of the deals
  war enumerate merge parts
      join the parts in a directory";

const MERGE_ENUMERATION_EXAMPLES: &str = "\
Examples:
  war enumerate merge 1.json 2.json            print the figures of all deals
  war enumerate merge *.json --json all.json   also keep them in a file";

#[derive(Debug, Args)]
pub(crate) struct EnumerateArgs {
    /// Deck to play with: `RxS` for R ranks in S suits
    #[arg(value_name = "RxS", required = true, value_parser = parse_deck, add = suggestions(["2x4", "3x4", "4x4", "5x4"]))]
    pub(crate) deck: Option<Deck>,
    #[command(flatten)]
    pub(crate) rules: RuleOptions,
    #[command(flatten)]
    pub(crate) jobs: JobOptions,
    /// Play only part I of N, or that of the task in a Slurm job array (auto)
    ///
    /// `war enumerate merge` joins the parts.
    #[arg(long, value_name = "I/N", value_parser = parse_shard, add = suggestions(["auto"]))]
    pub(crate) shard: Option<ShardArgument>,
    /// Save the state in this file every minute, and go on from there if it exists
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Go on even if it takes long
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) files: ExactFiles,
    #[command(subcommand)]
    pub(crate) merge: Option<MergeEnumerationCommand>,
}

/// Files for exact figures.
#[derive(Debug, Args)]
pub(crate) struct ExactFiles {
    /// Write all figures to this JSON file (- for standard output, in place of the summary)
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write the number of deals of each length to this CSV file (- for standard output)
    ///
    /// Games that don't end have no number of turns, and a row with the ending `endless` or `undecided`.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
}

impl ExactFiles {
    pub(crate) fn paths(&self) -> [Option<&Path>; 2] {
        [&self.json, &self.csv].map(Option::as_deref)
    }

    /// Returns true if one of these files is standard output: nothing else may then be printed to
    /// it.
    pub(crate) fn has_stdout(&self) -> bool {
        self.paths().into_iter().flatten().any(is_standard_stream)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum MergeEnumerationCommand {
    /// Join the parts of an enumeration, made with `--shard` and `--json` or `--resume`
    #[command(after_help = MERGE_ENUMERATION_EXAMPLES)]
    Merge {
        /// Parts to join: files, directories of files ending in .json, or - for standard input
        #[arg(value_name = "FILE", required = true)]
        parts: Vec<PathBuf>,
        #[command(flatten)]
        files: ExactFiles,
    },
}

/// Plays all deals of a deck in two equal hands, or joins the parts of an enumeration.
pub(crate) fn enumerate(
    options: &EnumerateArgs,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    if let Some(MergeEnumerationCommand::Merge { parts, files }) = &options.merge {
        return merge(parts, files, context);
    }
    // Without a deck there is a subcommand, which was handled above.
    let Some(deck) = options.deck else {
        return Ok(ExitStatus::Usage);
    };
    let rules = GameSetup {
        parameters: options.rules.to_settings().parameters_and_deck().0,
        players: 2,
        deck,
        dealing: Dealing::Shuffled,
    };
    let enumeration = enumeration(&rules, context)?;
    let played = load_or_start(options, &enumeration)?;
    let left = played.deals_left(enumeration.deals());
    let jobs = options.jobs.thread_count();
    if !options.yes
        && let Some(hours) = forecast_hours(&enumeration, left, jobs)
    {
        let time = time_text(hours, context.terminal.catalogue);
        let text = text!(EnumForecast, time = time, jobs = Count(jobs.get() as u64));
        return Err(Failure::usage(text));
    }
    play(options, &enumeration, played, context)
}

fn enumeration(rules: &GameSetup, context: &Context) -> Result<Enumeration, Failure> {
    Enumeration::new(rules.parameters, rules.deck).map_err(|error| {
        let catalogue = context.terminal.catalogue;
        Failure::usage(not_enumerable_text(&error, rules, catalogue))
    })
}

/// Starts a new enumeration, or loads the enumeration to resume.
fn load_or_start(
    options: &EnumerateArgs,
    enumeration: &Enumeration,
) -> Result<EnumerationRun, Failure> {
    let all = enumeration.parts();
    let shard = options.shard.map(ShardArgument::resolve).transpose();
    let shard = shard.map_err(Failure::usage)?;
    let parts = shard.map_or(0..all, |shard| shard.game_range(all));
    if let Some(shard) = shard.filter(|_| parts.is_empty()) {
        let shard = shard.to_string();
        let text = text!(EnumEmptyShard, shard = shard, parts = Count(all));
        return Err(Failure::usage(text));
    }
    let fresh = EnumerationRun::new(enumeration, parts);
    let is_missing = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
    match &options.resume {
        Some(path) if !path.metadata().is_err_and(is_missing) => {
            let kept = read(path)?;
            let refused = resume_error_text(&kept, &fresh, &path_text(path));
            refused.map_or(Ok(kept), |text| {
                Err(Failure::new(ExitStatus::InvalidData, text))
            })
        }
        _ => Ok(fresh),
    }
}

/// Plays the remaining deals, and prints and writes the figures.
fn play(
    options: &EnumerateArgs,
    enumeration: &Enumeration,
    mut played: EnumerationRun,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let outputs = OutputFiles::default();
    let unfinished = outputs.clone();
    let interruption = Interruption::catch(move || unfinished.discard_all());
    let files = outputs.open_all(options.files.paths())?;
    let begin =
        |file: &PathBuf| StateFile::create(file.clone(), &outputs, SAVE_INTERVAL, played.to_json());
    let mut checkpoint = options.resume.as_ref().map(begin).transpose()?;
    let prints = !options.files.has_stdout();
    if prints {
        print_rules(enumeration, &played, context);
        context.terminal.print_line(&method_line(enumeration));
        context.terminal.flush();
    }
    let left = played.deals_left(enumeration.deals());
    let watch = GameProgress::new(left, &interruption, context.terminal.catalogue);
    let mut kept = Ok(());
    played.play(enumeration, options.jobs.thread_count(), &watch, |played| {
        if let Some(checkpoint) = checkpoint.as_mut().filter(|state| state.is_due()) {
            kept = checkpoint.save(played.to_json());
        }
        kept.is_ok()
    });
    drop(watch);
    kept?;
    if let Some(checkpoint) = &mut checkpoint {
        checkpoint.save(played.to_json())?;
    }
    if prints {
        print_figures(enumeration, &played, context);
    }
    write_files(files, &played)?;
    if played.is_complete() {
        return Ok(ExitStatus::Success);
    }
    let (deals, all) = (Count(played.figures.deals), Count(enumeration.deals()));
    let text = match &options.resume {
        Some(_) => text!(EnumPaused, deals = deals, all = all),
        None => text!(EnumPartial, deals = deals, all = all),
    };
    context.terminal.report_warning(&text);
    Ok(ExitStatus::Incomplete)
}

fn print_rules(enumeration: &Enumeration, played: &EnumerationRun, context: &mut Context) {
    for line in enumeration_lines(enumeration, played, context.terminal.catalogue) {
        context.terminal.print_line(&line);
    }
}

/// Prints the figures as a table.
fn print_figures(enumeration: &Enumeration, played: &EnumerationRun, context: &mut Context) {
    for line in exact_lines(
        played,
        enumeration.is_symmetric(),
        context.terminal.catalogue,
    ) {
        context.terminal.print_line(&line);
    }
}

fn write_files(files: [Option<OutputFile>; 2], played: &EnumerationRun) -> Result<(), OutputError> {
    let figures = &played.figures;
    let csv = || {
        let turns = &figures.turns;
        turns.to_csv("deals", figures.endless, figures.undecided)
    };
    write_outputs(files, [&|| played.to_json(), &csv])
}

/// Reads a file with an enumeration or a part of an enumeration.
fn read(path: &Path) -> Result<EnumerationRun, Failure> {
    read_part(path, EnumerationRun::from_json, enumeration_file_error_text)
}

fn merge(
    paths: &[PathBuf],
    files: &ExactFiles,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let paths = &find_part_files(paths).map_err(part_files_failure)?;
    if let Some(output) = find_overwritten(files.paths(), paths) {
        return Err(Failure::usage(text!(
            SimOutputIsPart,
            file = path_text(output)
        )));
    }
    let parts = paths.iter().map(|path| read(path));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let whole = EnumerationRun::join(&parts).map_err(|error| {
        Failure::new(
            ExitStatus::InvalidData,
            enumeration_join_error_text(error, file_name_lookup(paths)),
        )
    })?;
    let outputs = OutputFiles::default().open_all(files.paths())?;
    if !files.has_stdout() {
        let enumeration = enumeration(&whole.setup, context)?;
        print_rules(&enumeration, &whole, context);
        print_figures(&enumeration, &whole, context);
    }
    write_files(outputs, &whole)?;
    Ok(ExitStatus::Success)
}

/// Hours that an enumeration may take without confirmation.
const MAX_UNCONFIRMED_HOURS: f64 = 0.5;

/// Time spent on playing deals for a forecast.
const SAMPLE_TIME: Duration = Duration::from_millis(300);

/// Maximum number of deals for which no forecast is made, if deals are played one by one.
const FEW_DEALS: u64 = 1_000_000;

/// Maximum number of deals for which no forecast is made, if deals are merged.
const FEW_MERGED_DEALS: u64 = 1_000_000_000;

/// Estimates the hours that this many deals take with `jobs` threads; `None` if the enumeration
/// needs no confirmation.
#[expect(
    clippy::cast_precision_loss,
    reason = "a forecast has fewer digits than a float"
)]
fn forecast_hours(enumeration: &Enumeration, deals: u64, jobs: NonZero<usize>) -> Option<f64> {
    let few = if enumeration.is_merged() {
        FEW_MERGED_DEALS
    } else {
        FEW_DEALS
    };
    if deals <= few {
        return None;
    }
    let (begin, mut played) = (Instant::now(), 0);
    for number in 0.. {
        played += enumeration.play_sample(number).deals;
        if begin.elapsed() > SAMPLE_TIME {
            break;
        }
    }
    let rate = played.max(1) as f64 / begin.elapsed().as_secs_f64();
    let hours = deals as f64 / rate / jobs.get() as f64 / 3_600.0;
    (hours > MAX_UNCONFIRMED_HOURS).then_some(hours)
}

/// Interval at which the state of an enumeration is saved.
const SAVE_INTERVAL: Duration = Duration::from_secs(60);

/// Error for a deck that can't be enumerated.
fn not_enumerable_text(error: &EnumerationError, rules: &GameSetup, catalogue: &Catalogue) -> Text {
    match error {
        EnumerationError::Orders(orders) => text!(
            SimOrders,
            collect = rules.parameters.collect.to_string(),
            orders = usize::from(*orders),
            players = 2_usize
        ),
        EnumerationError::Chance => text!(
            EnumChance,
            collect = rules.parameters.collect.to_string(),
            rule = rules.parameters.out_of_cards.name(),
            piles = match rules.parameters.piles.non_default_name() {
                None => String::new(),
                Some(piles) => format!(", `--piles {piles}`"),
            }
        ),
        EnumerationError::TooMany(deals) => text!(
            EnumTooMany,
            deals = catalogue.format_count(deals),
            most = Count(MAX_DEALS)
        ),
    }
}

/// Describes the enumeration, and the part of it that is played.
fn enumeration_lines(
    enumeration: &Enumeration,
    played: &EnumerationRun,
    catalogue: &Catalogue,
) -> Vec<Text> {
    let rules = enumeration.parameters();
    let mut lines = vec![text!(
        EnumRules,
        deck = enumeration.deck().name(),
        face_down = rules.face_down.to_string(),
        collect = rules.collect.to_string(),
        rule = rules.out_of_cards.name(),
        rest = extra_rules_text(
            rules.piles.non_default_name(),
            enumeration.max_turns(),
            catalogue
        ),
        deals = Count(enumeration.deals())
    )];
    let size = enumeration.deck().size();
    lines.push(if enumeration.is_symmetric() {
        text!(EnumOneOfTwo)
    } else if size.is_multiple_of(2) {
        text!(EnumSeats)
    } else {
        let (first, second) = (size.div_ceil(2), size / 2);
        text!(
            EnumUnequal,
            first = first.to_string(),
            second = second.to_string()
        )
    });
    if !played.has_all_parts() {
        lines.push(text!(
            EnumShard,
            from = Count(played.parts.start),
            to = Count(played.parts.end.saturating_sub(1)),
            of = Count(played.total_parts)
        ));
    }
    lines
}

/// Names the engine that plays the deals.
fn method_line(enumeration: &Enumeration) -> Text {
    match enumeration.method() {
        EnumerationMethod::OneByOne => text!(EnumSingle),
        EnumerationMethod::Portable => text!(EnumMerged, kernel = "portable"),
        EnumerationMethod::Avx2 => text!(EnumMerged, kernel = "avx2"),
        EnumerationMethod::Avx512 => text!(EnumMerged, kernel = "avx512"),
    }
}

/// Figures of an enumeration.
#[expect(
    clippy::cast_precision_loss,
    reason = "a figure has fewer digits than a float"
)]
fn exact_lines(played: &EnumerationRun, swaps: bool, catalogue: &Catalogue) -> Vec<Text> {
    let exact = &played.figures;
    let mut lines = Vec::new();
    if !played.is_complete() || !played.has_all_parts() {
        lines.push(text!(EnumPlayed, deals = Count(exact.deals)));
    }
    lines.push(outcomes_text(exact, swaps));
    lines.extend(periods_text(exact, catalogue));
    let finished = exact.finished_games();
    let mean = |sum: u64| catalogue.format_decimal(sum as f64 / finished as f64, 6);
    let (Some(turns), Some(pairs)) = (&exact.most_turns, &exact.most_pairs) else {
        return lines;
    };
    lines.push(text!(
        EnumTurns,
        sum = Count(exact.sum_of_turns()),
        games = Count(finished),
        mean = mean(exact.sum_of_turns()),
        most = Count(turns.turns.into())
    ));
    lines.push(text!(
        EnumPairs,
        sum = Count(exact.pairs),
        games = Count(finished),
        mean = mean(exact.pairs),
        most = Count(pairs.pairs)
    ));
    let [first, second] = hands(turns);
    lines.push(text!(
        EnumMostTurns,
        turns = Count(turns.turns.into()),
        pairs = Count(turns.pairs),
        first = first,
        second = second
    ));
    if pairs != turns {
        let [first, second] = hands(pairs);
        lines.push(text!(
            EnumMostPairs,
            turns = Count(pairs.turns.into()),
            pairs = Count(pairs.pairs),
            first = first,
            second = second
        ));
    }
    lines
}

/// Hands of a game, top card first.
fn hands(game: &LongestGame) -> [String; 2] {
    let cards = |hand: &Vec<_>| {
        let cards: Vec<_> = hand.iter().map(ToString::to_string).collect();
        cards.join(" ")
    };
    [cards(&game.hands[0]), cards(&game.hands[1])]
}

/// Maximum number of periods that are listed one by one.
const MAX_LISTED_PERIODS: usize = 12;

/// Periods of endless games: each period if there are few, else only the smallest and largest.
fn periods_text(exact: &ExactFigures, catalogue: &Catalogue) -> Option<Text> {
    let periods: Vec<_> = exact.periods.iter().collect();
    let (&(min, _), &(max, _)) = (periods.first()?, periods.last()?);
    if periods.len() > MAX_LISTED_PERIODS {
        return Some(text!(
            EnumPeriods,
            min = Count(min.into()),
            max = Count(max.into())
        ));
    }
    let periods = periods.into_iter().map(|(period, deals)| {
        let text = text!(
            EnumPeriod,
            period = Count(period.into()),
            deals = Count(deals)
        );
        catalogue.format_text(&text)
    });
    let periods: Vec<_> = periods.collect();
    Some(text!(EnumFewPeriods, periods = periods.join(", ")))
}

/// Outcomes of the games; if only one of two swapped deals is played, wins are not split by player.
fn outcomes_text(exact: &ExactFigures, swaps: bool) -> Text {
    let [first, second] = exact.won;
    let drawn = Count(exact.drawn);
    let endless = Count(exact.endless);
    let undecided = Count(exact.undecided);
    if swaps {
        let won = Count(first + second);
        text!(
            EnumOutcomesOfEither,
            won = won,
            drawn = drawn,
            endless = endless,
            undecided = undecided
        )
    } else {
        text!(
            EnumOutcomes,
            first = Count(first),
            second = Count(second),
            drawn = drawn,
            endless = endless,
            undecided = undecided
        )
    }
}

/// Formats a rough duration.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time is positive, and `u64::MAX` days or years are long enough"
)]
fn time_text(hours: f64, catalogue: &Catalogue) -> Text {
    const DAY: f64 = 24.0;
    const YEAR: f64 = 365.25 * DAY;
    match hours {
        hours if hours < 4.0 * DAY => text!(EnumHours, hours = catalogue.format_decimal(hours, 1)),
        hours if hours < 2.0 * YEAR => text!(EnumDays, days = Count((hours / DAY) as u64)),
        hours => text!(EnumYears, years = Count((hours / YEAR) as u64)),
    }
}
