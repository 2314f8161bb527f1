//! What was measured of a model, as tables and pictures.

use agon_health::calibrate::{CalibrationDoc, LengthRecallDoc, PartRecallDoc, RecallDoc};
use agon_report::text::abbreviate_count;

/// Columns of a length in a picture.
const COLUMN: usize = 12;
/// Points of recall in a row of the picture.
const ROW_POINTS: i32 = 5;
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Tokens: those of short prompts as they are, so that two lengths never look alike.
pub(super) fn token_words(tokens: u64) -> String {
    match tokens {
        0..10_000 => tokens.to_string(),
        _ => abbreviate_count(tokens),
    }
}

/// The table of recall: a row a length.
pub(super) fn table(document: &CalibrationDoc) -> Vec<[String; 8]> {
    let head = [
        "tokens",
        "recall",
        "95 %",
        "curve",
        "literal",
        "paraphrased",
        "with distractors",
        "apart",
    ];
    let mut rows = vec![head.map(str::to_owned)];
    for length in &document.lengths {
        let part = |wording: &str, on: bool| {
            let is_it = |it: &&PartRecallDoc| it.wording == wording && it.distractors == on;
            length.parts.iter().find(is_it).map(|it| it.recall)
        };
        let both = |wording: &str| share_words(sum([part(wording, false), part(wording, true)]));
        let beside = sum([part("literal", true), part("paraphrased", true)]);
        rows.push([
            tokens_words(length),
            share_words(length.recall.share),
            interval_words(&length.recall),
            share_words(length.fitted),
            both("literal"),
            both("paraphrased"),
            share_words(beside),
            apart_words(length),
        ]);
    }
    rows
}

/// The share of both together.
fn sum(both: [Option<RecallDoc>; 2]) -> Option<f64> {
    let both = both.into_iter().flatten();
    let (found, asked) = both.fold((0, 0), |sum, it| (sum.0 + it.found, sum.1 + it.asked));
    (asked > 0).then(|| f64::from(found) / f64::from(asked))
}

fn tokens_words(length: &LengthRecallDoc) -> String {
    match length.tokens == length.planned {
        true => token_words(length.planned),
        false => format!(
            "{} ({} planned)",
            token_words(length.tokens),
            token_words(length.planned)
        ),
    }
}

fn share_words(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |it| format!("{:.0} %", 100.0 * it))
}

fn interval_words(recall: &RecallDoc) -> String {
    match recall.share {
        None => "-".to_owned(),
        Some(_) => format!("{:.0}–{:.0}", 100.0 * recall.low, 100.0 * recall.high),
    }
}

/// What is not in recall, and prompts that are not taken.
fn apart_words(length: &LengthRecallDoc) -> String {
    let outcomes = &length.outcomes;
    let counts = [(outcomes.refused, "refused"), (outcomes.empty, "empty")];
    let counts = counts.iter().filter(|it| it.0 > 0);
    let mut words: Vec<_> = counts
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if length.refused.is_some() {
        words.push("not taken".to_owned());
    }
    words.join(", ")
}

/// Recall over length: a point, its interval, and the curve that never rises.
pub(super) fn draw(document: &CalibrationDoc) -> Vec<String> {
    let measured: Vec<&LengthRecallDoc> = document
        .lengths
        .iter()
        .filter(|it| it.recall.share.is_some())
        .collect();
    let lowest = measured
        .iter()
        .map(|it| row_of(it.recall.low))
        .min()
        .unwrap_or_default();
    let lowest = (lowest - 1).max(0);
    let mut lines = vec!["Recall over length   ● measured  │ 95 % interval  ╌ curve".to_owned()];
    for row in (lowest..=100 / ROW_POINTS).rev() {
        let label = match row % 2 == 0 {
            true => format!("{:>4} %", row * ROW_POINTS),
            false => String::new(),
        };
        let cells: String = measured.iter().map(|it| cell(it, row)).collect();
        lines.push(format!("{label:>6} ┤{}", cells.trim_end()));
    }
    lines.push(format!(
        "{:>6} └{}",
        "",
        "─".repeat(COLUMN * measured.len())
    ));
    let names = measured
        .iter()
        .map(|it| centred(&token_words(it.tokens), ' '));
    lines.push(format!(
        "{:>6}  {} tokens",
        "",
        names.collect::<String>().trim_end()
    ));
    lines
}

/// The row in which a share is drawn.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a share of 1 becomes a number from 0 to 20"
)]
fn row_of(share: f64) -> i32 {
    (share * 100.0 / f64::from(ROW_POINTS)).round() as i32
}

fn cell(length: &LengthRecallDoc, row: i32) -> String {
    let recall = &length.recall;
    let around = match length.fitted.map(row_of) == Some(row) {
        true => '╌',
        false => ' ',
    };
    let [low, high] = [recall.low, recall.high].map(row_of);
    let mark = if recall.share.map(row_of) == Some(row) {
        "●"
    } else if row == high && row > low {
        "┬"
    } else if row == low && row < high {
        "┴"
    } else if (low..high).contains(&row) {
        "│"
    } else if around == '╌' {
        "╌"
    } else {
        " "
    };
    centred(mark, around)
}

/// `text` in the middle of a column.
fn centred(text: &str, fill: char) -> String {
    let free = COLUMN.saturating_sub(text.chars().count());
    let before: String = std::iter::repeat_n(fill, free / 2).collect();
    let after: String = std::iter::repeat_n(fill, free - free / 2).collect();
    format!("{before}{text}{after}")
}

/// Recall by depth, a row each, over length.
pub(super) fn draw_depths(document: &CalibrationDoc) -> Vec<String> {
    let measured: Vec<&LengthRecallDoc> = document
        .lengths
        .iter()
        .filter(|it| it.recall.share.is_some())
        .collect();
    let names = measured
        .iter()
        .map(|it| centred(&token_words(it.tokens), ' '));
    let mut lines = vec![format!(
        "Recall by depth   {}all, 95 %",
        names.collect::<String>()
    )];
    for (at, depth) in document.depths.iter().enumerate() {
        let cells = measured.iter().map(|it| {
            let share = it.depths.get(at).and_then(|it| it.recall.share);
            centred(&bar(share), ' ')
        });
        let place = match at {
            0 => " beginning",
            _ if at + 1 == document.depths.len() => " end",
            _ => "",
        };
        lines.push(format!(
            "{:>5.0} %{place:<11}{}{} {}",
            100.0 * depth.depth,
            cells.collect::<String>(),
            share_words(depth.recall.share),
            interval_words(&depth.recall)
        ));
    }
    lines
}

/// A share as a bar of one column with its number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of 1 becomes a number from 0 to 8"
)]
fn bar(share: Option<f64>) -> String {
    let Some(share) = share else {
        return "-".to_owned();
    };
    let at = (share * 8.0).round().clamp(0.0, 8.0) as usize;
    let block = BLOCKS.get(at).copied().unwrap_or_default();
    format!("{block} {:>3.0}", 100.0 * share)
}
