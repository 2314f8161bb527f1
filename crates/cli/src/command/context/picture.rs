//! Draws the tokens in the context, call by call.

use agon_health::{CurvePointDoc, SessionHealthDoc};
use agon_report::text::{abbreviate_count, count_with_noun};

/// The number of rows of the chart.
const ROWS: u64 = 8;
/// The width of a row's label, in columns.
const LABEL: usize = 7;
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Draws the tokens over the calls, with lines for onset and severe and marks for compactions.
/// Returns nothing for fewer than two calls.
pub(super) fn draw(session: &SessionHealthDoc, width: usize) -> Vec<String> {
    let points = &session.curve;
    if points.len() < 2 || width < LABEL + 10 {
        return Vec::new();
    }
    let columns = chart_columns(points, width - LABEL - 1);
    let highest = points.iter().map(|it| it.fill).max().unwrap_or_default();
    let limits = &session.limits;
    // Leave out a limit far above the curve, because it would flatten the curve.
    let top = match highest.saturating_mul(4) >= limits.onset {
        true => highest.max(limits.onset),
        false => highest,
    };
    let top = match highest >= limits.onset && highest.saturating_mul(2) >= limits.severe {
        true => top.max(limits.severe),
        false => top,
    };
    let top = top.max(1);
    let lowest = points.iter().map(|it| it.fill).min().unwrap_or_default();
    let axis = Axis {
        from: chart_bottom(lowest, top),
        to: top,
    };
    let mut lines: Vec<String> = (0..ROWS)
        .rev()
        .map(|row| chart_row(row, axis, &columns, (limits.onset, limits.severe)))
        .collect();
    if lowest == top {
        // If all calls are equal, one row shows as much as eight.
        lines.truncate(1);
    }
    lines.push(compaction_and_turn_marks(session, &columns));
    lines
}

/// The token counts at the bottom and the top of the chart.
#[derive(Clone, Copy)]
struct Axis {
    from: u64,
    to: u64,
}

/// Returns the bottom of the chart: 0, or just below the lowest call if every column otherwise
/// would be more than half full.
fn chart_bottom(lowest: u64, top: u64) -> u64 {
    match lowest.saturating_mul(2) > top {
        true => lowest.saturating_sub((top - lowest).div_ceil(ROWS - 1).max(1)),
        false => 0,
    }
}

/// A column of the chart: its last call and its highest fill.
struct Column {
    until_call: u32,
    turn: u32,
    fill: u64,
}

fn chart_columns(points: &[CurvePointDoc], width: usize) -> Vec<Column> {
    let bucket = points.len().div_ceil(width.max(1)).max(1);
    let column = |chunk: &[CurvePointDoc]| {
        let last = chunk.last()?;
        Some(Column {
            until_call: last.call,
            turn: last.turn,
            fill: chunk.iter().map(|it| it.fill).max()?,
        })
    };
    let few = points.chunks(bucket).filter_map(column);
    // Widen the columns of a short session, so that its chart is easy to see.
    let count = points.len().div_ceil(bucket);
    let times = (width / count.max(1)).clamp(1, 4);
    few.flat_map(|column| {
        (0..times).map(move |_| Column {
            until_call: column.until_call,
            turn: column.turn,
            fill: column.fill,
        })
    })
    .collect()
}

fn chart_row(row: u64, axis: Axis, columns: &[Column], (onset, severe): (u64, u64)) -> String {
    let Axis { from, to } = axis;
    let at = |row: u64| from + (to - from) * row / ROWS;
    let (floor, ceiling) = (at(row), at(row + 1));
    let holds = |bound: u64| (floor < bound && bound <= ceiling) || (row == 0 && bound == 0);
    let (label, line) = if holds(severe) {
        ("severe".to_owned(), '═')
    } else if holds(onset) {
        ("onset".to_owned(), '╌')
    } else if row + 1 == ROWS {
        (abbreviate_count(to), ' ')
    } else if row == 0 && from > 0 {
        (abbreviate_count(from), ' ')
    } else {
        (String::new(), ' ')
    };
    let cell = |column: &Column| {
        let eighths =
            column.fill.saturating_sub(floor).saturating_mul(8) / (ceiling - floor).max(1);
        let at = usize::try_from(eighths.min(8)).unwrap_or(8);
        match BLOCKS.get(at) {
            Some(' ') | None => line,
            Some(block) => *block,
        }
    };
    let cells: String = columns.iter().map(cell).collect();
    format!("{label:>LABEL$} {}", cells.trim_end())
}

/// Returns the row below the chart, with compactions and turns.
fn compaction_and_turn_marks(session: &SessionHealthDoc, columns: &[Column]) -> String {
    let mut row: Vec<char> = vec![' '; columns.len()];
    for compaction in &session.compactions {
        let at = columns
            .iter()
            .position(|it| it.until_call > compaction.after_call)
            .unwrap_or(columns.len().saturating_sub(1));
        if let Some(cell) = row.get_mut(at) {
            *cell = '▲';
        }
    }
    let row: String = row.into_iter().collect();
    let calls = count_with_noun(session.calls, "call");
    let turns = columns.last().map_or(0, |it| it.turn);
    let turns = count_with_noun(turns, "turn");
    let legend = match session.compactions.is_empty() {
        true => format!("{calls}, {turns}"),
        false => format!("{calls}, {turns}, ▲ compacted"),
    };
    match row.trim_end().is_empty() {
        true => format!("{:>LABEL$} {legend}", ""),
        false => format!("{:>LABEL$} {}\n{:>LABEL$} {legend}", "", row.trim_end(), ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(fills: &[u64], top: u64) -> Vec<String> {
        let columns: Vec<_> = fills
            .iter()
            .map(|&fill| Column {
                until_call: 1,
                turn: 1,
                fill,
            })
            .collect();
        let lowest = fills.iter().copied().min().unwrap_or_default();
        let axis = Axis {
            from: chart_bottom(lowest, top),
            to: top,
        };
        let limits = (1_000_000, 2_000_000);
        let rows = (0..ROWS).rev();
        rows.map(|row| chart_row(row, axis, &columns, limits))
            .collect()
    }

    #[test]
    fn calls_that_differ_little_are_drawn_apart_and_the_foot_says_where_it_begins() {
        let rows = picture(&[15_000, 15_500, 16_000, 17_000], 17_000);
        assert_eq!(rows[0], "    17k    █");
        assert_eq!(rows[4], "          ██");
        assert!(rows[7].ends_with("k ████"), "{}", rows[7]);
    }

    #[test]
    fn calls_that_differ_much_are_drawn_from_nothing_on() {
        let rows = picture(&[0, 8_000, 16_000], 16_000);
        assert_eq!(
            (rows[0].as_str(), rows[7].as_str()),
            ("    16k   █", "         ██")
        );
    }
}
