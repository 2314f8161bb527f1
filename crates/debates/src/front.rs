//! The interface of a front end to a running debate.

pub mod desk;

use agon_caller::Failure;
#[cfg(not(feature = "local-model"))]
use agon_caller::Notes as Base;
use agon_record::event::Cause;
use agon_record::id::Seat;
use agon_record::spec::ToolName;
use agon_record::state::State;
#[cfg(feature = "local-model")]
use agon_seats::model::PullFront as Base;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::front::desk::{Desk, SittingOutcome};
use crate::limits::expectation::Expectation;
use crate::steer::observer::Observer;

/// A debate that is about to run.
#[derive(Clone, Copy, Debug)]
pub struct Beginning<'a> {
    /// The debate at this point.
    pub state: &'a State,
    /// The folder, as printed.
    pub folder: &'a str,
    /// The expected time, tokens and cost.
    pub expected: Expectation,
    /// Whether this is the first run of this request; it runs again after a person answers.
    pub is_first: bool,
}

/// A seat that blocks the debate: either its tool met an error that only the user can fix, such as
/// an expired login, or it gave no usable turn of a formal debate.
#[derive(Clone, Copy, Debug)]
pub struct LostSeat<'a> {
    /// The debate's name.
    pub slug: &'a str,
    /// The tool.
    pub tool: &'a ToolName,
    /// Its seat.
    pub seat: Seat,
    /// The cause.
    pub cause: &'a Cause,
    /// Whether the turn belongs to a formal debate.
    pub is_formal_turn: bool,
}

/// How to continue after a seat was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AfterLoss {
    /// Ask the same tool again: the user has fixed the problem.
    Retry,
    /// Give the seat to this tool.
    Replace(String),
    /// Stop the debate.
    Stop,
    /// No person is present to decide.
    Unattended,
}

/// The offer to debate with the built-in model because no AI tool can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltInOffer {
    /// Why no AI tool debates, and how to get one ready.
    pub because: String,
    /// The size of the download, such as `98 MB`; `None` if the model is already here.
    pub download: Option<String>,
}

/// Shows a debate while it runs, and answers for the user.
#[async_trait(?Send)]
pub trait FrontEnd: Base {
    /// Called when the debate is about to run; cancelling the returned token stops it.
    ///
    /// # Errors
    ///
    /// If the debate cannot be shown; it is then not started.
    fn begin_debate(&mut self, debate: &Beginning<'_>) -> Result<CancellationToken, Failure>;

    /// Returns the observer of the running debate.
    fn observer(&mut self) -> &mut dyn Observer;

    /// Returns whether the verdict becomes a decision record if the configuration asks for one.
    fn records_verdict(&self) -> bool {
        true
    }

    /// Called when the debate no longer runs.
    fn end_debate(&mut self) {}

    /// Lets the person who has the turn answer. A front end without a person leaves it to a later
    /// request.
    ///
    /// # Errors
    ///
    /// If their text cannot be saved, or they stop the debate.
    async fn ask_person(&mut self, _desk: &Desk<'_>) -> Result<SittingOutcome, Failure> {
        Ok(SittingOutcome::Left)
    }

    /// Returns whether a person can be asked.
    fn has_person(&self) -> bool {
        false
    }

    /// Asks what to do about a seat that blocks the debate.
    async fn choose_after_loss(&mut self, _lost: &LostSeat<'_>) -> AfterLoss {
        AfterLoss::Unattended
    }

    /// Returns whether the user answers yes to `question`; false without a person.
    async fn confirm(&mut self, _question: &str) -> bool {
        false
    }

    /// Returns whether the user wants the built-in model to debate.
    async fn accepts_built_in_model(&mut self, offer: &BuiltInOffer) -> bool {
        let because = &offer.because;
        let question = match &offer.download {
            Some(size) => format!(
                "{because} Download the built-in model ({size}, once) to see a demonstration debate?"
            ),
            None => format!("{because} Let the built-in model run a demonstration debate?"),
        };
        self.confirm(&question).await
    }
}
