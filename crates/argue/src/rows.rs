//! The edges into each argument, one row after another.

use crate::ArgId;

/// Rows of sources, the attackers first, each side sorted.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    offsets: Vec<u32>,
    /// Where the supporters start within each row.
    middles: Vec<u32>,
    parents: Vec<ArgId>,
    /// As long as `parents`, or empty while all weights are 1.
    weights: Vec<f64>,
}

/// The edges into one argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'g> {
    /// All sources, attackers first.
    pub(crate) parents: &'g [ArgId],
    pub(crate) attackers: Side<'g>,
    pub(crate) supporters: Side<'g>,
}

/// Edges of one polarity into one argument, sorted by source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'g> {
    pub(crate) from: &'g [ArgId],
    /// Empty when all weights are 1.
    pub(crate) weights: &'g [f64],
}

impl Side<'_> {
    pub(crate) fn weight(&self, at: usize) -> f64 {
        self.weights.get(at).copied().unwrap_or(1.0)
    }
}

impl Rows {
    pub(crate) fn with_capacity(n: usize, edges: usize) -> Self {
        let mut rows = Self {
            offsets: Vec::with_capacity(n + 1),
            middles: Vec::with_capacity(n),
            parents: Vec::with_capacity(edges),
            weights: Vec::new(),
        };
        rows.offsets.push(0);
        rows
    }

    pub(crate) fn push(&mut self, from: ArgId, weight: f64) {
        if weight != 1.0 && self.weights.is_empty() {
            self.weights.resize(self.parents.len(), 1.0);
            self.weights.push(weight);
        } else if !self.weights.is_empty() {
            self.weights.push(weight);
        }
        self.parents.push(from);
    }

    pub(crate) fn end_attackers(&mut self) {
        self.middles.push(self.parents.len() as u32);
    }

    pub(crate) fn end_supporters(&mut self) {
        self.offsets.push(self.parents.len() as u32);
    }

    pub(crate) fn edge_count(&self) -> usize {
        self.parents.len()
    }

    #[inline]
    pub(crate) fn row(&self, at: usize) -> Row<'_> {
        let start = self.offsets[at] as usize;
        let middle = self.middles[at] as usize;
        let parents = &self.parents[start..self.offsets[at + 1] as usize];
        let (attackers, supporters) = parents.split_at(middle - start);
        let weights = if self.weights.is_empty() {
            &[]
        } else {
            &self.weights[start..start + parents.len()]
        };
        let (against, favour) = weights.split_at(attackers.len().min(weights.len()));
        Row {
            parents,
            attackers: Side {
                from: attackers,
                weights: against,
            },
            supporters: Side {
                from: supporters,
                weights: favour,
            },
        }
    }

    /// Copies the rows of some arguments, in the order given.
    pub(crate) fn picked(&self, order: &[u32]) -> Self {
        let mut rows = Self::with_capacity(order.len(), 0);
        for &at in order {
            let row = self.row(at as usize);
            rows.parents.extend_from_slice(row.attackers.from);
            rows.end_attackers();
            rows.parents.extend_from_slice(row.supporters.from);
            rows.end_supporters();
            rows.weights.extend_from_slice(row.attackers.weights);
            rows.weights.extend_from_slice(row.supporters.weights);
        }
        rows
    }
}
