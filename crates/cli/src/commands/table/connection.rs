//! The way of an operator to a table that runs.

use crate::machine::addresses::AdminAddress;
use crate::machine::text::io_text;
use serde_json::Value;
use std::io::{self, Read};
use std::path::PathBuf;
use std::time::Duration;
use ureq::Agent;
use ureq::http::Response;
use war::i18n::{Text, text};
use war::signing::TableKey;
use war::support::visible::on_one_line;
use war_table::operator::{
    CHALLENGE, Challenge, CheckPosition, CheckReport, OperatorAnswer, OperatorRequest, PATH,
    PlayerSummary, SCHEME, proof,
};
use war_table::protocol::PlayerId;
use war_table::room::{Order, OrderError};

/// A day, in milliseconds.
const DAY: u64 = 24 * 3_600_000;
/// How long one answer may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often a question is asked while other operators ask, too.
const ATTEMPTS: usize = 10;
/// The longest answer, in bytes.
const LONGEST: u64 = 1 << 30;

impl Unanswered {
    /// Why there is no answer, and what helps.
    pub(crate) fn text(&self) -> Text {
        match self {
            Self::Off => text!(OperatorOff),
            Self::WrongKey { address, file } => text!(
                OperatorWrongKey,
                address = address.as_str(),
                file = on_one_line(&file.display().to_string())
            ),
            Self::Unreachable(address, source) => text!(
                OperatorUnreachable,
                address = address.as_str(),
                reason = io_text(source)
            ),
            Self::NoTable(address) => text!(OperatorNoTable, address = address.as_str()),
            Self::NotServed => text!(OperatorNotServed),
            Self::Unread(why) => why.clone(),
            Self::Silent(address) => text!(OperatorSilent, address = address.as_str()),
            Self::Unavailable => text!(OperatorUnavailable),
        }
    }
}

type Answered = Result<Response<ureq::Body>, ureq::Error>;

/// Somebody who asks a table.
pub(crate) enum Operator {
    /// An operator who can read its key.
    Keyed {
        agent: Agent,
        /// Where the table answers operators.
        address: String,
        key: Box<TableKey>,
        /// Where the key is.
        file: PathBuf,
    },
    /// One who reads its database, and knows why that can't be read.
    Reading(Reading),
}

/// What reads a database to answer a question.
pub(crate) type Reading = Box<dyn Fn(&OperatorRequest) -> Result<Option<OperatorAnswer>, Text>>;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unanswered {
    /// Nobody answers operators there.
    #[error("the table answers no operators")]
    Off,
    /// Nobody can be reached there.
    #[error("nobody answers at {0}")]
    Unreachable(String, #[source] io::Error),
    /// The table has another key.
    #[error("the table at {address} has another key than {}", file.display())]
    WrongKey { address: String, file: PathBuf },
    /// What answers is not a table, or one of another version.
    #[error("the answer of {0} is not one of a table of this version")]
    NoTable(String),
    /// Its database can't be read.
    #[error("the database can't be read")]
    Unread(Text),
    /// No node owns the room that it is about.
    #[error("no node owns the room")]
    NotServed,
    /// The table can't answer, and was asked to change nothing.
    #[error("the table at {0} can't answer now")]
    Silent(String),
    /// The table can't do it, or nobody knows whether it has.
    #[error("the table can't answer now")]
    Unavailable,
}

impl Operator {
    /// An operator of the table that answers there, whose key is in this file.
    ///
    /// # Errors
    ///
    /// Where there is no such address, or the table answers no operators.
    pub(crate) fn new(
        address: &AdminAddress,
        key: TableKey,
        file: PathBuf,
    ) -> Result<Self, Unanswered> {
        let AdminAddress::At(address) = address else {
            return Err(Unanswered::Off);
        };
        let unreachable = |error| Unanswered::Unreachable(address.to_string(), error);
        let address = address.reachable().map_err(unreachable)?;
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .build();
        Ok(Self::Keyed {
            agent: agent.into(),
            address: format!("http://{address}{PATH}"),
            key: Box::new(key),
            file,
        })
    }

    /// Shows all players, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// Where the table does not answer.
    pub(crate) fn players(&self, mut see: impl FnMut(&PlayerSummary)) -> Result<(), Unanswered> {
        let mut after = 0;
        loop {
            let OperatorAnswer::Players(players) = self.ask(&OperatorRequest::Players { after })?
            else {
                return Err(self.no_table());
            };
            let Some(last) = players.last() else {
                return Ok(());
            };
            after = last.player.0;
            players.iter().for_each(&mut see);
        }
    }

    /// Does something with a player; the result is the player as they are now, or why it can't
    /// be done.
    ///
    /// # Errors
    ///
    /// Where the table does not answer.
    pub(crate) fn carry_out(
        &self,
        order: &Order,
    ) -> Result<Result<PlayerSummary, OrderError>, Unanswered> {
        match self.ask(&OperatorRequest::Order(order.clone()))? {
            OperatorAnswer::Done(now) => Ok(Ok(now)),
            OperatorAnswer::Refused(error) => Ok(Err(error)),
            _ => Err(self.no_table()),
        }
    }

    /// All that is kept of a player, or why it can't be had.
    ///
    /// # Errors
    ///
    /// Where the table does not answer.
    pub(crate) fn export(&self, player: PlayerId) -> Result<Result<Value, OrderError>, Unanswered> {
        match self.ask(&OperatorRequest::Export { player })? {
            OperatorAnswer::Kept(kept) => Ok(Ok(kept)),
            OperatorAnswer::Refused(error) => Ok(Err(error)),
            _ => Err(self.no_table()),
        }
    }

    /// Removes messages that are older than so many days; the result is how many.
    ///
    /// # Errors
    ///
    /// Where the table does not answer.
    pub(crate) fn retain(&self, days: u32) -> Result<u64, Unanswered> {
        let milliseconds = u64::from(days) * DAY;
        let (mut removed, mut place) = (0, Some(PlayerId(0)));
        while let Some(after) = place {
            let ask = OperatorRequest::Retain {
                milliseconds,
                after,
            };
            let OperatorAnswer::Retained { messages, next } = self.ask(&ask)? else {
                return Err(self.no_table());
            };
            removed += messages;
            place = next;
        }
        Ok(removed)
    }

    /// Checks the whole store, part by part; `see` gets where each began, and what came of it.
    ///
    /// # Errors
    ///
    /// Where the table does not answer.
    pub(crate) fn verify(
        &self,
        mut see: impl FnMut(CheckPosition, &CheckReport),
    ) -> Result<(), Unanswered> {
        let mut next = Some(CheckPosition::FIRST);
        while let Some(from) = next {
            let OperatorAnswer::Checked(checked) = self.ask(&OperatorRequest::Verify(from))? else {
                return Err(self.no_table());
            };
            see(from, &checked);
            next = checked.next;
        }
        Ok(())
    }

    /// Asks the table for something.
    fn ask(&self, ask: &OperatorRequest) -> Result<OperatorAnswer, Unanswered> {
        let (agent, address, key, file) = match self {
            Self::Keyed {
                agent,
                address,
                key,
                file,
            } => (agent, address, key, file),
            Self::Reading(read) => {
                let answer = read(ask).map_err(Unanswered::Unread)?;
                return answer.ok_or_else(|| self.no_table());
            }
        };
        let unavailable = || match ask {
            OperatorRequest::Order(_) | OperatorRequest::Retain { .. } => Unanswered::Unavailable,
            OperatorRequest::Players { .. }
            | OperatorRequest::Export { .. }
            | OperatorRequest::Verify(_) => Unanswered::Silent(address.clone()),
        };
        let question = serde_json::to_vec(ask).expect("questions are plain values");
        for _ in 0..ATTEMPTS {
            let answer = agent.get(address).call();
            let (200, challenge) = read(answer, address)? else {
                return Err(self.no_table());
            };
            let challenge = String::from_utf8_lossy(&challenge).parse();
            let challenge: Challenge = challenge.map_err(|_| self.no_table())?;
            let proof = proof(key, &challenge, &question);
            let asked = agent.post(address);
            let asked = asked.header("content-type", "application/json");
            let asked = asked.header(CHALLENGE, challenge.to_string());
            let asked = asked.header("authorization", format!("{SCHEME}{proof}"));
            // It has the question, and may have done what that asks for.
            let answer = read(asked.send(&question), address).map_err(|_| unavailable())?;
            return match answer {
                (200, answer) => match serde_json::from_slice(&answer) {
                    Ok(OperatorAnswer::NotServed) => Err(Unanswered::NotServed),
                    answer => answer.map_err(|_| self.no_table()),
                },
                (401, _) => Err(Unanswered::WrongKey {
                    address: address.clone(),
                    file: file.clone(),
                }),
                // Another operator was faster, and the table wants another proof now.
                (409, _) => continue,
                (503, _) => Err(unavailable()),
                _ => Err(self.no_table()),
            };
        }
        Err(Unanswered::Silent(address.clone()))
    }

    /// That what answers is not a table of this version.
    fn no_table(&self) -> Unanswered {
        Unanswered::NoTable(match self {
            Self::Keyed { address, .. } => address.clone(),
            Self::Reading(_) => String::new(),
        })
    }
}

/// The status and the bytes of an answer from there.
fn read(answer: Answered, address: &str) -> Result<(u16, Vec<u8>), Unanswered> {
    let unreachable = |error| Unanswered::Unreachable(address.to_owned(), error);
    let answer = answer.map_err(|error| unreachable(error.into_io()))?;
    let status = answer.status().as_u16();
    let mut bytes = Vec::new();
    let mut body = answer.into_body().into_reader().take(LONGEST);
    body.read_to_end(&mut bytes).map_err(unreachable)?;
    Ok((status, bytes))
}
