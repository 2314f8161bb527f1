//! The members of one cycle, arranged in memory for fast iteration.

use std::ops::Range;

use super::kernel::Kernel;
use crate::rows::Rows;

/// The members of a cycle, renumbered, with their rows and working memory.
///
/// All members are updated at once, so their order is free. Rows of equal length are adjacent,
/// which helps branch prediction. With numbers in that order, everything a row reads is consecutive
/// in memory, except the strengths.
#[derive(Debug)]
pub(super) struct Cycle {
    /// The members, then their outside parents, by their ids in the graph.
    ids: Vec<u32>,
    /// How many of `ids` are members.
    len: usize,
    rows: Rows,
    /// The ranges of members with the same numbers of attackers and supporters.
    equal_shape_ranges: Vec<Range<usize>>,
    base: Vec<f64>,
    values: Vec<f64>,
    next: Vec<f64>,
    mark: Vec<f64>,
}

impl Cycle {
    /// Copies the rows, base weights and strengths of the members and of their outside parents. The
    /// members' strengths are set later, by `reset_to_base`.
    ///
    /// `numbers` is scratch space with one entry per argument of the graph.
    pub(super) fn from_members(
        rows: &Rows,
        members: &[u32],
        base: &[f64],
        values: &[f64],
        numbers: &mut [u32],
    ) -> Self {
        let mut ids = members.to_vec();
        let lengths = |a: u32| {
            let row = rows.row(a as usize);
            (row.attackers.from.len(), row.supporters.from.len())
        };
        ids.sort_by_cached_key(|&a| lengths(a));
        let mut start = 0;
        let groups = ids.chunk_by(|&a, &b| lengths(a) == lengths(b));
        let equal_shape_ranges = groups.map(|group| {
            start += group.len();
            start - group.len()..start
        });
        let equal_shape_ranges = equal_shape_ranges.collect();
        for (at, &a) in ids.iter().enumerate() {
            numbers[a as usize] = at as u32;
        }
        let rows = rows.copy_renumbered(members.len(), &mut ids, numbers);
        let of = |all: &[f64]| -> Vec<f64> { ids.iter().map(|&a| all[a as usize]).collect() };
        Self {
            len: members.len(),
            base: of(base),
            values: of(values),
            next: of(values),
            mark: Vec::new(),
            equal_shape_ranges,
            rows,
            ids,
        }
    }

    /// Resets every member to its base weight.
    pub(super) fn reset_to_base(&mut self) {
        self.values[..self.len].copy_from_slice(&self.base[..self.len]);
    }

    /// Moves all members at once by `share` of the distance to their new strengths, and returns the
    /// largest of these distances.
    pub(super) fn step<K: Kernel>(&mut self, share: f64) -> f64 {
        if self.rows.has_unit_weights() {
            self.step_specialized::<K, true>(share)
        } else {
            self.step_specialized::<K, false>(share)
        }
    }

    fn step_specialized<K: Kernel, const PLAIN: bool>(&mut self, share: f64) -> f64 {
        let mut residual = 0.0_f64;
        for range in &self.equal_shape_ranges {
            let members = self.next[range.clone()]
                .iter_mut()
                .zip(&self.values[range.clone()])
                .zip(&self.base[range.clone()]);
            let rows = self.rows.equal_shape_rows::<PLAIN>(range.clone());
            for (row, ((next, &value), &w)) in rows.zip(members) {
                let aim = K::strength(row, w, &self.base, &self.values);
                let off = (aim - value).abs();
                residual = if off > residual { off } else { residual };
                *next = if share < 1.0 {
                    (value + share * (aim - value)).clamp(0.0, 1.0)
                } else {
                    aim
                };
            }
        }
        std::mem::swap(&mut self.values, &mut self.next);
        residual
    }

    /// Saves the members' current strengths for a later comparison.
    pub(super) fn save_strengths(&mut self) {
        self.mark.clear();
        self.mark.extend_from_slice(&self.values[..self.len]);
    }

    /// Returns whether all members are within `same` of the saved strengths.
    pub(super) fn is_near_saved_strengths(&self, same: f64) -> bool {
        let mut pairs = self.values.iter().zip(&self.mark);
        pairs.all(|(value, mark)| (value - mark).abs() <= same)
    }

    /// Copies the members' strengths to the graph's array.
    pub(super) fn write_strengths(&self, values: &mut [f64]) {
        for (&a, &value) in self.ids[..self.len].iter().zip(&self.values) {
            values[a as usize] = value;
        }
    }
}
