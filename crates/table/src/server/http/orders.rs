//! What the writer does for an operator.

use crate::operator::{OperatorAnswer, OperatorRequest, PlayerActivity, PlayerSummary};
use crate::protocol::PlayerId;
use crate::room::{Activity, Order, Player};
use crate::server::clock::Clock;
use crate::server::hub::{ClientId, HubCommand, Outbound};
use crate::server::placement::Placement;
use crate::server::room_actor::{ActorMessage, RoomSender};
use crate::server::rooms::RoomNumber;
use crate::server::store::Removed;
use std::time::Duration;
use tokio::sync::oneshot;

/// How long the writer may take to carry an order out.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// From how many rooms an order may be sent on.
const HOPS: u32 = 4;

/// What is asked is for another room than those of this node, or for any where it owns none.
pub struct Elsewhere(pub Option<RoomNumber>);

/// Where orders are carried out.
#[derive(Clone, Copy)]
pub struct Office<'a> {
    /// Where the rooms are.
    pub placement: &'a dyn Placement,
    /// The server's clock.
    pub clock: &'a Clock,
}

/// What came of it; `None` where nobody knows whether it was done.
type Carried = Result<Option<OperatorAnswer>, Elsewhere>;

/// Lets the writer do what is asked; `None` where nobody knows whether it was done.
///
/// # Errors
///
/// [`Elsewhere`] where another room has to do it.
pub async fn carry_out(office: Office<'_>, ask: &OperatorRequest) -> Carried {
    match ask {
        OperatorRequest::Order(order) => operate(office, order.clone()).await,
        OperatorRequest::Retain {
            milliseconds,
            after,
        } => {
            let before = office.clock.wall().saturating_sub(*milliseconds);
            retain(office, before, *after).await
        }
        OperatorRequest::Players { .. }
        | OperatorRequest::Export { .. }
        | OperatorRequest::Verify(_) => Ok(None),
    }
}

async fn operate(office: Office<'_>, order: Order) -> Carried {
    let player = order.player();
    let operate = |client| HubCommand::Operate {
        client,
        order: order.clone(),
    };
    write(office, operate, |done| match done {
        Outbound::Operated(Ok(known)) => Some(OperatorAnswer::Done(listed(player, known))),
        Outbound::Operated(Err(refused)) => Some(OperatorAnswer::Refused(refused)),
        _ => None,
    })
    .await
}

/// Lets the writer remove messages from before this time.
async fn retain(office: Office<'_>, before: u64, after: PlayerId) -> Carried {
    let retain = |client| HubCommand::Retain {
        client,
        before,
        after,
    };
    write(office, retain, |done| match done {
        Outbound::Retained(Removed { messages, next }) => {
            Some(OperatorAnswer::Retained { messages, next })
        }
        _ => None,
    })
    .await
}

/// Lets a writer of this node do something: any of them, or the one of the room that is named then.
async fn write(
    office: Office<'_>,
    command: impl Fn(ClientId) -> HubCommand,
    answer: impl FnOnce(Outbound) -> Option<OperatorAnswer>,
) -> Carried {
    let any = office.placement.here().into_iter().next();
    let (_, mut writer) = any.ok_or(Elsewhere(None))?;
    for _ in 0..HOPS {
        match ask(office, writer, &command).await {
            Some(Outbound::Elsewhere(room)) => {
                let owner = office.placement.writer(room);
                writer = owner.ok_or(Elsewhere(Some(room)))?;
            }
            Some(done) => return Ok(answer(done)),
            None => return Ok(None),
        }
    }
    Ok(Some(OperatorAnswer::NotServed))
}

/// What a writer answers; `None` where nobody knows.
async fn ask(
    office: Office<'_>,
    writer: RoomSender,
    command: impl Fn(ClientId) -> HubCommand,
) -> Option<Outbound> {
    let (reply, replied) = oneshot::channel();
    let client = office.placement.next_client();
    let operate = ActorMessage::Operate {
        arrived: office.clock.now(),
        client,
        command: command(client),
        reply,
    };
    writer.send(operate).await.ok()?;
    tokio::time::timeout(PATIENCE, replied).await.ok()?.ok()
}

fn listed(player: PlayerId, known: Player) -> PlayerSummary {
    PlayerSummary {
        player,
        name: known.name,
        balance: known.balance,
        house: known.house,
        standing: known.standing,
        doing: match known.activity {
            Activity::Free => PlayerActivity::Nothing,
            Activity::Waiting(kind, _) => PlayerActivity::Waiting(kind),
            Activity::Playing(game) => PlayerActivity::Playing(game),
        },
    }
}
