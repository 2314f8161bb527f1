//! The tables of a report, as text and as Markdown.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use crate::compare::Comparison;
use crate::report::{ArmReport, PairReport, Report};
use crate::stats::Interval;
use crate::stats::power::Power;
use crate::votes::reference;

/// The multiples of the tokens of a debate that count as equal to it.
const EQUAL_TOKENS: RangeInclusive<f64> = 0.9..=1.1;

/// The form of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableForm {
    /// Columns that are aligned with spaces.
    Text,
    /// Markdown.
    Markdown,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportTable {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The cells of each row.
    pub rows: Vec<Vec<String>>,
}

impl ReportTable {
    fn new<const N: usize>(header: [&str; N]) -> Self {
        Self {
            header: header.map(str::to_owned).to_vec(),
            rows: Vec::new(),
        }
    }

    /// Returns the table as lines.
    pub fn render(&self, form: TableForm) -> String {
        let lines: Vec<&Vec<String>> = std::iter::once(&self.header).chain(&self.rows).collect();
        let width = |column: usize| {
            let cells = lines.iter().filter_map(|line| line.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..self.header.len()).map(width).collect();
        let mut text = String::new();
        for (at, line) in lines.iter().enumerate() {
            let cells: Vec<String> = line
                .iter()
                .zip(&widths)
                .enumerate()
                .map(|(column, (cell, width))| match column {
                    0 => format!("{cell:<width$}"),
                    _ => format!("{cell:>width$}"),
                })
                .collect();
            // Writing to a string cannot fail.
            match form {
                TableForm::Text => writeln!(text, "{}", cells.join("  ").trim_end()),
                TableForm::Markdown => writeln!(text, "| {} |", cells.join(" | ")),
            }
            .unwrap_or_default();
            if at == 0 && form == TableForm::Markdown {
                let rules = widths
                    .iter()
                    .enumerate()
                    .map(|(column, width)| match column {
                        0 => "-".repeat((*width).max(3)),
                        _ => format!("{}:", "-".repeat(width.saturating_sub(1).max(2))),
                    });
                let rules: Vec<_> = rules.collect();
                writeln!(text, "| {} |", rules.join(" | ")).unwrap_or_default();
            }
        }
        text
    }
}

/// Returns the whole report: a table of arms, one of pairs, and notes.
pub fn render_report(report: &Report, form: TableForm) -> String {
    let mut text = head(report);
    text.push('\n');
    let tables = [
        arms_table(&report.arms),
        judging_table(&report.arms),
        pairs_table(&report.pairs),
    ];
    for table in tables.iter().filter(|table| !table.rows.is_empty()) {
        text.push_str(&table.render(form));
        text.push('\n');
    }
    for note in notes(report) {
        text.push_str(&note);
        text.push('\n');
    }
    text
}

fn head(report: &Report) -> String {
    let tools = report.trial.tools.join(", ");
    format!("{}\ntools: {tools}\n", head_line(report))
}

/// Returns the data set and the settings of a trial, in a line.
pub(crate) fn head_line(report: &Report) -> String {
    let trial = &report.trial;
    let mut parts = vec![
        trial.dataset.clone(),
        format!("{} questions", report.questions),
        format!("seed {}", trial.seed),
    ];
    parts.extend(trial.votes.map(|votes| format!("votes of {votes}")));
    parts.extend(
        trial
            .licence
            .as_ref()
            .map(|licence| format!("licence {licence}")),
    );
    parts.join(" · ")
}

/// Returns the table of the arms: accuracy, price and calibration.
pub fn arms_table(arms: &[ArmReport]) -> ReportTable {
    let mut table = ReportTable::new([
        "arm",
        "n",
        "right",
        "wrong",
        "unreadable",
        "failed",
        "lost answers",
        "accuracy [95% CI]",
        "tokens/question",
        "token ratio",
        "tokens/right",
        "$/right",
        "Brier (n)",
        "ECE",
    ]);
    for arm in arms {
        let calibration = arm.calibration.as_ref();
        let numbers = |of: Option<String>| of.unwrap_or_else(|| "-".to_owned());
        table.rows.push(vec![
            arm.arm.name().to_owned(),
            arm.questions.to_string(),
            arm.right.to_string(),
            arm.wrong.to_string(),
            arm.unreadable.to_string(),
            arm.failed.to_string(),
            arm.lost.to_string(),
            with_limits(&arm.accuracy),
            format!("{:.0}", arm.tokens),
            numbers(arm.tokens_ratio.map(ratio)),
            numbers(arm.tokens_per_right.map(|it| format!("{:.0}", it.value))),
            numbers(arm.cost_per_right.map(|it| format!("{:.3}", it.value))),
            numbers(calibration.map(|it| format!("{:.3} ({})", it.brier.value, it.count))),
            numbers(calibration.map(|it| format!("{:.3}", it.expected_error))),
        ]);
    }
    table
}

/// Returns the table of the debates: flips and biases of the judge.
pub fn judging_table(arms: &[ArmReport]) -> ReportTable {
    let mut table = ReportTable::new([
        "debates",
        "judged twice",
        "flipped [95% CI]",
        "errors after a flip, more [95% CI]",
        "longer side wins [95% CI]",
        "first side wins [95% CI]",
    ]);
    let cell = |interval: Option<&Interval>| interval.map_or_else(|| "-".to_owned(), with_limits);
    for arm in arms
        .iter()
        .filter(|arm| arm.flips.is_some() || arm.wins.is_some())
    {
        let (flips, wins) = (arm.flips.as_ref(), arm.wins.as_ref());
        table.rows.push(vec![
            arm.arm.name().to_owned(),
            flips.map_or(0, |flips| flips.asked).to_string(),
            cell(flips.map(|flips| &flips.rate)),
            cell(flips.and_then(|flips| flips.predicts_error.as_ref())),
            cell(wins.map(|wins| &wins.longer)),
            cell(wins.map(|wins| &wins.first)),
        ]);
    }
    table
}

/// Returns the table of the pairs.
pub fn pairs_table(pairs: &[PairReport]) -> ReportTable {
    let mut table = ReportTable::new([
        "pair",
        "n",
        "accuracy",
        "only first",
        "only second",
        "difference [95% CI]",
        "McNemar p (exact)",
        "p (chi-squared)",
    ]);
    for pair in pairs {
        let name = match pair.first == pair.second {
            true => pair.first.name().to_owned(),
            false => format!("{} → {}", pair.first.name(), pair.second.name()),
        };
        let p = |p: Option<f64>| match p {
            Some(p) => format!("{p:.4}"),
            None => "not comparable".to_owned(),
        };
        table.rows.push(vec![
            name,
            pair.table.count().to_string(),
            format!("{:.2}, {:.2}", pair.first_accuracy, pair.second_accuracy),
            pair.table.only_first.to_string(),
            pair.table.only_second.to_string(),
            with_limits(&pair.difference),
            p(pair.exact_p),
            p(pair.chi_squared_p),
        ]);
    }
    table
}

/// Returns what to know about the tables.
pub(crate) fn notes(report: &Report) -> Vec<String> {
    let mut notes = Vec::new();
    if !report.complete {
        notes.push("Not every arm has answered every question yet.".to_owned());
    }
    let arms = report.arms.iter().map(|arm| arm.arm);
    if let Some(debate) = reference(arms) {
        let unequal = report.arms.iter().filter_map(|arm| {
            let of_debate = arm.tokens_ratio.filter(|it| !EQUAL_TOKENS.contains(it))?;
            Some(format!("{} {}", arm.arm.name(), ratio(of_debate)))
        });
        let unequal: Vec<_> = unequal.collect();
        if !unequal.is_empty() {
            notes.push(format!(
                "Not at equal tokens: as a multiple of the tokens of `{}`, {}.",
                debate.name(),
                unequal.join(", ")
            ));
        }
    }
    if report.pairs.iter().any(|pair| !pair.comparable) {
        notes.push(
            "Not comparable: `evidence` has read a passage that the other arm has not.".to_owned(),
        );
    }
    let pairs = report.pairs.iter().filter(|pair| pair.comparable).count();
    if pairs > 1 {
        notes.push(format!(
            "There are {pairs} pairs: compare p with {:.4} (0.05 / {pairs}, Bonferroni).",
            0.05 / crate::stats::float(pairs)
        ));
    }
    notes.extend(power_lines(&report.power));
    notes
}

/// Returns what a number of questions can show, in sentences.
pub fn power_lines(power: &Power) -> Vec<String> {
    let percent = |share: f64| format!("{:.0}", share * 100.0);
    let found = match power.smallest {
        Some(smallest) => format!(
            "{} questions show a difference of {:.1} points in four of five trials",
            power.questions,
            smallest * 100.0
        ),
        None => format!(
            "{} questions are too few to show any difference",
            power.questions
        ),
    };
    let needed: Vec<_> = power
        .needed
        .iter()
        .map(|it| format!("{} for {} points", it.questions, percent(it.difference)))
        .collect();
    vec![
        format!(
            "{found}, if two arms differ on {}% of the questions.",
            percent(power.discordant)
        ),
        format!("Needed: {}.", needed.join(", ")),
    ]
}

/// Returns the comparison of two trials: a table of the arms, and the drift.
pub fn render_comparison(comparison: &Comparison, form: TableForm) -> String {
    let mut text = format!("{} questions in both trials\n\n", comparison.questions);
    text.push_str(&pairs_table(&comparison.arms).render(form));
    let mut table = ReportTable::new([
        "anchors, debated again",
        "n",
        "answers changed [95% CI]",
        "McNemar p (exact)",
    ]);
    for (arm, drift) in &comparison.drift {
        table.rows.push(vec![
            arm.clone(),
            drift.anchors.to_string(),
            with_limits(&drift.changed),
            format!("{:.4}", drift.p),
        ]);
    }
    if !table.rows.is_empty() {
        text.push('\n');
        text.push_str(&table.render(form));
    }
    text
}

/// Returns a multiple of the tokens of a debate, such as `1.02`; a small one has more digits.
fn ratio(ratio: f64) -> String {
    match ratio < 0.1 {
        true => format!("{ratio:.3}"),
        false => format!("{ratio:.2}"),
    }
}

/// Returns a share with its limits, such as `0.62 [0.55, 0.69]`.
pub fn with_limits(interval: &Interval) -> String {
    let Interval { value, low, high } = interval;
    format!("{value:.2} [{low:.2}, {high:.2}]")
}

#[cfg(test)]
mod tests;
