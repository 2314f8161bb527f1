//! Parses the findings that a model proposes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Pattern;

/// Most findings read from one answer.
const MAX_FINDINGS: usize = 40;
/// Maximum number of pieces of evidence per finding.
const MAX_EVIDENCE: usize = 8;
/// Maximum size of a quotation, in bytes.
const MAX_QUOTE_BYTES: usize = 2_000;
/// Maximum size of a subject or a reason, in bytes.
const MAX_WORDS_BYTES: usize = 600;

/// A finding that a model proposes, before it is verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedFinding {
    /// Its pattern.
    pub pattern: Pattern,
    /// Its lines and quotations.
    pub evidence: Vec<ProposedEvidence>,
    /// The words that the evidence has in common.
    #[serde(default)]
    pub subject: String,
    /// The reason, in one sentence.
    #[serde(default)]
    pub why: String,
    /// The cure, in the model's words.
    #[serde(default)]
    pub cure: String,
}

/// A line and a quotation from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedEvidence {
    /// The line's number.
    pub line: u32,
    /// Its role.
    pub role: ProposedRole,
    /// The quotation.
    pub quote: String,
}

/// The role of a line in a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposedRole {
    /// A call that failed.
    Failed,
    /// A line that shows the facts.
    Shown,
    /// A statement of the model or a summary that contradicts the facts.
    Claim,
    /// A rule of the user.
    Rule,
    /// A call or statement of the model.
    Act,
    /// One side of a contradiction.
    One,
    /// Its other side.
    Other,
    /// The user's request, or its withdrawal.
    Request,
    /// A large loaded text.
    Load,
    /// A later answer that does not use it.
    Answer,
}

/// Returns the findings of an answer and the number of unreadable entries; `None` if the answer has
/// no list of findings.
pub fn read_answer(answer: &str) -> Option<(Vec<ProposedFinding>, usize)> {
    let list = find_list(answer)?;
    let mut unreadable = list.len().saturating_sub(MAX_FINDINGS);
    let mut findings = Vec::new();
    for value in list.into_iter().take(MAX_FINDINGS) {
        match serde_json::from_value::<ProposedFinding>(value) {
            Ok(finding) if is_in_bounds(&finding) => findings.push(finding),
            Ok(_) | Err(_) => unreadable += 1,
        }
    }
    Some((findings, unreadable))
}

fn is_in_bounds(finding: &ProposedFinding) -> bool {
    finding.evidence.len() <= MAX_EVIDENCE
        && finding
            .evidence
            .iter()
            .all(|it| it.quote.len() <= MAX_QUOTE_BYTES)
        && [&finding.subject, &finding.why, &finding.cure]
            .iter()
            .all(|it| it.len() <= MAX_WORDS_BYTES)
}

/// Returns the JSON list in an answer, which may be surrounded by prose or a code fence.
fn find_list(answer: &str) -> Option<Vec<Value>> {
    let starts = answer
        .char_indices()
        .filter(|(_, c)| matches!(c, '{' | '['))
        .map(|(at, _)| at);
    for start in starts.take(64) {
        let rest = answer.get(start..)?;
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(Value::Object(mut fields))) => {
                if let Some(Value::Array(list)) = fields.remove("findings") {
                    return Some(list);
                }
            }
            Some(Ok(Value::Array(list))) if list.iter().all(Value::is_object) => return Some(list),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_read_from_prose_and_fences_around_them() {
        let answer = "Here:\n```json\n{\"findings\": [{\"pattern\": \"clash\", \"evidence\": \
            [{\"line\": 2, \"role\": \"one\", \"quote\": \"a\"}]}, {\"pattern\": \"mood\"}]}\n```";
        let (findings, unreadable) = read_answer(answer).unwrap();
        assert_eq!((findings.len(), unreadable), (1, 1));
        assert_eq!(findings[0].evidence[0].role, ProposedRole::One);
    }

    #[test]
    fn an_answer_without_a_list_is_told_from_an_empty_list() {
        assert_eq!(read_answer("I see nothing wrong."), None);
        assert_eq!(read_answer("{\"findings\": []}"), Some((Vec::new(), 0)));
    }

    #[test]
    fn what_is_too_long_is_not_a_finding() {
        let quote = "x".repeat(MAX_QUOTE_BYTES + 1);
        let answer = format!(
            "[{{\"pattern\": \"clash\", \"evidence\": [{{\"line\": 1, \"role\": \"one\", \
             \"quote\": \"{quote}\"}}]}}]"
        );
        assert_eq!(read_answer(&answer), Some((Vec::new(), 1)));
    }
}
