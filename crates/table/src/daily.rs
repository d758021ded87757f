//! The daily duel: ten hands a day against the house, the same for everybody.
//!
//! The module has no store and no clock. The cards of a [`DailyDuel`] follow from a single seed of
//! the table, to which a leaf of the [log](crate::log) commits before the day begins. The house's
//! decisions follow from the same seed. Nobody wins tokens: a player is rated by the expected tokens
//! of their decisions, which no knowledge of the house's cards improves.

use crate::ladder::{day_of, start_of_day};
use crate::time::WallTime;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;
use std::str::FromStr;
use time::Date;
use war::engine::Seat;
use war::i18n::Lang;
use war::journal::CommittedGame;
use war::recording::write_token_journal;
use war::support::hex::Hex;
use war::tokens::equilibrium::Strategy;
use war::tokens::{Decision, Hand, Move, Secret, TokenEvent, TokenGame, TokenRules};

/// Day in UTC, from 1970-01-01 to 9999-12-31.
///
/// # Examples
///
/// ```
/// use war_table::daily::Day;
/// use war_table::time::WallTime;
///
/// let day: Day = "2026-11-28".parse().unwrap();
/// assert_eq!(Day::of(WallTime::from_millis(1_795_824_000_000)), day);
/// assert_eq!(day.next().to_string(), "2026-11-29");
/// assert!("2026-11-31".parse::<Day>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    /// Number of days since 1970-01-01.
    number: u64,
    date: Date,
}

/// Error for a text that is not a day such as `2026-11-28`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a day such as 2026-11-28")]
pub struct ParseDayError;

impl Day {
    /// Last day.
    const MAX: u64 = 2_932_896;
    /// Julian day of 1970-01-01.
    const EPOCH: i32 = 2_440_588;

    /// Day of a time; the last day for all later times.
    #[must_use]
    pub fn of(time: WallTime) -> Self {
        Self::from_number(day_of(time))
    }

    /// Following day; the last day is followed by itself.
    #[must_use]
    pub fn next(self) -> Self {
        Self::from_number(self.number + 1)
    }

    /// Start of the day.
    #[must_use]
    pub const fn start(self) -> WallTime {
        start_of_day(self.number)
    }

    /// Day with this number of days since 1970-01-01; the last day for all larger numbers.
    #[must_use]
    pub fn from_number(number: u64) -> Self {
        let number = number.min(Self::MAX);
        let julian = i32::try_from(number).map(|number| Self::EPOCH + number);
        let date = julian.ok().and_then(|day| Date::from_julian_day(day).ok());
        let date = date.unwrap_or(Date::MAX);
        Self { number, date }
    }

    /// Number of the game of a hand: the digits of the day, and two digits for the hand.
    fn game(self, hand: HandNumber) -> u64 {
        let (year, month, day) = self.date.to_calendar_date();
        let date = u64::from(year.unsigned_abs()) * 10_000 + u64::from(u8::from(month)) * 100;
        (date + u64::from(day)) * 100 + u64::from(hand.0)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date.to_calendar_date();
        write!(f, "{year:04}-{:02}-{day:02}", u8::from(month))
    }
}

impl FromStr for Day {
    type Err = ParseDayError;

    fn from_str(text: &str) -> Result<Self, ParseDayError> {
        let parse = || {
            let [year, month, day] =
                <[&str; 3]>::try_from(text.split('-').collect::<Vec<_>>()).ok()?;
            let month: u8 = month.parse().ok()?;
            let month = month.try_into().ok()?;
            let date =
                Date::from_calendar_date(year.parse().ok()?, month, day.parse().ok()?).ok()?;
            let number = u64::try_from(date.to_julian_day() - Self::EPOCH).ok()?;
            Some(Self::from_number(number))
        };
        // A day has a single text: no signs, and always the same number of digits.
        let exact = parse().filter(|day| day.to_string() == text);
        exact.ok_or(ParseDayError)
    }
}

/// Number of a hand of the daily duel, from 1 to 10.
///
/// # Examples
///
/// ```
/// use war_table::daily::HandNumber;
///
/// assert_eq!(HandNumber::all().count(), 10);
/// assert!("10".parse::<HandNumber>().is_ok());
/// assert!("11".parse::<HandNumber>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandNumber(u8);

/// Error for a text that is not the number of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a number from 1 to 10")]
pub struct ParseHandNumberError;

impl HandNumber {
    const LAST: u8 = 10;

    /// All hands of a day, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=Self::LAST).map(Self)
    }
}

impl FromStr for HandNumber {
    type Err = ParseHandNumberError;

    fn from_str(text: &str) -> Result<Self, ParseHandNumberError> {
        let known = Self::all().find(|hand| hand.0.to_string() == text);
        known.ok_or(ParseHandNumberError)
    }
}

/// The duel of one day, with its seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyDuel {
    /// The day.
    pub day: Day,
    /// Seed of the table, secret until the day is over.
    pub seed: Secret,
}

impl DailyDuel {
    /// Returns the hands of the player and of the house.
    ///
    /// They are those of the first deal of a game by [`TokenRules::DAILY`], whose number is made of
    /// the digits of the day and two digits for the hand, such as 2026112803.
    #[must_use]
    pub fn hands(&self, hand: HandNumber) -> [Hand; 2] {
        self.seed
            .deal(TokenRules::DAILY, self.day.game(hand), ["", ""], 1)
    }

    /// Returns the house's decision: that of the strategy, for the first four bytes of the
    /// HMAC-SHA256 of `daily/1 house` and the game's number, each on a line, under the seed.
    ///
    /// # Panics
    ///
    /// Never: HMAC takes a key of any length.
    #[must_use]
    pub fn house_decision(&self, hand: HandNumber, strategy: &Strategy) -> Decision {
        let seed = self.seed.reveal();
        let mut code = Hmac::<Sha256>::new_from_slice(seed.bytes()).expect("any key will do");
        code.update(format!("daily/1 house\n{}\n", self.day.game(hand)).as_bytes());
        let code: [u8; 32] = code.finalize().into_bytes().into();
        let [first, second, third, fourth, ..] = code;
        let chance = u32::from_be_bytes([first, second, third, fourth]);
        let [_, house] = self.hands(hand);
        strategy.decide(&house, chance)
    }

    /// Writes the journal of a hand in English, for a player with this decision. Returns `None` if
    /// the rules don't allow the game, which does not happen.
    #[must_use]
    pub fn write_journal(
        &self,
        hand: HandNumber,
        decision: Decision,
        strategy: &Strategy,
        engine: &str,
    ) -> Option<Vec<u8>> {
        let number = self.day.game(hand);
        let house = self.house_decision(hand, strategy);
        let events = play(
            TokenGame::new(TokenRules::DAILY, number, self.seed),
            [decision, house],
        )?;
        let committed = CommittedGame {
            rules: TokenRules::DAILY,
            game: number,
            commitment: self.seed.commitment(),
            secret: self.seed,
        };
        write_token_journal(engine, committed, Lang::En, &events).ok()
    }
}

/// Plays a game of the daily duel with these decisions, by seat. Returns its events.
fn play(mut game: TokenGame, decisions: [Decision; 2]) -> Option<Vec<TokenEvent>> {
    let (mut events, mut decisions) = (Vec::new(), Seat::all().zip(decisions));
    let mut next = Some(TokenEvent::DuelStarted);
    while let Some(event) = next {
        game.apply(&event).ok()?;
        events.push(event);
        next = game.due_event().or_else(|| {
            let (seat, decision) = decisions.next()?;
            game.decide(&Move::Decide(seat, decision)).ok()
        });
    }
    game.deltas().map(|_| events)
}

/// Commitment to the seed of a day, as in the leaf of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayCommitment {
    /// The day.
    pub day: Day,
    /// SHA-256 of the seed.
    pub commitment: Hex<32>,
    /// Time of the commitment, in milliseconds since 1970.
    pub time_ms: u64,
}

impl DayCommitment {
    /// Returns true if the commitment was made before its day began.
    #[must_use]
    pub const fn is_in_time(&self) -> bool {
        self.time_ms < self.day.start().as_millis()
    }
}
