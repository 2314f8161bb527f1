//! Orders the items within rows so that few segments cross.

use super::net::Net;

// The best order is kept, so more sweeps can only cost time: 402 points take 0.04 s. Gansner et
// al., "A Technique for Drawing Directed Graphs" (1993), use 24.
const SWEEPS: usize = 16;
// Chosen, not measured: every swap recounts crossings in each of the 16 sweeps. A smaller limit
// leaves avoidable crossings; a larger one makes large pictures slow.
/// Maximum number of segments for which neighbours are swapped one by one.
const MAX_SWAPPED: usize = 700;

/// Orders the rows of `net` so that few segments cross.
///
/// It sweeps down and up, sorts each row by the mean position of its neighbours in the previous
/// row, and keeps the best order.
pub(super) fn order_rows(net: &mut Net) {
    let (above, below) = net.neighbours_above_and_below();
    let mut place = vec![0; net.row.len()];
    let mut rows = net.rows.clone();
    for row in &rows {
        update_positions(row, &mut place);
    }
    let mut best = (usize::MAX, rows.clone());
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        let near = if down { &above } else { &below };
        for step in 0..rows.len() {
            let at = if down { step } else { rows.len() - 1 - step };
            sort_by_neighbours(&mut rows[at], near, &mut place);
        }
        if above.len() <= MAX_SWAPPED {
            swap_crossed_neighbours(&mut rows, &above, &below, &mut place);
        }
        let crossings = count_crossings(&rows, &below, &place);
        if crossings < best.0 {
            best = (crossings, rows.clone());
        }
        if crossings == 0 {
            break;
        }
    }
    net.rows = best.1;
}

fn update_positions(row: &[usize], place: &mut [usize]) {
    for (at, &item) in row.iter().enumerate() {
        place[item] = at;
    }
}

fn sort_by_neighbours(row: &mut [usize], near: &[Vec<usize>], place: &mut [usize]) {
    let mut keyed: Vec<(f32, usize)> = row
        .iter()
        .map(|&item| {
            let all = &near[item];
            let sum: usize = all.iter().map(|&other| place[other]).sum();
            let mean = match all.len() {
                0 => place[item] as f32,
                count => sum as f32 / count as f32,
            };
            (mean, item)
        })
        .collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (slot, (_, item)) in row.iter_mut().zip(keyed) {
        *slot = item;
    }
    update_positions(row, place);
}

/// Swaps neighbours while that removes crossings.
fn swap_crossed_neighbours(
    rows: &mut [Vec<usize>],
    above: &[Vec<usize>],
    below: &[Vec<usize>],
    place: &mut [usize],
) {
    for _ in 0..4 {
        let mut better = false;
        for row in rows.iter_mut() {
            for at in 1..row.len() {
                let (left, right) = (row[at - 1], row[at]);
                let crossed = |a: usize, b: usize| {
                    count_inversions(&above[a], &above[b], place)
                        + count_inversions(&below[a], &below[b], place)
                };
                if crossed(right, left) < crossed(left, right) {
                    row.swap(at - 1, at);
                    place.swap(left, right);
                    better = true;
                }
            }
        }
        if !better {
            break;
        }
    }
}

/// Counts the crossings if the item of `left` comes before the item of `right`.
fn count_inversions(left: &[usize], right: &[usize], place: &[usize]) -> usize {
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
    pairs.filter(|&(&a, &b)| place[a] > place[b]).count()
}

/// Counts the crossings between neighbouring rows, in O(segments · log items).
fn count_crossings(rows: &[Vec<usize>], below: &[Vec<usize>], place: &[usize]) -> usize {
    let mut count = 0;
    for (upper, lower) in rows.iter().zip(rows.iter().skip(1)) {
        let mut tree = vec![0_usize; lower.len() + 1];
        let mut seen = 0;
        for &item in upper {
            let mut ends: Vec<usize> = below[item].iter().map(|&it| place[it]).collect();
            ends.sort_unstable();
            for &end in &ends {
                count += seen - fenwick_prefix_sum(&tree, end + 1);
            }
            for &end in &ends {
                fenwick_increment(&mut tree, end + 1);
            }
            seen += ends.len();
        }
    }
    count
}

fn fenwick_increment(tree: &mut [usize], mut at: usize) {
    while at < tree.len() {
        tree[at] += 1;
        at += at & at.wrapping_neg();
    }
}

fn fenwick_prefix_sum(tree: &[usize], mut at: usize) -> usize {
    let mut sum = 0;
    while at > 0 {
        sum += tree[at];
        at -= at & at.wrapping_neg();
    }
    sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{count_crossings, count_inversions};

    proptest! {
        #[test]
        fn counted_crossings_are_those_of_all_pairs(
            ends in prop::collection::vec((0_usize..6, 0_usize..6), 0..30),
        ) {
            let mut below = vec![Vec::new(); 12];
            for &(a, b) in &ends {
                below[a].push(6 + b);
            }
            let place: Vec<usize> = (0..6).chain(0..6).collect();
            let rows = [(0..6).collect(), (6..12).collect::<Vec<usize>>()];
            let pairs = (0..6).flat_map(|a| (a + 1..6).map(move |b| (a, b)));
            let slow: usize = pairs.map(|(a, b)| count_inversions(&below[a], &below[b], &place)).sum();
            prop_assert_eq!(count_crossings(&rows, &below, &place), slow);
        }
    }

    #[test]
    fn two_crossed_pairs_are_uncrossed() {
        use super::super::Polarity::Attack;
        use super::super::links::Link;
        let link = |from, to| Link {
            from,
            to,
            polarity: Attack,
            label: String::new(),
        };
        let links = [link(2, 1), link(3, 0)];
        let mut net = super::Net::new(vec![0, 0, 1, 1], 2, &links);
        super::order_rows(&mut net);
        assert_eq!(net.rows, [vec![0, 1], vec![3, 2]]);
    }
}
