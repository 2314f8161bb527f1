//! Locates findings in the folder's files.

use agon_folder::published_files;
use agon_record::finding::Finding;
use agon_record::state::State;
use agon_report::finding_point_index;
use serde_json::Value;

/// Adds to each finding the file of its point, and the position in it if known.
pub(super) fn locate(state: &State, findings: &mut [Finding]) {
    if findings.iter().all(|finding| finding.path.is_some()) {
        return;
    }
    let files = published_files(state);
    for finding in findings.iter_mut().filter(|finding| finding.path.is_none()) {
        let Some(path) = finding_file(state, finding) else {
            continue;
        };
        let bytes = files.iter().find(|(name, _)| name.to_string() == path);
        let text = bytes.and_then(|(_, bytes)| std::str::from_utf8(bytes).ok());
        let fault = text.zip(faulty_text(state, finding));
        finding.span = fault.and_then(|(text, fault)| find_span(text, &fault));
        finding.path = Some(path);
    }
}

/// Returns the file of the point that the finding is about.
fn finding_file(state: &State, finding: &Finding) -> Option<String> {
    let admitted = state.admitted(finding.turn)?;
    let id = admitted.ids.get(finding_point_index(state, finding)?)?;
    Some(format!("arguments/{id}.md"))
}

/// Returns the text in the moves that the finding points at.
fn faulty_text(state: &State, finding: &Finding) -> Option<String> {
    let admitted = state.admitted(finding.turn)?;
    let moves = serde_json::to_value(&admitted.moves).ok()?;
    let pointer: String = finding
        .at
        .split(['.', '[', ']'])
        .filter(|part| !part.is_empty())
        .map(|part| format!("/{part}"))
        .collect();
    match moves.pointer(&pointer)? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        // A ground is an object; of its fields, the content appears in the file.
        Value::Object(fields) if finding.at.ends_with(']') => {
            Some(fields.get("content")?.as_str()?.to_owned())
        }
        _ => None,
    }
}

/// Returns line, column and length of the first `fault` within one line of `text`, 1-based, in
/// characters.
fn find_span(text: &str, fault: &str) -> Option<[u32; 3]> {
    let mut found = text.lines().enumerate().filter_map(|(line, content)| {
        let at = content.find(fault)?;
        Some((line, content[..at].chars().count()))
    });
    let (line, column) = found.next()?;
    let number = |count: usize| u32::try_from(count).ok();
    Some([
        number(line + 1)?,
        number(column + 1)?,
        number(fault.chars().count())?,
    ])
}
