use crate::app::context::Context;
use crate::app::exit::Failure;
use crate::app::messages::{cannot_create, write_failed};
use crate::app::printer::Printer;
use crate::app::text::{display, english};
use crate::cards::{Chance, Deck, Generator, Rank, deal};
use crate::cli::{JournalForm, ResultFormat};
use crate::engine::Game;
use crate::host::audit_log::AuditLog;
use crate::host::journal_file::JournalFile;
use crate::i18n::{Count, text};
use crate::journal::{Deal, Format};
use crate::projections::audit::{self, Audit};
use crate::projections::screens::{SEPARATOR, correction_text};
use crate::recording::{Opening, Recording};
use crate::result::{GameResult, Tally};
use crate::rules::{Flow, Variant};
use crate::setup::Correction;
use slog::{crit, info};
use std::io;
use std::path::{Path, PathBuf};

/// A game about to be played, and where it is recorded.
pub(crate) struct Session {
    /// Whether another game of this command was played before: a separator follows it.
    pub(crate) follows: bool,
    pub(crate) variant: Variant,
    pub(crate) hands: Vec<Vec<Rank>>,
    pub(crate) deck: Deck,
    pub(crate) deal: Deal,
    /// Where the rules take chance from after the deal.
    pub(crate) chance: Box<dyn Chance>,
    /// What is printed before the game.
    pub(crate) corrections: Vec<Correction>,
    pub(crate) to: Destination,
}

/// Where a game goes beside the audit log.
#[derive(Debug, Clone)]
pub(crate) struct Destination {
    /// The journal, a new file.
    pub(crate) journal: Option<PathBuf>,
    /// Whether the journal's name was made, and only its directory chosen.
    pub(crate) in_directory: bool,
    pub(crate) durable: bool,
    /// How the journal is written.
    pub(crate) format: Format,
    /// What is printed in place of the screens.
    pub(crate) result: Option<ResultFormat>,
}

impl Destination {
    /// Where a game goes that has no file of its own; its journal has this name.
    pub(crate) fn one(
        journal: Option<&Path>,
        durable: bool,
        form: &JournalForm,
        result: Option<ResultFormat>,
    ) -> Result<Self, Failure> {
        check_durable(durable, journal.is_some())?;
        Ok(Self {
            journal: journal.map(Path::to_owned),
            in_directory: false,
            durable,
            format: form.format(journal.is_some()).map_err(Failure::usage)?,
            result,
        })
    }
}

/// The program, as journals and logs name it.
pub(crate) const ENGINE: &str = concat!("war ", env!("CARGO_PKG_VERSION"));

/// Shuffles and deals a deck: the hands, and the generator where the deal leaves it.
pub(crate) fn dealt(
    deck: Deck,
    players: u8,
    generator: Generator,
) -> (Vec<Vec<Rank>>, Box<dyn Chance>) {
    let mut cards = deck.cards();
    let mut chance = generator.start();
    chance.shuffle(&mut cards);
    (deal(&cards, usize::from(players)), chance)
}

/// Sees that a game that `--durable` asks to sync is recorded at all.
pub(crate) fn check_durable(durable: bool, is_recorded: bool) -> Result<(), Failure> {
    if durable && !is_recorded {
        return Err(Failure::usage(text!(DurableWithoutJournal)));
    }
    Ok(())
}

impl Session {
    /// Plays the game to its end: journal first, then screen, then audit log.
    pub(crate) fn play(self, log: &AuditLog, context: &mut Context) -> Result<(), Failure> {
        let played = self.play_logged(log, context);
        if let Err(failure) = &played {
            crit!(log.logger(), "error"; "text" => english(&failure.text));
        }
        played
    }

    fn play_logged(self, log: &AuditLog, context: &mut Context) -> Result<(), Failure> {
        let terminal = &mut context.terminal;
        let opening = Opening {
            engine: ENGINE.to_owned(),
            variant: self.variant,
            deal: self.deal,
            players: u8::try_from(self.hands.len()).expect("a table seats fewer players"),
            deck: self.deck,
            corrections: self.corrections,
        };
        log_opening(log, &opening);
        if self.to.result.is_some() {
            for text in opening.corrections.iter().filter_map(correction_text) {
                terminal.warning(&text);
            }
        }
        let mut tally = Tally::default();
        let to = &self.to;
        let mut recording = Recording::of_war(&opening, terminal.catalogue.lang());
        recording = recording.formatted(to.format.clone());
        if let Some(path) = &to.journal {
            let file = JournalFile::create(path);
            let file = file.map_err(|error| cannot_create(path, &error, to.in_directory))?;
            recording = recording.written_to(file, to.durable);
        } else if to.result.is_some() {
            recording = recording.written_to(io::sink(), false);
        }
        if self.follows {
            terminal.print(SEPARATOR);
            audit::printed(log.logger(), SEPARATOR);
        }
        let rules = Box::new(Flow::new(self.variant.parameters));
        let game = Game::new(rules, self.hands)
            .expect("every deal and every scenario has cards")
            .with_chance(self.chance);
        let header = recording.header().clone();
        recording = recording.with(Audit::new(log.logger().clone()));
        recording = match to.result {
            Some(ResultFormat::Json) => recording.with(&mut tally),
            None => {
                let lang = terminal.catalogue.lang();
                recording.with(Printer::new(terminal, 0..=u32::MAX, &header, lang))
            }
        };
        let played = recording.play(game);
        let path = to.journal.as_deref();
        let failed = |error| write_failed(path.unwrap_or(Path::new("")), &error);
        let Some(end) = played.map_err(failed)? else {
            return Ok(());
        };
        if to.result.is_some() {
            let result = GameResult::new(&header, &end, &tally);
            context.terminal.print_result(result, path);
        }
        if let Some(path) = path {
            let recorded = text!(
                Recorded,
                file = display(path),
                events = Count(end.events),
                digest = end.chain.to_string()
            );
            context.terminal.note(&recorded);
        }
        Ok(())
    }
}

fn log_opening(log: &AuditLog, opening: &Opening) {
    let deal = match &opening.deal {
        Deal::Shuffled { generator } => format!("seed {}", generator.seed()),
        Deal::Fixed { generator, .. } => format!("seed {}, a hand fixed", generator.seed()),
        Deal::Scenario { name } => format!("scenario {name:?}"),
        Deal::Imported => "imported".to_owned(),
    };
    info!(log.logger(), "game";
        "engine" => &opening.engine,
        "rules" => opening.variant.id,
        "players" => opening.players,
        "deck" => %opening.deck,
        "deal" => deal,
    );
}
