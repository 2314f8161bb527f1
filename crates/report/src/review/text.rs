//! A review on a screen.

use agon_verdict::review::ReviewDoc;

use super::{one_line, review_headline, standing_in_words};
use crate::text::plain_line;

/// Returns the review as lines for a screen, without styles.
pub fn review_text(doc: &ReviewDoc) -> String {
    let mut out = format!("{}\n", plain_line(&review_headline(doc)));
    for text in [&doc.answer, &doc.headline].into_iter().flatten() {
        put!(out, "{}\n", plain_line(&one_line(text)));
    }
    for defect in &doc.defects {
        let place = defect
            .places
            .first()
            .map(ToString::to_string)
            .unwrap_or_default();
        put!(
            out,
            "\n{}  {}  {}\n",
            defect.severity.name(),
            plain_line(&place),
            plain_line(&one_line(&defect.title))
        );
        put!(out, "  {}\n", plain_line(&one_line(&defect.text)));
        put!(
            out,
            "  {}: {}, {}\n",
            defect.id,
            plain_line(&defect.reported_by),
            standing_in_words(defect)
        );
    }
    let lists = [
        ("left out", doc.left_out.len()),
        (
            "objections that no tool called a defect",
            doc.open_points.len(),
        ),
        ("open questions", doc.open.len()),
    ];
    let counts = lists.into_iter().filter(|(_, count)| *count > 0);
    let counts: Vec<_> = counts
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    if !counts.is_empty() {
        put!(out, "\nalso: {}\n", counts.join(", "));
    }
    for path in &doc.not_read {
        put!(out, "not read: {}\n", plain_line(path));
    }
    if !doc.debate.is_empty() {
        put!(out, "the debate: agon show {}\n", doc.debate);
    }
    out
}
