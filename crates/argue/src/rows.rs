//! The edges into each argument, stored in consecutive rows.

use std::ops::Range;

use crate::ArgId;

/// Rows of sources, attackers first, each side sorted.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    offsets: Vec<u32>,
    /// Where the supporters start in each row.
    middles: Vec<u32>,
    parents: Vec<ArgId>,
    /// As long as `parents`, or empty while all weights are 1.
    weights: Vec<f64>,
}

/// The edges into one argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GraphRow<'g> {
    /// All sources, attackers first.
    pub(crate) parents: &'g [ArgId],
    pub(crate) attackers: RowSide<'g>,
    pub(crate) supporters: RowSide<'g>,
}

/// Edges of one polarity into one argument, sorted by source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowSide<'g> {
    pub(crate) from: &'g [ArgId],
    /// Empty if all weights are 1.
    pub(crate) weights: &'g [f64],
}

impl<'g> GraphRow<'g> {
    #[inline(always)]
    fn from_slices<const PLAIN: bool>(
        parents: &'g [ArgId],
        weights: &'g [f64],
        middle: usize,
    ) -> Self {
        let (attackers, supporters) = parents.split_at(middle);
        let (against, favour) = if PLAIN {
            (&[][..], &[][..])
        } else {
            weights.split_at(middle)
        };
        GraphRow {
            parents,
            attackers: RowSide {
                from: attackers,
                weights: against,
            },
            supporters: RowSide {
                from: supporters,
                weights: favour,
            },
        }
    }
}

impl RowSide<'_> {
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

    pub(crate) fn finish_attackers(&mut self) {
        self.middles.push(self.parents.len() as u32);
    }

    pub(crate) fn finish_supporters(&mut self) {
        self.offsets.push(self.parents.len() as u32);
    }

    pub(crate) fn edge_count(&self) -> usize {
        self.parents.len()
    }

    #[inline]
    pub(crate) fn row(&self, at: usize) -> GraphRow<'_> {
        let start = self.offsets[at];
        let (middle, end) = (self.middles[at], self.offsets[at + 1]);
        if self.weights.is_empty() {
            self.row_at_offsets::<true>(start, middle, end)
        } else {
            self.row_at_offsets::<false>(start, middle, end)
        }
    }

    /// Returns whether all weights are 1.
    pub(crate) fn has_unit_weights(&self) -> bool {
        self.weights.is_empty()
    }

    /// The rows of a range of arguments that all have the same numbers of attackers and supporters,
    /// and at least one edge each.
    ///
    /// `PLAIN` requires that all weights are 1.
    #[inline(always)]
    pub(crate) fn equal_shape_rows<const PLAIN: bool>(
        &self,
        rows: Range<usize>,
    ) -> impl Iterator<Item = GraphRow<'_>> {
        let start = self.offsets[rows.start] as usize;
        let end = self.offsets[rows.end] as usize;
        let attackers = self.middles[rows.start] as usize - start;
        let len = ((end - start) / rows.len().max(1)).max(1);
        let weights = if PLAIN {
            &[]
        } else {
            &self.weights[start..end]
        };
        let all = self.parents[start..end].chunks_exact(len).enumerate();
        all.map(move |(at, parents)| {
            let weights = if PLAIN {
                &[]
            } else {
                &weights[at * len..][..len]
            };
            GraphRow::from_slices::<PLAIN>(parents, weights, attackers)
        })
    }

    #[inline(always)]
    fn row_at_offsets<const PLAIN: bool>(&self, start: u32, middle: u32, end: u32) -> GraphRow<'_> {
        let (start, end) = (start as usize, end as usize);
        let weights = if PLAIN {
            &[]
        } else {
            &self.weights[start..end]
        };
        GraphRow::from_slices::<PLAIN>(&self.parents[start..end], weights, middle as usize - start)
    }

    /// Copies the rows of the first `few` of `ids`, with sources renumbered to their positions in
    /// `ids`.
    ///
    /// Appends sources that are not in `ids`. `numbers` maps old ids to positions; its entries for
    /// ids that are not in `ids` can have any value.
    pub(crate) fn copy_renumbered(
        &self,
        few: usize,
        ids: &mut Vec<u32>,
        numbers: &mut [u32],
    ) -> Self {
        let mut rows = Self::with_capacity(few, 0);
        for at in 0..few {
            let row = self.row(ids[at] as usize);
            let start = rows.parents.len();
            for source in row.parents {
                let number = &mut numbers[source.index()];
                if ids.get(*number as usize) != Some(&source.0) {
                    *number = ids.len() as u32;
                    ids.push(source.0);
                }
                rows.parents.push(ArgId(*number));
            }
            rows.middles.push((start + row.attackers.from.len()) as u32);
            rows.finish_supporters();
            rows.weights.extend_from_slice(row.attackers.weights);
            rows.weights.extend_from_slice(row.supporters.weights);
        }
        rows
    }
}
