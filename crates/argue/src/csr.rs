//! Rows of neighbours, one after another in one block of memory.

use crate::ArgId;

/// For each argument a sorted row of others, without repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Csr {
    offsets: Vec<u32>,
    items: Vec<ArgId>,
}

impl Csr {
    /// Sorts pairs `(row, item)` into `n` rows; all are below `n`.
    pub(crate) fn of(n: usize, pairs: &[(u32, u32)]) -> Self {
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
        rows.tidy();
        rows
    }

    /// Sorts each row and drops repeats; does little for rows that are in order.
    fn tidy(&mut self) {
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

    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(crate) fn items(&self) -> &[ArgId] {
        &self.items
    }

    pub(crate) fn row(&self, at: usize) -> &[ArgId] {
        &self.items[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }

    /// Turns every edge round; the rows come out sorted.
    pub(crate) fn transposed(&self) -> Self {
        let n = self.len();
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
                items[*at as usize] = ArgId::of(row);
                *at += 1;
            }
        }
        Self { offsets, items }
    }
}
