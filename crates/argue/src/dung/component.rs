//! Splits the undecided part of a framework into independent components.

use crate::components::{mark_ancestors, weakly_connected_groups};
use crate::{Af, ArgId, Label};

/// A part of a framework with its own ids.
#[derive(Debug)]
pub(super) struct Component {
    pub(super) af: Af,
    /// Their ids in the whole framework, ascending.
    pub(super) members: Vec<ArgId>,
}

impl Component {
    /// The part of this component that decides whether `a` is accepted (for semantics with
    /// directionality): `a` and every argument with a path of attacks to it. Returns `None` if that
    /// is the whole component.
    pub(super) fn ancestor_component(&self, a: usize) -> Option<Self> {
        let marked = mark_ancestors(self.af.len(), &[ArgId::from_index(a)], |at| {
            self.af.attackers(ArgId::from_index(at))
        });
        if marked.iter().all(|marked| *marked) {
            return None;
        }
        let members: Vec<ArgId> = (0..self.af.len())
            .filter(|&at| marked[at])
            .map(ArgId::from_index)
            .collect();
        Some(Self {
            af: self.af.induced_subgraph(&members),
            members,
        })
    }

    pub(super) fn local_index(&self, a: ArgId) -> Option<usize> {
        self.members.binary_search(&a).ok()
    }

    /// Converts a set of members to ids of the whole framework.
    pub(super) fn global_ids(&self, set: &[bool]) -> Vec<ArgId> {
        let all = set.iter().zip(&self.members);
        all.filter(|(inside, _)| **inside)
            .map(|(_, &name)| name)
            .collect()
    }

    /// The largest admissible subset of a conflict-free set.
    pub(super) fn greatest_admissible_subset(&self, mut set: Vec<bool>) -> Vec<bool> {
        let attackers = |a: usize| self.af.attackers(ArgId::from_index(a)).iter();
        loop {
            let stays = |a: usize| {
                set[a] && attackers(a).all(|b| attackers(b.index()).any(|c| set[c.index()]))
            };
            let next: Vec<bool> = (0..set.len()).map(stays).collect();
            if next == set {
                return set;
            }
            set = next;
        }
    }
}

/// A framework split for one family of semantics.
#[derive(Debug)]
pub(super) struct Parts {
    /// Arguments in every extension.
    pub(super) fixed: Vec<ArgId>,
    /// The components, each of which contributes its own part of every extension.
    pub(super) components: Vec<Component>,
}

impl Parts {
    /// Splits the arguments that grounded semantics leaves undecided. For semantics whose
    /// extensions are complete, and therefore all contain the grounded one.
    pub(super) fn split_undecided(af: &Af, labels: &[Label]) -> Self {
        let all = labels.iter().enumerate();
        let fixed = all.filter(|(_, label)| **label == Label::In);
        let fixed = fixed.map(|(a, _)| ArgId::from_index(a)).collect();
        let open: Vec<bool> = labels.iter().map(|it| *it == Label::Undecided).collect();
        Self {
            fixed,
            components: split_components(af, &open),
        }
    }

    /// Splits the framework without using the grounded labelling; only arguments without any attack
    /// are fixed. For stage semantics, whose extensions need not contain the grounded one.
    pub(super) fn split_connected(af: &Af) -> Self {
        let touched = |a: ArgId| !af.targets(a).is_empty() || !af.attackers(a).is_empty();
        let open: Vec<bool> = (0..af.len())
            .map(|a| touched(ArgId::from_index(a)))
            .collect();
        let alone = open.iter().enumerate().filter(|(_, open)| !**open);
        Self {
            fixed: alone.map(|(a, _)| ArgId::from_index(a)).collect(),
            components: split_components(af, &open),
        }
    }
}

fn split_components(af: &Af, open: &[bool]) -> Vec<Component> {
    if open.iter().all(|open| !open) {
        return Vec::new();
    }
    let groups = weakly_connected_groups(
        open,
        |a| af.targets(ArgId::from_index(a)),
        |a| af.attackers(ArgId::from_index(a)),
    );
    let mut new_id = vec![0; af.len()];
    groups
        .into_iter()
        .map(|members| {
            for (at, member) in members.iter().enumerate() {
                new_id[member.index()] = at as u32;
            }
            let mut attacks = Vec::new();
            for &member in &members {
                for target in af.targets(member).iter().filter(|it| open[it.index()]) {
                    attacks.push((new_id[member.index()], new_id[target.index()]));
                }
            }
            Component {
                af: Af::from_valid_attacks(members.len(), &attacks),
                members,
            }
        })
        .collect()
}
