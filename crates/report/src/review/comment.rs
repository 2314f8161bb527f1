//! A review as one comment on a pull request.

use agon_verdict::review::{AttemptKind, Defect, LeftOutReason, ReviewDoc};

use super::{one_line, review_headline, standing_in_words};
use crate::markdown::escape_inline;

/// The first line of every comment, by which the last one is found and replaced.
const MARK: &str = "<!-- agon review -->";
/// Maximum number of defects that are shown in full.
const MAX_DEFECTS: usize = 25;
/// Maximum number of entries of every other list.
const MAX_ENTRIES: usize = 20;

/// Returns the review as a comment: the result first, then every defect with what was tried against
/// it, then what stayed open, assumed or unread.
pub fn review_md(doc: &ReviewDoc) -> String {
    let mut out = format!(
        "{MARK}\n### {}\n",
        escape_inline(&one_line(&review_headline(doc)))
    );
    for text in [&doc.answer, &doc.headline].into_iter().flatten() {
        put!(out, "\n{}\n", escape_inline(&one_line(text)));
    }
    for defect in doc.defects.iter().take(MAX_DEFECTS) {
        out.push_str(&defect_md(defect));
    }
    if doc.defects.len() > MAX_DEFECTS {
        let more = doc.defects.len() - MAX_DEFECTS;
        put!(out, "\n… and {more} more: `agon review --format json`\n");
    }
    let open = doc.open_points.iter().map(|point| {
        let place = point.places.first().map(|place| format!(" ({place})"));
        format!(
            "{}: {}{}",
            point.by,
            one_line(&point.text),
            place.unwrap_or_default()
        )
    });
    list(
        &mut out,
        "Objections that stand, and that no tool called a defect",
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
    let not_read = doc
        .not_read
        .iter()
        .map(|path| path.escape_default().to_string());
    list(&mut out, "Changed files that were not read", not_read);
    let left_out = doc
        .left_out
        .iter()
        .map(|one| format!("{} ({})", one_line(&one.title), one.reason.in_words()));
    list(&mut out, &left_out_title(doc), left_out);
    put!(
        out,
        "\n<sub>{} of {} changed files, {} to {}; debate {}, recorded by agon</sub>\n",
        doc.files,
        doc.files + doc.not_read.len(),
        short(&doc.since),
        short(&doc.commit),
        escape_inline(&doc.debate),
    );
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
        let fault = tried
            .citation_fault
            .as_ref()
            .map(|fault| format!(" ({fault})"));
        put!(
            out,
            "- {kind}, {}: {}{}\n",
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
    let is_refuted = |reason| reason != LeftOutReason::Withdrawn;
    let refuted = doc
        .left_out
        .iter()
        .filter(|one| is_refuted(one.reason))
        .count();
    format!(
        "Reports left out: {refuted} that code could not verify, {} withdrawn",
        doc.left_out.len() - refuted
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
