//! Lays out boxes, wires and labels.

use super::labels::{LabelCurve, assign_label_lanes};
use super::links::Link;
use super::net::Net;
use super::order::order_rows;
use super::place::item_x_centres;
use super::rank::rank_nodes;
use super::scene::Area;

// Fits an arrow head (9) and the curve before it. Tested by
// `a_node_that_speaks_of_itself_has_room_for_that`.
/// The room to the right of a node that has an edge to itself.
pub(super) const LOOP: f32 = 24.0;

/// The sizes that the layout needs.
pub(super) struct Sizes {
    pub(super) rounds: Vec<Option<u16>>,
    /// The box of each node.
    pub(super) boxes: Vec<(f32, f32)>,
    /// The label width of each link, if it has a label.
    pub(super) labels: Vec<Option<f32>>,
}

/// The positions in a drawing, from 0 to its width and height.
pub(super) struct Layout {
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) net: Net,
    /// The box of each node.
    pub(super) boxes: Vec<Area>,
    /// The path of each segment of the net.
    pub(super) wires: Vec<WirePath>,
    /// The bands of rounds, from the top.
    pub(super) bands: Vec<Band>,
}

/// The path of a segment: vertical, a curve between two rows, vertical.
pub(super) struct WirePath {
    pub(super) upper_x: f32,
    pub(super) lower_x: f32,
    /// The y where it starts, where its curve starts and ends, and where it ends.
    pub(super) y: [f32; 4],
    /// The middle of its label.
    pub(super) label: Option<(f32, f32)>,
}

/// The rows of one round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Band {
    pub(super) round: u16,
    pub(super) top: f32,
    pub(super) bottom: f32,
}

/// Lays out a graph in rows by Sugiyama's method.
pub(super) fn layout(sizes: &Sizes, links: &[Link]) -> Layout {
    let mut own = vec![false; sizes.boxes.len()];
    let mut pairs = Vec::with_capacity(links.len());
    for link in links {
        if link.from == link.to {
            own[link.from] = true;
        } else {
            pairs.push((link.from, link.to));
        }
    }
    let ranks = rank_nodes(&sizes.rounds, &pairs);
    let mut net = Net::new(ranks.row, ranks.rounds.len(), links);
    order_rows(&mut net);

    let mut widths = vec![0.0; net.row.len()];
    for (node, size) in sizes.boxes.iter().enumerate() {
        // Reserve the loop's room on both sides to keep the box in the middle.
        widths[node] = size.0 + if own[node] { 2.0 * LOOP } else { 0.0 };
    }
    let x = item_x_centres(&net, &widths);
    let mut wires = spread_wire_ends(&net, &sizes.boxes, &x);
    let rows = place_rows_and_labels(&net, sizes, &mut wires);
    let boxes: Vec<Area> = sizes
        .boxes
        .iter()
        .enumerate()
        .map(|(node, &(width, height))| {
            let (top, bottom) = rows[net.row[node]];
            Area {
                x: x[node] - width / 2.0,
                y: (top + bottom - height) / 2.0,
                width,
                height,
            }
        })
        .collect();
    for (wire, segment) in wires.iter_mut().zip(&net.segments) {
        let (upper, lower) = (rows[net.row[segment.upper]], rows[net.row[segment.lower]]);
        let start = boxes.get(segment.upper).map(|it| it.y + it.height);
        let end = boxes.get(segment.lower).map(|it| it.y);
        wire.y = [
            start.unwrap_or(upper.1),
            upper.1,
            lower.0,
            end.unwrap_or(lower.1),
        ];
    }
    let right = x.iter().zip(&widths).map(|(x, width)| x + width / 2.0);
    Layout {
        width: right.fold(0.0, f32::max),
        height: rows.last().map_or(0.0, |row| row.1),
        bands: round_bands(&ranks.rounds, &rows),
        net,
        boxes,
        wires,
    }
}

/// Spreads the ends of segments along the boxes, ordered by their other ends.
fn spread_wire_ends(net: &Net, boxes: &[(f32, f32)], x: &[f32]) -> Vec<WirePath> {
    let mut wires: Vec<WirePath> = net
        .segments
        .iter()
        .map(|segment| WirePath {
            upper_x: x[segment.upper],
            lower_x: x[segment.lower],
            y: [0.0; 4],
            label: None,
        })
        .collect();
    let mut tops = vec![Vec::new(); boxes.len()];
    let mut bottoms = vec![Vec::new(); boxes.len()];
    for (at, segment) in net.segments.iter().enumerate() {
        if let Some(ends) = tops.get_mut(segment.lower) {
            ends.push((x[segment.upper], at));
        }
        if let Some(ends) = bottoms.get_mut(segment.upper) {
            ends.push((x[segment.lower], at));
        }
    }
    for (node, (width, _)) in boxes.iter().enumerate() {
        for (ends, is_top) in [(&mut tops[node], true), (&mut bottoms[node], false)] {
            ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let between = (width / (ends.len() as f32 + 1.0)).min(26.0);
            let first = x[node] - between * (ends.len() as f32 - 1.0) / 2.0;
            for (nth, &(_, at)) in ends.iter().enumerate() {
                let port = first + between * nth as f32;
                if is_top {
                    wires[at].lower_x = port;
                } else {
                    wires[at].upper_x = port;
                }
            }
        }
    }
    wires
}

/// Returns the top and bottom of each row with room for labels between, and places the labels.
fn place_rows_and_labels(net: &Net, sizes: &Sizes, wires: &mut [WirePath]) -> Vec<(f32, f32)> {
    let mut below = vec![Vec::new(); net.rows.len()];
    for (at, segment) in net.segments.iter().enumerate() {
        below[net.row[segment.upper]].push(at);
    }
    let mut rows = Vec::with_capacity(net.rows.len());
    let mut top = 0.0;
    for (items, segments) in net.rows.iter().zip(&below) {
        let heights = items.iter().filter_map(|&item| sizes.boxes.get(item));
        let bottom = top + heights.map(|size| size.1).fold(0.0, f32::max);
        rows.push((top, bottom));

        let mut labelled = Vec::new();
        let mut steepest = 0.0_f32;
        for &at in segments {
            let segment = &net.segments[at];
            let curve = |label| LabelCurve {
                upper_x: wires[at].upper_x,
                lower_x: wires[at].lower_x,
                label,
            };
            steepest = steepest.max((wires[at].upper_x - wires[at].lower_x).abs());
            let label = segment.links.first().and_then(|&link| sizes.labels[link]);
            if let Some(label) = label.filter(|_| segment.starts) {
                labelled.push((at, curve(label)));
            }
        }
        let curves: Vec<LabelCurve> = labelled.iter().map(|&(_, curve)| curve).collect();
        let lanes = assign_label_lanes(&curves);
        let gap = 44.0 + 17.0 * lanes.count as f32 + (steepest * 0.06).min(70.0);
        for (&(at, _), place) in labelled.iter().zip(&lanes.places) {
            wires[at].label = place.map(|(lane, x)| {
                let part = (lane as f32 + 1.0) / (lanes.count as f32 + 1.0);
                (x, bottom + gap * part)
            });
        }
        top = bottom + gap;
    }
    rows
}

/// Joins the rows of each round into a band that extends half-way to the next.
fn round_bands(rounds: &[Option<u16>], rows: &[(f32, f32)]) -> Vec<Band> {
    let mut bands: Vec<Band> = Vec::new();
    for (round, &(top, bottom)) in rounds.iter().zip(rows) {
        let Some(round) = *round else {
            continue;
        };
        match bands.last_mut() {
            Some(band) if band.round == round => band.bottom = bottom,
            Some(band) => {
                let middle = (band.bottom + top) / 2.0;
                band.bottom = middle;
                bands.push(Band {
                    round,
                    top: middle,
                    bottom,
                });
            }
            None => bands.push(Band { round, top, bottom }),
        }
    }
    bands
}
