//! The command line of `war serve`, `war table` and `war table-load`.

use super::operator::{
    EXPORT_EXAMPLES, ExportPlayer, Ordering, PLAYERS_EXAMPLES, Players, RETAIN_EXAMPLES, Retain,
    VERIFY_EXAMPLES, VerifyTable,
};
use super::streams::Files;
use super::values::within;
use crate::machine::addresses::AdminAddress;
use crate::machine::addresses::ListenAddress;
use crate::machine::config::TableSettings;
use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;

pub(crate) const SERVE_EXAMPLES: &str = "\
Examples:
  war serve                            open the table at http://127.0.0.1:8080/
  war serve --bots 0                   without house players
  war serve --store sqlite:/srv/t.db   keep all data in this file
  war serve --store postgres://war@db.example/war --key table.key
                                       one of several nodes of a table
  war serve --listen 0.0.0.0:8080      let other machines connect
  war serve --host war.example --trust-proxy X-Forwarded-For
                                       behind a proxy for https://war.example";

pub(crate) const TABLE_LOAD_EXAMPLES: &str = "\
Examples:
  war table-load                                   100 players, for 10 seconds
  war table-load 127.0.0.1:8081 --players 2000     another table, more players
  war table-load --players 0 --idle 10_000         connections that do nothing

The exit code is 1 if a connection, a message, a seed or a balance was wrong.";

pub(crate) const TABLE_EXAMPLES: &str = "\
Examples:
  war table backup copy.db             copy the store of the table
  war table players                    list the players
  war table adjust 7 100 --reason TEXT give player 7 100 tokens
  war table ban 7                      keep player 7 out
  war table verify                     check everything in the store";

const BACKUP_EXAMPLES: &str = "\
Examples:
  war table backup copy.db             copy the store of the table
  war table backup copy.db --store sqlite:/srv/t.db
                                       copy another store

To restore a copy, stop the table; remove `table.db`, `table.db-wal` and
`table.db-shm`; copy the copy to `table.db`; run `war table restored`; and start
the table.";

pub(crate) const MOVE_EXAMPLES: &str = "\
Examples:
  war table move sqlite:table.db postgres://war@db.example/war
                                       from a file to a database
  war table move postgres://war@db.example/war sqlite:table.db
                                       from a database to a file

Everything moves: players, games in progress, messages, the ledger and the log.
Take the key along: all nodes need its file. If the move is interrupted, start
it again. Afterwards the old store is marked, and can't be served any more.";

pub(crate) const RESTORED_EXAMPLES: &str = "\
Examples:
  war table restored                   go on from a backup of the table
  war table restored --store postgres://war@db.example/war
                                       go on from a database that was restored

What was played since the backup is lost. Games that were in progress are void,
all players are told, no number is used again, and the log goes on under
another name that says where it comes from.";

/// What operators do with a card table.
#[derive(Debug, Subcommand)]
pub(crate) enum Table {
    /// Copy the store of a card table, even while the table is open
    #[command(after_help = BACKUP_EXAMPLES)]
    Backup(Backup),
    /// Take a whole card table from a file to a database, or back, while no server uses it
    #[command(name = "move", after_help = MOVE_EXAMPLES)]
    Move(Move),
    /// Let a card table go on that was restored from a backup, before it is served again
    #[command(after_help = RESTORED_EXAMPLES)]
    Restored(Restored),
    /// List the players of a table that runs
    #[command(after_help = PLAYERS_EXAMPLES)]
    Players(Players),
    #[command(flatten)]
    Order(Ordering),
    /// Print everything kept of a player as JSON
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(ExportPlayer),
    /// Remove old messages to players, which nobody reads any more
    #[command(after_help = RETAIN_EXAMPLES)]
    Retain(Retain),
    /// Check the store of a table that runs: ledger, balances, messages, journals and log
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(VerifyTable),
}

impl Table {
    /// Names the files that can't be standard input or output.
    pub(super) fn name_files<'a>(&'a self, files: &mut Files<'a>) {
        let key = match self {
            Self::Backup(options) => return files.add_named("FILE", Some(&options.file)),
            Self::Restored(_) => return,
            Self::Move(options) => &options.key,
            Self::Players(options) => &options.table.key,
            Self::Order(ordering) => &ordering.order().1.key,
            Self::Export(options) => &options.table.key,
            Self::Retain(options) => &options.table.key,
            Self::Verify(options) => &options.table.key,
        };
        files.add_named("--key", key.as_ref());
    }
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// New file for the copy, which only you can read; a file that exists is left alone
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Where the table keeps all data [default: sqlite:table.db]
    #[arg(long, value_name = "STORE", env = "WAR_TABLE_STORE")]
    pub(crate) store: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Move {
    /// Where the table is: sqlite:FILE or postgres://...
    #[arg(value_name = "FROM")]
    pub(crate) from: String,
    /// Where it goes, if there is none yet: postgres://... or sqlite:FILE
    #[arg(value_name = "TO")]
    pub(crate) to: String,
    /// File of the table's secret key, if it goes from a file to a database [default: the store's
    /// file with `.key`]
    #[arg(long, value_name = "FILE", env = "WAR_TABLE_KEY")]
    pub(crate) key: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Restored {
    /// Where the table keeps all data [default: sqlite:table.db]
    #[arg(long, value_name = "STORE", env = "WAR_TABLE_STORE")]
    pub(crate) store: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct TableLoad {
    /// Name or IP address of the table, with its port
    #[arg(value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) address: ListenAddress,
    /// Number of players who play
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = within(0..=100_000_u32))]
    pub(crate) players: u32,
    /// Number of players who are connected and do nothing
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = within(0..=100_000_u32))]
    pub(crate) idle: u32,
    /// Average time a player takes to decide, in milliseconds
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 0, value_parser = within(0..=600_000_u32))]
    pub(crate) think: u32,
    /// How long to play, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = within(1..=86_400_u32))]
    pub(crate) seconds: u32,
}

/// An option that is not given comes from its variable, then from `war.toml`.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Name or IP address to listen on, with a port [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS", env = "WAR_TABLE_LISTEN")]
    pub(crate) listen: Option<ListenAddress>,
    /// Where /health and /metrics are, or `off` [default: on 127.0.0.1, 1000 ports above]
    #[arg(long, value_name = "ADDRESS", env = "WAR_TABLE_ADMIN")]
    pub(crate) admin: Option<AdminAddress>,
    /// Where to keep all data: sqlite:FILE, or postgres://... for several nodes [default:
    /// sqlite:table.db]
    #[arg(long, value_name = "STORE", env = "WAR_TABLE_STORE")]
    pub(crate) store: Option<String>,
    /// File of the table's secret key; made at the first start [default: the store's file with
    /// `.key`]
    #[arg(long, value_name = "FILE", env = "WAR_TABLE_KEY")]
    pub(crate) key: Option<PathBuf>,
    /// Number of rooms of a new table in a database, for good; nodes share them out [default: 16]
    #[arg(long, value_name = "N", env = "WAR_TABLE_ROOMS", value_parser = within(TableSettings::ROOMS))]
    pub(crate) rooms: Option<u32>,
    /// Name or IP address to listen on for other nodes of a database, with a port [default:
    /// 127.0.0.1 with any free port, for nodes on one machine]
    #[arg(long, value_name = "ADDRESS", env = "WAR_TABLE_PEER_LISTEN")]
    pub(crate) peer_listen: Option<ListenAddress>,
    /// Name or IP address by which other nodes reach `--peer-listen`, with a port [default: the
    /// same]
    #[arg(long, value_name = "ADDRESS", env = "WAR_TABLE_ADVERTISE")]
    pub(crate) advertise: Option<ListenAddress>,
    /// Number of house players, who play with anyone left waiting [default: 2]
    #[arg(long, value_name = "N", env = "WAR_TABLE_BOTS", value_parser = within(TableSettings::BOTS))]
    pub(crate) bots: Option<u32>,
    /// Seconds a player waits before the house plays with them [default: 5]
    #[arg(long, value_name = "SECONDS", env = "WAR_TABLE_HOUSE_AFTER", value_parser = within(TableSettings::HOUSE_AFTER))]
    pub(crate) house_after: Option<u32>,
    /// Seconds to decide before a player folds [default: 30]
    #[arg(long, value_name = "SECONDS", env = "WAR_TABLE_DECIDE_SECONDS", value_parser = within(TableSettings::DECIDE_SECONDS))]
    pub(crate) decide_seconds: Option<u32>,
    /// Most connections at a time [default: 16000]
    #[arg(long, value_name = "N", env = "WAR_TABLE_CONNECTIONS", value_parser = within(TableSettings::CONNECTIONS))]
    pub(crate) connections: Option<u32>,
    /// Most messages a connection may send in a second [default: 20]
    #[arg(long, value_name = "N", env = "WAR_TABLE_RATE", value_parser = within(TableSettings::RATE))]
    pub(crate) rate: Option<u32>,
    /// Most new players of one IP address in a minute [default: 60]
    #[arg(long, value_name = "N", env = "WAR_TABLE_NEW_PLAYERS", value_parser = within(TableSettings::NEW_PLAYERS))]
    pub(crate) new_players: Option<u32>,
    /// Name by which browsers reach the table, such as `war.example`; can be given several times
    #[arg(
        long = "host",
        value_name = "NAME",
        env = "WAR_TABLE_HOSTS",
        value_delimiter = ','
    )]
    pub(crate) hosts: Vec<String>,
    /// Another origin whose pages may connect, such as `https://war.example`
    #[arg(
        long = "origin",
        value_name = "ORIGIN",
        env = "WAR_TABLE_ORIGINS",
        value_delimiter = ','
    )]
    pub(crate) origins: Vec<String>,
    /// Header in which your proxy says who connects, such as `X-Forwarded-For`; the last address
    /// in it counts
    #[arg(long, value_name = "HEADER", env = "WAR_TABLE_TRUST_PROXY")]
    pub(crate) trust_proxy: Option<String>,
}

impl Serve {
    /// What counts: the flag, else the variable, else the configuration.
    pub(crate) fn over(&self, file: TableSettings) -> TableSettings {
        let given = |options: &[String], file: Vec<String>| match options {
            [] => file,
            options => options.to_vec(),
        };
        TableSettings {
            listen: self.listen.clone().unwrap_or(file.listen),
            admin: self.admin.clone().or(file.admin),
            peer_listen: self.peer_listen.clone().or(file.peer_listen),
            advertise: self.advertise.clone().or(file.advertise),
            store: self.store.clone().unwrap_or(file.store),
            key: self.key.clone().or(file.key),
            rooms: self.rooms.or(file.rooms),
            bots: self.bots.unwrap_or(file.bots),
            house_after: self.house_after.unwrap_or(file.house_after),
            decide_seconds: self.decide_seconds.unwrap_or(file.decide_seconds),
            connections: self.connections.unwrap_or(file.connections),
            rate: self.rate.unwrap_or(file.rate),
            new_players: self.new_players.unwrap_or(file.new_players),
            hosts: given(&self.hosts, file.hosts),
            origins: given(&self.origins, file.origins),
            trust_proxy: self.trust_proxy.clone().or(file.trust_proxy),
        }
    }
}
