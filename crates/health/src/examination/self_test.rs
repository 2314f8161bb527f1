//! Tests a model on sessions included in Agon, half with planted findings and half healthy.

use std::collections::BTreeMap;

use agon_caller::{Code, Failure, system};
use agon_prompt::examine_prompt;
use agon_sessions::{
    CondensedSession, Entry, ExaminedFinding, Location, PartSize, WrittenSession, read_answer,
};
use agon_wording::Wording;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::examined_doc::DroppedFindingsDoc;
use super::super::words::pattern_word;
use super::merge::Merged;
use super::{Examiner, ExaminerAnswer, ExaminerName, no_list_failure};

/// The sessions, one per line.
const SESSIONS: &str = include_str!("../../../../content/context/examiner.jsonl");

/// The name and version of the document.
pub const SELF_TEST_SCHEMA: &str = "agon.examiner_test/1";

/// A model's accuracy on the sessions included in Agon.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ExaminerTestDoc {
    #[schemars(extend("const" = SELF_TEST_SCHEMA))]
    schema: &'static str,
    /// The tool.
    pub tool: String,
    /// Its model; null for the tool's default.
    pub model: Option<String>,
    /// Number of sessions with a planted finding.
    pub planted: usize,
    /// Number of healthy sessions.
    pub healthy: usize,
    /// Number of planted findings found and verified.
    pub found: usize,
    /// Number of verified findings that were not planted.
    pub wrong: usize,
    /// Number of healthy sessions with a verified finding.
    pub alarms: usize,
    /// The share of verified findings that were planted; null if none was verified.
    pub precision: Option<IntervalDoc>,
    /// The share of planted findings that were found.
    pub recall: IntervalDoc,
    /// The planted findings, by pattern.
    pub patterns: Vec<TestedPatternDoc>,
    /// Number of findings that the model proposed.
    pub proposed: usize,
    /// Proposed findings that Agon could not verify, by reason.
    pub dropped: Vec<DroppedFindingsDoc>,
    /// Number of parts that the model was asked about.
    pub asked: usize,
    /// Number of parts without a usable answer.
    pub failed: usize,
    /// Why there was no usable answer, the most frequent reason first.
    pub failures: Vec<FailedPartsDoc>,
    /// Tokens used by the calls that were answered.
    pub tokens: u64,
}

/// A share with its 95% interval (Wilson).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct IntervalDoc {
    /// The share, from 0 to 1.
    pub share: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// Parts that had no usable answer for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FailedPartsDoc {
    /// The reason in a sentence.
    pub why: String,
    /// Number of parts.
    pub count: usize,
}

/// The planted findings of one pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TestedPatternDoc {
    /// The pattern.
    pub pattern: String,
    /// Number planted.
    pub planted: usize,
    /// Number found.
    pub found: usize,
}

impl IntervalDoc {
    /// Returns the share of `hits` in `all` with its interval, which is 0 to 1 if `all` is 0.
    pub fn wilson(hits: usize, all: usize) -> Self {
        // The normal quantile for 95%.
        const Z: f64 = 1.96;
        #[expect(clippy::cast_precision_loss, reason = "counts of a few dozen")]
        let (hits, n) = (hits as f64, all as f64);
        if all == 0 {
            return Self {
                share: 0.0,
                low: 0.0,
                high: 1.0,
            };
        }
        let share = hits / n;
        let scale = 1.0 + Z * Z / n;
        let middle = (share + Z * Z / (2.0 * n)) / scale;
        let half = Z / scale * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        let round = |it: f64| (it.clamp(0.0, 1.0) * 1_000.0).round() / 1_000.0;
        Self {
            share: round(share),
            low: round(middle - half),
            high: round(middle + half),
        }
    }
}

struct TestSession {
    written: WrittenSession,
    entries: Vec<Entry>,
}

/// The sessions included in Agon, with their prompts.
pub struct SelfTest {
    sessions: Vec<TestSession>,
    /// The prompts, each with the index of its session.
    prompts: Vec<(usize, Wording)>,
}

impl SelfTest {
    /// Prepares the sessions in parts of this size.
    ///
    /// # Errors
    ///
    /// If the system has no random bytes for the prompts' fences.
    pub fn new(size: PartSize) -> Result<Self, Failure> {
        let mut sessions = Vec::new();
        let mut prompts = Vec::new();
        for line in SESSIONS.lines().filter(|it| !it.trim().is_empty()) {
            let bug =
                |error: agon_sessions::WrittenSessionError| Failure::from_error(Code::Bug, &error);
            let written = WrittenSession::read(line).map_err(bug)?;
            let entries = written.entries().map_err(bug)?;
            for part in CondensedSession::of(&entries).parts(size) {
                prompts.push((
                    sessions.len(),
                    examine_prompt(&system::new_salt()?, &part.text),
                ));
            }
            sessions.push(TestSession { written, entries });
        }
        Ok(Self { sessions, prompts })
    }

    /// Returns the number of calls.
    pub fn calls(&self) -> usize {
        self.prompts.len()
    }

    /// Returns the tokens of the prompts.
    pub fn tokens(&self) -> u64 {
        let tokens = self.prompts.iter();
        tokens
            .map(|(_, prompt)| agon_tokens::count_tokens(prompt) as u64)
            .sum()
    }

    /// Asks about every session and scores the findings.
    ///
    /// # Errors
    ///
    /// If no prompt was answered, or the test was cancelled.
    pub async fn run(
        self,
        name: &ExaminerName,
        examiner: &mut dyn Examiner,
    ) -> Result<ExaminerTestDoc, Failure> {
        let prompts: Vec<Wording> = self.prompts.iter().map(|it| it.1.clone()).collect();
        let mut answers: Vec<Option<ExaminerAnswer>> = vec![None; prompts.len()];
        let mut failures = Vec::new();
        let mut hear = |at: usize, answer: Result<ExaminerAnswer, Failure>| match answer {
            Ok(answer) => {
                if let Some(place) = answers.get_mut(at) {
                    *place = Some(answer);
                }
            }
            Err(failure) => failures.push(failure),
        };
        examiner.ask(&prompts, &mut hear).await;
        if let Some(at) = failures.iter().position(|it| it.code == Code::Cancelled) {
            return Err(failures.swap_remove(at));
        }
        if answers.iter().all(Option::is_none) && !failures.is_empty() {
            return Err(failures.swap_remove(0));
        }
        Ok(self.score(name, &answers, &failures))
    }

    fn score(
        &self,
        name: &ExaminerName,
        answers: &[Option<ExaminerAnswer>],
        failures: &[Failure],
    ) -> ExaminerTestDoc {
        let mut of_session: Vec<Merged> = self.sessions.iter().map(|_| Merged::default()).collect();
        let mut failed = 0;
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        for failure in failures {
            *reasons.entry(failure.message.clone()).or_default() += 1;
        }
        for ((at, _), answer) in self.prompts.iter().zip(answers) {
            let read = answer.as_ref().and_then(|it| read_answer(&it.text));
            let (Some((proposed, unreadable)), Some(session), Some(merged)) =
                (read, self.sessions.get(*at), of_session.get_mut(*at))
            else {
                failed += 1;
                if answer.is_some() {
                    *reasons.entry(no_list_failure().message).or_default() += 1;
                }
                continue;
            };
            merged.add(
                &CondensedSession::of(&session.entries),
                (&proposed, unreadable),
            );
        }
        let mut patterns: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        let mut dropped: BTreeMap<_, usize> = BTreeMap::new();
        let (mut found, mut right, mut wrong, mut alarms, mut proposed) = (0, 0, 0, 0, 0);
        for (session, merged) in self.sessions.iter().zip(&of_session) {
            let is_right = |it: &&ExaminedFinding| is_planted(&session.written, it);
            let of_plant = merged.findings.iter().filter(is_right).count();
            right += of_plant;
            wrong += merged.findings.len() - of_plant;
            proposed += merged.proposed();
            for (reason, count) in &merged.dropped {
                *dropped.entry(*reason).or_default() += count;
            }
            match &session.written.planted {
                Some(pattern) => {
                    let count = patterns.entry(pattern.clone()).or_default();
                    count.0 += 1;
                    count.1 += usize::from(of_plant > 0);
                    found += usize::from(of_plant > 0);
                }
                None => alarms += usize::from(!merged.findings.is_empty()),
            }
        }
        let planted = patterns.values().map(|it| it.0).sum();
        ExaminerTestDoc {
            schema: SELF_TEST_SCHEMA,
            tool: name.tool.clone(),
            model: name.model.clone(),
            planted,
            healthy: self.sessions.len() - planted,
            found,
            wrong,
            alarms,
            precision: (right + wrong > 0).then(|| IntervalDoc::wilson(right, right + wrong)),
            recall: IntervalDoc::wilson(found, planted),
            patterns: patterns
                .into_iter()
                .map(|(pattern, (planted, found))| TestedPatternDoc {
                    pattern,
                    planted,
                    found,
                })
                .collect(),
            proposed,
            dropped: dropped
                .into_iter()
                .map(
                    |(reason, count): (agon_sessions::DropReason, usize)| DroppedFindingsDoc {
                        reason: reason.as_str(),
                        words: reason.sentence(),
                        count,
                    },
                )
                .collect(),
            asked: self.prompts.len(),
            failed,
            failures: failed_parts(reasons),
            tokens: answers.iter().flatten().map(|it| it.tokens).sum(),
        }
    }
}

fn failed_parts(reasons: BTreeMap<String, usize>) -> Vec<FailedPartsDoc> {
    let mut failures: Vec<_> = reasons
        .into_iter()
        .map(|(why, count)| FailedPartsDoc { why, count })
        .collect();
    failures.sort_by_key(|it| std::cmp::Reverse(it.count));
    failures
}

/// Returns whether a finding is the planted one, by its pattern and event.
fn is_planted(session: &WrittenSession, finding: &ExaminedFinding) -> bool {
    let is_of_pattern = session.planted.as_deref() == Some(pattern_word(finding.pattern));
    let events = finding.evidence.iter().filter_map(|it| match it.location {
        Location::Line { line, .. } => usize::try_from(line.saturating_sub(1)).ok(),
        Location::Row { .. } => None,
    });
    is_of_pattern && events.into_iter().any(|it| session.place.contains(&it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_that_of_wilson() {
        let interval = IntervalDoc::wilson(9, 12);
        assert_eq!(
            (interval.share, interval.low, interval.high),
            (0.75, 0.468, 0.911)
        );
        let none = IntervalDoc::wilson(0, 12);
        assert_eq!((none.low, none.high), (0.0, 0.243));
        assert_eq!(IntervalDoc::wilson(0, 0).high, 1.0);
    }
}
