use super::audit_log::AuditLog;
use super::cli::{Cli, Play};
use super::exit::{Exit, Failure, io_text};
use super::scenarios::{Library, Source};
use super::session::{Session, dealt as dealt_hands};
use super::{Context, display, english};
use crate::cards::Generator;
use crate::i18n::{Message, Text};
use crate::journal::Deal;
use crate::projections::screens::{Edition, correction_text};
use crate::rules::CLASSIC;
use crate::rules::setup::{Correction, Setup};
use crate::scenario::{Classic, LARGEST, Mangled, name_of, parse_classic};
use clap::CommandFactory;
use slog::{crit, warn};
use std::path::PathBuf;

impl Play {
    /// Sees that none of the options stands before a subcommand, which would ignore it.
    pub(super) fn refuse_with_command(&self) -> Result<(), Failure> {
        let given = [
            (!self.values.is_empty(), "PLAYERS DECK"),
            (self.seed.is_some(), "--seed"),
            (self.journal.is_some(), "--journal"),
            (self.journal_dir.is_some(), "--journal-dir"),
            (self.durable, "--durable"),
            (self.scenario.is_some(), "--scenario"),
            (self.scenarios.is_some(), "--scenarios"),
        ];
        match given.into_iter().find(|(given, _)| *given) {
            None => Ok(()),
            Some((_, option)) => {
                let text = Text::new(Message::OPTION_OF_PLAY).with("option", option);
                Err(Failure::usage(text))
            }
        }
    }

    fn seed(&self) -> Result<Option<u64>, Failure> {
        let Some(typed) = &self.seed else {
            return Ok(None);
        };
        let digits = typed.bytes().all(|byte| byte.is_ascii_digit());
        match typed.parse() {
            Ok(seed) if digits => Ok(Some(seed)),
            _ => {
                let text = Text::new(Message::BAD_SEED).with("value", typed.as_str());
                Err(Failure::usage(text))
            }
        }
    }

    fn check_journal_options(&self, several: bool, scenario: bool) -> Result<(), Failure> {
        let message = match () {
            () if several && self.journal.is_some() => Message::JOURNAL_OF_SEVERAL,
            () if !scenario && self.journal_dir.is_some() => Message::JOURNAL_DIR_OF_ONE,
            () if self.durable && self.journal.is_none() && self.journal_dir.is_none() => {
                Message::DURABLE_WITHOUT_JOURNAL
            }
            () => return Ok(()),
        };
        Err(Failure::usage(Text::new(message)))
    }
}

/// Plays the classic edition: a dealt game, or the scenarios that replace it.
pub(super) fn play(options: &Play, context: &mut Context) -> Result<Exit, Failure> {
    let values: Vec<_> = options
        .values
        .iter()
        .map(|value| value.to_string_lossy())
        .collect();
    if let Some(word) = values.first() {
        hint_at_command(word, context);
    }
    let setup = match &values[..] {
        [] if options.scenario.is_some() => None,
        [players, deck] => Some(Setup::from_typed(players, deck)),
        _ => return Ok(usage(context)),
    };
    let seed = options.seed()?;
    let default = context.environment.scenarios.as_deref();
    if let (None, Some(missing)) = (&options.scenarios, default.filter(|path| !path.is_dir())) {
        let text = Text::new(Message::NO_SCENARIOS_VARIABLE);
        let text = text.with("directory", display(missing));
        context.terminal.warning(&text);
    }
    let library = Library::open(options.scenarios.as_deref(), default)?;
    let sources = match &options.scenario {
        Some(wanted) => vec![library.find(wanted)?],
        None => library.games()?,
    };
    let scenario = !sources.is_empty();
    options.check_journal_options(scenario && options.scenario.is_none(), scenario)?;
    let corrections = setup.as_ref().map(|setup| setup.corrections.clone());
    let corrections = corrections.unwrap_or_default();
    if scenario {
        if seed.is_some() {
            context
                .terminal
                .note(&Text::new(Message::SEED_WITHOUT_EFFECT));
        }
        return scenarios(options, &sources, corrections, context);
    }
    match setup {
        Some(setup) => dealt(options, &setup, seed, context),
        None => Ok(usage(context)),
    }
}

fn usage(context: &mut Context) -> Exit {
    context.terminal.print_line(&Text::new(Message::USAGE));
    context.terminal.tell(&Text::new(Message::CALLED));
    Exit::Usage
}

/// Tells of a first word that is nearly a subcommand.
fn hint_at_command(word: &str, context: &mut Context) {
    const NEARLY: f64 = 0.8;
    let command = Cli::command();
    let near = command
        .get_subcommands()
        .map(|command| (strsim::jaro(word, command.get_name()), command.get_name()))
        .filter(|(likeness, _)| *likeness > NEARLY)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, name)) = near {
        let text = Text::new(Message::NEARLY_COMMAND)
            .with("word", word)
            .with("command", name);
        context.terminal.note(&text);
    }
}

fn dealt(
    options: &Play,
    setup: &Setup,
    seed: Option<u64>,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let seed = seed.unwrap_or_else(rand::random);
    let generator = Generator::ChaCha8 { seed };
    let (hands, chance) = dealt_hands(setup.deck, setup.players, generator);
    let session = Session {
        follows: false,
        edition: Edition::of(&CLASSIC),
        hands,
        deck: setup.deck,
        deal: Deal::Shuffled { generator },
        chance,
        corrections: setup.corrections.clone(),
        journal: options.journal.clone(),
        durable: options.durable,
    };
    with_log(context, |log, context| session.play(log, context))?;
    Ok(Exit::Success)
}

/// Plays scenario files one after the other; a bad one is told, and the next one played.
fn scenarios(
    options: &Play,
    sources: &[Source],
    mut corrections: Vec<Correction>,
    context: &mut Context,
) -> Result<Exit, Failure> {
    if options.scenario.is_none() {
        let text = Text::new(Message::SCENARIOS_REPLACE).with("files", sources.len());
        context.terminal.note(&text);
    }
    let mut exit = Exit::Success;
    let mut played = false;
    for source in sources {
        let outcome = with_log(context, |log, context| {
            let scenario = match load(source) {
                Ok(scenario) => scenario,
                Err(text) => {
                    crit!(log.logger(), "error"; "text" => english(&text));
                    context.terminal.error(&text);
                    return Ok(Exit::Bad);
                }
            };
            for oddity in &scenario.oddities {
                warn!(log.logger(), "odd cards"; "file" => source.display(), "found" => oddity);
            }
            let session = Session {
                follows: std::mem::replace(&mut played, true),
                edition: Edition::of(&CLASSIC),
                hands: scenario.hands,
                deck: scenario.deck,
                chance: Box::new(()),
                deal: Deal::Scenario {
                    name: name_of(&source.file_name()).to_owned(),
                },
                corrections: std::mem::take(&mut corrections),
                journal: journal_path(options, source),
                durable: options.durable,
            };
            session.play(log, context).map(|()| Exit::Success)
        })?;
        exit = exit.worse(outcome);
    }
    // Where nothing was played, nothing has told the corrections yet.
    for correction in &corrections {
        context.terminal.print_line(&correction_text(correction));
    }
    Ok(exit)
}

fn journal_path(options: &Play, source: &Source) -> Option<PathBuf> {
    let in_directory = |directory: &PathBuf| directory.join(source.file_name().as_ref());
    let directory = options.journal_dir.as_ref().map(in_directory);
    options.journal.clone().or(directory)
}

/// Reads a scenario file; the error is a text for the player.
fn load(source: &Source) -> Result<Classic, Text> {
    let file = source.display();
    let mangled = |text: Text| {
        Text::new(Message::SCENARIO_MANGLED)
            .with("file", file.as_str())
            .with("reason", text)
    };
    let content = source.read().map_err(|error| {
        Text::new(Message::SCENARIO_UNREADABLE)
            .with("file", file.as_str())
            .with("reason", io_text(&error))
    })?;
    if content.len() as u64 > LARGEST {
        let text = Text::new(Message::SCENARIO_TOO_LARGE);
        return Err(mangled(text.with("bytes", LARGEST.to_string())));
    }
    parse_classic(&content).map_err(|error| match error {
        Mangled::Content(text) => mangled(text),
        Mangled::Syntax(text) => Text::new(Message::SCENARIO_BAD_JSON)
            .with("file", file.as_str())
            .with("reason", text),
    })
}

/// Does something with an audit log of its own, and tells where the log failed.
pub(super) fn with_log<T>(
    context: &mut Context,
    play: impl FnOnce(&AuditLog, &mut Context) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let log = match AuditLog::open(&context.config.log, context.clock) {
        Ok(log) => log,
        Err(error) => {
            context.warn_of_log(&error);
            AuditLog::nowhere()
        }
    };
    let result = play(&log, context);
    if let Some(error) = log.close() {
        context.warn_of_log(&error);
    }
    result
}
