#[cfg(target_arch = "x86_64")]
use super::avx512::Avx512;
use super::batch::BatchKernel;
use super::certain::Certain;
use super::pair::Pair;
use super::passes::{Machine, Passes};
use super::portable::Portable;
use super::several::Several;
use super::shuffling::Shuffling;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use super::simd128::Simd128;
use war::rules::Parameters;

/// Which kernel plays. All of them play the same games.
///
/// A kernel that can't play the rules, or not on this machine, leaves them to the next one: see
/// [`Plan::playing_kernel`](crate::Plan::playing_kernel).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// The fastest that can play the rules here.
    Fastest,
    /// The one for processors with AVX-512 VBMI2.
    Avx512,
    /// The one for vectors of 16 bytes: x86-64 with SSSE3 and POPCNT, and 64-bit ARM.
    Simd128,
    /// The fastest in portable code.
    Portable,
    /// The one that knows every rule.
    General,
}

/// Makes a kernel for games of these rules with so many players and cards, if it can play them here.
type Make = fn(&Parameters, usize, usize) -> Option<Box<dyn BatchKernel>>;

/// The kernels that play many games at a time, the fastest first. Each says itself which rules
/// it plays where; what none of them plays is for the general one.
pub(super) const BATCH_KERNELS: &[(Kernel, Make)] = &[
    #[cfg(target_arch = "x86_64")]
    (Kernel::Avx512, |rules, players, cards| {
        passes(Avx512::new, rules, players, cards)
    }),
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    (Kernel::Simd128, |rules, players, cards| {
        passes(Simd128::new, rules, players, cards)
    }),
    (Kernel::Portable, |rules, players, cards| {
        boxed(two(players).and_then(|()| Pair::new(rules, cards)))
    }),
    (Kernel::Portable, |rules, players, cards| {
        boxed(two(players).and_then(|()| Shuffling::new(rules, cards)))
    }),
    (Kernel::Portable, |rules, players, cards| {
        let machine = |rules: &Certain, cards| Some(Portable::new(rules, cards));
        passes(machine, rules, players, cards)
    }),
];

/// A kernel that plays passes of two players, also where more begin.
fn passes<M: Machine + 'static>(
    machine: impl FnOnce(&Certain, usize) -> Option<M>,
    rules: &Parameters,
    players: usize,
    cards: usize,
) -> Option<Box<dyn BatchKernel>> {
    let passes = Passes::new(machine, rules, cards);
    if players == 2 {
        boxed(passes)
    } else {
        boxed(Several::new(passes, rules, players, cards))
    }
}

/// Something where there are two players.
fn two(players: usize) -> Option<()> {
    (players == 2).then_some(())
}

fn boxed<K: BatchKernel + 'static>(kernel: Option<K>) -> Option<Box<dyn BatchKernel>> {
    kernel.map(|kernel| Box::new(kernel) as Box<dyn BatchKernel>)
}

impl Kernel {
    /// Every choice: the fastest first, each of the others slower than the one before.
    pub const ALL: [Self; 5] = [
        Self::Fastest,
        Self::Avx512,
        Self::Simd128,
        Self::Portable,
        Self::General,
    ];

    /// The name, as typed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fastest => "fastest",
            Self::Avx512 => "avx512",
            Self::Simd128 => "simd128",
            Self::Portable => "portable",
            Self::General => "general",
        }
    }

    /// The kernel of this choice, or else the fastest of the slower ones, that can play games of
    /// these rules with so many players and cards many at a time, if any can.
    pub(crate) fn batch_kernel(
        self,
        rules: &Parameters,
        players: usize,
        cards: usize,
    ) -> Option<(Self, Box<dyn BatchKernel>)> {
        let mut chosen = BATCH_KERNELS
            .iter()
            .filter(|(kernel, _)| self.allows(*kernel));
        chosen.find_map(|(kernel, make)| Some((*kernel, make(rules, players, cards)?)))
    }

    /// Whether a kernel may play where this one was chosen: only if it is slower, or the same.
    fn allows(self, kernel: Self) -> bool {
        let place = |wanted| Self::ALL.iter().position(|kernel| *kernel == wanted);
        place(kernel) >= place(self)
    }
}
