use super::table::{MOST_PLAYERS, ROOM, Table};
use super::turns::Stretch;
use crate::kernel::certain::Certain;
use crate::kernel::log::Replay;

impl Replay for Table {
    fn of(state: &[u8], key: u64) -> Self {
        let mut table = Self::empty();
        let (mut rest, lengths) = (state, key.to_le_bytes());
        for (seat, &length) in lengths[..MOST_PLAYERS].iter().enumerate() {
            let (hand, others) = rest.split_at(rest.len().min(length.into()));
            let from = seat * ROOM;
            table.cards[from..from + hand.len()].copy_from_slice(hand);
            (table.tops[seat], table.ends[seat]) = (from, from + hand.len());
            rest = others;
        }
        table.sit();
        table
    }

    fn replay(&mut self, rules: &Certain, turns: u64) -> u64 {
        let (mut left, mut wars) = (u32::try_from(turns).unwrap_or(u32::MAX), 0);
        while left > 0 && self.playing > 2 {
            let Stretch { turns, war, .. } = self.play(rules, left, u8::MAX);
            left -= turns;
            wars += u64::from(war.is_some());
        }
        wars
    }

    fn is_like(&self, other: &Self) -> bool {
        self.key() == other.key()
            && (0..MOST_PLAYERS).all(|seat| self.hand(seat) == other.hand(seat))
    }
}
