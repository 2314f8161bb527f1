use crate::{Af, ArgId};

/// The label of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// Accepted: every attacker is out.
    In,
    /// Rejected: an accepted argument attacks it.
    Out,
    /// Neither.
    Undecided,
}

impl Af {
    /// Labels each argument under grounded semantics.
    ///
    /// The result has one label per argument, in order. It always exists and is unique: the least
    /// fixed point of Dung's characteristic function (1995). Takes O(n + attacks) time and examines
    /// each attack at most twice.
    pub fn grounded(&self) -> Vec<Label> {
        let n = self.len();
        let targets = self.targets_csr();
        let mut live_attackers = vec![0_u32; n];
        for target in targets.items() {
            live_attackers[target.index()] += 1;
        }
        let mut labels = vec![Label::Undecided; n];
        let mut accepted: Vec<u32> = (0..n as u32)
            .filter(|&a| live_attackers[a as usize] == 0)
            .collect();
        while let Some(winner) = accepted.pop() {
            labels[winner as usize] = Label::In;
            for loser in targets.row(winner as usize) {
                if labels[loser.index()] == Label::Out {
                    continue;
                }
                labels[loser.index()] = Label::Out;
                for freed in targets.row(loser.index()) {
                    let live = &mut live_attackers[freed.index()];
                    *live -= 1;
                    if *live == 0 && labels[freed.index()] == Label::Undecided {
                        accepted.push(freed.0);
                    }
                }
            }
        }
        labels
    }

    /// Returns the grounded extension: the arguments that [`Af::grounded`] labels `In`, ascending.
    pub fn grounded_extension(&self) -> Vec<ArgId> {
        let labels = self.grounded();
        (0..labels.len())
            .filter(|&a| labels[a] == Label::In)
            .map(ArgId::from_index)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A direct implementation of the definition: repeat until nothing changes.
    fn by_definition(af: &Af) -> Vec<Label> {
        let mut labels = vec![Label::Undecided; af.len()];
        loop {
            let next: Vec<_> = (0..af.len())
                .map(|a| {
                    let attackers = af.attackers(ArgId::from_index(a));
                    if attackers.iter().all(|b| labels[b.index()] == Label::Out) {
                        Label::In
                    } else if attackers.iter().any(|b| labels[b.index()] == Label::In) {
                        Label::Out
                    } else {
                        Label::Undecided
                    }
                })
                .collect();
            if next == labels {
                return labels;
            }
            labels = next;
        }
    }

    proptest! {
        #[test]
        fn the_grounded_labelling_is_what_the_definition_says(
            (n, attacks) in (1_usize..12).prop_flat_map(|n| {
                let end = n as u32;
                (Just(n), prop::collection::vec((0..end, 0..end), 0..30))
            })
        ) {
            let af = Af::new(n, &attacks).unwrap();
            prop_assert_eq!(af.grounded(), by_definition(&af));
        }
    }
}
