//! `war simulate`: many games of any rules, one of them, or the parts of a run joined.

mod options;
mod outputs;
mod plot;
mod summary;
mod threads;

pub(crate) use options::{bad_value, deck, games, jobs};
pub(crate) use summary::told_limit;
pub(crate) use threads::{Bar, Plan, catch_interruption, interrupted, on_threads};

use crate::app::cli::{FigureFiles, Merge, Simulate};
use crate::app::context::Context;
use crate::app::exit::{Exit, Failure, unreadable};
use crate::app::scenario_games::with_log;
use crate::app::session::Session;
use crate::app::text::display;
use crate::cards::{GameNumber, Generator};
use crate::digits::whole;
use crate::i18n::{Message, Text};
use crate::journal::Deal;
use crate::simulate::{Dealing, GameSetup, Kernel, NotJoined, Run, RunFileError};
use options::number;
use outputs::Output;
use std::fmt::Write;
use std::fs::{self, File};
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How many games are played where no number is given.
const GAMES: u64 = 1_000_000;

/// Plays many games, one of them, or joins parts of a run.
pub(crate) fn simulate(options: &Simulate, context: &mut Context) -> Result<Exit, Failure> {
    if let Some(Merge::Merge { parts, files }) = &options.merge {
        return merge(parts, files, context);
    }
    let rules = options.game_rules()?;
    if let Some(typed) = &options.game {
        let number = typed.parse();
        let number =
            number.map_err(|_| bad_value("--game", typed, "1:0, 1:1, 1:2, …".to_owned()))?;
        return play_one(options, &rules, number, context);
    }
    // The parser does not ask for `--game` where `--games` excludes it.
    if let (Some(_), _) | (_, true) = (&options.journal, options.durable) {
        return Err(Failure::usage(Text::new(Message::SIM_JOURNAL_OF_NONE)));
    }
    let games = games(options.games.as_deref())?.unwrap_or(GAMES);
    let part = match &options.shard {
        Some(typed) => shard(typed, games)?,
        None => 0..games,
    };
    let jobs = jobs(options.jobs.as_deref())?;
    let kernel = kernel(options.kernel.as_deref())?;
    let most = u64::MAX;
    let seed = match options.seed.as_deref() {
        Some(typed) => match number("--seed", Some(typed), (0, most)) {
            Ok(Some(seed)) => seed,
            _ => {
                return Err(Failure::usage(
                    Text::new(Message::BAD_SEED).with("value", typed),
                ));
            }
        },
        None => rand::random(),
    };
    options.files.check_drawing()?;
    // Before there is anything that a second interruption would have to remove.
    catch_interruption();
    let files = Files::create(&options.files)?;
    let mut rows = Output::create(options.csv_games.as_deref())?;
    if let Some(rows) = &mut rows {
        rows.write(threads::ROWS)?;
    }
    let plan = Plan {
        rules,
        seed,
        games,
        part,
        kernel,
        jobs,
    };
    let run = plan.play(rows.as_mut(), context.terminal.catalogue)?;
    summary::print(&run, &mut context.terminal);
    if let Some(rows) = rows {
        rows.finish()?;
    }
    files.write(&run, context)?;
    if run.partial {
        let games = run.tally.games();
        let text = Text::new(Message::SIM_PARTIAL).with("games", games);
        context.terminal.warning(&text);
        return Ok(Exit::Incomplete);
    }
    Ok(Exit::Success)
}

/// The games of a part of the run, typed like `3/8`.
fn shard(typed: &str, games: u64) -> Result<Range<u64>, Failure> {
    let bad = || bad_value("--shard", typed, "1/4, 2/4, 3/4, 4/4".to_owned());
    let (index, of) = typed.split_once('/').ok_or_else(bad)?;
    let number = |text: &str| whole::<u64>(text).ok_or_else(bad);
    let (index, of) = (number(index)?, number(of)?);
    if index == 0 || index > of {
        return Err(bad());
    }
    let part = Run::share(games, index, of);
    if part.is_empty() {
        let text = Text::new(Message::SIM_EMPTY_SHARD)
            .with("shard", typed.to_owned())
            .with("games", games.to_string());
        return Err(Failure::usage(text));
    }
    Ok(part)
}

fn kernel(typed: Option<&str>) -> Result<Kernel, Failure> {
    let Some(typed) = typed else {
        return Ok(Kernel::Fastest);
    };
    let found = Kernel::ALL
        .into_iter()
        .find(|kernel| kernel.name() == typed);
    let known = Kernel::ALL.map(Kernel::name).join(", ");
    found.ok_or_else(|| bad_value("--kernel", typed, known))
}

/// Plays one game of a run on the console.
fn play_one(
    options: &Simulate,
    rules: &GameSetup,
    number: GameNumber,
    context: &mut Context,
) -> Result<Exit, Failure> {
    if let Some(seed) = &options.seed
        && self::number("--seed", Some(seed), (0, u64::MAX))
            .ok()
            .flatten()
            != Some(number.seed)
    {
        let text = Text::new(Message::SIM_OTHER_SEED)
            .with("seed", seed.to_owned())
            .with("game", number.to_string());
        return Err(Failure::usage(text));
    }
    let (hands, chance) = rules.deal(number);
    let generator = Generator::Xoshiro256PlusPlus { number };
    let deal = match &rules.dealing {
        Dealing::Shuffled => Deal::Shuffled { generator },
        Dealing::Fixed { seat, cards } => Deal::Fixed {
            generator,
            seat: *seat,
            cards: cards.clone(),
        },
        Dealing::Given { name, .. } => Deal::Scenario { name: name.clone() },
    };
    let session = Session {
        follows: false,
        variant: rules.variant(),
        hands,
        deck: rules.deck,
        deal,
        chance: Box::new(chance),
        corrections: Vec::new(),
        journal: options.journal.clone(),
        durable: options.durable,
    };
    with_log(context, |log, context| session.play(log, context))?;
    Ok(Exit::Success)
}

/// The files that hold the figures of a run.
struct Files {
    json: Option<Output>,
    csv: Option<Output>,
    plot: Option<Output>,
}

impl Files {
    fn create(files: &FigureFiles) -> Result<Self, Failure> {
        Ok(Self {
            json: Output::create(files.json.as_deref())?,
            csv: Output::create(files.csv.as_deref())?,
            plot: Output::create(files.plot.as_deref())?,
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
                output.write(&content())?;
                output.finish()?;
            }
        }
        Ok(())
    }
}

impl FigureFiles {
    /// Sees that a drawing does not get the name of another kind of picture.
    fn check_drawing(&self) -> Result<(), Failure> {
        const OTHERS: [&str; 6] = ["png", "jpg", "jpeg", "gif", "webp", "pdf"];
        let Some(path) = &self.plot else {
            return Ok(());
        };
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        if OTHERS.contains(&extension.to_lowercase().as_str()) {
            let text = Text::new(Message::SIM_NO_SVG).with("file", display(path));
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
            let text = Text::new(Message::SIM_OUTPUT_IS_PART).with("file", display(output));
            return Err(Failure::usage(text));
        }
    }
    let mut parts = Vec::new();
    for path in paths {
        let mut json = Vec::new();
        let read =
            File::open(path).and_then(|file| file.take(LARGEST_PART + 1).read_to_end(&mut json));
        let size = read.map_err(|error| unreadable(path, &error))?;
        let whole = u64::try_from(size).is_ok_and(|size| size <= LARGEST_PART);
        let part = if whole {
            Run::from_json(&json)
        } else {
            Err(RunFileError::Changed)
        };
        parts.push(part.map_err(|error| no_part(error, path))?);
    }
    let run = Run::joined(&parts).map_err(|error| not_joined(error, paths))?;
    let files = Files::create(files)?;
    summary::print(&run, &mut context.terminal);
    files.write(&run, context)?;
    Ok(Exit::Success)
}

/// Whether both names lead to one file.
fn is_same_file(a: &Path, b: &Path) -> bool {
    let places = fs::canonicalize(a).ok().zip(fs::canonicalize(b).ok());
    places.is_some_and(|(a, b)| a == b && a.is_file())
}

fn no_part(error: RunFileError, path: &Path) -> Failure {
    let text = match error {
        RunFileError::Changed => Text::new(Message::SIM_NO_PART),
        RunFileError::Version(version) => {
            Text::new(Message::SIM_PART_VERSION).with("version", version)
        }
        RunFileError::Generator(name) => {
            Text::new(Message::SIM_PART_GENERATOR).with("generator", name)
        }
    };
    Failure::new(Exit::Bad, text.with("file", display(path)))
}

fn not_joined(error: NotJoined, paths: &[PathBuf]) -> Failure {
    let file = |index: usize| display(paths.get(index).map_or(Path::new(""), PathBuf::as_path));
    let two = |message: Message, first: usize, second: usize| {
        Text::new(message)
            .with("file", file(first))
            .with("other", file(second))
    };
    let text = match error {
        NotJoined::OtherRules(first, second, option) => {
            two(Message::SIM_OTHER_RULES, first, second).with("option", option)
        }
        NotJoined::OtherSeed(first, second) => two(Message::SIM_MERGE_SEED, first, second),
        NotJoined::OtherGames(first, second) => two(Message::SIM_MERGE_GAMES, first, second),
        NotJoined::Partial(index) => {
            Text::new(Message::SIM_MERGE_PARTIAL).with("file", file(index))
        }
        NotJoined::Overlap(first, second, game) => {
            two(Message::SIM_OVERLAP, first, second).with("game", game.to_string())
        }
        NotJoined::Missing(from, to) => Text::new(Message::SIM_MISSING)
            .with("from", from.to_string())
            .with("to", to.saturating_sub(1).to_string()),
    };
    Failure::new(Exit::Bad, text)
}
