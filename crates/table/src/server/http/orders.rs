//! Operators' requests that a room's actor carries out.

use crate::operator::{OperatorAnswer, OperatorRequest, PlayerActivity, PlayerSummary};
use crate::protocol::PlayerId;
use crate::room::{Activity, Order, Player};
use crate::server::clock::Clock;
use crate::server::hub::{ClientId, HubCommand, HubDelivery};
use crate::server::placement::Placement;
use crate::server::room_actor::{ActorMessage, RoomSender};
use crate::server::rooms::RoomNumber;
use crate::server::store::PruneProgress;
use crate::time::WallTime;
use std::time::Duration;
use tokio::sync::oneshot;

/// Time limit for an actor to carry out an order.
pub const ORDER_TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum number of rooms that an order is sent to. Each room may redirect the order to the next
/// one; after this many, the order is refused.
const MAX_HOPS: u32 = 4;

/// Redirect of a request to a room of another node, or to any room if this node owns none.
pub struct RoomRedirect(pub Option<RoomNumber>);

/// Rooms and clock for carrying out orders.
#[derive(Clone, Copy)]
pub struct OrderContext<'a> {
    /// Placement of the rooms.
    pub placement: &'a dyn Placement,
    /// Clock of the server.
    pub clock: &'a Clock,
}

/// Answer to a request, `None` if the outcome is unknown, or a redirect.
type OrderResult = Result<Option<OperatorAnswer>, RoomRedirect>;

/// Has an actor of this node carry out a request. Returns `None` if the outcome is unknown, or if
/// the request is not one for an actor.
///
/// # Errors
///
/// [`RoomRedirect`] if a room of another node has to carry it out.
pub async fn carry_out_request(context: OrderContext<'_>, ask: &OperatorRequest) -> OrderResult {
    match ask {
        OperatorRequest::Order(order) => run_order(context, order.clone()).await,
        OperatorRequest::Retain {
            milliseconds,
            after,
        } => {
            let before = context
                .clock
                .wall_time()
                .saturating_sub(Duration::from_millis(*milliseconds));
            prune_messages(context, before, *after).await
        }
        OperatorRequest::Players { .. }
        | OperatorRequest::Export { .. }
        | OperatorRequest::Verify(_) => Ok(None),
    }
}

async fn run_order(context: OrderContext<'_>, order: Order) -> OrderResult {
    let player = order.player();
    let operate = |client| HubCommand::Order {
        client,
        order: order.clone(),
    };
    run_command(context, operate, |done| match done {
        HubDelivery::OrderOutcome(Ok(known)) => {
            Some(OperatorAnswer::Done(player_summary(player, known)))
        }
        HubDelivery::OrderOutcome(Err(refused)) => Some(OperatorAnswer::Refused(refused)),
        _ => None,
    })
    .await
}

/// Deletes messages from before this time.
async fn prune_messages(
    context: OrderContext<'_>,
    before: WallTime,
    after: PlayerId,
) -> OrderResult {
    let retain = |client| HubCommand::PruneMessages {
        client,
        before,
        after,
    };
    run_command(context, retain, |done| match done {
        HubDelivery::MessagesPruned(PruneProgress { messages, next }) => {
            Some(OperatorAnswer::Retained { messages, next })
        }
        _ => None,
    })
    .await
}

/// Sends a command to an actor of this node, and follows redirects to other rooms of the node.
async fn run_command(
    context: OrderContext<'_>,
    command: impl Fn(ClientId) -> HubCommand,
    answer: impl FnOnce(HubDelivery) -> Option<OperatorAnswer>,
) -> OrderResult {
    let any = context.placement.local_rooms().into_iter().next();
    let (_, mut writer) = any.ok_or(RoomRedirect(None))?;
    for _ in 0..MAX_HOPS {
        match send_command(context, writer, &command).await {
            Some(HubDelivery::Redirect(room)) => {
                let owner = context.placement.room_sender(room);
                writer = owner.ok_or(RoomRedirect(Some(room)))?;
            }
            Some(done) => return Ok(answer(done)),
            None => return Ok(None),
        }
    }
    Ok(Some(OperatorAnswer::NotServed))
}

/// Sends a command to an actor; `None` if it does not answer in time.
async fn send_command(
    context: OrderContext<'_>,
    writer: RoomSender,
    command: impl Fn(ClientId) -> HubCommand,
) -> Option<HubDelivery> {
    let (reply, replied) = oneshot::channel();
    let client = context.placement.next_client();
    let operate = ActorMessage::OperatorCommand {
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

fn player_summary(player: PlayerId, known: Player) -> PlayerSummary {
    PlayerSummary {
        player,
        name: known.name,
        balance: known.balance,
        house: known.house,
        standing: known.status,
        doing: match known.activity {
            Activity::Free => PlayerActivity::Nothing,
            Activity::Waiting(kind, _) => PlayerActivity::Waiting(kind),
            Activity::Playing(game) => PlayerActivity::Playing(game),
        },
    }
}
