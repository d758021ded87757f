//! Actions of the players and their effects.

use crate::connection::Packet;
use crate::laws::LawResult;
use crate::player::PlayerAction;
use crate::schedule::WorldEvent;
use crate::schedule::WorldTime;
use crate::world::World;
use std::time::Duration;

impl World<'_> {
    /// Schedules a player's next action, in place of the one planned before.
    pub(crate) fn schedule_action(&mut self, index: usize, at: WorldTime) {
        self.players[index].next_action_at = at;
        self.queue.schedule(at, WorldEvent::PlayerAction(index));
    }

    /// Schedules a player's next action after a thinking time.
    pub(crate) fn schedule_thinking(&mut self, index: usize) {
        let pause = self.players[index].draw_thinking_time(&mut self.rng);
        self.schedule_action(index, self.now + pause);
    }

    /// Schedules a retry of a request that was unavailable.
    pub(crate) fn schedule_retry(&mut self, index: usize) {
        let soon = self.rng.draw_millis_between(500, 1_500);
        self.schedule_action(index, self.now + soon);
    }

    /// Performs the action that a player planned for this time.
    pub(crate) fn perform_player_action(&mut self, index: usize) {
        if self.players[index].next_action_at != self.now {
            // The player's plans have changed since.
            return;
        }
        let action = self.players[index].plan_action(self.now, &self.options, &mut self.rng);
        match action {
            PlayerAction::Rest(until) => {
                self.schedule_action(index, until.max(self.now + Duration::from_millis(1)));
            }
            PlayerAction::Connect => {
                let wait = if self.connect(index) { 3_000 } else { 700 };
                let after = self.now + self.rng.draw_millis_between(wait, 2 * wait);
                self.schedule_action(index, after);
            }
            PlayerAction::Send(text) => self.send_request(index, text),
        }
    }

    fn send_request(&mut self, index: usize, text: String) {
        self.schedule_action(index, self.now + Duration::from_secs(3));
        let Some(connection) = self.players[index].pick_welcomed_connection(&mut self.rng) else {
            return;
        };
        let late = self.rng.draw_bool(self.options.late);
        let longer = if late {
            self.rng.draw_millis_between(200, 20_000)
        } else {
            Duration::ZERO
        };
        let arrives = self.send_to_node(connection, Packet::Text(text), longer);
        let shared = self.is_shared();
        self.players[index].record_arrival(arrives, shared);
        if self.rng.draw_bool(self.options.lost) {
            self.break_connection(connection);
        } else if self.rng.draw_bool(self.options.vanish) {
            self.go_offline(index);
        }
    }

    /// Takes a player offline for a while.
    fn go_offline(&mut self, index: usize) {
        self.players[index].away_until = self.now + self.rng.draw_millis_between(500, 120_000);
        let connections: Vec<_> = self.players[index].connections.keys().copied().collect();
        for connection in connections {
            self.break_connection(connection);
        }
    }

    /// Handles the end of a player's game, after which the player may be replaced by a new one.
    pub(crate) fn finish_game(&mut self, index: usize) -> LawResult {
        let player = &self.players[index];
        if let Some(finished) = player.checks.last_finished_game() {
            self.laws.games.check_digest(finished)?;
        }
        if let Some(id) = player.id {
            let last_dropped = player.last_unneeded_seq();
            self.store.drop_messages(id, last_dropped);
            self.laws.messages.drop_until(id, last_dropped);
        }
        if !self.is_winding_down && self.rng.draw_bool(self.options.replaced) {
            self.go_offline(index);
            let connections: Vec<_> = self.players[index].connections.keys().copied().collect();
            for connection in connections {
                self.lose_connection_at_player(connection);
            }
            self.players[index] = self.new_player();
        }
        self.schedule_thinking(index);
        Ok(())
    }
}
