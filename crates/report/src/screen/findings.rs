//! Findings with the places that they are about.

use agon_record::finding::Finding;
use agon_record::state::State;
use agon_verdict::render::render_findings;

use super::cited::citation_notes;

/// The findings of a debate as a compiler shows its own: each with its line, and for a citation
/// what stands at its place. Colours are part of the text.
///
/// `files` gives the text of a document in the debate's folder, where the line is to be shown.
pub fn findings_text(
    state: &State,
    findings: &[Finding],
    files: &dyn Fn(&str) -> Option<String>,
    width: usize,
) -> String {
    let more = |finding: &Finding| citation_notes(state, finding);
    render_findings(findings, files, &more, true, width)
}
