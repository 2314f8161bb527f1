//! Positions the items of rows from left to right.

use super::net::Net;

// About 100,000 placements: 160 sweeps for up to 625 items, 24 for 4,166 or more. A picture of 402
// points takes 0.04 s.
/// The number of sweeps for many items and for few.
const SWEEPS: (usize, usize) = (24, 160);

/// Returns the centre of every item. Items of a row keep their distance, and segments are as
/// vertical as possible.
///
/// Unconnected parts are placed separately and then moved left as far as there is room. `widths`
/// has the width of each item. The leftmost edge is at 0.
pub(super) fn item_x_centres(net: &Net, widths: &[f32]) -> Vec<f32> {
    let mut x = vec![0.0; widths.len()];
    let mut taken = vec![f32::NEG_INFINITY; net.rows.len()];
    for rows in net.connected_rows() {
        place_connected(net, &rows, widths, &mut x);
        let left = |item: usize| x[item] - widths[item] / 2.0;
        // Curves and labels are between two rows, so keep clear of the neighbouring rows too.
        let near = |row: usize| taken.iter().take(row + 2).skip(row.saturating_sub(1));
        let shifts = rows.iter().enumerate().filter_map(|(row, items)| {
            let left = items.iter().map(|&item| left(item)).reduce(f32::min)?;
            let taken = near(row).copied().fold(f32::NEG_INFINITY, f32::max);
            Some(if taken.is_finite() {
                taken + BETWEEN_PARTS - left
            } else {
                -left
            })
        });
        let shift = shifts.fold(f32::NEG_INFINITY, f32::max);
        for (row, items) in rows.iter().enumerate() {
            for &item in items {
                x[item] += shift;
                taken[row] = taken[row].max(x[item] + widths[item] / 2.0);
            }
        }
    }
    let left = x.iter().zip(widths).map(|(x, width)| x - width / 2.0);
    let left = left.fold(f32::INFINITY, f32::min);
    x.iter().map(|x| x - left).collect()
}

// 1.5 times the gap between two boxes of a row, so that each part looks like a unit.
/// The room between two unconnected parts.
const BETWEEN_PARTS: f32 = 44.0;

/// Sets the centres of the items in `rows`, a connected part.
fn place_connected(net: &Net, rows: &[Vec<usize>], widths: &[f32], x: &mut [f32]) {
    let (above, below) = net.neighbours_above_and_below();
    let gaps: Vec<Vec<f32>> = rows
        .iter()
        .map(|row| min_offsets_from_first(net, row, widths))
        .collect();
    for (row, gaps) in rows.iter().zip(&gaps) {
        let middle = gaps.last().copied().unwrap_or(0.0) / 2.0;
        for (&item, gap) in row.iter().zip(gaps) {
            x[item] = gap - middle;
        }
    }
    let items: usize = rows.iter().map(Vec::len).sum();
    let sweeps = (100_000 / items.max(1)).clamp(SWEEPS.0, SWEEPS.1);
    for sweep in 0..sweeps {
        // Later sweeps align with the rows above and below at once, which straightens segments.
        let both = sweep >= 16;
        let down = sweep % 2 == 0;
        for step in 0..rows.len() {
            let at = if down { step } else { rows.len() - 1 - step };
            let pulls: Vec<(f32, f32)> = rows[at]
                .iter()
                .map(|&item| {
                    let mut pull = Pull::default();
                    if down || both {
                        pull.add_neighbours(net, item, &above[item], x);
                    }
                    if !down || both {
                        pull.add_neighbours(net, item, &below[item], x);
                    }
                    pull.target_and_weight(x[item])
                })
                .collect();
            for (&item, place) in rows[at]
                .iter()
                .zip(fit_positions_to_gaps(&pulls, &gaps[at]))
            {
                x[item] = place;
            }
        }
    }
}

/// Returns the least distance of each item's centre from the centre of the row's first item.
fn min_offsets_from_first(net: &Net, row: &[usize], widths: &[f32]) -> Vec<f32> {
    let mut at = 0.0;
    let mut before: Option<usize> = None;
    row.iter()
        .map(|&item| {
            if let Some(before) = before {
                let between = match (net.is_bend(before), net.is_bend(item)) {
                    (true, true) => 12.0,
                    (false, false) => 30.0,
                    (true, false) | (false, true) => 20.0,
                };
                at += (widths[before] + widths[item]) / 2.0 + between;
            }
            before = Some(item);
            at
        })
        .collect()
}

/// The weighted sum of the neighbours' positions, which determines an item's desired position.
#[derive(Default)]
struct Pull {
    sum: f32,
    weight: f32,
}

impl Pull {
    fn add_neighbours(&mut self, net: &Net, item: usize, near: &[usize], x: &[f32]) {
        for &other in near {
            let weight = match (net.is_bend(item), net.is_bend(other)) {
                (true, true) => 16.0,
                (false, false) => 1.0,
                (true, false) | (false, true) => 2.0,
            };
            self.sum += weight * x[other];
            self.weight += weight;
        }
    }

    fn target_and_weight(&self, own: f32) -> (f32, f32) {
        if self.weight > 0.0 {
            (self.sum / self.weight, self.weight)
        } else {
            (own, 0.05)
        }
    }
}

/// Returns the positions closest to the wanted ones (weighted least squares) that keep the gaps.
///
/// It pools neighbours that want to pass each other, in O(items) time.
fn fit_positions_to_gaps(wanted: &[(f32, f32)], gaps: &[f32]) -> Vec<f32> {
    // For each pool: its shared position (less the gaps), its weight, its number of members.
    let mut pools: Vec<(f32, f32, usize)> = Vec::new();
    for (&(place, weight), gap) in wanted.iter().zip(gaps) {
        let mut pool = (place - gap, weight, 1);
        while let Some(&(before, heavy, members)) = pools.last() {
            if before <= pool.0 {
                break;
            }
            let weight = heavy + pool.1;
            pool = (
                (before * heavy + pool.0 * pool.1) / weight,
                weight,
                members + pool.2,
            );
            pools.pop();
        }
        pools.push(pool);
    }
    let places = pools
        .iter()
        .flat_map(|&(place, _, members)| std::iter::repeat_n(place, members));
    places.zip(gaps).map(|(place, gap)| place + gap).collect()
}

#[cfg(test)]
mod tests {
    use super::fit_positions_to_gaps;

    #[test]
    fn items_that_want_one_place_share_it() {
        let wanted = [(10.0, 1.0), (10.0, 1.0), (100.0, 1.0)];
        assert_eq!(
            fit_positions_to_gaps(&wanted, &[0.0, 20.0, 40.0]),
            [0.0, 20.0, 100.0]
        );
    }

    #[test]
    fn the_heavier_item_gives_way_less() {
        let wanted = [(8.0, 3.0), (8.0, 1.0)];
        assert_eq!(fit_positions_to_gaps(&wanted, &[0.0, 8.0]), [6.0, 14.0]);
    }
}
