//! The calls, one after the other.

use std::time::Instant;

use agon_agents::{AgentAnswer, AgentError};
use agon_calibration::{Cell, QuestionOutcome, build_prompt, score};
use agon_caller::{CallFront, Caller, Failure, FailureKind, system};
use agon_record::event::{CauseCode, Class, Usage};
use agon_seats::single_tool;

use super::ask::{MeasuredTool, redacted};
use super::document::CalibrationDoc;
use super::estimate::{Estimate, cost_of_call};
use super::plan::Calibration;
use super::record::{CallRecord, RecordFile};

/// Characters of an answer that are kept.
const KEPT_CHARS: usize = 4_000;

/// Hears how far a measurement is.
pub trait CalibrationFront: CallFront {
    /// A call is about to be made.
    fn call_started(&mut self, progress: &CallProgress);

    /// A call was made.
    fn call_finished(&mut self, progress: &CallProgress);
}

/// How far a measurement is.
#[derive(Clone, Debug, PartialEq)]
pub struct CallProgress {
    /// Calls that were made, also in earlier runs.
    pub done: usize,
    /// All calls.
    pub calls: usize,
    /// Tokens of the prompt, as planned.
    pub tokens: u64,
    /// The words of the question: `literal` or `paraphrased`.
    pub wording: &'static str,
    /// Whether there are facts that nearly are the ones asked for.
    pub distractors: bool,
    /// Of the questions, how many were answered with the value; none before the call and without an
    /// answer.
    pub found: Option<usize>,
    /// Questions.
    pub questions: usize,
}

impl Calibration {
    /// Makes the calls that are left, and keeps what each came to.
    ///
    /// # Errors
    ///
    /// If the tool cannot be asked, a call fails that a shorter prompt would not help, or it is
    /// cancelled. What was answered until then is kept.
    pub async fn run(
        mut self,
        caller: &Caller,
        front: &mut dyn CalibrationFront,
    ) -> Result<CalibrationDoc, Failure> {
        // Before what was kept is dropped, it is seen that there is a tool to ask.
        let found = match self.request.again {
            true => Some(MeasuredTool::detect(caller, &self.request, self.effort).await?),
            false => None,
        };
        let (mut file, records) = RecordFile::open(&self.path, &self.head, self.request.again)?;
        self.records = records;
        let cells = self.cells_left();
        if cells.is_empty() {
            return Ok(self.document(caller));
        }
        if self.request.max_cost.is_some() && self.price.is_none() {
            front
                .note("note: no price is known here; --max-cost counts what the tool says it cost");
        }
        let respondent = match found {
            Some(found) => found,
            None => MeasuredTool::detect(caller, &self.request, self.effort).await?,
        };
        let cancel = front.cancel_token();
        let (mut spent, mut stopped) = (RunSpending::default(), None);
        for cell in cells {
            if self.shortest_refused().is_some_and(|it| it <= cell.length) {
                continue;
            }
            stopped = self.limit_before(cell, &spent);
            if stopped.is_some() {
                break;
            }
            front.call_started(&self.progress(cell, None));
            let prompt = build_prompt(&self.design, cell);
            let begun = Instant::now();
            let outcome = respondent.ask(&prompt.text, &cancel).await;
            let outcome = self.settle(cell, outcome)?;
            let record = CallRecord {
                cell: self.design.cell_name(cell),
                took_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
                at: system::format_time(system::now_ms()),
                outcomes: match outcome.refused {
                    Some(_) => Vec::new(),
                    None => {
                        let depths = prompt.questions.iter().map(|it| it.depth);
                        let words = score(&prompt, &outcome.text);
                        let words = words.into_iter().map(|it| it.as_str().to_owned());
                        depths.zip(words).collect()
                    }
                },
                answer: outcome.text.chars().take(KEPT_CHARS).collect(),
                refused: outcome.refused,
                usage: outcome.usage,
                model: outcome.model,
            };
            file.add(&self.path, &record)?;
            spent.add(
                cost_of_call(&record.usage, self.price.as_ref()),
                &record.usage,
            );
            let is_found = |it: &&(usize, String)| it.1 == QuestionOutcome::Found.as_str();
            let found = record.outcomes.iter().filter(is_found).count();
            let found = record.refused.is_none().then_some(found);
            self.records.insert(record.cell.clone(), record);
            front.call_finished(&self.progress(cell, found));
        }
        let mut document = self.document(caller);
        document.stopped = stopped;
        Ok(document)
    }

    fn progress(&self, cell: Cell, found: Option<usize>) -> CallProgress {
        CallProgress {
            done: self.records.len(),
            calls: self.design.cells().len(),
            tokens: self
                .design
                .lengths()
                .get(cell.length)
                .copied()
                .unwrap_or_default(),
            wording: cell.wording.as_str(),
            distractors: cell.distractors,
            found,
            questions: self.design.depths(),
        }
    }

    /// The limit that stands in the way of a call.
    fn limit_before(&self, cell: Cell, spent: &RunSpending) -> Option<&'static str> {
        let next = Estimate::of_cells(&self.design, std::iter::once(&cell));
        let tokens = spent.tokens.saturating_add(next.tokens());
        if self.request.max_tokens.is_some_and(|most| tokens > most) {
            return Some("max_tokens");
        }
        let next = self.price.as_ref().map_or(0.0, |price| next.cost(price));
        let cost = spent.cost + next;
        self.request
            .max_cost
            .is_some_and(|most| cost > most)
            .then_some("max_cost")
    }

    /// What a call comes to: an answer, an empty one, or a prompt that is not taken.
    fn settle(
        &self,
        cell: Cell,
        outcome: Result<AgentAnswer, AgentError>,
    ) -> Result<CallOutcome, Failure> {
        let error = match outcome {
            Ok(answer) => {
                return Ok(CallOutcome {
                    text: redacted(&answer.text),
                    refused: None,
                    usage: answer.usage,
                    model: answer.model,
                });
            }
            Err(error) => error,
        };
        let cause = error.cause();
        let without_text = |refused: Option<String>| CallOutcome {
            text: String::new(),
            refused,
            usage: error.usage.unwrap_or_default(),
            model: None,
        };
        if cause.code == CauseCode::Empty {
            return Ok(without_text(None));
        }
        // A tool says in words of its own that a prompt is too long. That a shorter one was answered
        // tells it apart from a tool that does not work.
        let is_shorter_answered = self.design.cells().iter().any(|it| {
            let record = self.records.get(&self.design.cell_name(*it));
            it.length < cell.length && record.is_some_and(|it| it.refused.is_none())
        });
        if is_shorter_answered {
            match (cause.code, error.class()) {
                // An answer came, of which nothing can be scored: the prompt was taken.
                (CauseCode::TooLarge | CauseCode::Unreadable, Class::Tool) => {
                    return Ok(without_text(None));
                }
                (CauseCode::TooLarge, _) | (_, Class::Tool) => {
                    return Ok(without_text(Some(cause.detail)));
                }
                _ => {}
            }
        }
        Err(self.explain(&error))
    }

    fn explain(&self, error: &AgentError) -> Failure {
        let (done, calls) = (self.records.len(), self.design.cells().len());
        let goes_on = match self.request.again {
            true => "the same command without --again goes on",
            false => "the same command goes on",
        };
        let failure = single_tool::failure(error).parameter("model");
        let message = match failure.kind {
            FailureKind::Cancelled => {
                format!("stopped: {done} of {calls} calls are kept; {goes_on}")
            }
            _ => format!(
                "{}: {} ({done} of {calls} calls are kept; {goes_on})",
                self.request.tool, failure.message
            ),
        };
        Failure { message, ..failure }
    }
}

/// What a call came to.
struct CallOutcome {
    text: String,
    /// Why the prompt was not taken.
    refused: Option<String>,
    usage: Usage,
    model: Option<String>,
}

/// What a run has cost.
#[derive(Default)]
struct RunSpending {
    tokens: u64,
    cost: f64,
}

impl RunSpending {
    fn add(&mut self, cost: Option<f64>, usage: &Usage) {
        self.tokens = self.tokens.saturating_add(usage.total_tokens());
        self.cost += cost.unwrap_or_default();
    }
}
