use std::sync::OnceLock;

use crate::csr::Csr;
use crate::{ArgId, GraphError, MAX_ARGUMENTS};

/// An abstract argumentation framework: arguments and attacks between them.
///
/// The attacks are a set: their order and duplicates make no difference.
///
/// ```
/// use agon_argue::{Af, ArgId, Label};
///
/// // 0 attacks 1, which attacks 2: the first reinstates the last.
/// let af = Af::new(3, &[(0, 1), (1, 2)])?;
/// assert_eq!(af.grounded(), [Label::In, Label::Out, Label::In]);
/// assert_eq!(af.attackers(ArgId(2)), [ArgId(1)]);
/// # Ok::<(), agon_argue::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Af {
    targets: Csr,
    attackers: OnceLock<Csr>,
}

impl Af {
    /// Builds a framework of `n` arguments from attacks `(from, to)`, counted from 0.
    ///
    /// Takes O(n + attacks) time if the attacks are sorted, and sorts them otherwise.
    ///
    /// # Errors
    ///
    /// If an attack names an argument that is not below `n`, or the graph is too large.
    pub fn new(n: usize, attacks: &[(u32, u32)]) -> Result<Self, GraphError> {
        if n > MAX_ARGUMENTS || attacks.len() >= u32::MAX as usize {
            return Err(GraphError::TooLarge);
        }
        for &(from, to) in attacks {
            let index = from.max(to);
            if index as usize >= n {
                return Err(GraphError::NoSuchArgument { index, len: n });
            }
        }
        Ok(Self::from_valid_attacks(n, attacks))
    }

    /// As [`Af::new`], for attacks that are known to be valid.
    pub(crate) fn from_valid_attacks(n: usize, attacks: &[(u32, u32)]) -> Self {
        Self::from_target_rows(Csr::from_pairs(n, attacks))
    }

    /// Builds a framework from its attack rows: row `a` contains the arguments that `a` attacks.
    pub(crate) fn from_target_rows(targets: Csr) -> Self {
        Self {
            targets,
            attackers: OnceLock::new(),
        }
    }

    /// Returns the number of arguments.
    pub fn len(&self) -> usize {
        self.targets.row_count()
    }

    /// Returns whether there are no arguments.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of attacks.
    pub fn attack_count(&self) -> usize {
        self.targets.items().len()
    }

    /// Returns the arguments that `a` attacks, in ascending order.
    ///
    /// # Panics
    ///
    /// If the framework has no argument `a`.
    pub fn targets(&self, a: ArgId) -> &[ArgId] {
        self.targets.row(a.index())
    }

    /// Returns the arguments that attack `a`, in ascending order.
    ///
    /// The first call reverses all attacks, in O(n + attacks).
    ///
    /// # Panics
    ///
    /// If the framework has no argument `a`.
    pub fn attackers(&self, a: ArgId) -> &[ArgId] {
        self.attackers_csr().row(a.index())
    }

    /// Returns every attack `(from, to)` in ascending order.
    pub fn attacks(&self) -> impl Iterator<Item = (ArgId, ArgId)> + '_ {
        (0..self.len()).flat_map(|from| {
            let row = self.targets.row(from);
            row.iter().map(move |&to| (ArgId::from_index(from), to))
        })
    }

    pub(crate) fn targets_csr(&self) -> &Csr {
        &self.targets
    }

    pub(crate) fn attackers_csr(&self) -> &Csr {
        self.attackers.get_or_init(|| self.targets.transposed())
    }

    /// Returns the framework of the given arguments and the attacks between them.
    ///
    /// `members` must be sorted; the position in it is the argument's new id.
    pub(crate) fn induced_subgraph(&self, members: &[ArgId]) -> Self {
        let mut new_id = vec![u32::MAX; self.len()];
        for (at, member) in members.iter().enumerate() {
            new_id[member.index()] = at as u32;
        }
        let mut attacks = Vec::new();
        for (at, &member) in members.iter().enumerate() {
            for target in self.targets(member) {
                if new_id[target.index()] != u32::MAX {
                    attacks.push((at as u32, new_id[target.index()]));
                }
            }
        }
        Self::from_valid_attacks(members.len(), &attacks)
    }
}

impl PartialEq for Af {
    fn eq(&self, other: &Self) -> bool {
        self.targets == other.targets
    }
}

impl Eq for Af {}
