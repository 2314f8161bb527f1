//! The findings that a model proposes, as it writes them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Pattern;

/// The most findings that are read of one answer.
const MAX_FINDINGS: usize = 40;
/// The most pieces of evidence of a finding.
const MAX_EVIDENCE: usize = 8;
/// Bytes of a quotation; a longer one is not a quotation of a line.
const MAX_QUOTE_BYTES: usize = 2_000;
/// Bytes of a subject, or of the sentence that says why.
const MAX_WORDS_BYTES: usize = 600;

/// A finding as a model proposes it; nothing of it is known to be so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedFinding {
    /// The way in which the context went bad.
    pub pattern: Pattern,
    /// Lines and quotations.
    pub evidence: Vec<ProposedEvidence>,
    /// The words that tie the evidence together.
    #[serde(default)]
    pub subject: String,
    /// Why it is one, in a sentence.
    #[serde(default)]
    pub why: String,
    /// What to do, in the model's words.
    #[serde(default)]
    pub cure: String,
}

/// A line and words of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedEvidence {
    /// The line's number.
    pub line: u32,
    /// What it shows.
    pub role: ProposedRole,
    /// Words of the line.
    pub quote: String,
}

/// What a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposedRole {
    /// A call that failed.
    Failed,
    /// Something that shows how it is.
    Shown,
    /// What the model or a summary says against it.
    Claim,
    /// What the user wants to be always so.
    Rule,
    /// A call, or words of the model.
    Act,
    /// One side of a contradiction.
    One,
    /// Its other side.
    Other,
    /// What the user asked for, or called off.
    Request,
    /// A large text that was loaded.
    Load,
    /// Later words that do without it.
    Answer,
}

/// The findings of an answer, and how many of its entries are not findings in the form that was asked
/// for. `None` if the answer has no list of findings at all.
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

/// The list of an answer, which may have prose or a fence around it.
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
