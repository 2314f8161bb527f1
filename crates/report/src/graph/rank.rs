//! Assigns nodes to rows.

/// The rows of a layered drawing.
///
/// A link always joins two different rows and points up if possible.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ranks {
    /// The row of each node; 0 is at the top, and no row is empty.
    pub(super) row: Vec<usize>,
    /// The round of each row, if any node of the drawing has one.
    pub(super) rounds: Vec<Option<u16>>,
}

/// Ranks the nodes by round, and within a round by the length of the chain of links that starts at
/// each.
///
/// `links` are pairs of different nodes. Takes O(nodes + links) time, plus sorting.
pub(super) fn rank_nodes(rounds: &[Option<u16>], links: &[(usize, usize)]) -> Ranks {
    let n = rounds.len();
    let settled = assign_rounds(rounds, links);
    let mut within = vec![Vec::new(); n];
    for &(from, to) in links {
        if settled[from] == settled[to] {
            within[from].push(to);
        }
    }
    let depth = chain_depths(&within);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&node| (settled[node], depth[node], node));

    let hinted = rounds.iter().any(Option::is_some);
    let most = max_row_length(n);
    let mut ranks = Ranks {
        row: vec![0; n],
        rounds: Vec::new(),
    };
    for level in order.chunk_by(|&a, &b| (settled[a], depth[a]) == (settled[b], depth[b])) {
        let rows = level.len().div_ceil(most);
        for row in level.chunks(level.len().div_ceil(rows.max(1))) {
            for &node in row {
                ranks.row[node] = ranks.rounds.len();
            }
            let round = row.first().map(|&node| settled[node]);
            ranks.rounds.push(round.filter(|_| hinted));
        }
    }
    ranks
}

/// Returns the maximum length of a row; longer rows are split to limit the picture's width.
fn max_row_length(nodes: usize) -> usize {
    let square = (nodes as f32 * 1.2).sqrt().ceil();
    (square as usize).max(5)
}

/// Assigns every node a round: its own, else the earliest of its neighbours, else the earliest in
/// the drawing.
fn assign_rounds(rounds: &[Option<u16>], links: &[(usize, usize)]) -> Vec<u16> {
    let first = rounds.iter().flatten().min().copied().unwrap_or(0);
    let mut near: Vec<Option<u16>> = vec![None; rounds.len()];
    for &(from, to) in links {
        for (node, other) in [(from, to), (to, from)] {
            if let Some(round) = rounds[other] {
                near[node] = Some(near[node].map_or(round, |known| known.min(round)));
            }
        }
    }
    let nodes = rounds.iter().zip(near);
    nodes
        .map(|(own, near)| own.or(near).unwrap_or(first))
        .collect()
}

/// Returns for each node the length of the longest chain of links that starts there.
///
/// Links that close a cycle are ignored. A node without outgoing links is moved down to just above
/// its highest attacker or supporter.
fn chain_depths(targets: &[Vec<usize>]) -> Vec<usize> {
    let (order, targets) = break_cycles_and_sort(targets);
    let mut depth = vec![0; order.len()];
    let mut lowest = vec![usize::MAX; order.len()];
    for &node in &order {
        let below = targets[node].iter().map(|&it| depth[it] + 1).max();
        depth[node] = below.unwrap_or(0);
        for &target in &targets[node] {
            lowest[target] = lowest[target].min(depth[node] - 1);
        }
    }
    for node in 0..order.len() {
        if targets[node].is_empty() && lowest[node] != usize::MAX {
            depth[node] = lowest[node];
        }
    }
    depth
}

/// Returns the nodes with targets before the nodes that link to them, and the links without cycles.
fn break_cycles_and_sort(targets: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        Not,
        Above,
        Done,
    }
    let n = targets.len();
    let mut seen = vec![Visit::Not; n];
    let mut order = Vec::with_capacity(n);
    let mut kept = vec![Vec::new(); n];
    // Later nodes first, so that the earlier node of a cycle is drawn above.
    for root in (0..n).rev() {
        if seen[root] != Visit::Not {
            continue;
        }
        seen[root] = Visit::Above;
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            let Some(&target) = targets[node].get(*next) else {
                seen[node] = Visit::Done;
                order.push(node);
                path.pop();
                continue;
            };
            *next += 1;
            match seen[target] {
                Visit::Not => {
                    kept[node].push(target);
                    seen[target] = Visit::Above;
                    path.push((target, 0));
                }
                // The target already links here along the path, so this link closes a cycle: drop
                // it.
                Visit::Above => {}
                Visit::Done => kept[node].push(target),
            }
        }
    }
    (order, kept)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::rank_nodes;

    #[test]
    fn a_chain_goes_down_row_by_row() {
        let ranks = rank_nodes(&[None; 3], &[(1, 0), (2, 1), (2, 0)]);
        assert_eq!((ranks.row, ranks.rounds), (vec![0, 1, 2], vec![None; 3]));
    }

    #[test]
    fn the_earlier_of_a_mutual_attack_is_above() {
        assert_eq!(rank_nodes(&[None; 2], &[(0, 1), (1, 0)]).row, [0, 1]);
    }

    #[test]
    fn a_node_that_speaks_of_nothing_is_near_those_that_speak_of_it() {
        let links = [(1, 0), (2, 1), (3, 2), (3, 4)];
        assert_eq!(rank_nodes(&[None; 5], &links).row, [0, 1, 2, 3, 2]);
    }

    #[test]
    fn rounds_go_before_chains() {
        let rounds = [Some(2), Some(7), None, Some(7)];
        let ranks = rank_nodes(&rounds, &[(0, 1), (2, 1), (3, 1)]);
        assert_eq!(ranks.row, [0, 1, 2, 2]);
        assert_eq!(ranks.rounds, [Some(2), Some(7), Some(7)]);
    }

    #[test]
    fn a_long_row_is_folded_evenly() {
        let row = rank_nodes(&[None; 6], &[]).row;
        assert_eq!(row, [0, 0, 0, 1, 1, 1]);
    }

    proptest! {
        #[test]
        fn every_link_joins_two_rows_and_none_is_empty(
            rounds in prop::collection::vec(prop::option::of(0_u16..4), 1..20),
            ends in prop::collection::vec((0_usize..20, 0_usize..20), 0..60),
        ) {
            let n = rounds.len();
            let links: Vec<_> = ends.into_iter().filter(|&(a, b)| a != b && a < n && b < n).collect();
            let ranks = rank_nodes(&rounds, &links);
            for &(from, to) in &links {
                prop_assert_ne!(ranks.row[from], ranks.row[to]);
            }
            for row in 0..ranks.rounds.len() {
                prop_assert!(ranks.row.contains(&row));
            }
            for (node, round) in rounds.iter().enumerate() {
                prop_assert!(round.is_none() || ranks.rounds[ranks.row[node]] == *round);
            }
        }
    }
}
