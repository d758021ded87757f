//! The command line of what operators do with a table that runs.

use super::values::{days, name, reason, tokens, within};
use crate::machine::addresses::AdminAddress;
use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;
use war::tokens::Name;
use war_table::room::{Order, PlayerId, Reason};

/// The highest number of a player that is read.
const LAST_PLAYER: u64 = (1 << 53) - 1;

const ADJUST_EXAMPLES: &str = "\
Examples:
  war table adjust 7 100 --reason 'thank you for finding the bug'
  war table adjust 7 -100 --reason 'paid out twice'";

pub(super) const PLAYERS_EXAMPLES: &str = "\
Examples:
  war table players                    list the players of a table that runs
  war table players --admin 127.0.0.1:9081
                                       of another table";

const RENAME_EXAMPLES: &str = "\
Examples:
  war table rename 7 'Quiet Fox'       choose a name for player 7";

const BAN_EXAMPLES: &str = "\
Examples:
  war table ban 7                      keep player 7 out
  war table ban 7 --lift               let them in again";

const FORGET_EXAMPLES: &str = "\
Examples:
  war table forget 7                   forget player 7, for good";

pub(super) const EXPORT_EXAMPLES: &str = "\
Examples:
  war table export 7 >player-7.json    save what is kept of player 7";

pub(super) const RETAIN_EXAMPLES: &str = "\
Examples:
  war table retain --messages 30d --events forever
                                       remove messages that are older than 30 days";

pub(super) const VERIFY_EXAMPLES: &str = "\
Examples:
  war table verify                     check the store while the table runs
  war table verify --store postgres://war@db.example/war
                                       check a database, whether or not nodes run

The exit code is 1 if something is wrong.";

/// What operators do with one player.
#[derive(Debug, Subcommand)]
pub(crate) enum Ordering {
    /// Give a player tokens, or take some; the player reads why
    #[command(after_help = ADJUST_EXAMPLES)]
    Adjust(Adjust),
    /// Give a player another name, which they can't change
    #[command(after_help = RENAME_EXAMPLES)]
    Rename(Rename),
    /// Ban a player from the table, or let them come again
    #[command(after_help = BAN_EXAMPLES)]
    Ban(Ban),
    /// Forget a player: their name and token go, and only their number stays
    #[command(after_help = FORGET_EXAMPLES)]
    Forget(Forget),
}

impl Ordering {
    /// What is asked for, and of which table.
    pub(crate) fn order(&self) -> (Order, &Reached) {
        match self {
            Self::Adjust(adjust) => (adjust.order(), &adjust.table),
            Self::Rename(rename) => (rename.order(), &rename.table),
            Self::Ban(ban) => (ban.order(), &ban.table),
            Self::Forget(forget) => (forget.order(), &forget.table),
        }
    }
}

/// Which table, and what proves that you may ask.
#[derive(Debug, Args)]
pub(crate) struct Reached {
    /// Where the table answers you, as `war serve` prints it [default: on 127.0.0.1, 1000 ports
    /// above the table]
    #[arg(long, value_name = "ADDRESS", env = "WAR_TABLE_ADMIN")]
    pub(crate) admin: Option<AdminAddress>,
    /// File of the table's secret key [default: the store with `.key`]
    #[arg(long, value_name = "FILE", env = "WAR_TABLE_KEY", value_hint = ValueHint::FilePath)]
    pub(crate) key: Option<PathBuf>,
    /// Where the table keeps all data: this names the key; `players`, `export` and `verify` read a
    /// database themselves, unless you give `--admin` [default: sqlite:table.db]
    #[arg(long, value_name = "STORE", env = "WAR_TABLE_STORE")]
    pub(crate) store: Option<String>,
}

/// A player, by their public number.
#[derive(Debug, Args)]
pub(crate) struct Whom {
    /// Number of the player, as `war table players` lists it
    #[arg(value_name = "PLAYER", value_parser = within(1..=LAST_PLAYER))]
    player: u64,
}

impl Whom {
    pub(crate) const fn id(&self) -> PlayerId {
        PlayerId(self.player)
    }
}

#[derive(Debug, Args)]
pub(crate) struct Players {
    #[command(flatten)]
    pub(crate) table: Reached,
}

#[derive(Debug, Args)]
pub(crate) struct Adjust {
    #[command(flatten)]
    whom: Whom,
    /// Number of tokens to give, or to take if it is negative
    #[arg(value_name = "TOKENS", allow_negative_numbers = true, value_parser = tokens)]
    tokens: i64,
    /// Why, in up to 200 characters; the player will read it
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: Reason,
    #[command(flatten)]
    table: Reached,
}

#[derive(Debug, Args)]
pub(crate) struct Rename {
    #[command(flatten)]
    whom: Whom,
    /// New name, which the player can't change
    #[arg(value_name = "NAME", value_parser = name)]
    name: Name,
    #[command(flatten)]
    table: Reached,
}

#[derive(Debug, Args)]
pub(crate) struct Ban {
    #[command(flatten)]
    whom: Whom,
    /// Let a player come again who is banned
    #[arg(long)]
    lift: bool,
    #[command(flatten)]
    table: Reached,
}

#[derive(Debug, Args)]
pub(crate) struct Forget {
    #[command(flatten)]
    whom: Whom,
    #[command(flatten)]
    table: Reached,
}

#[derive(Debug, Args)]
pub(crate) struct ExportPlayer {
    #[command(flatten)]
    pub(crate) whom: Whom,
    #[command(flatten)]
    pub(crate) table: Reached,
}

#[derive(Debug, Args)]
pub(crate) struct Retain {
    /// How long to keep messages to players, in days such as `30d`; at least `1d`
    #[arg(long, value_name = "DAYS", value_parser = days)]
    pub(crate) messages: u32,
    /// How long to keep events, which balances and journals are made of
    #[arg(long, value_name = "TIME", value_parser = ["forever"])]
    pub(crate) events: String,
    #[command(flatten)]
    pub(crate) table: Reached,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyTable {
    #[command(flatten)]
    pub(crate) table: Reached,
}

impl Adjust {
    fn order(&self) -> Order {
        Order::Adjust {
            player: self.whom.id(),
            tokens: self.tokens,
            reason: self.reason.clone(),
        }
    }
}

impl Rename {
    fn order(&self) -> Order {
        Order::Rename {
            player: self.whom.id(),
            name: self.name.clone(),
        }
    }
}

impl Ban {
    const fn order(&self) -> Order {
        let player = self.whom.id();
        if self.lift {
            Order::Readmit { player }
        } else {
            Order::Ban { player }
        }
    }
}

impl Forget {
    const fn order(&self) -> Order {
        let player = self.whom.id();
        Order::Forget { player }
    }
}
