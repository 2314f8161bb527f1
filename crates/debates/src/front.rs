//! What a front end does while a debate runs for it.

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
    /// The debate as it stands.
    pub state: &'a State,
    /// Its folder, as it is shown.
    pub folder: &'a str,
    /// What it is expected to take.
    pub expected: Expectation,
    /// Whether it is the first time for this request: a person who answers lets it run again.
    pub is_first: bool,
}

/// A seat without which the debate does not go on: its tool met what only its user can fix, such as
/// a login that is over, or it gave no usable turn of a formal debate.
#[derive(Clone, Copy, Debug)]
pub struct LostSeat<'a> {
    /// The debate's name.
    pub slug: &'a str,
    /// The tool.
    pub tool: &'a ToolName,
    /// Its seat.
    pub seat: Seat,
    /// What it met.
    pub cause: &'a Cause,
    /// Whether it is a turn of a formal debate.
    pub is_formal_turn: bool,
}

/// What is to be done about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AfterLoss {
    /// It is asked again: its user has fixed it.
    Retry,
    /// This tool takes the seat.
    Replace(String),
    /// The debate stops there.
    Stop,
    /// No person is there to say.
    Unattended,
}

/// What a person can have where no AI tool can debate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltInOffer {
    /// Why no AI tool debates, and how to get one that does.
    pub because: String,
    /// What would be downloaded, such as `98 MB`; none where the model is here already.
    pub download: Option<String>,
}

/// Shows a debate while it runs, and speaks for the person behind it.
#[async_trait(?Send)]
pub trait FrontEnd: Base {
    /// The debate is about to run; cancelling the token stops it.
    ///
    /// # Errors
    ///
    /// If it cannot be shown, and is not to run then.
    fn begin_debate(&mut self, debate: &Beginning<'_>) -> Result<CancellationToken, Failure>;

    /// Who watches it while it runs.
    fn observer(&mut self) -> &mut dyn Observer;

    /// It does not run any more.
    fn end_debate(&mut self) {}

    /// Lets the person who is awaited answer; a front end without one leaves it to the next request.
    ///
    /// # Errors
    ///
    /// If what they wrote cannot be kept, or they stop it.
    async fn ask_person(&mut self, _desk: &Desk<'_>) -> Result<SittingOutcome, Failure> {
        Ok(SittingOutcome::Left)
    }

    /// Whether a person is there to be asked.
    fn has_person(&self) -> bool {
        false
    }

    /// What is to be done about a seat without which the debate does not go on.
    async fn choose_after_loss(&mut self, _lost: &LostSeat<'_>) -> AfterLoss {
        AfterLoss::Unattended
    }

    /// Whether the person who is there says yes to `question`; no, where none is there.
    async fn confirm(&mut self, _question: &str) -> bool {
        false
    }

    /// Whether the person who is there wants the built-in model to debate.
    async fn accepts_built_in_model(&mut self, offer: &BuiltInOffer) -> bool {
        let because = &offer.because;
        let question = match &offer.download {
            Some(size) => format!(
                "{because} Download the built-in model ({size}, once) to see how a debate runs?"
            ),
            None => format!("{because} Let the built-in model show how a debate runs?"),
        };
        self.confirm(&question).await
    }
}
