use super::Standing;
use super::day::{Game, counted};
use crate::room::PlayerId;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How many games a player needs to be shown.
pub const LEAST_GAMES: u64 = 20;

/// All players of a ladder, as they were after some day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standings(BTreeMap<PlayerId, Standing>);

impl Standings {
    /// Rates the games of a day, in whatever order they come: those that count. Days are rated in
    /// their order; those without games may be left out. A game of somebody with themselves does not
    /// count.
    ///
    /// The result is who was rated.
    pub fn rate(&mut self, day: u64, games: Vec<Game>) -> Vec<PlayerId> {
        let mut played: BTreeMap<PlayerId, Vec<(PlayerId, f64)>> = BTreeMap::new();
        for game in counted(games) {
            let [one, other] = game.players;
            if one != other {
                played.entry(one).or_default().push((other, game.score(0)));
                played.entry(other).or_default().push((one, game.score(1)));
            }
        }
        let start = |id: &PlayerId| {
            let known = self.0.get(id).map(|standing| standing.on(day));
            (*id, known.unwrap_or_else(|| Standing::new(day)))
        };
        let start: BTreeMap<_, _> = played.keys().map(start).collect();
        for (id, games) in &played {
            let games = games.iter().map(|(other, score)| (start[other], *score));
            let games: Vec<_> = games.collect();
            self.0.insert(*id, start[id].after(day, &games));
        }
        played.into_keys().collect()
    }

    /// Somebody's standing, if any of their games was rated.
    #[must_use]
    pub fn of(&self, id: PlayerId) -> Option<&Standing> {
        self.0.get(&id)
    }

    /// Takes somebody's standing as it is known.
    pub fn insert(&mut self, id: PlayerId, standing: Standing) {
        self.0.insert(id, standing);
    }

    /// All of them, by number.
    pub fn iter(&self) -> impl Iterator<Item = (PlayerId, &Standing)> {
        self.0.iter().map(|(id, standing)| (*id, standing))
    }

    /// Those who are shown, the highest rating first.
    #[must_use]
    pub fn ranked(&self) -> Vec<(PlayerId, Standing)> {
        let shown = self.iter().filter(|(_, one)| one.games >= LEAST_GAMES);
        let mut shown: Vec<_> = shown.map(|(id, standing)| (id, *standing)).collect();
        shown.sort_by_key(|(id, standing)| (Reverse(standing.rating), *id));
        shown
    }
}
