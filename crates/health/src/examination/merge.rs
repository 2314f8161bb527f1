//! Merges the findings of all parts without duplicates.

use std::collections::BTreeMap;

use agon_sessions::{CondensedSession, DropReason, ExaminedFinding};

use super::super::examined_doc::{DroppedFindingsDoc, ExaminedDoc};
use super::document::describe_finding;
use super::{ExaminerName, Proposals};

/// Most verified findings in the document.
const MAX_FINDINGS: usize = 40;

/// The verified and dropped proposals of all parts.
#[derive(Debug, Default)]
pub(super) struct Merged {
    pub(super) findings: Vec<ExaminedFinding>,
    pub(super) dropped: BTreeMap<DropReason, usize>,
    proposed: usize,
}

impl Merged {
    /// Verifies the proposals for one part. A finding from two overlapping parts is added once.
    pub(super) fn add(
        &mut self,
        session: &CondensedSession<'_>,
        (proposed, unreadable): Proposals<'_>,
    ) {
        self.proposed += proposed.len() + unreadable;
        if unreadable > 0 {
            *self.dropped.entry(DropReason::Unreadable).or_default() += unreadable;
        }
        for finding in proposed {
            match session.verify(finding) {
                Ok(finding) if self.findings.iter().any(|it| is_same(it, &finding)) => {
                    self.proposed -= 1;
                }
                Ok(finding) => self.findings.push(finding),
                Err(reason) => *self.dropped.entry(reason).or_default() += 1,
            }
        }
    }

    /// Returns the number of distinct proposed findings.
    pub(super) fn proposed(&self) -> usize {
        self.proposed
    }

    pub(super) fn document(mut self, examiner: &ExaminerName) -> ExaminedDoc {
        self.findings.sort_by_key(|it| {
            let first = it.evidence.first().map(|it| it.line);
            (!it.is_current, first)
        });
        let dropped = self
            .dropped
            .iter()
            .map(|(reason, count)| DroppedFindingsDoc {
                reason: reason.as_str(),
                words: reason.sentence(),
                count: *count,
            });
        ExaminedDoc {
            tool: examiner.tool.clone(),
            model: examiner.model.clone(),
            parts: 0,
            asked: 0,
            from_before: 0,
            failed: 0,
            tokens: 0,
            proposed: self.proposed,
            dropped: dropped.collect(),
            count: self.findings.len(),
            findings: self
                .findings
                .iter()
                .take(MAX_FINDINGS)
                .map(describe_finding)
                .collect(),
        }
    }
}

/// Returns whether two findings have the same pattern and lines.
fn is_same(one: &ExaminedFinding, other: &ExaminedFinding) -> bool {
    let lines = |it: &ExaminedFinding| it.evidence.iter().map(|it| it.line).collect::<Vec<_>>();
    one.pattern == other.pattern && lines(one) == lines(other)
}
