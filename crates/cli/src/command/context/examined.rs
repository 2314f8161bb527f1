//! Prints a model's examination of a session.

use agon_health::{ExaminedDoc, ExaminedFindingDoc};
use agon_report::text::{abbreviate_count, count_with_noun, plain_line, truncate_to_width};

use super::state::state_style;
use crate::output::{DIM, apply_style};

/// Columns of a line's label.
const LABEL: usize = 11;
/// Most findings shown.
const SHOWN_FINDINGS: usize = 8;

/// Returns a summary line, and each verified finding with its evidence.
pub(super) fn format_examination(examined: &ExaminedDoc, width: usize) -> Vec<String> {
    let by = match &examined.model {
        Some(model) => format!("{} ({model})", examined.tool),
        None => examined.tool.clone(),
    };
    let dropped: usize = examined.dropped.iter().map(|it| it.count).sum();
    let failed = match examined.failed {
        0 => String::new(),
        failed => format!(
            "; {} without a usable answer",
            count_with_noun(failed as u64, "part")
        ),
    };
    let head = format!(
        "by {}: {} verified, {dropped} dropped; {} tokens{failed}",
        plain_line(&by),
        count_with_noun(examined.count as u64, "finding"),
        abbreviate_count(examined.tokens)
    );
    let mut lines = vec![format!("Examined   {head}")];
    for finding in examined.findings.iter().take(SHOWN_FINDINGS) {
        lines.extend(finding_lines(finding, width));
    }
    let rest = examined.count.saturating_sub(SHOWN_FINDINGS);
    if rest > 0 {
        lines.push(format!("{:LABEL$}and {rest} more, see --json", ""));
    }
    lines
}

fn finding_lines(finding: &ExaminedFindingDoc, width: usize) -> Vec<String> {
    let room = width.saturating_sub(LABEL);
    let state = finding.severity.as_str();
    let past = match finding.is_current {
        true => "",
        false => ", no longer in the context",
    };
    let head = format!(
        "{}{past}: {}",
        finding.pattern.replace('_', " "),
        plain_line(&finding.why)
    );
    let state = apply_style(
        state_style(finding.severity),
        &format!("{state:<pad$}", pad = LABEL - 2),
    );
    let mut lines = vec![format!("  {state}{}", truncate_to_width(&head, room))];
    for line in &finding.evidence {
        let words = format!(
            "{}, turn {} ({}): “{}”",
            line.role,
            line.turn,
            plain_line(&line.place),
            plain_line(&line.words)
        );
        let words = truncate_to_width(&words, room);
        lines.push(apply_style(DIM, &format!("{:LABEL$}{words}", "")));
    }
    let cure = format!(
        "cure: {}; verified: {} checks",
        finding.cure,
        finding.verified.len()
    );
    lines.push(apply_style(DIM, &format!("{:LABEL$}{cure}", "")));
    lines
}
