use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::unreadable;
use crate::app::text::display;
use crate::app::verdict::conclude;
use crate::cli::Export;
use crate::export::Rows;
use crate::host::outputs::Outputs;
use crate::host::signals::Interruption;
use crate::host::standard::{self, is_standard};
use crate::host::tables::Table;
use crate::i18n::text;
use crate::replay::Replay;
use std::path::Path;

/// Writes a table of the events of journals, which are verified on the way; the worst verdict
/// decides the exit code.
pub(crate) fn export(options: &Export, context: &mut Context) -> Result<Exit, Failure> {
    let Some(exporter) = options.format.exporter() else {
        return Err(Failure::usage(text!(ExportNoParquet)));
    };
    let outputs = Outputs::default();
    let unfinished = outputs.clone();
    let interruption = Interruption::catch(move || unfinished.remove());
    let mut table = Table::new(exporter, outputs.open(&options.output)?);
    let mut exit = Exit::Success;
    for path in &options.files {
        let one = export_one(path, &mut table, &interruption, context);
        let one = one.unwrap_or_else(|failure| context.terminal.failure(&failure));
        exit = exit.worse(one);
        if interruption.is_requested() {
            context.terminal.error(&text!(ExportInterrupted));
            return Ok(exit.worse(Exit::Incomplete));
        }
    }
    if matches!(exit, Exit::Success | Exit::Incomplete) {
        table.finish()?;
    } else if !is_standard(&options.output) {
        let text = text!(ExportRefused, file = display(&options.output));
        context.terminal.error(&text);
    }
    Ok(exit)
}

/// Adds the events of a journal that could be verified, and prints the verdict.
fn export_one(
    path: &Path,
    table: &mut Table,
    interruption: &Interruption,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let terminal = &mut context.terminal;
    // Without a bar: the one signal that takes it away would leave an unfinished file behind.
    let input = standard::open(path).map_err(|error| unreadable(path, &error))?;
    let mut replay = match Replay::open(input, None) {
        Ok(replay) => replay,
        Err(error) => return conclude(path, Err(error), 0, terminal),
    };
    let mut rows = Rows::new(&display(path), replay.header());
    let result = loop {
        match replay.event(&mut rows) {
            Ok(true) => table.row(rows.row())?,
            Ok(false) => break replay.end(),
            Err(error) => break Err(error),
        }
        if interruption.is_requested() {
            return Ok(Exit::Incomplete);
        }
    };
    // The verdict comes behind the rows.
    table.write()?;
    conclude(path, result, replay.events(), terminal)
}
