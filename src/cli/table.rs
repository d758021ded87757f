//! The command line of `war serve` and `war table-load`.

use crate::digits;
use crate::host::config::TableSettings;
use crate::host::listen::ListenAddress;
use clap::Args;
use std::ops::RangeInclusive;

pub(crate) const SERVE_EXAMPLES: &str = "\
Examples:
  war serve                            open the table at http://127.0.0.1:8080/
  war serve --bots 0                   without house players
  war serve --store sqlite:/srv/t.db   keep everything in this file
  war serve --listen 0.0.0.0:8080      let other machines connect";

pub(crate) const TABLE_LOAD_EXAMPLES: &str = "\
Examples:
  war table-load                                   100 players, for 10 seconds
  war table-load 127.0.0.1:8081 --players 2000     another table, more players
  war table-load --players 0 --idle 10000          connections that do nothing

The exit code is 1 where a connection, a message, a seed or a balance was wrong.";

/// A number that is not between these.
#[derive(Debug, thiserror::Error)]
#[error("not a whole number from {least} to {most}")]
pub(crate) struct NotBetween {
    pub(crate) least: u32,
    pub(crate) most: u32,
}

/// What reads a whole number within a range.
fn whole(
    range: RangeInclusive<u32>,
) -> impl Fn(&str) -> Result<u32, NotBetween> + Clone + Send + Sync + 'static {
    move |typed| {
        let number = digits::whole(typed).filter(|number| range.contains(number));
        number.ok_or(NotBetween {
            least: *range.start(),
            most: *range.end(),
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct TableLoad {
    /// Where the table listens: a name or an IP address, with a port
    #[arg(value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) address: ListenAddress,
    /// Players who play
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole(0..=100_000))]
    pub(crate) players: u32,
    /// Players who are connected and do nothing
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=100_000))]
    pub(crate) idle: u32,
    /// Milliseconds that a player thinks, on average, before they decide
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 0, value_parser = whole(0..=600_000))]
    pub(crate) think: u32,
    /// How long they play
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = whole(1..=86_400))]
    pub(crate) seconds: u32,
}

/// Where nothing is said here, the variable counts, then `war.toml`.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Name or IP address to listen at, with a port [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS", env = "WAR_TABLE_LISTEN")]
    pub(crate) listen: Option<ListenAddress>,
    /// Where everything is kept [default: sqlite:table.db]
    #[arg(long, value_name = "STORE", env = "WAR_TABLE_STORE")]
    pub(crate) store: Option<String>,
    /// House players, who play with those who find no opponent [default: 2]
    #[arg(long, value_name = "N", env = "WAR_TABLE_BOTS", value_parser = whole(TableSettings::BOTS))]
    pub(crate) bots: Option<u32>,
    /// Seconds to decide; who takes longer folds [default: 30]
    #[arg(long, value_name = "SECONDS", env = "WAR_TABLE_DECIDE_SECONDS", value_parser = whole(TableSettings::DECIDE_SECONDS))]
    pub(crate) decide_seconds: Option<u32>,
    /// The most connections at a time [default: 16000]
    #[arg(long, value_name = "N", env = "WAR_TABLE_CONNECTIONS", value_parser = whole(TableSettings::CONNECTIONS))]
    pub(crate) connections: Option<u32>,
    /// The most messages of a connection in a second [default: 20]
    #[arg(long, value_name = "N", env = "WAR_TABLE_RATE", value_parser = whole(TableSettings::RATE))]
    pub(crate) rate: Option<u32>,
    /// A page of another origin that may connect, such as `https://war.example`
    #[arg(
        long = "origin",
        value_name = "ORIGIN",
        env = "WAR_TABLE_ORIGINS",
        value_delimiter = ','
    )]
    pub(crate) origins: Vec<String>,
}
