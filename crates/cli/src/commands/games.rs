//! Options and scenario files of the commands that play games, and the printing, recording and
//! logging of these games.

use crate::arguments::journal::{JournalOptions, RESULT_HELP, ResultFormat};
use crate::context::Context;
use crate::failure::{
    ExitStatus, Failure, JournalNaming, create_failure, read_failure, write_failure,
};
use crate::machine::audit_log::AuditLog;
use crate::machine::input::is_directory;
use crate::machine::journal_files::{create_medium, is_syncable};
use crate::machine::scenario_files::{ScenarioLibrary, ScenarioSource};
use crate::machine::shell::{quote_command, to_file_argument};
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::stdout::Printer;
use crate::machine::terminal::Terminal;
use crate::machine::text::{english_text, io_text, path_text};
use clap::{Args, ValueHint};
use slog::{crit, warn};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use war::cards::Chance;
use war::i18n::{Count, Text, text};
use war::journal::{End, GameEndReason, JournalFormat};
use war::projections::audit::{self, AuditProjection};
use war::projections::screens::{SCREEN_SEPARATOR, correction_text};
use war::recording::{NewGame, Recorder};
use war::result::{GameResult, Tally};
use war::rules::Variant;
use war::scenario::{MAX_SCENARIO_BYTES, Scenario, ScenarioError, parse_scenario, scenario_name};
use war::setup::Correction;
use war::support::digits::parse_whole_number;

/// Options of all dealt and scenario games.
#[derive(Debug, Args)]
pub(crate) struct GameOptions {
    /// Seed to deal from, 0 to 18446744073709551615 [default: a random one, printed to stderr]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) seed: Option<String>,
    /// Record the game in a new file (- for standard output, in place of the screens)
    #[arg(long, value_name = "FILE", conflicts_with = "journal_dir")]
    pub(crate) journal: Option<PathBuf>,
    /// Record each scenario game in a new file in this directory
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) journal_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) form: JournalOptions,
    /// Scenario to play: a path, a name in any letter case, or - for standard input
    #[arg(long, value_name = "X", value_hint = ValueHint::FilePath)]
    pub(crate) scenario: Option<OsString>,
    /// Directory to look for scenarios in [default: `WAR_SCENARIOS`, else ./scenarios]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) scenarios: Option<PathBuf>,
    #[arg(long, value_name = "FORMAT", ignore_case = true, help = "Print the result as JSON instead of the screens", long_help = RESULT_HELP)]
    pub(crate) result: Option<ResultFormat>,
}

impl GameOptions {
    /// Parses the seed, if given.
    ///
    /// # Errors
    ///
    /// If the seed is not a number.
    pub(crate) fn parse_seed(&self) -> Result<Option<u64>, Text> {
        let seed = self.seed.as_ref().map(|typed| {
            let bad = || text!(BadSeed, value = typed.as_str());
            parse_whole_number(typed).ok_or_else(bad)
        });
        seed.transpose()
    }

    /// Checks the options of journals and results against the games to play.
    ///
    /// # Errors
    ///
    /// If the options contradict each other, or don't fit the number of games.
    pub(crate) fn check_journal_options(&self, sources: &[ScenarioSource]) -> Result<(), Text> {
        let scenario = !sources.is_empty();
        let several = scenario && self.scenario.is_none();
        if several && self.result.is_some() {
            return Err(text!(ResultOfSeveral));
        }
        if several && self.journal.is_some() {
            return Err(text!(JournalOfSeveral));
        }
        if !scenario && self.journal_dir.is_some() {
            return Err(text!(JournalDirOfOne));
        }
        let recorded = self.journal.is_some() || self.journal_dir.is_some();
        self.form.to_format(recorded).map(drop)
    }

    /// Finds the scenarios to play: the one given, or those of the directory.
    pub(crate) fn find_scenarios(
        &self,
        prefix: &'static str,
        context: &mut Context,
    ) -> Result<Vec<ScenarioSource>, Failure> {
        let default = context.environment.scenarios.as_deref();
        // An error is left to the library, which reports it.
        let is_missing = |path: &&Path| is_directory(path).is_ok_and(|is_there| !is_there);
        if let (None, Some(missing)) = (&self.scenarios, default.filter(is_missing)) {
            let text = text!(NoScenariosVariable, directory = path_text(missing));
            context.terminal.report_warning(&text);
        }
        let default = context.environment.scenarios.as_deref();
        let library = ScenarioLibrary::open(prefix, self.scenarios.as_deref(), default)?;
        match &self.scenario {
            Some(wanted) => Ok(vec![library.find(wanted)?]),
            None => Ok(library.find_dealing_scenarios()?),
        }
    }

    /// Destination of the game of this scenario, or of a dealt game without a scenario.
    pub(crate) fn to_destination(
        &self,
        source: Option<&ScenarioSource>,
    ) -> Result<GameDestination, Failure> {
        let directory = self.journal_dir.as_ref().zip(source);
        let derived =
            directory.map(|(directory, source)| directory.join(source.file_name().as_ref()));
        let naming = match derived {
            Some(_) => JournalNaming::Derived,
            None => JournalNaming::Given,
        };
        let journal = self.journal.clone().or(derived);
        let destination =
            GameDestination::for_single_game(journal.as_deref(), &self.form, self.result)?;
        Ok(GameDestination {
            naming,
            ..destination
        })
    }
}

/// Series of scenario games.
pub(crate) struct ScenarioGames {
    pub(crate) variant: Variant,
    /// Prefix of the edition's file names.
    pub(crate) prefix: &'static str,
    /// Function that makes the message about a file with invalid content, from the file's name and
    /// the reason.
    pub(crate) bad_content: fn(String, Text) -> Text,
    pub(crate) sources: Vec<ScenarioSource>,
    /// Text printed before the first game, even if its file is invalid.
    pub(crate) listing: String,
    /// Corrections of invalid arguments, printed with the first valid game.
    pub(crate) corrections: Vec<Correction>,
}

impl ScenarioGames {
    /// Plays the games; invalid files are reported and skipped.
    ///
    /// `chance` makes the source of randomness of each game.
    pub(crate) fn play(
        mut self,
        options: &GameOptions,
        mut chance: impl FnMut() -> Box<dyn Chance>,
        context: &mut Context,
    ) -> Result<ExitStatus, Failure> {
        let mut exit = ExitStatus::Success;
        let mut played = false;
        let mut sources = std::mem::take(&mut self.sources).into_iter();
        for source in sources.by_ref() {
            let outcome = run_with_audit_log(context, |log, context| {
                let listing = std::mem::take(&mut self.listing);
                context.terminal.print(&listing);
                audit::log_text(log.logger(), &listing);
                let Some(opening) = self.load_opening(&source, chance(), log, context)? else {
                    return Ok(ExitStatus::InvalidData);
                };
                let session = PlannedGame {
                    follows_another: std::mem::replace(&mut played, true),
                    opening: opening.with_corrections(std::mem::take(&mut self.corrections))?,
                    destination: options.to_destination(Some(&source))?,
                };
                session.play(log, context)
            })?;
            exit = exit.worse(outcome);
            if is_interrupted() {
                break;
            }
        }
        if sources.len() > 0 {
            let text = text!(GamesNotBegun, games = Count(sources.len() as u64));
            context.terminal.report_warning(&text);
            exit = exit.worse(ExitStatus::Incomplete);
        }
        // If no game was played, the corrections were not printed yet.
        for text in self.corrections.iter().filter_map(correction_text) {
            context.terminal.print_line(&text);
        }
        Ok(exit)
    }

    /// Opening of a scenario game; `None` for an invalid file, which is reported and logged.
    pub(crate) fn load_opening(
        &self,
        source: &ScenarioSource,
        chance: Box<dyn Chance>,
        log: &AuditLog,
        context: &mut Context,
    ) -> Result<Option<NewGame>, Failure> {
        let Some(hands) = self.load(source, log, context) else {
            return Ok(None);
        };
        let file = source.file_name();
        let name = scenario_name(&file, self.prefix);
        let opening = NewGame::from_scenario(self.variant, name, hands.hands, chance)?;
        Ok(Some(opening))
    }

    /// Reads a scenario file; `None` for an invalid file, which is reported and logged.
    fn load(
        &self,
        source: &ScenarioSource,
        log: &AuditLog,
        context: &mut Context,
    ) -> Option<Scenario> {
        match self.read(source) {
            Ok(hands) => {
                for oddity in &hands.oddities {
                    warn!(log.logger(), "odd cards"; "file" => path_text(source.path()), "found" => oddity);
                }
                Some(hands)
            }
            Err(text) => {
                crit!(log.logger(), "error"; "text" => english_text(&text));
                context.terminal.report_error(&text);
                None
            }
        }
    }

    fn read(&self, source: &ScenarioSource) -> Result<Scenario, Text> {
        let file = path_text(source.path());
        let bad = |reason: Text| (self.bad_content)(file.clone(), reason);
        let content = source.read().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => read_failure(source.path(), &error).text,
            _ => bad(text!(ScenarioUnreadable, reason = io_text(&error))),
        })?;
        if content.len() as u64 > MAX_SCENARIO_BYTES {
            return Err(bad(text!(
                ScenarioTooLarge,
                bytes = MAX_SCENARIO_BYTES.to_string()
            )));
        }
        parse_scenario(&content, &self.variant).map_err(|error| match error {
            ScenarioError::Content(content) => bad(Text::from(&content)),
            ScenarioError::Syntax(syntax) => {
                let reason = Text::from(&syntax);
                text!(ScenarioBadJson, file = file.as_str(), reason = reason)
            }
        })
    }
}

/// Runs `play` with a new audit log, and warns if the log fails.
pub(crate) fn run_with_audit_log<T>(
    context: &mut Context,
    play: impl FnOnce(&AuditLog, &mut Context) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let log = match AuditLog::open(&context.config.log, context.clock) {
        Ok(log) => log,
        Err(error) => {
            context.warn_of_log_failure(&error);
            AuditLog::disabled()
        }
    };
    let result = play(&log, context);
    if let Some(error) = log.close() {
        context.warn_of_log_failure(&error);
    }
    result
}

/// Game about to be played, and its destination.
pub(crate) struct PlannedGame {
    /// True if a separator precedes this game, because the command has already played another game.
    pub(crate) follows_another: bool,
    pub(crate) opening: NewGame,
    pub(crate) destination: GameDestination,
}

/// Journal and output of a game, in addition to the audit log.
#[derive(Debug, Clone)]
pub(crate) struct GameDestination {
    /// Journal: a new file, or `-` for standard output.
    pub(crate) journal: Option<PathBuf>,
    pub(crate) naming: JournalNaming,
    pub(crate) durable: bool,
    /// Format of the journal.
    pub(crate) format: JournalFormat,
    /// Format of a result that replaces the screens.
    pub(crate) result: Option<ResultFormat>,
}

impl GameDestination {
    /// Destination of a game that does not come from a scenario file.
    pub(crate) fn for_single_game(
        journal: Option<&Path>,
        form: &JournalOptions,
        result: Option<ResultFormat>,
    ) -> Result<Self, Failure> {
        Ok(Self {
            journal: journal.map(Path::to_owned),
            naming: JournalNaming::Given,
            durable: form.durable,
            format: form.to_format(journal.is_some()).map_err(Failure::usage)?,
            result,
        })
    }
}

/// Reports that a whole game was recorded, with the command that replays and checks it.
pub(crate) fn report_recording(journal: &Path, end: &End, terminal: &mut Terminal) {
    let digest = end.digest.to_string();
    terminal.report_note(&text!(
        Recorded,
        file = path_text(journal),
        events = Count(end.events),
        digest = digest.clone()
    ));
    let file = to_file_argument(journal.as_os_str());
    let command =
        file.and_then(|file| quote_command(&["war", "replay", &file, "--expect-digest", &digest]));
    if let Some(command) = command {
        terminal.report_hint(&text!(RecordedHint, command = command));
    }
}

/// Program name and version in journals and logs.
pub(crate) const ENGINE: &str = concat!("war ", env!("CARGO_PKG_VERSION"));

impl PlannedGame {
    /// Plays the game: each event goes to the journal, then to the screen, then to the audit log.
    ///
    /// A recorded game ends early once the program is interrupted.
    pub(crate) fn play(self, log: &AuditLog, context: &mut Context) -> Result<ExitStatus, Failure> {
        let played = self.play_logged(log, context);
        if let Err(failure) = &played {
            crit!(log.logger(), "error"; "text" => english_text(&failure.text));
        }
        played
    }

    fn play_logged(self, log: &AuditLog, context: &mut Context) -> Result<ExitStatus, Failure> {
        let terminal = &mut context.terminal;
        let mut tally = Tally::default();
        let mut recorder = Recorder::new(ENGINE, self.opening, terminal.catalogue.lang());
        let header = recorder.header().clone();
        log.log_game(&header);
        if self.destination.result.is_some() {
            for text in header.corrections.iter().filter_map(correction_text) {
                terminal.report_warning(&text);
            }
        }
        let destination = &self.destination;
        if let Some(path) = &destination.journal {
            if destination.durable && !is_syncable(path) {
                return Err(Failure::usage(text!(DurableStream)));
            }
            Interruption::catch_for_recording();
            let file = create_medium(path);
            let file = file.map_err(|error| create_failure(path, &error, destination.naming))?;
            recorder = recorder.write_in_format(destination.format.clone(), file);
            if destination.durable {
                recorder = recorder.sync_every_event();
            }
        }
        if self.follows_another {
            terminal.print(SCREEN_SEPARATOR);
            audit::log_text(log.logger(), SCREEN_SEPARATOR);
        }
        recorder = recorder.with_projection(AuditProjection::new(log.logger().clone()));
        recorder = match destination.result {
            Some(ResultFormat::Json) => recorder.with_projection(&mut tally),
            None => {
                let lang = terminal.catalogue.lang();
                recorder.with_projection(Printer::new(
                    terminal.out.clone(),
                    0..=u32::MAX,
                    &header,
                    lang,
                ))
            }
        };
        let played = recorder.play_while(|| !is_interrupted());
        let path = destination.journal.as_deref();
        let failed = |error| write_failure(path.unwrap_or(Path::new("")), &error);
        let end = played.map_err(failed)?;
        let is_whole = end.reason != GameEndReason::CutOff;
        if !is_whole {
            crit!(log.logger(), "cut off"; "turn" => end.turns);
        }
        if destination.result.is_some() {
            let result = GameResult::new(&header, &end, &tally);
            context.terminal.print_result(result, path);
        }
        let Some(path) = path else {
            return Ok(ExitStatus::Success);
        };
        if is_whole {
            report_recording(path, &end, &mut context.terminal);
            return Ok(ExitStatus::Success);
        }
        let turn = Count(end.turns.into());
        context.terminal.report_warning(&text!(
            GameInterrupted,
            file = path_text(path),
            events = Count(end.events),
            turn = turn,
            digest = end.digest.to_string()
        ));
        Ok(ExitStatus::Incomplete)
    }
}
