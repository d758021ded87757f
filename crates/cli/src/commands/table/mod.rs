//! `war serve`, `war table`, `war table-load` and `war log`: the card table.

pub(crate) mod backup;
pub(crate) mod load;
pub(crate) mod log;
pub(crate) mod move_table;
pub(crate) mod operator;
mod operator_client;
pub(crate) mod serve;
mod sockets;
mod store;

use backup::{BACKUP_EXAMPLES, BackupArgs, RESTORED_STORE_EXAMPLES, RestoredStoreArgs};
use clap::Subcommand;
use move_table::{MOVE_EXAMPLES, MoveArgs};
use operator::{
    EXPORT_EXAMPLES, ExportPlayerArgs, PLAYERS_EXAMPLES, PlayerCommand, PlayersArgs,
    RETAIN_EXAMPLES, RetainArgs, VERIFY_EXAMPLES, VerifyTableArgs,
};

pub(crate) const TABLE_EXAMPLES: &str = "\
Examples:
  war table backup copy.db             copy the store of the table
  war table players                    list the players
  war table adjust 7 100 --reason TEXT give player 7 100 tokens
  war table ban 7                      keep player 7 out
  war table verify                     check everything in the store";

/// Commands for the operators of a card table.
#[derive(Debug, Subcommand)]
pub(crate) enum TableCommand {
    /// Copy the store of a card table, even while the table is open
    #[command(after_help = BACKUP_EXAMPLES)]
    Backup(BackupArgs),
    /// Take a whole card table from a file to a database, or back, while no server uses it
    #[command(name = "move", after_help = MOVE_EXAMPLES)]
    Move(MoveArgs),
    /// Let a card table go on that was restored from a backup, before it is served again
    #[command(after_help = RESTORED_STORE_EXAMPLES)]
    Restored(RestoredStoreArgs),
    /// List the players of a table that runs
    #[command(after_help = PLAYERS_EXAMPLES)]
    Players(PlayersArgs),
    #[command(flatten)]
    Order(PlayerCommand),
    /// Print everything kept of a player as JSON
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(ExportPlayerArgs),
    /// Remove old messages to players, which nobody reads any more
    #[command(after_help = RETAIN_EXAMPLES)]
    Retain(RetainArgs),
    /// Check the store of a table that runs: ledger, balances, messages, journals and log
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(VerifyTableArgs),
}
