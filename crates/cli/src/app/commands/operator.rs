//! What operators do with a table that runs: `war table players`, `export`, `retain`, `verify`,
//! `adjust`, `rename`, `ban` and `forget`.

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::unusable_key;
use crate::app::store::{place_of, store_failure};
use crate::cli::{ExportPlayer as Export, Reached, Retain};
use crate::host::operator::{Operator, Unanswered};
use crate::machine::addresses::AdminAddress;
use crate::machine::progress::spinner;
use crate::machine::table_key;
use crate::wording::{
    StoreFindings, database_text, done_text, listed_text, refused_text, store_fault_text,
};
use indicatif::HumanCount;
use war::i18n::{Count, text};
use war_table::operator::Ask;
use war_table::room::{Order, OrderError, PlayerId};
use war_table::server::inspect;
use war_table::server::store::{PostgresReader, StoreError, StorePlace};

/// Lists all players.
pub(crate) fn players(table: &Reached, context: &mut Context) -> Result<Exit, Failure> {
    let operator = reader(table, context)?;
    operator.players(|listed| context.terminal.print_line(&listed_text(listed)))?;
    Ok(Exit::Success)
}

/// Does something with one player.
pub(crate) fn operate(
    (order, table): (Order, &Reached),
    context: &mut Context,
) -> Result<Exit, Failure> {
    let done = operator(table, context)?.carry_out(&order)?;
    let now = done.map_err(|error| refused(order.player(), error))?;
    context.terminal.print_line(&done_text(&order, &now));
    Ok(Exit::Success)
}

/// Prints all that is kept of a player.
pub(crate) fn export(options: &Export, context: &mut Context) -> Result<Exit, Failure> {
    let player = options.whom.id();
    let kept = reader(&options.table, context)?.export(player)?;
    let kept = kept.map_err(|error| refused(player, error))?;
    context.terminal.print(&format!("{kept:#}\n"));
    Ok(Exit::Success)
}

/// Removes old messages.
pub(crate) fn retain(options: &Retain, context: &mut Context) -> Result<Exit, Failure> {
    let removed = operator(&options.table, context)?.retain(options.messages)?;
    let (messages, days) = (Count(removed), Count(options.messages.into()));
    let text = text!(MessagesRemoved, messages = messages, days = days);
    context.terminal.print_line(&text);
    Ok(Exit::Success)
}

/// Checks the whole store.
pub(crate) fn verify(table: &Reached, context: &mut Context) -> Result<Exit, Failure> {
    let operator = reader(table, context)?;
    let bar = spinner();
    let mut findings = StoreFindings::default();
    let checked = operator.verify(|from, checked| {
        for fault in &checked.faults {
            bar.suspend(|| context.terminal.tell(&store_fault_text(fault)));
        }
        findings.add(from, checked);
        bar.set_message(HumanCount(findings.all()).to_string());
    });
    bar.finish_and_clear();
    checked?;
    context.terminal.print_line(&findings.text());
    let sound = findings.faults == 0;
    Ok(if sound { Exit::Success } else { Exit::Bad })
}

fn refused(player: PlayerId, error: OrderError) -> Failure {
    Failure::new(Exit::Bad, refused_text(player, error))
}

impl From<Unanswered> for Failure {
    fn from(error: Unanswered) -> Self {
        let exit = match error {
            Unanswered::Off | Unanswered::WrongKey { .. } => Exit::Usage,
            _ => Exit::InputOutput,
        };
        Self::new(exit, error.text())
    }
}

/// Who only reads: of a database that is named, what is in it, unless a node is to be asked.
fn reader(table: &Reached, context: &Context) -> Result<Operator, Failure> {
    let place = place_of(table.store.as_ref().unwrap_or(&context.config.table.store))?;
    let (StorePlace::Database(address), None) = (&place, &table.admin) else {
        return operator(table, context);
    };
    let address = address.clone();
    let failed = |error: StoreError| store_failure(&place, &error);
    let reader = PostgresReader::open((*address).clone()).map_err(failed)?;
    let read = move |ask: &Ask| {
        let unread = |error: StoreError| database_text(&address, &error);
        inspect(&reader, ask).map_err(unread)
    };
    Ok(Operator::Reading(Box::new(read)))
}

/// An operator with the table's key, as `war serve` finds it.
fn operator(table: &Reached, context: &Context) -> Result<Operator, Failure> {
    let settings = &context.config.table;
    let store = table.store.as_ref().unwrap_or(&settings.store);
    let file = match (
        table.key.as_ref().or(settings.key.as_ref()),
        place_of(store)?,
    ) {
        (Some(file), _) => file.clone(),
        (None, StorePlace::File(path)) => table_key::beside(&path),
        (None, place) => {
            let store = place.to_string();
            return Err(Failure::usage(text!(DatabaseNeedsKey, store = store)));
        }
    };
    let key = table_key::load(&file).map_err(|error| unusable_key(&file, &error))?;
    let admin = table.admin.as_ref().or(settings.admin.as_ref()).cloned();
    let admin = admin.unwrap_or_else(|| AdminAddress::beside(&settings.listen));
    Ok(Operator::new(&admin, key, file)?)
}
