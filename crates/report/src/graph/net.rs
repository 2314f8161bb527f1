//! The layered graph: nodes and bends in rows, and the segments between neighbouring rows.

use std::collections::BTreeMap;

use super::Polarity;
use super::links::Link;

/// Maximum number of bends; further links go straight through the rows between.
const MAX_BENDS: usize = 20_000;

/// A layered graph in which long links are cut into segments.
///
/// The first items are the nodes, in their order; bends follow.
pub(super) struct Net {
    /// The row of each item.
    pub(super) row: Vec<usize>,
    /// The number of items that are nodes.
    pub(super) nodes: usize,
    /// The items of each row, from left to right.
    pub(super) rows: Vec<Vec<usize>>,
    pub(super) segments: Vec<Segment>,
}

/// A part of one or more links between neighbouring rows.
pub(super) struct Segment {
    pub(super) upper: usize,
    pub(super) lower: usize,
    pub(super) polarity: Polarity,
    pub(super) head: ArrowHead,
    /// The links that pass through; never empty.
    pub(super) links: Vec<usize>,
    /// Whether it starts at the node where its only link starts.
    pub(super) starts: bool,
}

/// Where a segment has an arrow head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArrowHead {
    None,
    Up,
    Down,
}

impl Net {
    /// Cuts links into segments. Links of the same kind to the same node share their common path.
    ///
    /// Links from a node to itself are left out.
    pub(super) fn new(row: Vec<usize>, row_count: usize, links: &[Link]) -> Self {
        let mut net = Self {
            nodes: row.len(),
            row,
            rows: vec![Vec::new(); row_count],
            segments: Vec::new(),
        };
        let mut trunks: BTreeMap<(usize, Polarity), Vec<(usize, usize)>> = BTreeMap::new();
        for (at, link) in links.iter().enumerate() {
            let (from, to) = (net.row[link.from], net.row[link.to]);
            if from > to {
                let trunk = trunks.entry((link.to, link.polarity)).or_default();
                net.add_upward_link(trunk, at, link);
            } else if from < to {
                net.add_downward_link(at, link);
            }
        }
        for (item, &row) in net.row.iter().enumerate() {
            net.rows[row].push(item);
        }
        net
    }

    /// Adds a link that points up. `trunk` has, from the top, the bends of earlier links of the
    /// same polarity to the same node, with the segments above them. They are shared and extended.
    fn add_upward_link(&mut self, trunk: &mut Vec<(usize, usize)>, at: usize, link: &Link) {
        let top = self.row[link.to];
        let wanted = self.bend_count_between(top, self.row[link.from]);
        for &(_, segment) in trunk.iter().take(wanted) {
            self.segments[segment].links.push(at);
        }
        while trunk.len() < wanted {
            let upper = trunk.last().map_or(link.to, |&(bend, _)| bend);
            let lower = self.add_bend(top + trunk.len() + 1);
            let segment = self.add_segment(upper, lower, link.polarity, at);
            if trunk.is_empty() {
                self.segments[segment].head = ArrowHead::Up;
            }
            trunk.push((lower, segment));
        }
        let upper = wanted.checked_sub(1).map_or(link.to, |last| trunk[last].0);
        let segment = self.add_segment(upper, link.from, link.polarity, at);
        self.segments[segment].starts = true;
        if wanted == 0 {
            self.segments[segment].head = ArrowHead::Up;
        }
    }

    /// Adds a link that points down.
    fn add_downward_link(&mut self, at: usize, link: &Link) {
        let top = self.row[link.from];
        let mut upper = link.from;
        for step in 1..=self.bend_count_between(top, self.row[link.to]) {
            let lower = self.add_bend(top + step);
            let segment = self.add_segment(upper, lower, link.polarity, at);
            self.segments[segment].starts = step == 1;
            upper = lower;
        }
        let segment = self.add_segment(upper, link.to, link.polarity, at);
        self.segments[segment].starts = upper == link.from;
        self.segments[segment].head = ArrowHead::Down;
    }

    fn bend_count_between(&self, top: usize, bottom: usize) -> usize {
        let bends = bottom - top - 1;
        let there = self.row.len() - self.nodes;
        if there + bends > MAX_BENDS { 0 } else { bends }
    }

    fn add_bend(&mut self, row: usize) -> usize {
        self.row.push(row);
        self.row.len() - 1
    }

    fn add_segment(
        &mut self,
        upper: usize,
        lower: usize,
        polarity: Polarity,
        link: usize,
    ) -> usize {
        self.segments.push(Segment {
            upper,
            lower,
            polarity,
            head: ArrowHead::None,
            links: vec![link],
            starts: false,
        });
        self.segments.len() - 1
    }

    /// Returns whether the item is a bend.
    pub(super) fn is_bend(&self, item: usize) -> bool {
        item >= self.nodes
    }

    /// Returns the rows of each connected part, starting with the part of the first node.
    pub(super) fn connected_rows(&self) -> Vec<Vec<Vec<usize>>> {
        let part = self.parts();
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        let mut parts: Vec<Vec<Vec<usize>>> = Vec::new();
        for &part in &part {
            places.entry(part).or_insert_with(|| {
                parts.push(vec![Vec::new(); self.rows.len()]);
                parts.len() - 1
            });
        }
        for (row, items) in self.rows.iter().enumerate() {
            for &item in items {
                if let Some(&at) = places.get(&part[item]) {
                    parts[at][row].push(item);
                }
            }
        }
        parts
    }

    /// Returns for each item the first item of its connected part.
    fn parts(&self) -> Vec<usize> {
        let mut part: Vec<usize> = (0..self.row.len()).collect();
        let mut joined = vec![Vec::new(); self.row.len()];
        for segment in &self.segments {
            joined[segment.upper].push(segment.lower);
            joined[segment.lower].push(segment.upper);
        }
        let mut seen = vec![false; self.row.len()];
        for first in 0..self.row.len() {
            let mut waiting = vec![first];
            while let Some(item) = waiting.pop() {
                if !std::mem::replace(&mut seen[item], true) {
                    part[item] = first;
                    waiting.extend(joined[item].iter().copied());
                }
            }
        }
        part
    }

    /// Returns for each item its neighbours in the row above and in the row below.
    pub(super) fn neighbours_above_and_below(&self) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let mut above = vec![Vec::new(); self.row.len()];
        let mut below = vec![Vec::new(); self.row.len()];
        for segment in &self.segments {
            if self.row[segment.upper] + 1 == self.row[segment.lower] {
                above[segment.lower].push(segment.upper);
                below[segment.upper].push(segment.lower);
            }
        }
        (above, below)
    }
}
