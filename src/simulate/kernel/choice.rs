/// Which kernel plays. All of them play the same games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// The fastest that can play the rules here.
    Fastest,
    /// The fastest in portable code.
    Portable,
    /// The one that knows every rule.
    General,
}

impl Kernel {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::Fastest, Self::Portable, Self::General];

    /// The name, as typed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fastest => "fastest",
            Self::Portable => "portable",
            Self::General => "general",
        }
    }
}
