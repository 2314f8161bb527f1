//! A front end without a screen that records what it was shown.

use agon_caller::{Failure, Notes};
use agon_debates::front::{Beginning, FrontEnd};
use agon_debates::steer::observer::{Observer, Unwatched};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

/// Records what a front end was shown.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    pub(crate) notes: Vec<String>,
    pub(crate) began: Vec<String>,
    pub(crate) ended: usize,
    /// The questions to the person.
    pub(crate) questions: Vec<String>,
    /// The answer to every question; `None` without a person.
    pub(crate) answer: Option<bool>,
    observer: Unwatched,
}

impl Recorder {
    /// Returns a front end with a person who gives `answer` to every question.
    pub(crate) fn with_person(answer: bool) -> Self {
        Self {
            answer: Some(answer),
            ..Self::default()
        }
    }
}

impl Notes for Recorder {
    fn note(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }

    fn warn(&mut self, warning: &str) {
        self.notes.push(format!("warning: {warning}"));
    }
}

#[cfg(feature = "local-model")]
impl agon_seats::model::PullFront for Recorder {
    fn begin_pull(&mut self) -> (Box<dyn agon_seats::model::PullProgress>, CancellationToken) {
        unreachable!("no model is fetched where tools are installed")
    }
}

#[async_trait(?Send)]
impl FrontEnd for Recorder {
    fn begin_debate(&mut self, debate: &Beginning<'_>) -> Result<CancellationToken, Failure> {
        self.began.push(debate.folder.to_owned());
        Ok(CancellationToken::new())
    }

    fn observer(&mut self) -> &mut dyn Observer {
        &mut self.observer
    }

    fn end_debate(&mut self) {
        self.ended += 1;
    }

    fn has_person(&self) -> bool {
        self.answer.is_some()
    }

    async fn confirm(&mut self, question: &str) -> bool {
        self.questions.push(question.to_owned());
        self.answer == Some(true)
    }
}
