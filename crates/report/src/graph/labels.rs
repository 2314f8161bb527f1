//! Places the labels of edges between two rows.

/// Maximum number of label lines between two rows; labels without room are left out.
const MAX_LANES: usize = 7;
// Chosen by eye in pictures of debates with 12 and 14 arguments. About half the font size of a
// label, so that neighbouring labels stay separate.
const BETWEEN: f32 = 5.0;

/// A curve between two rows, with the width of its label.
#[derive(Clone, Copy)]
pub(super) struct LabelCurve {
    pub(super) upper_x: f32,
    pub(super) lower_x: f32,
    pub(super) label: f32,
}

/// The placed labels: the number of lanes, and for each curve its lane and x.
#[derive(Debug, PartialEq)]
pub(super) struct Lanes {
    pub(super) count: usize,
    pub(super) places: Vec<Option<(usize, f32)>>,
}

/// Assigns every label a lane and an x without overlaps, with as few lanes as possible. A label
/// without room gets none.
pub(super) fn assign_label_lanes(curves: &[LabelCurve]) -> Lanes {
    let mut order: Vec<usize> = (0..curves.len()).collect();
    let middle = |at: usize| curves[at].upper_x + curves[at].lower_x;
    order.sort_by(|&a, &b| middle(a).total_cmp(&middle(b)));
    let fewest = usize::from(!curves.is_empty());
    let mut best = Lanes {
        count: 0,
        places: vec![None; curves.len()],
    };
    for count in fewest..=MAX_LANES {
        let tried = place_in_lanes(curves, &order, count);
        let placed = |lanes: &Lanes| lanes.places.iter().flatten().count();
        if count == fewest || placed(&tried) > placed(&best) {
            best = tried;
        }
        if placed(&best) == curves.len() {
            break;
        }
    }
    best
}

fn place_in_lanes(curves: &[LabelCurve], order: &[usize], count: usize) -> Lanes {
    let mut taken: Vec<Vec<(f32, f32)>> = vec![Vec::new(); count];
    let mut places = vec![None; curves.len()];
    for &at in order {
        let curve = curves[at];
        let half = curve.label / 2.0 + BETWEEN;
        for lane in lanes_from_middle(count) {
            let x = curve.x_at((lane as f32 + 1.0) / (count as f32 + 1.0));
            let free = |&(from, to): &(f32, f32)| x + half <= from || to <= x - half;
            if taken[lane].iter().all(free) {
                taken[lane].push((x - half, x + half));
                places[at] = Some((lane, x));
                break;
            }
        }
    }
    Lanes { count, places }
}

/// Returns the lanes from the middle outwards; the middle is furthest from the boxes.
fn lanes_from_middle(count: usize) -> impl Iterator<Item = usize> {
    let middle = count / 2;
    let below = middle..count;
    let mut both: Vec<usize> = below.chain(0..middle).collect();
    both.sort_by_key(|&lane| lane.abs_diff(middle));
    both.into_iter()
}

impl LabelCurve {
    /// Returns the x of the curve at `part` of its height, from 0 at the top to 1.
    ///
    /// The cubic curve starts and ends vertical, with both control points half-curve down.
    pub(super) fn x_at(&self, part: f32) -> f32 {
        let (mut low, mut high) = (0.0_f32, 1.0_f32);
        for _ in 0..20 {
            let t = (low + high) / 2.0;
            if t * (1.5 + t * (t - 1.5)) < part {
                low = t;
            } else {
                high = t;
            }
        }
        self.upper_x + (self.lower_x - self.upper_x) * low * low * (3.0 - 2.0 * low)
    }
}

#[cfg(test)]
mod tests {
    use super::{LabelCurve, Lanes, assign_label_lanes};

    fn upright(x: f32) -> LabelCurve {
        LabelCurve {
            upper_x: x,
            lower_x: x,
            label: 40.0,
        }
    }

    #[test]
    fn labels_with_room_share_a_lane() {
        let places = vec![Some((0, 0.0)), Some((0, 100.0))];
        assert_eq!(
            assign_label_lanes(&[upright(0.0), upright(100.0)]),
            Lanes { count: 1, places }
        );
    }

    #[test]
    fn labels_in_each_others_way_get_lanes() {
        let places = vec![Some((1, 0.0)), Some((0, 10.0))];
        assert_eq!(
            assign_label_lanes(&[upright(0.0), upright(10.0)]),
            Lanes { count: 2, places }
        );
    }

    #[test]
    fn labels_without_room_are_left_out() {
        let placed = assign_label_lanes(&[upright(0.0); 9])
            .places
            .iter()
            .flatten()
            .count();
        assert_eq!(placed, 7);
    }

    #[test]
    fn without_labels_there_is_no_lane() {
        assert_eq!(
            assign_label_lanes(&[]),
            Lanes {
                count: 0,
                places: vec![]
            }
        );
    }
}
