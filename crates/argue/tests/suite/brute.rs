//! Computes every semantics from its definition, over all subsets of a small graph.

use agon_argue::{Af, ArgId, Semantics};

/// A set of arguments, one bit each.
pub(crate) type Set = u32;

/// The targets and the attackers of each argument.
pub(crate) struct Small {
    n: usize,
    targets: Vec<Set>,
    attackers: Vec<Set>,
}

impl Small {
    pub(crate) fn of(af: &Af) -> Self {
        let bits = |row: &[ArgId]| row.iter().fold(0, |set, a| set | 1 << a.0);
        let ids = || (0..af.len() as u32).map(ArgId);
        Self {
            n: af.len(),
            targets: ids().map(|a| bits(af.targets(a))).collect(),
            attackers: ids().map(|a| bits(af.attackers(a))).collect(),
        }
    }

    /// All extensions of each semantics, as sorted sets, in the order of [`Semantics::ALL`].
    pub(crate) fn extensions(&self) -> Vec<(Semantics, Vec<Set>)> {
        let all: Set = (1 << self.n) - 1;
        let range = |set: Set| set | self.attacked(set);
        let free: Vec<Set> = (0..=all)
            .filter(|&it| self.attacked(it) & it == 0)
            .collect();
        let within = |it: &Set| it & !self.defended(*it) == 0;
        let admissible: Vec<Set> = free.iter().copied().filter(within).collect();
        let closed = |it: &Set| self.defended(*it) == *it;
        let complete: Vec<Set> = admissible.iter().copied().filter(closed).collect();
        let preferred = greatest(&admissible, |it| it);
        let stable = free
            .iter()
            .copied()
            .filter(|&it| range(it) == all)
            .collect();
        let semi_stable = greatest(&complete, range);
        let stage = greatest(&free, range);
        let least = |it: &&Set| complete.iter().all(|other| **it & !other == 0);
        let grounded = complete.iter().filter(least).copied().collect();
        let inside_all = |sets: &[Set]| {
            let shared = sets.iter().fold(all, |shared, it| shared & it);
            let inside = admissible.iter().copied().filter(|it| it & !shared == 0);
            greatest(&inside.collect::<Vec<Set>>(), |it| it)
        };
        vec![
            (Semantics::Grounded, grounded),
            (Semantics::Ideal, inside_all(&preferred)),
            (Semantics::Eager, inside_all(&semi_stable)),
            (Semantics::Complete, complete),
            (Semantics::Preferred, preferred),
            (Semantics::Stable, stable),
            (Semantics::SemiStable, semi_stable),
            (Semantics::Stage, stage),
        ]
    }

    fn attacked(&self, set: Set) -> Set {
        let members = (0..self.n).filter(|a| set >> a & 1 == 1);
        members.fold(0, |all, a| all | self.targets[a])
    }

    /// The arguments all of whose attackers the set attacks.
    fn defended(&self, set: Set) -> Set {
        let attacked = self.attacked(set);
        let safe = (0..self.n).filter(|&a| self.attackers[a] & !attacked == 0);
        safe.fold(0, |all, a| all | 1 << a)
    }
}

/// The sets whose image is not contained in another's.
fn greatest(sets: &[Set], image: impl Fn(Set) -> Set) -> Vec<Set> {
    let images: Vec<Set> = sets.iter().map(|&it| image(it)).collect();
    let is_greatest = |it: Set| images.iter().all(|&other| it == other || it & !other != 0);
    let all = sets.iter().zip(&images);
    all.filter(|(_, image)| is_greatest(**image))
        .map(|(set, _)| *set)
        .collect()
}
