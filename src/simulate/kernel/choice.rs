use super::batch::BatchKernel;
use super::pair::Pair;
#[cfg(target_arch = "x86_64")]
use super::vector::Vector;
use crate::rules::Parameters;

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

/// Makes a kernel for games of these rules with this many cards, if it can play them here.
type Make = fn(&Parameters, usize) -> Option<Box<dyn BatchKernel>>;

/// The kernels that play many games at a time, the fastest first, with whether they are in
/// portable code.
const BATCH_KERNELS: &[(bool, Make)] = &[
    #[cfg(target_arch = "x86_64")]
    (false, |rules, cards| boxed(Vector::new(rules, cards))),
    (true, |rules, _| boxed(Pair::new(rules))),
];

fn boxed<K: BatchKernel + 'static>(kernel: Option<K>) -> Option<Box<dyn BatchKernel>> {
    kernel.map(|kernel| Box::new(kernel) as Box<dyn BatchKernel>)
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

    /// The first kernel of this choice that can play games of these rules with this many cards
    /// many at a time, if any can.
    pub(in crate::simulate) fn batch_kernel(
        self,
        rules: &Parameters,
        cards: usize,
    ) -> Option<Box<dyn BatchKernel>> {
        let is_chosen = |is_portable: bool| match self {
            Self::Fastest => true,
            Self::Portable => is_portable,
            Self::General => false,
        };
        let mut chosen = BATCH_KERNELS
            .iter()
            .filter(|(is_portable, _)| is_chosen(*is_portable));
        chosen.find_map(|(_, make)| make(rules, cards))
    }
}
