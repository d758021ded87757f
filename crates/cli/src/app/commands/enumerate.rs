//! `war enumerate`: all deals of a small deck, or parts of them, played or joined.

use super::simulate::{named, no_parts};
use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::unreadable;
use crate::cli::{Enumerate, ExactFiles, MergeEnumeration, TypedShard};
use crate::host::checkpoint::Checkpoint;
use crate::host::forecast;
use crate::host::part_files::part_files;
use crate::machine::input;
use crate::machine::outputs::{Output, OutputError, Outputs, overwriting, write_all};
use crate::machine::progress::Games;
use crate::machine::signals::Interruption;
use crate::machine::text::display;
use crate::wording::{
    enumeration_lines, exact_lines, method_line, no_part_text, not_enumerable_text,
    not_joined_text, not_resumed_text, time_text,
};
use std::io;
use std::path::{Path, PathBuf};
use war::i18n::{Count, text};
use war_simulate::simulate::{Dealing, Enumerated, Enumeration, GameSetup, RunFileError};

/// Plays all deals of a deck in two equal hands, or joins parts of them.
pub(crate) fn enumerate(options: &Enumerate, context: &mut Context) -> Result<Exit, Failure> {
    if let Some(MergeEnumeration::Merge { parts, files }) = &options.merge {
        return merge(parts, files, context);
    }
    // A command line without a deck has something to merge.
    let Some(deck) = options.deck else {
        return Ok(Exit::Usage);
    };
    let rules = GameSetup {
        parameters: options.rules.chosen().parameters().0,
        players: 2,
        deck,
        dealing: Dealing::Shuffled,
    };
    let enumeration = enumeration(&rules, context)?;
    let played = begun(options, &enumeration)?;
    let left = played.deals_left(enumeration.deals());
    let jobs = options.jobs.number();
    if !options.yes
        && let Some(hours) = forecast::hours(&enumeration, left, jobs)
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

/// What is to be played: from the beginning, or from where it was left.
fn begun(options: &Enumerate, enumeration: &Enumeration) -> Result<Enumerated, Failure> {
    let all = enumeration.parts();
    let shard = options.shard.map(TypedShard::shard).transpose();
    let shard = shard.map_err(Failure::usage)?;
    let parts = shard.map_or(0..all, |shard| shard.of_games(all));
    if let Some(shard) = shard.filter(|_| parts.is_empty()) {
        let shard = shard.to_string();
        let text = text!(EnumEmptyShard, shard = shard, parts = Count(all));
        return Err(Failure::usage(text));
    }
    let fresh = Enumerated::new(enumeration, parts);
    let is_missing = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
    match &options.resume {
        Some(path) if !path.metadata().is_err_and(is_missing) => {
            let kept = read(path)?;
            let refused = not_resumed_text(&kept, &fresh, &display(path));
            refused.map_or(Ok(kept), |text| Err(Failure::new(Exit::Bad, text)))
        }
        _ => Ok(fresh),
    }
}

/// Plays what is left, and prints and writes the figures.
fn play(
    options: &Enumerate,
    enumeration: &Enumeration,
    mut played: Enumerated,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let outputs = Outputs::default();
    let unfinished = outputs.clone();
    let interruption = Interruption::catch(move || unfinished.remove());
    let files = outputs.create_all(options.files.all())?;
    let begin = |file: &PathBuf| Checkpoint::begin(file.clone(), &outputs, played.to_json());
    let mut checkpoint = options.resume.as_ref().map(begin).transpose()?;
    let prints = !options.files.take_output();
    if prints {
        print_rules(enumeration, &played, context);
        context.terminal.print_line(&method_line(enumeration));
        context.terminal.flush();
    }
    let left = played.deals_left(enumeration.deals());
    let watch = Games::new(left, &interruption, context.terminal.catalogue);
    let mut kept = Ok(());
    played.play(enumeration, options.jobs.number(), &watch, |played| {
        if let Some(checkpoint) = &mut checkpoint {
            kept = checkpoint.keep_in_time(|| played.to_json());
        }
        kept.is_ok()
    });
    drop(watch);
    kept?;
    if let Some(checkpoint) = &mut checkpoint {
        checkpoint.keep(played.to_json())?;
    }
    if prints {
        print_figures(enumeration, &played, context);
    }
    write_files(files, &played)?;
    if played.is_complete() {
        return Ok(Exit::Success);
    }
    let (deals, all) = (Count(played.exact.deals), Count(enumeration.deals()));
    let text = match &options.resume {
        Some(_) => text!(EnumPaused, deals = deals, all = all),
        None => text!(EnumPartial, deals = deals, all = all),
    };
    context.terminal.warning(&text);
    Ok(Exit::Incomplete)
}

fn print_rules(enumeration: &Enumeration, played: &Enumerated, context: &mut Context) {
    for line in enumeration_lines(enumeration, played, context.terminal.catalogue) {
        context.terminal.print_line(&line);
    }
}

/// Prints the figures as a table for people.
fn print_figures(enumeration: &Enumeration, played: &Enumerated, context: &mut Context) {
    for line in exact_lines(played, enumeration.swaps(), context.terminal.catalogue) {
        context.terminal.print_line(&line);
    }
}

fn write_files(files: [Option<Output>; 2], played: &Enumerated) -> Result<(), OutputError> {
    let csv = || played.exact.turns.to_csv("deals");
    write_all(files, [&|| played.to_json(), &csv])
}

/// The most bytes of a part: more than a histogram of a million different lengths takes.
const LARGEST_PART: u64 = 64 << 20;

/// Reads an enumeration, or a part of one.
fn read(path: &Path) -> Result<Enumerated, Failure> {
    let json = input::read(path, LARGEST_PART).map_err(|error| unreadable(path, &error))?;
    let part = json.ok_or(RunFileError::Changed);
    let part = part.and_then(|json| Enumerated::from_json(&json));
    part.map_err(|error| Failure::new(Exit::Bad, no_part_text(&error, display(path))))
}

/// Joins the parts of an enumeration.
fn merge(paths: &[PathBuf], files: &ExactFiles, context: &mut Context) -> Result<Exit, Failure> {
    let paths = &part_files(paths).map_err(no_parts)?;
    if let Some(output) = overwriting(files.all(), paths) {
        return Err(Failure::usage(text!(
            SimOutputIsPart,
            file = display(output)
        )));
    }
    let parts = paths.iter().map(|path| read(path));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let whole = Enumerated::joined(&parts)
        .map_err(|error| Failure::new(Exit::Bad, not_joined_text(error, named(paths))))?;
    let outputs = Outputs::default().create_all(files.all())?;
    if !files.take_output() {
        let enumeration = enumeration(&whole.rules, context)?;
        print_rules(&enumeration, &whole, context);
        print_figures(&enumeration, &whole, context);
    }
    write_files(outputs, &whole)?;
    Ok(Exit::Success)
}
