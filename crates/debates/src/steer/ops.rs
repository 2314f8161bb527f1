//! Single steps of a formal debate, for programs that supply the arguments.
//!
//! The answer is always one JSON object and a success flag.

mod input;

use std::fs;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure, Notes, find, system};
use agon_engine::host::{FolderError, Host};
use agon_folder::foreign::{is_foreign_debate, overwritten_files};
use agon_folder::{ProjectError, published_files};
use agon_rules::ops::{self, OutsideStep, StepOutcome, SubmittedReply};
use agon_store::{DiskError, RealDisk};
use serde::Serialize;
use serde_json::json;

use self::input::Input;
use crate::failure::store_failure;
use crate::status::open;

/// A step to add to a formal debate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepRequest {
    /// The debate: a folder, a name or an id.
    pub debate: String,
    /// The files of the step.
    pub brought: StepFiles,
}

/// The files of a step; they are removed once it is part of the debate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepFiles {
    /// The arguments of both sides in an exchange.
    Exchange {
        /// The number of the exchange; the opening one is 0.
        exchange: u16,
        /// The proposition's arguments.
        proposition: PathBuf,
        /// The opposition's arguments.
        opposition: PathBuf,
    },
    /// The judge's scores for the exchange just argued.
    Judgment {
        /// The scores.
        scores: PathBuf,
    },
}

impl StepFiles {
    fn paths(&self) -> Vec<&PathBuf> {
        match self {
            Self::Exchange {
                proposition,
                opposition,
                ..
            } => vec![proposition, opposition],
            Self::Judgment { scores } => vec![scores],
        }
    }
}

/// The answer to a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepAnswer {
    /// One JSON object, indented.
    pub json: String,
    /// Whether the step is part of the debate.
    pub is_success: bool,
}

impl StepAnswer {
    fn new(document: &impl Serialize, is_success: bool) -> Self {
        let json = serde_json::to_string_pretty(document).unwrap_or_default();
        Self { json, is_success }
    }

    /// Returns the answer to a step that failed.
    pub fn from_failure(failure: &Failure) -> Self {
        let hint = failure
            .hint
            .iter()
            .map(|hint| format!("; {}", hint.typed()));
        let error = format!("{}{}", failure.message, hint.collect::<String>());
        Self::new(&json!({ "success": false, "error": error }), false)
    }
}

/// Adds a whole step to a debate, or nothing. Reports failures in the form that callers expect.
pub fn take_step(caller: &Caller, request: &StepRequest, notes: &mut dyn Notes) -> StepAnswer {
    try_take_step(caller, request, notes)
        .unwrap_or_else(|failure| StepAnswer::from_failure(&failure))
}

fn try_take_step(
    caller: &Caller,
    request: &StepRequest,
    notes: &mut dyn Notes,
) -> Result<StepAnswer, Failure> {
    let paths = request.brought.paths();
    let inputs = paths.iter().map(|path| Input::read(path));
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    if let [one, other] = inputs.as_slice()
        && one.place == other.place
    {
        let message = "the inputs of both sides are the same file";
        return Err(Failure::new(Code::Input, message));
    }
    let path = find::find_debate_folder(caller, &request.debate)?;
    let brought: Vec<_> = inputs.iter().map(Input::brought).collect();
    let step = to_step(request, &brought)?;
    if let Some(refused) = outcome_before_import(&path, step)? {
        return answer_refusal(refused);
    }
    let mut host = open::open_for_writing(&path, notes)?;
    let store = |error: FolderError| store_failure(&error);
    // Write outdated documents first, so that a failure leaves the step unrecorded.
    host.publish_if_outdated().map_err(store)?;
    let document = match ops::evaluate_outside_step(host.state(), step, system::now_ms()) {
        StepOutcome::Taken { events, told } => {
            host.record(&events).map_err(store)?;
            told
        }
        StepOutcome::Repeated(told) => told,
        refused @ (StepOutcome::Refused(_) | StepOutcome::Untimely(_)) => {
            return answer_refusal(refused);
        }
    };
    host.publish_documents().map_err(store)?;
    for path in paths {
        // Ignore a failure, because the step is recorded.
        fs::remove_file(path).unwrap_or_default();
    }
    Ok(StepAnswer::new(&document, true))
}

/// Converts the input files into a step.
fn to_step<'a>(
    request: &StepRequest,
    brought: &[SubmittedReply<'a>],
) -> Result<OutsideStep<'a>, Failure> {
    match (&request.brought, brought) {
        (StepFiles::Exchange { exchange, .. }, &[proposition, opposition]) => {
            Ok(OutsideStep::Exchange {
                exchange: *exchange,
                proposition,
                opposition,
            })
        }
        (StepFiles::Judgment { .. }, &[scores]) => Ok(OutsideStep::Judgment(scores)),
        (StepFiles::Exchange { .. } | StepFiles::Judgment { .. }, _) => {
            let message = "the step has no input files";
            Err(Failure::new(Code::Bug, message))
        }
    }
}

/// Returns the outcome of a step that another tool's folder does not accept, without importing that
/// folder. Returns `None` for Agon's own folders, or if the step would be accepted.
fn outcome_before_import(
    path: &Path,
    step: OutsideStep<'_>,
) -> Result<Option<StepOutcome>, Failure> {
    let failed = |error: DiskError| store_failure(&error);
    if !is_foreign_debate(&RealDisk, path).map_err(failed)? {
        return Ok(None);
    }
    let state = find::read(path)?.state;
    let outcome = ops::evaluate_outside_step(&state, step, system::now_ms());
    if matches!(outcome, StepOutcome::Refused(_) | StepOutcome::Untimely(_)) {
        return Ok(Some(outcome));
    }
    let files = published_files(&state);
    let found = overwritten_files(&RealDisk, path, &state, &files).map_err(failed)?;
    let paths = found.in_the_way;
    match paths.is_empty() {
        true => Ok(None),
        false => Err(store_failure(&ProjectError::ForeignEdit { paths })),
    }
}

/// Returns the answer for a rejected step.
fn answer_refusal(refused: StepOutcome) -> Result<StepAnswer, Failure> {
    match refused {
        StepOutcome::Refused(refused) => Ok(StepAnswer::new(&refused, false)),
        StepOutcome::Untimely(why) => Err(Failure::new(Code::Untimely, why)),
        StepOutcome::Taken { told, .. } | StepOutcome::Repeated(told) => {
            Ok(StepAnswer::new(&told, true))
        }
    }
}
