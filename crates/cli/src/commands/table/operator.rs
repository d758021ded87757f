//! Commands for an operator of a running card table: its players, its store and its messages.

use super::operator_client::{OperatorClient, OperatorError};
use super::store::{
    database_error_text, parse_store_location, store_failure, warn_of_weak_protection,
};
use crate::arguments::values::{
    count_parser, parse_days, parse_name, parse_reason, parse_token_count,
};
use crate::context::Context;
use crate::failure::{ExitStatus, Failure, key_failure};
use crate::machine::addresses::AdminAddress;
use crate::machine::environment::read_table_address;
use crate::machine::progress::start_spinner;
use crate::machine::table_key;
use clap::{Args, Subcommand, ValueHint};
use indicatif::HumanCount;
use std::path::PathBuf;
use war::i18n::{Count, Text, text};
use war::tokens::Name;
use war_table::operator::{
    CheckPosition, CheckReport, OperatorRequest, PlayerActivity, PlayerSummary, StoreFault,
};
use war_table::protocol::{PlayerId, Reason};
use war_table::room::{Order, OrderError, PlayerStatus};
use war_table::server::answer_inspection;
use war_table::server::store::StoreError;
use war_table_cluster::{PostgresReader, StoreLocation};

/// Highest player number that is accepted.
const MAX_PLAYER_NUMBER: u64 = (1 << 53) - 1;

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

/// Commands that change a single player.
#[derive(Debug, Subcommand)]
pub(crate) enum PlayerCommand {
    /// Give a player tokens, or take some; the player reads why
    #[command(after_help = ADJUST_EXAMPLES)]
    Adjust(AdjustArgs),
    /// Give a player another name, which they can't change
    #[command(after_help = RENAME_EXAMPLES)]
    Rename(RenameArgs),
    /// Ban a player from the table, or let them come again
    #[command(after_help = BAN_EXAMPLES)]
    Ban(BanArgs),
    /// Forget a player: their name and token go, and only their number stays
    #[command(after_help = FORGET_EXAMPLES)]
    Forget(ForgetArgs),
}

impl PlayerCommand {
    /// Order to carry out, and the options that name the table.
    pub(crate) fn order(&self) -> (Order, &TableOptions) {
        match self {
            Self::Adjust(adjust) => (adjust.order(), &adjust.table),
            Self::Rename(rename) => (rename.order(), &rename.table),
            Self::Ban(ban) => (ban.order(), &ban.table),
            Self::Forget(forget) => (forget.order(), &forget.table),
        }
    }
}

/// Options that name a table and the key that authorizes the operator.
#[derive(Debug, Args)]
pub(crate) struct TableOptions {
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

/// Argument for a player, by public number.
#[derive(Debug, Args)]
pub(crate) struct PlayerNumber {
    /// Number of the player, as `war table players` lists it
    #[arg(value_name = "PLAYER", value_parser = count_parser(1..=MAX_PLAYER_NUMBER))]
    player: u64,
}

impl PlayerNumber {
    pub(crate) const fn id(&self) -> PlayerId {
        PlayerId(self.player)
    }
}

#[derive(Debug, Args)]
pub(crate) struct PlayersArgs {
    #[command(flatten)]
    pub(crate) table: TableOptions,
}

#[derive(Debug, Args)]
pub(crate) struct AdjustArgs {
    #[command(flatten)]
    player: PlayerNumber,
    /// Number of tokens to give, or to take if it is negative
    #[arg(value_name = "TOKENS", allow_negative_numbers = true, value_parser = parse_token_count)]
    tokens: i64,
    /// Why, in up to 200 characters; the player will read it
    #[arg(long, value_name = "TEXT", value_parser = parse_reason)]
    reason: Reason,
    #[command(flatten)]
    table: TableOptions,
}

#[derive(Debug, Args)]
pub(crate) struct RenameArgs {
    #[command(flatten)]
    player: PlayerNumber,
    /// New name, which the player can't change
    #[arg(value_name = "NAME", value_parser = parse_name)]
    name: Name,
    #[command(flatten)]
    table: TableOptions,
}

#[derive(Debug, Args)]
pub(crate) struct BanArgs {
    #[command(flatten)]
    player: PlayerNumber,
    /// Let a player come again who is banned
    #[arg(long)]
    lift: bool,
    #[command(flatten)]
    table: TableOptions,
}

#[derive(Debug, Args)]
pub(crate) struct ForgetArgs {
    #[command(flatten)]
    player: PlayerNumber,
    #[command(flatten)]
    table: TableOptions,
}

#[derive(Debug, Args)]
pub(crate) struct ExportPlayerArgs {
    #[command(flatten)]
    pub(crate) player: PlayerNumber,
    #[command(flatten)]
    pub(crate) table: TableOptions,
}

#[derive(Debug, Args)]
pub(crate) struct RetainArgs {
    /// How long to keep messages to players, in days such as `30d`; at least `1d`
    #[arg(long, value_name = "DAYS", value_parser = parse_days)]
    pub(crate) messages: u32,
    /// How long to keep events, which balances and journals are made of
    #[arg(long, value_name = "TIME", value_parser = ["forever"])]
    pub(crate) events: String,
    #[command(flatten)]
    pub(crate) table: TableOptions,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyTableArgs {
    #[command(flatten)]
    pub(crate) table: TableOptions,
}

impl AdjustArgs {
    fn order(&self) -> Order {
        Order::Adjust {
            player: self.player.id(),
            tokens: self.tokens,
            reason: self.reason.clone(),
        }
    }
}

impl RenameArgs {
    fn order(&self) -> Order {
        Order::Rename {
            player: self.player.id(),
            name: self.name.clone(),
        }
    }
}

impl BanArgs {
    const fn order(&self) -> Order {
        let player = self.player.id();
        if self.lift {
            Order::Readmit { player }
        } else {
            Order::Ban { player }
        }
    }
}

impl ForgetArgs {
    const fn order(&self) -> Order {
        let player = self.player.id();
        Order::Forget { player }
    }
}

pub(crate) fn list_players(
    table: &TableOptions,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let operator = reading_client(table, context)?;
    operator.for_each_player(|listed| context.terminal.print_line(&listed_text(listed)))?;
    Ok(ExitStatus::Success)
}

/// Carries out an order for one player.
pub(crate) fn carry_out_order(
    (order, table): (Order, &TableOptions),
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let done = table_client(table, context)?.carry_out(&order)?;
    let now = done.map_err(|error| refusal(order.player(), error))?;
    context.terminal.print_line(&done_text(&order, &now));
    Ok(ExitStatus::Success)
}

/// Prints everything kept of a player.
pub(crate) fn export(
    options: &ExportPlayerArgs,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let player = options.player.id();
    let kept = reading_client(&options.table, context)?.export(player)?;
    let kept = kept.map_err(|error| refusal(player, error))?;
    context.terminal.print(&format!("{kept:#}\n"));
    Ok(ExitStatus::Success)
}

pub(crate) fn retain(options: &RetainArgs, context: &mut Context) -> Result<ExitStatus, Failure> {
    let removed = table_client(&options.table, context)?.remove_old_messages(options.messages)?;
    let (messages, days) = (Count(removed), Count(options.messages.into()));
    let text = text!(MessagesRemoved, messages = messages, days = days);
    context.terminal.print_line(&text);
    Ok(ExitStatus::Success)
}

pub(crate) fn verify(table: &TableOptions, context: &mut Context) -> Result<ExitStatus, Failure> {
    let operator = reading_client(table, context)?;
    let bar = start_spinner();
    let mut findings = StoreFindings::default();
    let checked = operator.verify(|from, checked| {
        for fault in &checked.faults {
            bar.suspend(|| context.terminal.report(&store_fault_text(fault)));
        }
        findings.add(from, checked);
        bar.set_message(HumanCount(findings.items_checked()).to_string());
    });
    bar.finish_and_clear();
    checked?;
    context.terminal.print_line(&findings.text());
    let sound = findings.faults == 0;
    Ok(if sound {
        ExitStatus::Success
    } else {
        ExitStatus::InvalidData
    })
}

fn refusal(player: PlayerId, error: OrderError) -> Failure {
    Failure::new(ExitStatus::InvalidData, refused_text(player, error))
}

impl From<OperatorError> for Failure {
    fn from(error: OperatorError) -> Self {
        let exit = match error {
            OperatorError::Disabled | OperatorError::WrongKey { .. } => ExitStatus::Usage,
            _ => ExitStatus::InputOutput,
        };
        Self::new(exit, error.text())
    }
}

/// Client for read-only requests: to a configured database if no node is named, else to the
/// running table.
fn reading_client(table: &TableOptions, context: &mut Context) -> Result<OperatorClient, Failure> {
    let place = parse_store_location(table.store.as_ref().unwrap_or(&context.config.table.store))?;
    let (StoreLocation::Database(address), None) = (&place, &table.admin) else {
        return table_client(table, context);
    };
    warn_of_weak_protection(&place, context);
    let address = address.clone();
    let failed = |error: StoreError| store_failure(&place, &error);
    let reader = PostgresReader::open((*address).clone()).map_err(failed)?;
    let read = move |ask: &OperatorRequest| {
        let unread = |error: StoreError| database_error_text(&address, &error);
        answer_inspection(&reader, ask).map_err(unread)
    };
    Ok(OperatorClient::Database(Box::new(read)))
}

/// Client of the running table; the table's key is looked up as in `war serve`.
fn table_client(table: &TableOptions, context: &Context) -> Result<OperatorClient, Failure> {
    let settings = &context.config.table;
    let store = table.store.as_ref().unwrap_or(&settings.store);
    let file = match (
        table.key.as_ref().or(settings.key.as_ref()),
        parse_store_location(store)?,
    ) {
        (Some(file), _) => file.clone(),
        (None, StoreLocation::File(path)) => table_key::default_path(&path),
        (None, place) => {
            let store = place.to_string();
            return Err(Failure::usage(text!(DatabaseNeedsKey, store = store)));
        }
    };
    let key = table_key::load(&file).map_err(|error| key_failure(&file, &error))?;
    let admin = table.admin.as_ref().or(settings.admin.as_ref()).cloned();
    let admin = if let Some(admin) = admin {
        admin
    } else {
        let listen = read_table_address().map_err(Failure::usage)?;
        AdminAddress::default_for_server(listen.as_ref().unwrap_or(&settings.listen))
    };
    Ok(OperatorClient::new(&admin, key, file)?)
}

/// Line about a player in a list.
fn listed_text(listed: &PlayerSummary) -> Text {
    text!(
        PlayerListed,
        player = listed.player.to_string(),
        name = listed.name.as_str(),
        sign = sign(listed.balance),
        tokens = Count(listed.balance.unsigned_abs()),
        state = state_text(listed)
    )
}

fn state_text(listed: &PlayerSummary) -> Text {
    match (listed.standing, listed.doing) {
        (PlayerStatus::Forgotten, _) => text!(PlayerForgotten),
        (PlayerStatus::Banned, PlayerActivity::Playing(game)) => {
            text!(PlayerBannedPlaying, game = game.to_string())
        }
        (PlayerStatus::Banned, _) => text!(PlayerBanned),
        (PlayerStatus::Welcome, PlayerActivity::Playing(game)) => {
            text!(PlayerPlaying, game = game.to_string())
        }
        (PlayerStatus::Welcome, PlayerActivity::Waiting(kind)) => {
            text!(PlayerWaiting, game = kind.name())
        }
        (PlayerStatus::Welcome, PlayerActivity::Nothing) if listed.house => text!(PlayerOfTheHouse),
        (PlayerStatus::Welcome, PlayerActivity::Nothing) => text!(PlayerFree),
    }
}

/// Report that an order was carried out; `now` is the player's state afterwards.
fn done_text(order: &Order, now: &PlayerSummary) -> Text {
    let (player, name) = (now.player.to_string(), now.name.as_str());
    match order {
        Order::Adjust { .. } => text!(
            PlayerAdjusted,
            player = player,
            name = name,
            sign = sign(now.balance),
            tokens = Count(now.balance.unsigned_abs())
        ),
        Order::Rename { .. } => text!(PlayerRenamed, player = player, name = name),
        Order::Ban { .. } => text!(PlayerNowBanned, player = player, name = name),
        Order::Readmit { .. } => text!(PlayerReadmitted, player = player, name = name),
        Order::Forget { .. } => text!(PlayerNowForgotten, player = player),
    }
}

/// Error for an order that was refused.
fn refused_text(player: PlayerId, error: OrderError) -> Text {
    let player = player.to_string();
    match error {
        OrderError::UnknownPlayer => text!(OrderUnknownPlayer, player = player),
        OrderError::OfTheHouse => text!(OrderOfTheHouse, player = player),
        OrderError::Forgotten => text!(OrderForgotten, player = player),
        OrderError::BannedAlready => text!(OrderBannedAlready, player = player),
        OrderError::NotBanned => text!(OrderNotBanned, player = player),
        OrderError::NoTokens | OrderError::TooManyTokens => {
            text!(OrderTooManyTokens, player = player)
        }
    }
}

/// Describes a fault of a store.
fn store_fault_text(fault: &StoreFault) -> Text {
    match fault {
        StoreFault::Event(number) => text!(StoreFaultEvent, number = number.as_str()),
        StoreFault::Ledger(number) => text!(StoreFaultLedger, number = number.as_str()),
        StoreFault::Balance(player) => text!(StoreFaultBalance, player = player.to_string()),
        StoreFault::Messages(player) => text!(StoreFaultMessages, player = player.to_string()),
        StoreFault::Journal(game) => text!(StoreFaultJournal, game = game.to_string()),
        StoreFault::Game(game) => text!(StoreFaultGame, game = game.to_string()),
        StoreFault::Record(player) => text!(StoreFaultRecord, player = player.to_string()),
        StoreFault::Rating(player) => text!(StoreFaultRating, player = player.to_string()),
        StoreFault::Leaf(number) => text!(StoreFaultLeaf, number = number.to_string()),
    }
}

/// Findings of a check of the whole store.
#[derive(Debug, Default)]
pub(crate) struct StoreFindings {
    events: u64,
    players: u64,
    games: u64,
    leaves: u64,
    /// Number of faults.
    pub(crate) faults: u64,
}

impl StoreFindings {
    /// Adds the findings of the part that begins at `from`.
    pub(crate) fn add(&mut self, from: CheckPosition, checked: &CheckReport) {
        match from {
            CheckPosition::Ledger(_) => self.events += checked.count,
            CheckPosition::Balances => self.players += checked.count,
            // Not counted: the players and games of these parts are counted in the other parts.
            CheckPosition::Messages { .. }
            | CheckPosition::Games { .. }
            | CheckPosition::Records { .. }
            | CheckPosition::Ladder => {}
            CheckPosition::Journals { .. } => self.games += checked.count,
            CheckPosition::Log { .. } => self.leaves += checked.count,
        }
        self.faults += checked.faults.len() as u64;
    }

    /// Number of items checked.
    pub(crate) const fn items_checked(&self) -> u64 {
        self.events + self.players + self.games + self.leaves
    }

    /// Verdict on the store.
    pub(crate) fn text(&self) -> Text {
        if self.faults > 0 {
            return text!(StoreDamaged, faults = Count(self.faults));
        }
        text!(
            StoreVerified,
            events = Count(self.events),
            players = Count(self.players),
            games = Count(self.games),
            leaves = Count(self.leaves)
        )
    }
}

/// Sign of a number, printed before its absolute value.
const fn sign(number: i64) -> &'static str {
    if number < 0 { "-" } else { "" }
}
