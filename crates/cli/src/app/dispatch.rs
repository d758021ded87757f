//! Which command does what was typed.

use super::commands::man;
use super::context::Context;
use super::exit::{Exit, Failure};
use crate::cli::{Cli, Command, help, script};
use crate::commands::journal::Journal;
use crate::commands::journal::{check, diff, export, repair, show, sign, upgrade};
use crate::commands::simulate::command::simulate;
use crate::commands::simulate::{enumerate, literature};
#[cfg(feature = "table")]
use crate::commands::table::Table;
#[cfg(feature = "table")]
use crate::commands::table::log::Log;
#[cfg(feature = "table")]
use crate::commands::table::{backup, load, log, moving, operator, serve};
use crate::commands::{import, replay, stats, view};

#[cfg(feature = "watch")]
use crate::commands::watch::command::watch;
use crate::commands::{duels, play, xy};
use clap::CommandFactory;
#[cfg(not(all(feature = "table", feature = "watch")))]
use war::i18n::text;

/// Does what was typed; `path` is the command, as [`path`](crate::cli::path) finds it.
pub(crate) fn dispatch(cli: Cli, path: &[String], context: &mut Context) -> Result<Exit, Failure> {
    let Some(command) = cli.command else {
        return play::play(&cli.play, context);
    };
    if let Some(text) = cli.play.misplaced(&Cli::command(), path) {
        return Err(Failure::usage(text));
    }
    match command {
        Command::Duels(options) => duels::duels(&options, context),
        Command::Xy(options) => xy::xy(&options, context),
        Command::Import(options) => Ok(import::import(&options, context)),
        Command::Replay(options) => replay::replay(&options, context),
        Command::View(options) => view::view(&options, context),
        #[cfg(not(feature = "watch"))]
        Command::NoWatch { .. } => Err(Failure::usage(text!(NoWatch))),
        #[cfg(feature = "watch")]
        Command::Watch(options) => watch(&options, context),
        Command::Stats(options) => stats::stats(&options, context),
        Command::Journal(Journal::Check { files, result }) => {
            Ok(check::check(&files, result, context))
        }
        Command::Journal(Journal::Show { file }) => show::show(&file, context),
        Command::Journal(Journal::Diff { a, b }) => diff::diff(&a, &b, context),
        Command::Journal(Journal::Repair { file, new, salvage }) => {
            repair::repair(&file, &new, salvage, context)
        }
        Command::Journal(Journal::Upgrade(options)) => upgrade::upgrade(&options, context),
        Command::Journal(Journal::Sign(options)) => sign::sign(&options, context),
        Command::Journal(Journal::Verify(options)) => sign::verify(&options, context),
        Command::Journal(Journal::Export(options)) => export::export(&options, context),
        #[cfg(not(feature = "table"))]
        Command::NoTable { .. } => Err(Failure::usage(text!(NoTable))),
        #[cfg(feature = "table")]
        Command::Serve(options) => serve::serve(&options, context),
        #[cfg(feature = "table")]
        Command::Table(Table::Backup(options)) => backup::backup(&options, context),
        #[cfg(feature = "table")]
        Command::Table(Table::Move(options)) => moving::move_table(&options, context),
        #[cfg(feature = "table")]
        Command::Table(Table::Restored(options)) => backup::restored(&options, context),
        #[cfg(feature = "table")]
        Command::Table(Table::Players(options)) => operator::players(&options.table, context),
        #[cfg(feature = "table")]
        Command::Table(Table::Export(options)) => operator::export(&options, context),
        #[cfg(feature = "table")]
        Command::Table(Table::Verify(options)) => operator::verify(&options.table, context),
        #[cfg(feature = "table")]
        Command::Table(Table::Retain(options)) => operator::retain(&options, context),
        #[cfg(feature = "table")]
        Command::Table(Table::Order(typed)) => operator::operate(typed.order(), context),
        #[cfg(feature = "table")]
        Command::TableLoad(options) => load::table_load(&options, context),
        #[cfg(feature = "table")]
        Command::Log(Log::Verify(options)) => log::verify(&options, context),
        Command::Simulate(options) => simulate(&options, context),
        Command::Enumerate(options) => enumerate::enumerate(&options, context),
        Command::Literature(options) => Ok(literature::literature(&options, context)),
        Command::Completions { shell } => {
            context.terminal.print(&script(shell));
            Ok(Exit::Success)
        }
        Command::Man { dir } => man::man(&dir, context),
        Command::Help { words } => {
            let help = help(&mut Cli::command(), &words).map_err(Failure::usage)?;
            context.terminal.print_styled(&help);
            Ok(Exit::Success)
        }
    }
}
