/// Who holds the most cards.
pub(super) enum Leader {
    /// One player, by index, with this many cards.
    One(usize, usize),
    /// Several, with this many cards each.
    Draw(usize),
}

impl Leader {
    /// The leader among players with these numbers of cards.
    pub(super) fn of(counts: &[usize]) -> Self {
        let most = counts.iter().copied().max().unwrap_or(0);
        let mut leaders = (0..counts.len()).filter(|&seat| counts[seat] == most);
        match (leaders.next(), leaders.next()) {
            (Some(seat), None) => Self::One(seat, most),
            _ => Self::Draw(most),
        }
    }
}
