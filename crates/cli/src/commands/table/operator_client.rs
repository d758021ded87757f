//! Client for the operator's interface of a running card table.

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
use war::support::sanitize::replace_unprintable;
use war_table::operator::{
    AUTH_SCHEME, CHALLENGE_HEADER, Challenge, CheckPosition, CheckReport, OPERATOR_PATH,
    OperatorAnswer, OperatorRequest, PlayerSummary, compute_proof,
};
use war_table::protocol::PlayerId;
use war_table::room::{Order, OrderError};

const DAY_MS: u64 = 24 * 3_600_000;
/// Timeout of a request.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Number of attempts, in case other operators send requests at the same time.
const ATTEMPTS: usize = 10;
const MAX_ANSWER_SIZE: u64 = 1 << 30;

impl OperatorError {
    /// Describes the error and how to resolve it.
    pub(crate) fn text(&self) -> Text {
        match self {
            Self::Disabled => text!(OperatorOff),
            Self::WrongKey { address, file } => text!(
                OperatorWrongKey,
                address = address.as_str(),
                file = replace_unprintable(&file.display().to_string())
            ),
            Self::Unreachable(address, source) => text!(
                OperatorUnreachable,
                address = address.as_str(),
                reason = io_text(source)
            ),
            Self::NotATable(address) => text!(OperatorNoTable, address = address.as_str()),
            Self::RoomNotServed => text!(OperatorNotServed),
            Self::UnreadableDatabase(why) => why.clone(),
            Self::NoAnswer { address, reason } => text!(
                OperatorSilent,
                address = address.as_str(),
                reason = reason.clone()
            ),
            Self::OutcomeUnknown { reason } => {
                text!(OperatorUnavailable, reason = reason.clone())
            }
        }
    }
}

type HttpResult = Result<Response<ureq::Body>, ureq::Error>;

/// Client that sends an operator's requests to a table.
pub(crate) enum OperatorClient {
    /// Requests over HTTP, authorized by the table's key.
    Network {
        agent: Agent,
        /// URL of the operator's interface.
        address: String,
        key: Box<TableKey>,
        /// File of the key.
        file: PathBuf,
    },
    /// Reads from the table's database.
    Database(DatabaseQuery),
}

/// Function that answers a request from a database.
pub(crate) type DatabaseQuery =
    Box<dyn Fn(&OperatorRequest) -> Result<Option<OperatorAnswer>, Text>>;

/// Error for a request without an answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OperatorError {
    /// Operator's interface that is turned off.
    #[error("the table answers no operators")]
    Disabled,
    /// Address that can't be reached.
    #[error("nobody answers at {0}")]
    Unreachable(String, #[source] io::Error),
    /// Table with another key.
    #[error("the table at {address} has another key than {}", file.display())]
    WrongKey { address: String, file: PathBuf },
    /// Server that is not a table of this version.
    #[error("the answer of {0} is not one of a table of this version")]
    NotATable(String),
    /// Database that can't be read.
    #[error("the database can't be read")]
    UnreadableDatabase(Text),
    /// Room that no node owns.
    #[error("no node owns the room")]
    RoomNotServed,
    /// Table that doesn't answer; the request has changed nothing.
    #[error("the table at {address} can't answer now")]
    NoAnswer { address: String, reason: Text },
    /// Table that doesn't answer; the request may have been carried out.
    #[error("the table can't answer now")]
    OutcomeUnknown { reason: Text },
}

impl OperatorClient {
    /// Creates a client for the table at this address; `file` holds its key.
    ///
    /// # Errors
    ///
    /// If the address can't be resolved, or the operator's interface is
    /// turned off.
    pub(crate) fn new(
        address: &AdminAddress,
        key: TableKey,
        file: PathBuf,
    ) -> Result<Self, OperatorError> {
        let AdminAddress::At(address) = address else {
            return Err(OperatorError::Disabled);
        };
        let unreachable = |error| OperatorError::Unreachable(address.to_string(), error);
        let address = address.find_reachable().map_err(unreachable)?;
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(TIMEOUT))
            .build();
        Ok(Self::Network {
            agent: agent.into(),
            address: format!("http://{address}{OPERATOR_PATH}"),
            key: Box::new(key),
            file,
        })
    }

    /// Passes all players to `see`, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// If the table doesn't answer.
    pub(crate) fn for_each_player(
        &self,
        mut see: impl FnMut(&PlayerSummary),
    ) -> Result<(), OperatorError> {
        let mut after = 0;
        loop {
            let OperatorAnswer::Players(players) =
                self.send_request(&OperatorRequest::Players { after })?
            else {
                return Err(self.not_a_table());
            };
            let Some(last) = players.last() else {
                return Ok(());
            };
            after = last.player.0;
            players.iter().for_each(&mut see);
        }
    }

    /// Carries out an order; returns the player's state afterwards, or the reason for a refusal.
    ///
    /// # Errors
    ///
    /// If the table doesn't answer.
    pub(crate) fn carry_out(
        &self,
        order: &Order,
    ) -> Result<Result<PlayerSummary, OrderError>, OperatorError> {
        match self.send_request(&OperatorRequest::Order(order.clone()))? {
            OperatorAnswer::Done(now) => Ok(Ok(now)),
            OperatorAnswer::Refused(error) => Ok(Err(error)),
            _ => Err(self.not_a_table()),
        }
    }

    /// Exports everything kept of a player, or returns the reason for a refusal.
    ///
    /// # Errors
    ///
    /// If the table doesn't answer.
    pub(crate) fn export(
        &self,
        player: PlayerId,
    ) -> Result<Result<Value, OrderError>, OperatorError> {
        match self.send_request(&OperatorRequest::Export { player })? {
            OperatorAnswer::Kept(kept) => Ok(Ok(kept)),
            OperatorAnswer::Refused(error) => Ok(Err(error)),
            _ => Err(self.not_a_table()),
        }
    }

    /// Removes messages older than this many days; returns their number.
    ///
    /// # Errors
    ///
    /// If the table doesn't answer.
    pub(crate) fn remove_old_messages(&self, days: u32) -> Result<u64, OperatorError> {
        let milliseconds = u64::from(days) * DAY_MS;
        let (mut removed, mut place) = (0, Some(PlayerId(0)));
        while let Some(after) = place {
            let ask = OperatorRequest::Retain {
                milliseconds,
                after,
            };
            let OperatorAnswer::Retained { messages, next } = self.send_request(&ask)? else {
                return Err(self.not_a_table());
            };
            removed += messages;
            place = next;
        }
        Ok(removed)
    }

    /// Checks the whole store part by part; passes the start of each part and its findings to
    /// `see`.
    ///
    /// # Errors
    ///
    /// If the table doesn't answer.
    pub(crate) fn verify(
        &self,
        mut see: impl FnMut(CheckPosition, &CheckReport),
    ) -> Result<(), OperatorError> {
        let mut next = Some(CheckPosition::FIRST);
        while let Some(from) = next {
            let OperatorAnswer::Checked(checked) =
                self.send_request(&OperatorRequest::Verify(from))?
            else {
                return Err(self.not_a_table());
            };
            see(from, &checked);
            next = checked.next;
        }
        Ok(())
    }

    /// Sends a request, and returns the answer.
    fn send_request(&self, ask: &OperatorRequest) -> Result<OperatorAnswer, OperatorError> {
        let (agent, address, key, file) = match self {
            Self::Network {
                agent,
                address,
                key,
                file,
            } => (agent, address, key, file),
            Self::Database(read) => {
                let answer = read(ask).map_err(OperatorError::UnreadableDatabase)?;
                return answer.ok_or_else(|| self.not_a_table());
            }
        };
        let unanswered = |reason| OperatorError::NoAnswer {
            address: address.clone(),
            reason,
        };
        let unavailable = |reason| match ask {
            OperatorRequest::Order(_) | OperatorRequest::Retain { .. } => {
                OperatorError::OutcomeUnknown { reason }
            }
            OperatorRequest::Players { .. }
            | OperatorRequest::Export { .. }
            | OperatorRequest::Verify(_) => unanswered(reason),
        };
        let status_text = |status: u16| text!(IoOther, reason = format!("HTTP {status}"));
        let question = serde_json::to_vec(ask).expect("questions are plain values");
        for _ in 0..ATTEMPTS {
            let answer = read_answer(agent.get(address).call());
            let unreachable = |error| OperatorError::Unreachable(address.clone(), error);
            let (200, challenge) = answer.map_err(unreachable)? else {
                return Err(self.not_a_table());
            };
            let challenge = String::from_utf8_lossy(&challenge).parse();
            let challenge: Challenge = challenge.map_err(|_| self.not_a_table())?;
            let proof = compute_proof(key, &challenge, &question);
            let asked = agent.post(address);
            let asked = asked.header("content-type", "application/json");
            let asked = asked.header(CHALLENGE_HEADER, challenge.to_string());
            let asked = asked.header("authorization", format!("{AUTH_SCHEME}{proof}"));
            // The request was sent, and may have been carried out.
            let answer = read_answer(asked.send(&question));
            let answer = answer.map_err(|error| unavailable(io_text(&error)))?;
            return match answer {
                (200, answer) => match serde_json::from_slice(&answer) {
                    Ok(OperatorAnswer::NotServed) => Err(OperatorError::RoomNotServed),
                    answer => answer.map_err(|_| self.not_a_table()),
                },
                (401, _) => Err(OperatorError::WrongKey {
                    address: address.clone(),
                    file: file.clone(),
                }),
                // Another operator was faster, so the challenge has changed.
                (409, _) => continue,
                (503, _) => Err(unavailable(status_text(503))),
                _ => Err(self.not_a_table()),
            };
        }
        Err(unanswered(status_text(409)))
    }

    fn not_a_table(&self) -> OperatorError {
        OperatorError::NotATable(match self {
            Self::Network { address, .. } => address.clone(),
            Self::Database(_) => String::new(),
        })
    }
}

/// Reads the status and the body of an answer.
fn read_answer(answer: HttpResult) -> io::Result<(u16, Vec<u8>)> {
    let answer = answer.map_err(ureq::Error::into_io)?;
    let status = answer.status().as_u16();
    let mut bytes = Vec::new();
    let mut body = answer.into_body().into_reader().take(MAX_ANSWER_SIZE);
    body.read_to_end(&mut bytes)?;
    Ok((status, bytes))
}
