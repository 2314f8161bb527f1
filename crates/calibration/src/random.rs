//! Numbers that follow from a seed, the same in every version of every program.

/// A generator of 64-bit numbers: SplitMix64, of which each seed has a stream of its own.
///
/// A library's generator may change with its version, and an interrupted calibration would go on
/// with other prompts than it began with.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The stream of these numbers together.
    pub(crate) fn from_parts(parts: &[u64]) -> Self {
        let mut state = Self(0x5eed_ca1b);
        for part in parts {
            state.0 ^= *part;
            state.0 = state.next_number();
        }
        state
    }

    pub(crate) fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 where that is 0. Its bias is below 2^-40 for the small bounds here.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next_number() % bound).unwrap_or_default()
    }

    /// One of `all`; none where there are none.
    pub(crate) fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }

    /// Puts `all` into an order of chance.
    pub(crate) fn shuffle<T>(&mut self, all: &mut [T]) {
        for at in (1..all.len()).rev() {
            all.swap(at, self.below(at + 1));
        }
    }
}
