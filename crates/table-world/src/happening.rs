//! What happens, by whom it concerns.

use super::World;
use super::broken::Lawful;
use super::queue::What;

impl World<'_> {
    /// Lets something happen now.
    pub(super) fn happens(&mut self, what: What) -> Lawful {
        // What concerns a node that is stopped happens when it goes on.
        if let Some(until) = self.stopped(what) {
            self.queue.plan(until, what);
            return Ok(());
        }
        match what {
            What::AtPlayer(line) => return self.at_player(line),
            What::Turn(node, room, turn) => return self.turn(node, room, turn),
            What::Round(node, run) => return self.round(node, run),
            What::Take(node, room, run) => return self.take(node, room, run),
            What::Sighted(node, sight) => self.sighted(node, sight),
            What::Start(node) => return self.start(node),
            What::Trouble(trouble) => return self.trouble(trouble),
            What::Look => return self.look(),
            What::Lands(room) => return self.lands(room),
            What::Idle(node, room, turn) => self.is_idle(node, room, turn),
            What::Route(line) => self.wake_route(line),
            What::AtOwner(link) => self.at_owner(link),
            What::AtGateway(link) => self.at_gateway(link),
            What::GoneAtOwner(link) => self.gone_at_owner(link),
            What::GoneAtGateway(link) => self.gone_at_gateway(link),
            What::AtNode(line) => self.at_node(line),
            What::GoneAtNode(line) => self.hang_up(line),
            What::GoneAtPlayer(line) => self.gone_at_player(line),
            What::Wake(line) => self.wake(line),
            What::Act(player) => self.act(player),
            What::Over(trouble) => self.trouble_is_over(trouble),
        }
        Ok(())
    }

    /// Until when the node that something concerns is stopped, if it is.
    fn stopped(&self, what: What) -> Option<u64> {
        let node = match what {
            What::AtNode(line) | What::GoneAtNode(line) | What::Wake(line) | What::Route(line) => {
                self.lines.get(&line)?.node
            }
            What::AtOwner(link) | What::GoneAtOwner(link) => self.links.get(&link)?.owner,
            What::AtGateway(link) | What::GoneAtGateway(link) => self.links.get(&link)?.gateway,
            What::Turn(node, ..)
            | What::Start(node)
            | What::Round(node, _)
            | What::Take(node, ..)
            | What::Sighted(node, _) => node,
            _ => return None,
        };
        let until = self.nodes[node].stopped_until;
        (until > self.now).then_some(until)
    }
}
