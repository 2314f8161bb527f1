//! What came of a check, in a line.

use agon_folder::CheckReport;
use agon_record::finding::Finding;
use agon_record::format::Judging;
use agon_report::text::count_with_noun;

/// How many points there are; of a formal debate also whether its totals are those of its scores.
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

/// What came of a check, in a line.
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
        (true, _) => "kept by another tool".to_owned(),
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
            "every file as written, {earlier} of them by an earlier version of Agon"
        )),
        0 => parts.push("every file as written".to_owned()),
        some => parts.push(format!("{} not as written", count(some, "file"))),
    }
    if let Some(code) = codes.first() {
        parts.push(format!("explain: agon rules explain {code}"));
    }
    parts.join(" · ")
}
