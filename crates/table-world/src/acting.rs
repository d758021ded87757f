//! What players do, and what becomes of it.

use crate::connection::Packet;
use crate::laws::Lawful;
use crate::player::Plan;
use crate::schedule::What;
use crate::world::World;

impl World<'_> {
    /// Plans when a player does something next.
    pub(crate) fn plan_act(&mut self, index: usize, at: u64) {
        self.players[index].acts_at = at;
        self.queue.plan(at, What::Act(index));
    }

    /// A player has something to do, after thinking.
    pub(crate) fn think(&mut self, index: usize) {
        let thinks = self.players[index].thinks(&mut self.chance);
        self.plan_act(index, self.now + thinks);
    }

    /// A player asks again soon for what could not be done.
    pub(crate) fn think_again(&mut self, index: usize) {
        let soon = self.chance.between(500, 1_500);
        self.plan_act(index, self.now + soon);
    }

    /// A player does something.
    pub(crate) fn act(&mut self, index: usize) {
        if self.players[index].acts_at != self.now {
            // They have thought of something else since.
            return;
        }
        let plan = self.players[index].plan(self.now, &self.options, &mut self.chance);
        match plan {
            Plan::Rest(until) => self.plan_act(index, until.max(self.now + 1)),
            Plan::Connect => {
                let wait = if self.connect(index) { 3_000 } else { 700 };
                let after = self.now + self.chance.between(wait, 2 * wait);
                self.plan_act(index, after);
            }
            Plan::Send(text) => self.ask(index, text),
        }
    }

    fn ask(&mut self, index: usize, text: String) {
        self.plan_act(index, self.now + 3_000);
        let Some(line) = self.players[index].welcomed(&mut self.chance) else {
            return;
        };
        let late = self.chance.happens(self.options.late);
        let longer = if late {
            self.chance.between(200, 20_000)
        } else {
            0
        };
        let arrives = self.send(line, Packet::Text(text), longer);
        let shared = self.is_shared();
        self.players[index].sends(arrives, shared);
        if self.chance.happens(self.options.lost) {
            self.cut(line);
        } else if self.chance.happens(self.options.vanish) {
            self.vanish(index);
        }
    }

    /// A player goes away for a while.
    fn vanish(&mut self, index: usize) {
        self.players[index].away_until = self.now + self.chance.between(500, 120_000);
        let lines: Vec<_> = self.players[index].lines.keys().copied().collect();
        for line in lines {
            self.cut(line);
        }
    }

    /// A game of a player is over.
    pub(crate) fn is_over(&mut self, index: usize) -> Lawful {
        let player = &self.players[index];
        if let Some(finished) = player.checks.finished() {
            self.laws.games.told(finished)?;
        }
        if let Some(id) = player.id {
            let forgotten = player.forgotten();
            self.store.drop_messages(id, forgotten);
            self.laws.messages.drop_until(id, forgotten);
        }
        if !self.calm && self.chance.happens(self.options.replaced) {
            // They never come again, and somebody else does.
            self.vanish(index);
            let lines: Vec<_> = self.players[index].lines.keys().copied().collect();
            for line in lines {
                self.gone_at_player(line);
            }
            self.players[index] = self.newcomer();
        }
        self.think(index);
        Ok(())
    }
}
