//! The request for a trial, and its rows.

use std::path::PathBuf;

use agon_batch::folder::BatchFolder;
use agon_batch::input::{Row, RowKind};
use agon_batch::request::{BatchRequest, TotalCaps};
use agon_caller::{Caller, Code, Failure, settings};
use agon_debates::request::{PastedText, SeatRequest, SeatsRequest, StartRequest};

use crate::arm::Arm;
use crate::present::{is_exchanged, present, topic};
use crate::question::Question;
use crate::stats::random::Random;

/// A request to run a trial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrialRequest {
    /// The name of the data set, such as a file name.
    pub dataset: String,
    /// Its licence, if it is of others.
    pub licence: Option<String>,
    /// The questions.
    pub questions: Vec<Question>,
    /// The number of questions to choose at random; `None` for all.
    pub sample: Option<usize>,
    /// The folder of the trial.
    pub folder: PathBuf,
    /// The arms, without repetition.
    pub arms: Vec<Arm>,
    /// The number of answers in a vote; `None` for as many as use the tokens of a debate.
    pub votes: Option<u32>,
    /// Determines the order of options and sides, the sample and the resamples.
    pub seed: u64,
    /// The settings of every debate. Its sides also answer alone.
    pub base: StartRequest,
    /// The limits of the whole trial.
    pub caps: TotalCaps,
    /// Whether to run again what failed.
    pub retry_failed: bool,
}

impl TrialRequest {
    /// Returns the request with the tools of `settings` for the sides that it does not name, with the
    /// chosen questions, and with the arm `one` if it has a vote, whose price that arm shows.
    ///
    /// # Errors
    ///
    /// If a side has no tool, the sample is empty, or `evidence` is an arm and no question has a passage.
    pub fn complete(mut self, caller: &Caller) -> Result<Self, Failure> {
        let settings = settings::read_settings(caller)?;
        let usual = [settings.proposer, settings.challenger];
        for (side, usual) in self.base.seats.sides.iter_mut().zip(usual) {
            side.tool = side.tool.take().or(usual);
            if side.tool.is_none() {
                let message = "a trial needs the names of the tools that debate";
                return Err(Failure::new(Code::MissingParameter, message)
                    .parameter("proposer")
                    .hint("add --proposer TOOL and --challenger TOOL"));
            }
        }
        if self.sample == Some(0) {
            let message = "a sample has at least one question";
            return Err(Failure::new(Code::InvalidParameter, message).parameter("sample"));
        }
        if let Some(count) = self.sample {
            let seed = self.seed;
            let order = |question: &Question| {
                Random::from_name(seed, &format!("sample {}", question.id)).bits()
            };
            let mut ids: Vec<_> = self
                .questions
                .iter()
                .map(|it| (order(it), &it.id))
                .collect();
            ids.sort();
            let ids: Vec<_> = ids
                .into_iter()
                .take(count)
                .map(|(_, id)| id.clone())
                .collect();
            self.questions.retain(|question| ids.contains(&question.id));
        }
        if self.arms.iter().any(|arm| arm.is_vote()) && !self.arms.contains(&Arm::One) {
            self.arms.insert(0, Arm::One);
        }
        let has_passage = self
            .questions
            .iter()
            .any(|question| question.has_evidence());
        if self.arms.contains(&Arm::Evidence) && !has_passage {
            let message = "the arm `evidence` needs questions with a passage (`context`)";
            return Err(Failure::new(Code::InvalidParameter, message).parameter("arms"));
        }
        Ok(self)
    }

    /// Returns the request for the batch that runs it.
    pub fn batch(&self) -> BatchRequest {
        BatchRequest {
            folder: Some(self.folder.clone()),
            repeat: 1,
            caps: self.caps,
            retry_failed: self.retry_failed,
            ..BatchRequest::default()
        }
    }

    /// Returns the folder.
    pub fn files(&self, caller: &Caller) -> BatchFolder {
        BatchFolder::of(caller, &self.batch())
    }

    /// Returns what to run: the rows of every arm, question after question. Those of a vote are
    /// left out if `votes` is `None`.
    pub fn rows(&self, votes: Option<u32>) -> Vec<Row> {
        let mut rows = Vec::new();
        for (line, question) in (1..).zip(&self.questions) {
            for &arm in &self.arms {
                let samples = match arm.is_vote() {
                    true => votes.unwrap_or(0),
                    false => 1,
                };
                if question.is_asked_by(arm) {
                    rows.extend((1..=samples).map(|sample| self.row(line, question, arm, sample)));
                }
            }
        }
        rows
    }

    fn row(&self, line: u64, question: &Question, arm: Arm, sample: u32) -> Row {
        let mut request = StartRequest {
            topic: topic(question, &present(question, self.seed), arm),
            ..self.base.clone()
        };
        request.context.get_or_insert_with(|| "none".to_owned());
        if is_exchanged(question, self.seed) {
            request.seats.sides.reverse();
        }
        if arm == Arm::Deep {
            (request.quick, request.deep, request.rounds) = (false, true, None);
        }
        if let Some(text) = question.source(arm) {
            request.pasted.push(PastedText {
                name: "passage.txt".to_owned(),
                text: text.to_owned(),
            });
        }
        if arm == Arm::Consult {
            let tools = all_seats(&request.seats);
            let at = usize::try_from(sample - 1).unwrap_or_default() % tools.len().max(1);
            if let (Some(tool), [side, _]) = (tools.get(at), &mut request.seats.sides) {
                *side = tool.clone();
            }
        }
        // Several arms may ask the same tool the same question; each gets an answer of its own.
        let series = match arm {
            Arm::One => 0,
            Arm::Vote => 1,
            _ => 2,
        };
        Row {
            line,
            id: question.id.clone(),
            tags: vec![arm.name().to_owned()],
            kind: match arm.is_debate() {
                true => RowKind::Debate,
                false => RowKind::Answer {
                    sample: series * SERIES + sample,
                },
            },
            // Two questions may have the same text.
            apart: question.id.clone(),
            request,
        }
    }
}

/// Returns the sides and the judges, each with its tool, model and effort.
pub(crate) fn all_seats(seats: &SeatsRequest) -> Vec<SeatRequest> {
    let judges = &seats.judges;
    let models = judges.models.iter().cloned().map(Some);
    let models = models.chain(std::iter::repeat(None));
    let judges = judges
        .tools
        .iter()
        .cloned()
        .zip(models)
        .map(|(tool, model)| SeatRequest {
            tool: Some(tool),
            model,
            effort: judges.effort,
        });
    seats.sides.iter().cloned().chain(judges).collect()
}

/// Maximum number of answers in a vote, by which the samples of different arms are numbered apart.
pub const SERIES: u32 = 1_000;

/// Returns the arm and the sample of a row.
pub(crate) fn arm_of(row: &Row) -> Option<(Arm, u32)> {
    let arm = row.tags.first().and_then(|name| Arm::from_name(name))?;
    let sample = match row.kind {
        RowKind::Debate => 1,
        RowKind::Answer { sample } => sample % SERIES,
    };
    Some((arm, sample))
}

#[cfg(test)]
mod tests;
