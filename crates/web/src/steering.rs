//! What a page or a program does to a debate.

use std::path::Path;

use agon_caller::{Caller, Code, Failure};
use agon_debates::request::{DecisionKind, ExtendRequest, ResumeRequest};
use agon_debates::run::extend::ExtendOutcome;
use agon_debates::run::{extend, resume};
use agon_debates::status::outcome::Outcome;
use agon_debates::steer::{self, Decider, SayInput};
use serde::Serialize;
use serde_json::Value;

use crate::collected::Collected;

/// What is to be done to a debate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Steering {
    /// Adds a note that every seat sees.
    Note(String),
    /// Sends the debate to the judge.
    Judge,
    Stop,
    /// Continues the debate in the background.
    Resume,
    /// Adds rounds, after an optional note, and runs them in the background.
    Extend {
        rounds: Option<u16>,
        note: Option<String>,
    },
    /// Records what became of the answer, and why.
    Decide(DecisionKind, String),
}

/// The result of a request.
#[derive(Debug)]
pub(crate) struct Steered {
    /// The document of the use case.
    pub(crate) document: Value,
    /// What the user must know about it.
    pub(crate) notes: Vec<String>,
}

impl Steering {
    /// Does it to the debate in `path`.
    ///
    /// # Errors
    ///
    /// If a text is empty, or the debate does not allow it in its state.
    pub(crate) async fn run(self, caller: &Caller, path: &Path) -> Result<Steered, Failure> {
        let debate = path.display().to_string();
        let mut front = Collected::new();
        let document = match self {
            Self::Note(text) => {
                let note = SayInput::Note(non_empty(text)?);
                to_json(&steer::say(caller, &debate, note, &mut front).await?)?
            }
            Self::Judge => {
                to_json(&steer::order_judgment(caller, Some(&debate), &mut front).await?)?
            }
            Self::Stop => to_json(&steer::stop(caller, Some(&debate), &mut front).await?)?,
            Self::Resume => {
                let request = in_background(debate);
                outcome(&resume::resume(caller, &request, &mut front).await?)?
            }
            Self::Extend { rounds, note } => {
                let request = ExtendRequest {
                    debate: Some(debate.clone()),
                    rounds,
                    note: note.map(non_empty).transpose()?,
                    how: in_background(debate),
                };
                match extend::extend(caller, &request, &mut front).await? {
                    ExtendOutcome::Ran(ran) => outcome(&ran)?,
                    ExtendOutcome::Longer(ordered) => to_json(&ordered)?,
                }
            }
            Self::Decide(kind, why) => {
                // Only a form of the page decides, and a person submits it.
                let by = Decider::User;
                to_json(&steer::decide(caller, Some(&debate), kind, &why, by, &mut front).await?)?
            }
        };
        let notes = front.notes;
        Ok(Steered { document, notes })
    }
}

fn non_empty(text: String) -> Result<String, Failure> {
    if text.trim().is_empty() {
        let failure = Failure::new(Code::MissingParameter, "the note is empty");
        return Err(failure.parameter("note").hint("write a text for the note"));
    }
    Ok(text)
}

fn in_background(debate: String) -> ResumeRequest {
    ResumeRequest {
        debate: Some(debate),
        detach: true,
        ..ResumeRequest::default()
    }
}

/// Returns the document of a run.
pub(crate) fn outcome(outcome: &Outcome) -> Result<Value, Failure> {
    match outcome {
        Outcome::Started(started) => to_json(&started.document()),
        Outcome::Ended(ended) => to_json(&ended.document()),
        Outcome::Planned(planned) => to_json(&planned.document()),
    }
}

/// Returns a document as JSON.
pub(crate) fn to_json(document: &impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(document).map_err(|error| Failure::from_error(Code::Json, &error))
}
