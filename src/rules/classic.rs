use super::{Collect, Flow, OutOfCards, Parameters, Variant};

/// The classic edition: one card face down in a war, End of Cards, collected by seat.
pub const CLASSIC: Variant = Variant {
    id: "classic/1",
    parameters: Parameters {
        face_down: 1,
        collect: Collect::Seat,
        out_of_cards: OutOfCards::EndOfCards,
    },
};

impl Flow {
    /// The flow of the classic edition, for a new game.
    #[must_use]
    pub fn classic() -> Self {
        Self::new(CLASSIC.parameters)
    }
}
