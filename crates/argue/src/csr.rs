//! Compressed sparse rows: lists of neighbours in one block of memory.

use crate::ArgId;

/// For each argument a sorted row of others, without duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Csr {
    offsets: Vec<u32>,
    items: Vec<ArgId>,
}

impl Csr {
    /// Builds `n` rows from pairs `(row, item)`; all numbers must be below `n`.
    pub(crate) fn from_pairs(n: usize, pairs: &[(u32, u32)]) -> Self {
        let mut offsets = vec![0_u32; n + 1];
        for &(row, _) in pairs {
            offsets[row as usize + 1] += 1;
        }
        for at in 0..n {
            offsets[at + 1] += offsets[at];
        }
        let mut next = offsets.clone();
        let mut items = vec![ArgId(0); pairs.len()];
        for &(row, item) in pairs {
            let at = &mut next[row as usize];
            items[*at as usize] = ArgId(item);
            *at += 1;
        }
        let mut rows = Self { offsets, items };
        rows.sort_and_dedup_rows();
        rows
    }

    /// Creates a builder of `n` rows for about `pairs` pairs.
    pub(crate) fn builder(n: usize, pairs: usize) -> Builder {
        Builder {
            n,
            starts: Vec::with_capacity(n + 1),
            items: Vec::with_capacity(pairs),
            mixed: Vec::new(),
        }
    }

    /// Sorts each row and removes duplicates; cheap for rows that are already in order.
    fn sort_and_dedup_rows(&mut self) {
        let n = self.offsets.len() - 1;
        let mut repeats = false;
        for at in 0..n {
            let row = &mut self.items[self.offsets[at] as usize..self.offsets[at + 1] as usize];
            if !row.is_sorted_by(|a, b| a < b) {
                row.sort_unstable();
                repeats |= row.windows(2).any(|pair| pair[0] == pair[1]);
            }
        }
        if !repeats {
            return;
        }
        let mut kept = 0;
        let mut start = 0;
        for at in 0..n {
            let end = self.offsets[at + 1] as usize;
            let first = kept;
            for from in start..end {
                if kept == first || self.items[kept - 1] != self.items[from] {
                    self.items[kept] = self.items[from];
                    kept += 1;
                }
            }
            start = end;
            self.offsets[at + 1] = kept as u32;
        }
        self.items.truncate(kept);
    }

    pub(crate) fn row_count(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(crate) fn items(&self) -> &[ArgId] {
        &self.items
    }

    pub(crate) fn row(&self, at: usize) -> &[ArgId] {
        &self.items[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }

    /// Reverses every edge; the resulting rows are sorted.
    pub(crate) fn transposed(&self) -> Self {
        let n = self.row_count();
        let mut offsets = vec![0_u32; n + 1];
        for item in &self.items {
            offsets[item.index() + 1] += 1;
        }
        for at in 0..n {
            offsets[at + 1] += offsets[at];
        }
        let mut next = offsets.clone();
        let mut items = vec![ArgId(0); self.items.len()];
        for row in 0..n {
            for item in self.row(row) {
                let at = &mut next[item.index()];
                items[*at as usize] = ArgId::from_index(row);
                *at += 1;
            }
        }
        Self { offsets, items }
    }
}

/// Pairs that are being collected for a [`Csr`].
///
/// As long as each pair is greater than the last, they already form the rows.
#[derive(Debug)]
pub(crate) struct Builder {
    n: usize,
    /// The start of each row begun so far.
    starts: Vec<u32>,
    items: Vec<ArgId>,
    /// All pairs, once one was not greater than the last.
    mixed: Vec<(u32, u32)>,
}

impl Builder {
    /// Adds a pair; both numbers must be below `n`.
    #[inline]
    pub(crate) fn push(&mut self, row: u32, item: u32) {
        let begun = self.starts.len();
        if self.mixed.is_empty() && row as usize + 1 >= begun {
            let same = row as usize + 1 == begun;
            if !same || self.items.last().is_none_or(|last| last.0 < item) {
                if !same {
                    self.starts
                        .resize(row as usize + 1, self.items.len() as u32);
                }
                self.items.push(ArgId(item));
                return;
            }
        }
        self.push_unsorted(row, item);
    }

    #[cold]
    #[inline(never)]
    fn push_unsorted(&mut self, row: u32, item: u32) {
        if self.mixed.is_empty() {
            self.mixed.reserve(self.items.capacity());
            let items = std::mem::take(&mut self.items);
            let mut starts = std::mem::take(&mut self.starts);
            starts.push(items.len() as u32);
            for (row, bounds) in starts.windows(2).enumerate() {
                let items = &items[bounds[0] as usize..bounds[1] as usize];
                self.mixed
                    .extend(items.iter().map(|item| (row as u32, item.0)));
            }
        }
        self.mixed.push((row, item));
    }

    /// Returns the number of pairs, including duplicates.
    pub(crate) fn pair_count(&self) -> usize {
        self.items.len() + self.mixed.len()
    }

    /// Returns the rows.
    pub(crate) fn finish(mut self) -> Csr {
        if !self.mixed.is_empty() {
            return Csr::from_pairs(self.n, &self.mixed);
        }
        self.starts.resize(self.n + 1, self.items.len() as u32);
        Csr {
            offsets: self.starts,
            items: self.items,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pairs_one_by_one_make_the_rows_of_all_at_once(
            mut pairs in prop::collection::vec((0..6_u32, 0..6_u32), 0..30),
            sorted in 0..31_usize,
        ) {
            let sorted = sorted.min(pairs.len());
            pairs[..sorted].sort_unstable();
            let mut builder = Csr::builder(6, 0);
            for &(row, item) in &pairs {
                builder.push(row, item);
            }
            prop_assert_eq!(builder.pair_count(), pairs.len());
            prop_assert_eq!(builder.finish(), Csr::from_pairs(6, &pairs));
        }
    }
}
