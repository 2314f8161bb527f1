//! The result of a check in one line.

use agon_folder::CheckReport;
use agon_record::finding::Finding;
use agon_record::format::Judging;
use agon_report::text::count_with_noun;

/// Returns the number of points; for a formal debate also whether the totals match the scores.
fn describe_points(report: &CheckReport, agree: bool) -> String {
    let points = report.state.nodes().len() as u64;
    if report.state.format_rules().judging == Judging::AtTheEnd {
        return count_with_noun(points, "point");
    }
    let arguments = count_with_noun(points, "argument");
    if agree {
        format!("{arguments}, totals agree")
    } else {
        arguments
    }
}

/// Returns the result of a check in one line.
pub(super) fn summary(
    report: &CheckReport,
    findings: &[Finding],
    errors: usize,
    warnings: usize,
    agree: bool,
) -> String {
    let count = |count: usize, one: &str| count_with_noun(count as u64, one);
    let mut codes: Vec<_> = findings
        .iter()
        .map(|finding| finding.code.as_str())
        .collect();
    codes.sort_unstable();
    codes.dedup();
    let rules = match codes.len() {
        0 => String::new(),
        some => format!(" ({})", count(some, "rule")),
    };
    let lines = count_with_noun(report.counts.lines, "line");
    let journal = match (report.foreign, report.problems.is_empty()) {
        (true, _) => "written by another tool".to_owned(),
        (false, true) if report.state.imported_files().is_empty() => {
            format!("journal intact ({lines})")
        }
        (false, true) => format!("imported from another tool, journal intact ({lines})"),
        (false, false) => format!("journal not intact ({lines})"),
    };
    let mut parts = vec![
        format!(
            "{}, {}{rules}",
            count(errors, "error"),
            count(warnings, "warning")
        ),
        describe_points(report, agree),
        journal,
    ];
    let earlier = report.counts.earlier;
    match report.files.len() {
        0 if earlier > 0 => parts.push(format!(
            "all files unchanged, {earlier} of them written by an earlier version of Agon"
        )),
        0 => parts.push("all files unchanged".to_owned()),
        some => parts.push(format!("{} changed", count(some, "file"))),
    }
    if let Some(code) = codes.first() {
        parts.push(format!("explain: agon rules explain {code}"));
    }
    parts.join(" · ")
}
