use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::verdict::{conclude, read_all};
use crate::cli::Export;
use crate::host::tables::Table;
use crate::machine::input;
use crate::machine::input::is_standard;
use crate::machine::outputs::Outputs;
use crate::machine::signals::clean_up_at_the_end;
use crate::machine::text::display;
use war::i18n::text;
use war::journal::ReadError;
use war::replay::Replay;

/// Writes a table of the events of journals, which are verified on the way; the worst verdict
/// decides the exit code.
pub(crate) fn export(options: &Export, context: &mut Context) -> Result<Exit, Failure> {
    let Some(exporter) = options.format.exporter() else {
        return Err(Failure::usage(text!(ExportNoParquet)));
    };
    let outputs = Outputs::default();
    let unfinished = outputs.clone();
    clean_up_at_the_end(move || unfinished.remove());
    let mut table = Table::new(exporter, outputs.open(&options.output)?);
    let mut exit = Exit::Success;
    for path in &options.files {
        // Without a bar: what takes it away at a signal does not know of unfinished files.
        let input = input::open(path).map_err(ReadError::from);
        let opened = input.and_then(|input| Replay::open(input, None));
        if let Ok(replay) = &opened {
            table.begin(&display(path), replay.header());
        }
        let reading = read_all(opened, &mut table);
        // The verdict comes behind the rows.
        table.write()?;
        exit = exit.worse(conclude(path, &reading, &mut context.terminal));
    }
    if matches!(exit, Exit::Success | Exit::Incomplete) {
        table.finish()?;
    } else if !is_standard(&options.output) {
        let text = text!(ExportRefused, file = display(&options.output));
        context.terminal.error(&text);
    }
    Ok(exit)
}
