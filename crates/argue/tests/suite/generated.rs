//! Random frameworks of some hundred and of a hundred thousand arguments, with the counts reported
//! by other solvers.

use std::collections::BTreeSet;

use agon_argue::{Af, Reasoner, Semantics};

/// The Mersenne Twister, seeded and used like Python's `random.Random(seed)`, which generated the
/// frameworks.
struct Twister {
    state: Vec<u32>,
    at: usize,
}

impl Twister {
    fn seeded(seed: u32) -> Self {
        let mut state = vec![19_650_218_u32];
        for at in 1..624_u32 {
            let last = state[at as usize - 1];
            state.push(
                1_812_433_253_u32
                    .wrapping_mul(last ^ last >> 30)
                    .wrapping_add(at),
            );
        }
        let mut at = 1;
        let mut mix = |state: &mut Vec<u32>, factor: u32, plus: &dyn Fn(usize) -> u32| {
            let last = state[at - 1];
            let mixed = state[at] ^ (last ^ last >> 30).wrapping_mul(factor);
            state[at] = mixed.wrapping_add(plus(at));
            at += 1;
            if at == 624 {
                state[0] = state[623];
                at = 1;
            }
        };
        for _ in 0..624 {
            mix(&mut state, 1_664_525, &|_| seed);
        }
        for _ in 0..623 {
            mix(&mut state, 1_566_083_941, &|at| (at as u32).wrapping_neg());
        }
        state[0] = 1 << 31;
        Self { state, at: 624 }
    }

    fn next(&mut self) -> u32 {
        if self.at == 624 {
            for at in 0..624 {
                let joined =
                    self.state[at] & 1 << 31 | self.state[(at + 1) % 624] & (u32::MAX >> 1);
                let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
                self.state[at] = self.state[(at + 397) % 624] ^ joined >> 1 ^ odd;
            }
            self.at = 0;
        }
        let mut word = self.state[self.at];
        self.at += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    fn below(&mut self, end: u32) -> u32 {
        let bits = 32 - end.leading_zeros();
        loop {
            let drawn = self.next() >> (32 - bits);
            if drawn < end {
                return drawn;
            }
        }
    }
}

/// Random attacks without self-attacks; each argument makes `tenths` / 10 of them on average.
fn random_af(n: u32, tenths: usize, seed: u32) -> Af {
    let mut random = Twister::seeded(seed);
    let mut attacks = BTreeSet::new();
    while attacks.len() < n as usize * tenths / 10 {
        let (from, to) = (random.below(n), random.below(n));
        if from != to {
            attacks.insert((from, to));
        }
    }
    let attacks: Vec<(u32, u32)> = attacks.into_iter().collect();
    Af::new(n as usize, &attacks).unwrap()
}

#[test]
fn the_first_draws_are_those_of_python() {
    let mut random = Twister::seeded(7);
    assert_eq!([0; 5].map(|_| random.below(200)), [82, 38, 101, 166, 12]);
}

#[test]
fn grounded_extensions_have_the_known_sizes() {
    let sizes = [
        (100, 15, 30),
        (1_000, 15, 478),
        (10_000, 15, 4_851),
        (100_000, 15, 48_482),
        (100, 100, 0),
        (1_000, 100, 0),
        (10_000, 100, 1),
        (100_000, 100, 3),
    ];
    for (n, tenths, size) in sizes {
        let found = random_af(n, tenths, 1).grounded_extension().len();
        assert_eq!(found, size, "{n} {tenths}");
    }
}

#[test]
fn two_hundred_arguments_have_the_known_numbers_of_extensions_and_of_accepted() {
    // Stable, preferred and complete extensions; arguments in some and in all stable ones.
    let known = [
        (30, [8, 8, 35], [90, 45]),
        (50, [2, 4, 5], [90, 15]),
        (100, [3, 3, 4], [72, 4]),
    ];
    for (tenths, extensions, accepted) in known {
        let af = random_af(200, tenths, 7);
        let reasoner = Reasoner::new(&af);
        let found = [Semantics::Stable, Semantics::Preferred, Semantics::Complete]
            .map(|it| reasoner.extensions(it).unwrap().count());
        assert_eq!(found, extensions, "{tenths}");
        let both = reasoner.acceptance(Semantics::Stable).unwrap();
        let count = |marks: &[bool]| marks.iter().filter(|mark| **mark).count();
        let found = [count(&both.credulous), count(&both.skeptical)];
        assert_eq!(found, accepted, "{tenths}");
    }
}
