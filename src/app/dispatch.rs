//! Which command does what was typed.

use super::commands::{
    check, diff, duels, enumerate, import, literature, play, repair, replay, show, simulate, xy,
};
#[cfg(feature = "table")]
use super::commands::{serve, table_load};
use super::context::Context;
use super::exit::{Exit, Failure};
use crate::cli::{Cli, Command, Journal};
#[cfg(not(feature = "table"))]
use crate::i18n::text;
use clap::CommandFactory;

pub(crate) fn dispatch(cli: Cli, context: &mut Context) -> Result<Exit, Failure> {
    let Some(command) = cli.command else {
        return play::play(&cli.play, context);
    };
    cli.play.refuse_with_command()?;
    match command {
        Command::Duels(options) => duels::duels(&options, context),
        Command::Xy(options) => xy::xy(&options, context),
        Command::Import(options) => Ok(import::import(&options, context)),
        Command::Replay(options) => replay::replay(&options, context),
        Command::Journal(Journal::Check { files }) => Ok(check::check(&files, context)),
        Command::Journal(Journal::Show { file }) => show::show(&file, context),
        Command::Journal(Journal::Diff { a, b }) => diff::diff(&a, &b, context),
        Command::Journal(Journal::Repair { file, new }) => repair::repair(&file, &new, context),
        #[cfg(not(feature = "table"))]
        Command::NoTable { .. } => Err(Failure::usage(text!(NoTable))),
        #[cfg(feature = "table")]
        Command::Serve(options) => serve::serve(&options, context),
        #[cfg(feature = "table")]
        Command::TableLoad(options) => table_load::table_load(&options, context),
        Command::Simulate(options) => simulate::simulate(&options, context),
        Command::Enumerate(options) => enumerate::enumerate(&options, context),
        Command::Literature(options) => Ok(literature::literature(&options, context)),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "war", &mut script);
            context.terminal.print(&String::from_utf8_lossy(&script));
            Ok(Exit::Success)
        }
        Command::Man => {
            context.terminal.print(&manual());
            Ok(Exit::Success)
        }
    }
}

/// The manual page, with a section for each subcommand.
fn manual() -> String {
    let mut page = Vec::new();
    let mut command = Cli::command();
    command.build();
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        let shown = command
            .get_subcommands()
            .filter(|command| command.get_name() != "help");
        commands.extend(shown.cloned());
        let rendered = clap_mangen::Man::new(command).render(&mut page);
        rendered.expect("memory takes every byte");
    }
    String::from_utf8_lossy(&page).into_owned()
}
