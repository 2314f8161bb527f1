//! Findings with the places they refer to.

use agon_record::finding::Finding;
use agon_record::state::State;
use agon_verdict::render::render_findings;

use super::citation_notes::citation_notes;

/// Renders findings as a compiler does: each with its source line, and for a citation with the
/// text at the cited place. The text contains colour codes.
///
/// `files` returns the text of a document in the debate's folder; without it no source line is
/// shown.
pub fn findings_text(
    state: &State,
    findings: &[Finding],
    files: &dyn Fn(&str) -> Option<String>,
    width: usize,
) -> String {
    let more = |finding: &Finding| citation_notes(state, finding);
    render_findings(findings, files, &more, true, width)
}
