//! A review as one comment on a pull request.

use agon_verdict::review::{AttemptKind, Defect, LeftOutReason, ReviewDoc};

use super::{one_line, review_headline, standing_in_words};
use crate::markdown::escape_inline;

/// The first line of every comment, by which the last one is found and replaced.
const MARK: &str = "<!-- agon review -->";
// A code host accepts 65,536 characters.
/// Maximum length of a comment in characters.
const MAX_CHARS: usize = 60_000;
/// Maximum number of defects that are shown in full.
const MAX_DEFECTS: usize = 25;
/// Maximum number of entries of every other list.
const MAX_ENTRIES: usize = 20;

/// Returns the review as a comment: the result first, then every defect with what was tried against
/// it, then what stayed open, assumed or unread. At most 60,000 characters.
pub fn review_md(doc: &ReviewDoc) -> String {
    let mut shown = doc.defects.len().min(MAX_DEFECTS);
    loop {
        let text = quiet(&render(doc, shown));
        if shown == 0 || text.chars().count() <= MAX_CHARS {
            return text;
        }
        shown /= 2;
    }
}

fn render(doc: &ReviewDoc, shown: usize) -> String {
    let heading = escape_inline(&one_line(&review_headline(doc)));
    let mut out = format!("{MARK}\n### {heading}\n");
    for text in [&doc.answer, &doc.headline].into_iter().flatten() {
        put!(out, "\n{}\n", escape_inline(&one_line(text)));
    }
    for defect in doc.defects.iter().take(shown) {
        out.push_str(&defect_md(defect));
    }
    if doc.defects.len() > shown {
        let more = doc.defects.len() - shown;
        put!(out, "\n… and {more} more defects\n");
    }
    let open = doc.open_points.iter().map(|point| {
        let place = point.places.first().map(|place| format!(" ({place})"));
        let severity = point
            .severity
            .map(|severity| format!("{} · ", severity.name()));
        format!(
            "{}{}: {}{}",
            severity.unwrap_or_default(),
            point.by,
            one_line(&point.text),
            place.unwrap_or_default()
        )
    });
    list(
        &mut out,
        "Points that stand and are not marked as a defect",
        open,
    );
    list(
        &mut out,
        "Open questions",
        doc.open.iter().map(|text| one_line(text)),
    );
    list(
        &mut out,
        "Assumed by both sides",
        doc.assumed.iter().map(|text| one_line(text)),
    );
    let not_read = doc.not_read.iter().map(|path| one_line(path));
    list(&mut out, "Changed files that were not read", not_read);
    let left_out = doc
        .left_out
        .iter()
        .map(|one| format!("{} ({})", one_line(&one.title), one.reason.in_words()));
    list(&mut out, &left_out_title(doc), left_out);
    let change = format!("{} to {}", short(&doc.since), short(&doc.commit));
    if doc.debate.is_empty() {
        put!(out, "\n<sub>{change}; nothing was debated</sub>\n");
    } else {
        put!(
            out,
            "\n<sub>{} of {} changed files, {change}; debate {}, recorded by agon</sub>\n",
            doc.files,
            doc.files + doc.not_read.len(),
            escape_inline(&doc.debate),
        );
    }
    out
}

/// Breaks mentions of people and references to issues, which would notify others.
fn quiet(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        out.push(c);
        let next = chars.peek().copied().unwrap_or(' ');
        if c == '@' && next.is_alphanumeric() || c == '#' && next.is_ascii_digit() {
            // A word joiner, which is invisible.
            out.push('\u{2060}');
        }
    }
    out
}

fn defect_md(defect: &Defect) -> String {
    let mut out = format!(
        "\n**{} · {}**\n\n",
        defect.severity.name(),
        escape_inline(&one_line(&defect.title))
    );
    let places: Vec<_> = defect
        .places
        .iter()
        .map(|place| escape_inline(&place.to_string()))
        .collect();
    put!(out, "{}\n\n", escape_inline(&one_line(&defect.text)));
    put!(out, "- Place: {}\n", places.join(", "));
    if !defect.is_in_change {
        put!(out, "- This file is not part of the change.\n");
    }
    put!(
        out,
        "- Reported by {}, {}\n",
        escape_inline(&defect.reported_by),
        escape_inline(&standing_in_words(defect))
    );
    for tried in &defect.tried {
        let kind = match tried.kind {
            AttemptKind::Denied => "Against it",
            AttemptKind::Outweighed => "Said to matter less",
        };
        let end = match tried.is_withdrawn {
            true => " (withdrawn)",
            false => "",
        };
        let fault = tried
            .citation_fault
            .as_ref()
            .map(|fault| format!(" ({fault})"));
        put!(
            out,
            "- {kind}, {}: {}{}{end}\n",
            escape_inline(&tried.by),
            escape_inline(&one_line(&tried.text)),
            fault.unwrap_or_default()
        );
        if let Some(reply) = &tried.reply {
            put!(out, "  - Reply: {}\n", escape_inline(&one_line(reply)));
        }
    }
    out
}

fn left_out_title(doc: &ReviewDoc) -> String {
    let is_unverified = |reason| reason != LeftOutReason::Withdrawn;
    let unverified = doc
        .left_out
        .iter()
        .filter(|one| is_unverified(one.reason))
        .count();
    format!(
        "Reports left out: {unverified} that code could not verify, {} withdrawn",
        doc.left_out.len() - unverified
    )
}

/// Appends a collapsed list, unless it is empty.
fn list(out: &mut String, title: &str, entries: impl Iterator<Item = String>) {
    let entries: Vec<_> = entries.collect();
    if entries.is_empty() {
        return;
    }
    put!(
        out,
        "\n<details><summary>{}</summary>\n\n",
        escape_inline(title)
    );
    for entry in entries.iter().take(MAX_ENTRIES) {
        put!(out, "- {}\n", escape_inline(entry));
    }
    if entries.len() > MAX_ENTRIES {
        put!(out, "- … and {} more\n", entries.len() - MAX_ENTRIES);
    }
    put!(out, "\n</details>\n");
}

fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

#[cfg(test)]
mod tests {
    use agon_verdict::review::{CodeLines, DefectSeverity, DefectStanding};

    use super::*;

    fn document(defects: usize, text: &str) -> ReviewDoc {
        let defect = Defect {
            id: "pro_001a".parse().unwrap(),
            severity: DefectSeverity::Major,
            title: text.to_owned(),
            text: text.to_owned(),
            reported_by: "claude".to_owned(),
            places: vec![
                CodeLines {
                    file: text.to_owned(),
                    start_line: 1,
                    end_line: 1,
                    is_removed: false,
                };
                3
            ],
            is_in_change: true,
            standing: DefectStanding::Unanswered,
            confirmed: None,
            tried: Vec::new(),
            is_decisive: false,
        };
        ReviewDoc {
            defects: vec![defect; defects],
            not_read: vec![text.to_owned(); 500],
            open: vec![text.to_owned(); 500],
            debate: "d".to_owned(),
            ..ReviewDoc::default()
        }
    }

    #[test]
    fn the_largest_review_fits_into_a_comment() {
        let comment = review_md(&document(500, &"<*_[x](y)".repeat(500)));
        assert!(
            comment.chars().count() <= MAX_CHARS,
            "{}",
            comment.chars().count()
        );
        assert!(comment.contains("more defects"));
    }

    #[test]
    fn nobody_is_notified_and_no_issue_is_linked() {
        let comment = review_md(&document(1, "ask @octo-org/security about #12"));
        assert!(
            !comment.contains("@octo") && !comment.contains("#12"),
            "{comment}"
        );
    }

    #[test]
    fn a_failed_review_never_says_that_nothing_was_found() {
        let failed = ReviewDoc {
            failure: Some("no judge".to_owned()),
            ..ReviewDoc::default()
        };
        let comment = review_md(&failed);
        assert!(comment.contains("### Not reviewed: no judge"), "{comment}");
        assert!(!comment.contains("No defect"), "{comment}");
        let doubtful = ReviewDoc {
            answer: Some("No, a shell runs the name".to_owned()),
            authority: Some(agon_record::authority::Authority::Full),
            ..ReviewDoc::default()
        };
        assert!(review_md(&doubtful).contains("but the verdict is no"));
    }
}
