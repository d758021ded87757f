use crate::app::context::Context;
use crate::app::exit::Failure;
use crate::app::messages::{cannot_create, write_failed};
use crate::app::terminal::Printer;
use crate::app::text::{display, english};
use crate::cards::{Chance, Deck, Generator, Rank, deal};
use crate::engine::Game;
use crate::host::audit_log::AuditLog;
use crate::host::journal_file::JournalFile;
use crate::i18n::{Count, text};
use crate::journal::Deal;
use crate::projections::audit::{self, Audit};
use crate::projections::screens::SEPARATOR;
use crate::recording::{Opening, Recording};
use crate::rules::{Flow, Variant};
use crate::setup::Correction;
use slog::{crit, info};
use std::path::PathBuf;

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
    pub(crate) journal: Option<PathBuf>,
    pub(crate) durable: bool,
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
        let mut recording = Recording::of_war(&opening, terminal.catalogue.lang());
        if let Some(path) = &self.journal {
            let file = JournalFile::create(path).map_err(|error| cannot_create(path, &error))?;
            recording = recording.written_to(file, self.durable);
        }
        if self.follows {
            terminal.print(SEPARATOR);
            audit::printed(log.logger(), SEPARATOR);
        }
        let rules = Box::new(Flow::new(self.variant.parameters));
        let game = Game::new(rules, self.hands)
            .expect("every deal and every scenario has cards")
            .with_chance(self.chance);
        let recording = recording
            .with(Printer(terminal))
            .with(Audit::new(log.logger().clone()));
        let played = recording.play(game);
        let Some(path) = &self.journal else {
            return Ok(());
        };
        if let Some(end) = played.map_err(|error| write_failed(path, &error))? {
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
