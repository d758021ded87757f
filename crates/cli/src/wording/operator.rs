use war::i18n::{Count, Text, text};
use war_table::operator::{Checked, Doing, Listed, Place, StoreFault};
use war_table::room::{Order, OrderError, PlayerId, Standing};

/// A player in a list, on a line.
pub(crate) fn listed_text(listed: &Listed) -> Text {
    text!(
        PlayerListed,
        player = listed.player.to_string(),
        name = listed.name.as_str(),
        sign = sign(listed.balance),
        tokens = Count(listed.balance.unsigned_abs()),
        state = state_text(listed)
    )
}

fn state_text(listed: &Listed) -> Text {
    match (listed.standing, listed.doing) {
        (Standing::Forgotten, _) => text!(PlayerForgotten),
        (Standing::Banned, Doing::Playing(game)) => {
            text!(PlayerBannedPlaying, game = game.to_string())
        }
        (Standing::Banned, _) => text!(PlayerBanned),
        (Standing::Welcome, Doing::Playing(game)) => text!(PlayerPlaying, game = game.to_string()),
        (Standing::Welcome, Doing::Waiting(kind)) => text!(PlayerWaiting, game = kind.name()),
        (Standing::Welcome, Doing::Nothing) if listed.house => text!(PlayerOfTheHouse),
        (Standing::Welcome, Doing::Nothing) => text!(PlayerFree),
    }
}

/// That an order was carried out; the player as they are now.
pub(crate) fn done_text(order: &Order, now: &Listed) -> Text {
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

/// Why an order can't be carried out.
pub(crate) fn refused_text(player: PlayerId, error: OrderError) -> Text {
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

/// What is wrong with a store.
pub(crate) fn store_fault_text(fault: &StoreFault) -> Text {
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

/// What a check of a store has found.
#[derive(Debug, Default)]
pub(crate) struct StoreFindings {
    events: u64,
    players: u64,
    games: u64,
    leaves: u64,
    /// How much is wrong.
    pub(crate) faults: u64,
}

impl StoreFindings {
    /// Adds what came of a part that began there.
    pub(crate) fn add(&mut self, from: Place, checked: &Checked) {
        match from {
            Place::Ledger(_) => self.events += checked.count,
            Place::Balances => self.players += checked.count,
            // They are counted with their balances, and with their journals.
            Place::Messages { .. }
            | Place::Games { .. }
            | Place::Records { .. }
            | Place::Ladder => {}
            Place::Journals { .. } => self.games += checked.count,
            Place::Log { .. } => self.leaves += checked.count,
        }
        self.faults += checked.faults.len() as u64;
    }

    /// How much was checked.
    pub(crate) const fn all(&self) -> u64 {
        self.events + self.players + self.games + self.leaves
    }

    /// The verdict.
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

/// What stands before a number.
const fn sign(number: i64) -> &'static str {
    if number < 0 { "-" } else { "" }
}
