use std::sync::OnceLock;

use crate::components::{self, Plan};
use crate::rows::{GraphRow, Rows};
use crate::{Af, ArgId, GraphError, MAX_ARGUMENTS};

/// Whether an edge is an attack or a support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Polarity {
    /// The source argues against the target.
    Attack,
    /// The source argues for the target.
    Support,
}

/// One weighted edge of a [`Qbaf`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The source.
    pub from: ArgId,
    /// The target.
    pub to: ArgId,
    /// Attack or support.
    pub polarity: Polarity,
    /// From 0, no influence, to 1, the full strength of the source.
    pub weight: f64,
}

impl Edge {
    /// Creates an attack of full weight.
    pub fn attack(from: ArgId, to: ArgId) -> Self {
        Self {
            from,
            to,
            polarity: Polarity::Attack,
            weight: 1.0,
        }
    }

    /// Creates a support of full weight.
    pub fn support(from: ArgId, to: ArgId) -> Self {
        Self {
            polarity: Polarity::Support,
            ..Self::attack(from, to)
        }
    }

    /// Returns the same edge with another weight.
    #[must_use]
    pub fn with_weight(self, weight: f64) -> Self {
        Self { weight, ..self }
    }
}

/// A quantitative bipolar argumentation framework.
///
/// Each argument has a base weight, and attacks and supports connect them. The edges are a set: of
/// two with the same ends and polarity the stronger counts, and edges of weight 0 are dropped. An
/// attack and a support may connect the same two arguments.
///
/// ```
/// use agon_argue::{ArgId, Edge, Gradual, Model, Qbaf};
///
/// let [claim, reason, doubt] = [ArgId(0), ArgId(1), ArgId(2)];
/// let graph = Qbaf::new(
///     vec![0.5, 0.6, 0.8],
///     &[Edge::support(reason, claim), Edge::attack(doubt, claim)],
/// )?;
/// let strengths = Model::new(Gradual::DfQuad).evaluate(&graph);
/// assert!((strengths.values[0] - 0.4).abs() < 1e-12);
/// # Ok::<(), agon_argue::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Qbaf {
    base: Vec<f64>,
    rows: Rows,
    plan: OnceLock<Plan>,
}

/// An edge in sorting form: its source and its weight, which is negative for an attack.
type Incoming = (u32, f64);

impl Qbaf {
    /// Builds a graph with one argument for each base weight.
    ///
    /// # Errors
    ///
    /// If a weight is not a number from 0 to 1, an edge names a missing argument, or the graph is
    /// too large.
    pub fn new(base: Vec<f64>, edges: &[Edge]) -> Result<Self, GraphError> {
        let n = base.len();
        if n > MAX_ARGUMENTS || edges.len() >= u32::MAX as usize {
            return Err(GraphError::TooLarge);
        }
        for &found in base.iter().chain(edges.iter().map(|edge| &edge.weight)) {
            if !(0.0..=1.0).contains(&found) {
                return Err(GraphError::Weight { found });
            }
        }
        for edge in edges {
            let index = edge.from.max(edge.to).0;
            if index as usize >= n {
                return Err(GraphError::NoSuchArgument { index, len: n });
            }
        }
        Ok(Self::from_valid_edges(base, edges))
    }

    /// As [`Qbaf::new`], for edges and weights that are known to be valid.
    pub(crate) fn from_valid_edges(base: Vec<f64>, edges: &[Edge]) -> Self {
        let n = base.len();
        // Two rows for each argument: 2a contains the attacks on a, 2a+1 the supports.
        let key = |edge: &Edge| edge.to.index() * 2 + (edge.polarity == Polarity::Support) as usize;
        let mut starts = vec![0_u32; 2 * n + 1];
        for edge in edges {
            starts[key(edge) + 1] += 1;
        }
        for at in 0..2 * n {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut sorted: Vec<Incoming> = vec![(0, 0.0); edges.len()];
        for edge in edges {
            let at = &mut next[key(edge)];
            sorted[*at as usize] = (edge.from.0, edge.weight);
            *at += 1;
        }
        Self::from_sorted_edges(base, &starts, &mut sorted)
    }

    fn from_sorted_edges(base: Vec<f64>, starts: &[u32], sorted: &mut [Incoming]) -> Self {
        let mut rows = Rows::with_capacity(base.len(), sorted.len());
        for at in 0..2 * base.len() {
            let row = &mut sorted[starts[at] as usize..starts[at + 1] as usize];
            if !row.is_sorted_by(|a, b| a.0 < b.0) {
                // Sort the stronger of two duplicates first, since the first is kept.
                row.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
            }
            let mut last = None;
            for &(from, weight) in &*row {
                if weight > 0.0 && last != Some(from) {
                    last = Some(from);
                    rows.push(ArgId(from), weight);
                }
            }
            if at % 2 == 0 {
                rows.finish_attackers();
            } else {
                rows.finish_supporters();
            }
        }
        Self {
            base,
            rows,
            plan: OnceLock::new(),
        }
    }

    /// Returns the number of arguments.
    pub fn len(&self) -> usize {
        self.base.len()
    }

    /// Returns whether there are no arguments.
    pub fn is_empty(&self) -> bool {
        self.base.is_empty()
    }

    /// Returns the number of edges.
    pub fn edge_count(&self) -> usize {
        self.rows.edge_count()
    }

    /// Returns the base weights, one per argument.
    pub fn base_weights(&self) -> &[f64] {
        &self.base
    }

    /// Returns every edge, ordered by target, attacks before supports, then by source.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        (0..self.len()).flat_map(|a| self.edges_into(ArgId::from_index(a)))
    }

    /// Returns the edges into one argument, attacks before supports, then by source.
    ///
    /// # Panics
    ///
    /// If the graph has no argument `a`.
    pub fn edges_into(&self, a: ArgId) -> impl Iterator<Item = Edge> + '_ {
        let row = self.row(a.index());
        let sides = [
            (Polarity::Attack, row.attackers),
            (Polarity::Support, row.supporters),
        ];
        sides.into_iter().flat_map(move |(polarity, side)| {
            (0..side.from.len()).map(move |at| Edge {
                from: side.from[at],
                to: a,
                polarity,
                weight: side.weight(at),
            })
        })
    }

    /// Returns the same graph with other base weights.
    ///
    /// # Errors
    ///
    /// If there is not exactly one number from 0 to 1 for each argument.
    pub fn with_base_weights(&self, base: Vec<f64>) -> Result<Self, GraphError> {
        Self::new(base, &self.edges().collect::<Vec<_>>())
    }

    /// Returns the attacks accepted by `keep` as a framework with the same ids.
    ///
    /// ```
    /// use agon_argue::{ArgId, Edge, Polarity, Qbaf};
    ///
    /// let graph = Qbaf::new(vec![0.9, 0.2], &[Edge::attack(ArgId(1), ArgId(0))])?;
    /// let by_the_stronger = graph.attack_framework(|it| {
    ///     graph.base_weights()[it.from.index()] >= graph.base_weights()[it.to.index()]
    /// });
    /// assert_eq!(by_the_stronger.grounded_extension(), [ArgId(0), ArgId(1)]);
    /// # Ok::<(), agon_argue::GraphError>(())
    /// ```
    pub fn attack_framework(&self, keep: impl Fn(&Edge) -> bool) -> Af {
        let attacks: Vec<_> = self
            .edges()
            .filter(|edge| edge.polarity == Polarity::Attack && keep(edge))
            .map(|edge| (edge.from.0, edge.to.0))
            .collect();
        Af::from_valid_attacks(self.len(), &attacks)
    }

    /// Marks the topics and every argument with a path to a topic.
    ///
    /// No other argument can change the strength of a topic.
    ///
    /// # Panics
    ///
    /// If a topic is missing from the graph.
    pub fn ancestors_of(&self, topics: &[ArgId]) -> Vec<bool> {
        components::mark_ancestors(self.len(), topics, |a| self.parents(a))
    }

    /// Returns the graph of some arguments and the edges between them, with new ids in the same
    /// order.
    ///
    /// Also returns the old id for each of its arguments. `keep` has one entry per argument; a
    /// missing entry means false.
    pub fn induced_subgraph(&self, keep: &[bool]) -> (Self, Vec<ArgId>) {
        let kept = |a: ArgId| keep.get(a.index()).copied().unwrap_or(false);
        let old: Vec<ArgId> = (0..self.len())
            .map(ArgId::from_index)
            .filter(|&a| kept(a))
            .collect();
        let mut new = vec![ArgId(u32::MAX); self.len()];
        for (at, a) in old.iter().enumerate() {
            new[a.index()] = ArgId::from_index(at);
        }
        let edges: Vec<Edge> = old
            .iter()
            .flat_map(|&a| self.edges_into(a))
            .filter(|edge| kept(edge.from))
            .map(|edge| Edge {
                from: new[edge.from.index()],
                to: new[edge.to.index()],
                ..edge
            })
            .collect();
        let base = old.iter().map(|a| self.base[a.index()]).collect();
        (Self::from_valid_edges(base, &edges), old)
    }

    pub(crate) fn parents(&self, a: usize) -> &[ArgId] {
        self.rows.row(a).parents
    }

    pub(crate) fn row(&self, a: usize) -> GraphRow<'_> {
        self.rows.row(a)
    }

    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }

    pub(crate) fn evaluation_plan(&self) -> &Plan {
        self.plan
            .get_or_init(|| Plan::from_parents(self.len(), |a| self.parents(a)))
    }
}

impl PartialEq for Qbaf {
    fn eq(&self, other: &Self) -> bool {
        self.base == other.base && self.edges().eq(other.edges())
    }
}

/// A graph without arguments.
impl Default for Qbaf {
    fn default() -> Self {
        Self::from_valid_edges(Vec::new(), &[])
    }
}
