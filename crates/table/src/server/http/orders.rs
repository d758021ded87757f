//! Operators' requests that a room's actor carries out.

use crate::operator::{OperatorAnswer, OperatorRequest, PlayerActivity, PlayerSummary};
use crate::protocol::PlayerId;
use crate::room::{Activity, Order, Player};
use crate::server::clock::Clock;
use crate::server::hub::{ClientId, HubCommand, Outbound};
use crate::server::placement::Placement;
use crate::server::room_actor::{ActorMessage, RoomSender};
use crate::server::rooms::RoomNumber;
use crate::server::store::PruneProgress;
use std::time::Duration;
use tokio::sync::oneshot;

/// Time limit for an actor to carry out an order.
pub const ORDER_TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum number of rooms that an order may reach before it is refused.
const MAX_HOPS: u32 = 4;

/// Redirect of a request to a room of another node, or to any room if this node owns none.
pub struct Redirect(pub Option<RoomNumber>);

/// Rooms and clock for carrying out orders.
#[derive(Clone, Copy)]
pub struct OrderContext<'a> {
    /// Placement of the rooms.
    pub placement: &'a dyn Placement,
    /// Clock of the server.
    pub clock: &'a Clock,
}

/// Answer to a request, or `None` if the outcome is unknown.
type OrderResult = Result<Option<OperatorAnswer>, Redirect>;

/// Has an actor of this node carry out a request. Returns `None` if the outcome is unknown, or if
/// the request is not one for an actor.
///
/// # Errors
///
/// [`Redirect`] if a room of another node has to carry it out.
pub async fn carry_out(context: OrderContext<'_>, ask: &OperatorRequest) -> OrderResult {
    match ask {
        OperatorRequest::Order(order) => operate(context, order.clone()).await,
        OperatorRequest::Retain {
            milliseconds,
            after,
        } => {
            let before = context.clock.wall().saturating_sub(*milliseconds);
            retain(context, before, *after).await
        }
        OperatorRequest::Players { .. }
        | OperatorRequest::Export { .. }
        | OperatorRequest::Verify(_) => Ok(None),
    }
}

async fn operate(context: OrderContext<'_>, order: Order) -> OrderResult {
    let player = order.player();
    let operate = |client| HubCommand::Operate {
        client,
        order: order.clone(),
    };
    run(context, operate, |done| match done {
        Outbound::Operated(Ok(known)) => Some(OperatorAnswer::Done(listed(player, known))),
        Outbound::Operated(Err(refused)) => Some(OperatorAnswer::Refused(refused)),
        _ => None,
    })
    .await
}

/// Deletes messages from before this time.
async fn retain(context: OrderContext<'_>, before: u64, after: PlayerId) -> OrderResult {
    let retain = |client| HubCommand::Retain {
        client,
        before,
        after,
    };
    run(context, retain, |done| match done {
        Outbound::Retained(PruneProgress { messages, next }) => {
            Some(OperatorAnswer::Retained { messages, next })
        }
        _ => None,
    })
    .await
}

/// Sends a command to an actor of this node, and follows redirects to others of its rooms.
async fn run(
    context: OrderContext<'_>,
    command: impl Fn(ClientId) -> HubCommand,
    answer: impl FnOnce(Outbound) -> Option<OperatorAnswer>,
) -> OrderResult {
    let any = context.placement.here().into_iter().next();
    let (_, mut writer) = any.ok_or(Redirect(None))?;
    for _ in 0..MAX_HOPS {
        match ask(context, writer, &command).await {
            Some(Outbound::Redirect(room)) => {
                let owner = context.placement.writer(room);
                writer = owner.ok_or(Redirect(Some(room)))?;
            }
            Some(done) => return Ok(answer(done)),
            None => return Ok(None),
        }
    }
    Ok(Some(OperatorAnswer::NotServed))
}

/// Sends a command to an actor; `None` if it does not answer in time.
async fn ask(
    context: OrderContext<'_>,
    writer: RoomSender,
    command: impl Fn(ClientId) -> HubCommand,
) -> Option<Outbound> {
    let (reply, replied) = oneshot::channel();
    let client = context.placement.next_client();
    let operate = ActorMessage::Operate {
        arrived: context.clock.now(),
        client,
        command: command(client),
        reply,
    };
    writer.send(operate).await.ok()?;
    tokio::time::timeout(ORDER_TIMEOUT, replied)
        .await
        .ok()?
        .ok()
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
