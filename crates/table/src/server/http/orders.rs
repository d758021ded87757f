//! What the writer does for an operator.

use crate::operator::{Answer, Ask, Doing, Listed};
use crate::room::{Activity, Order, Player, PlayerId};
use crate::server::directory::{Commands, Owner};
use crate::server::hub::{ClientId, HubCommand, Outbound};
use crate::server::rooms::RoomNumber;
use crate::server::shared::Shared;
use crate::server::store::Removed;
use crate::server::writer::WriterCommand;
use std::time::Duration;
use tokio::sync::oneshot;

/// How long the writer may take to carry an order out.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);
/// From how many rooms an order may be sent on.
const HOPS: u32 = 4;

/// What is asked is for another room than those of this node, or for any where it owns none.
pub(super) struct Elsewhere(pub(super) Option<RoomNumber>);

/// What came of it; `None` where nobody knows whether it was done.
type Carried = Result<Option<Answer>, Elsewhere>;

/// Lets the writer do what is asked.
pub(super) async fn carry_out(shared: &Shared, ask: &Ask) -> Carried {
    match ask {
        Ask::Order(order) => operate(shared, order.clone()).await,
        Ask::Retain {
            milliseconds,
            after,
        } => {
            let before = shared.clock.wall().saturating_sub(*milliseconds);
            retain(shared, before, *after).await
        }
        Ask::Players { .. } | Ask::Export { .. } | Ask::Verify(_) => Ok(None),
    }
}

async fn operate(shared: &Shared, order: Order) -> Carried {
    let player = order.player();
    let operate = |client| HubCommand::Operate {
        client,
        order: order.clone(),
    };
    write(shared, operate, |done| match done {
        Outbound::Operated(Ok(known)) => Some(Answer::Done(listed(player, known))),
        Outbound::Operated(Err(refused)) => Some(Answer::Refused(refused)),
        _ => None,
    })
    .await
}

/// Lets the writer remove messages from before this time.
async fn retain(shared: &Shared, before: u64, after: PlayerId) -> Carried {
    let retain = |client| HubCommand::Retain {
        client,
        before,
        after,
    };
    write(shared, retain, |done| match done {
        Outbound::Retained(Removed { messages, next }) => Some(Answer::Retained { messages, next }),
        _ => None,
    })
    .await
}

/// Lets a writer of this node do something: any of them, or the one of the room that is named then.
async fn write(
    shared: &Shared,
    command: impl Fn(ClientId) -> HubCommand,
    answer: impl FnOnce(Outbound) -> Option<Answer>,
) -> Carried {
    let any = shared.directory.borrow().here().next().cloned();
    let mut writer = any.ok_or(Elsewhere(None))?;
    for _ in 0..HOPS {
        match ask(shared, writer, &command).await {
            Some(Outbound::Elsewhere(room)) => {
                let Some(Owner::Here(owner)) = shared.directory.borrow().owner(room).cloned()
                else {
                    return Err(Elsewhere(Some(room)));
                };
                writer = owner;
            }
            Some(done) => return Ok(answer(done)),
            None => return Ok(None),
        }
    }
    Ok(Some(Answer::NotServed))
}

/// What a writer answers; `None` where nobody knows.
async fn ask(
    shared: &Shared,
    writer: Commands,
    command: impl Fn(ClientId) -> HubCommand,
) -> Option<Outbound> {
    let (reply, replied) = oneshot::channel();
    let client = shared.next_client();
    let operate = WriterCommand::Operate {
        arrived: shared.clock.now(),
        client,
        command: command(client),
        reply,
    };
    writer.send(operate).await.ok()?;
    tokio::time::timeout(PATIENCE, replied).await.ok()?.ok()
}

fn listed(player: PlayerId, known: Player) -> Listed {
    Listed {
        player,
        name: known.name,
        balance: known.balance,
        house: known.house,
        standing: known.standing,
        doing: match known.activity {
            Activity::Free => Doing::Nothing,
            Activity::Waiting(kind, _) => Doing::Waiting(kind),
            Activity::Playing(game) => Doing::Playing(game),
        },
    }
}
