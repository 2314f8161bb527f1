//! The terminal as the front end of a debate: prints progress and asks the person.

#[cfg(feature = "local-model")]
mod pull;

use agon_caller::Notes;
use agon_debates::front::desk::{Desk, SittingOutcome};
use agon_debates::front::{AfterLoss, Beginning, BuiltInOffer, FrontEnd, LostSeat};
use agon_debates::steer::observer::Observer;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::args::Global;
use crate::asking::FirstDebate;
use crate::error::Failure;
use crate::output::Out;
use crate::screen::{self, Screen};
use crate::surroundings::Surroundings;
use crate::telemetry::{self, Telemetry};
use crate::{asking, person, stop};

/// The terminal, or a program that reads stderr.
pub(crate) struct Terminal<'a> {
    edge: &'a Surroundings,
    json: bool,
    out: &'a mut Out,
    screen: Box<Screen>,
    tracing: Option<Telemetry>,
    /// Whether the person has seen the header and confirmed it.
    has_shown_header: bool,
    /// Whether the person wants to watch the recorded debate instead.
    pub(crate) wants_demo: bool,
}

impl<'a> Terminal<'a> {
    /// Returns the terminal of this process.
    pub(crate) fn new(edge: &'a Surroundings, global: &Global, out: &'a mut Out) -> Self {
        Self {
            edge,
            json: global.json,
            out,
            screen: Box::new(screen::replay_screen(edge, global.json)),
            tracing: None,
            has_shown_header: false,
            wants_demo: false,
        }
    }

    /// Sets whether the person has already seen the debate's header.
    pub(crate) fn with_header_shown(self, has_shown_header: bool) -> Self {
        Self {
            has_shown_header,
            ..self
        }
    }
}

impl Notes for Terminal<'_> {
    fn note(&mut self, note: &str) {
        self.out.eprint_line(note);
    }

    fn warn(&mut self, warning: &str) {
        self.out.eprint_warning(warning);
    }
}

#[async_trait(?Send)]
impl FrontEnd for Terminal<'_> {
    fn begin_debate(&mut self, debate: &Beginning<'_>) -> Result<CancellationToken, Failure> {
        self.tracing = telemetry::start(self.edge, self.out)?;
        self.screen = screen::live_screen(self.edge, self.json);
        let expected = debate.expected.describe();
        match debate.is_first && !self.has_shown_header {
            true => self
                .screen
                .print_header(debate.state, debate.folder, expected.as_deref()),
            false => self.screen.mark_state_printed(debate.state),
        }
        let cancel = stop::signal_cancellation_token();
        Ok(cancel)
    }

    fn observer(&mut self) -> &mut dyn Observer {
        &mut *self.screen
    }

    fn end_debate(&mut self) {
        self.screen.close();
        if let Some(tracing) = self.tracing.take() {
            tracing.end(self.out);
        }
    }

    async fn ask_person(&mut self, desk: &Desk<'_>) -> Result<SittingOutcome, Failure> {
        person::run_answer_session(desk, self.out).await
    }

    fn has_person(&self) -> bool {
        self.edge.terminal && !self.json
    }

    async fn choose_after_loss(&mut self, lost: &LostSeat<'_>) -> AfterLoss {
        match self.has_person() {
            true => asking::ask_about_lost_seat(lost).await,
            false => AfterLoss::Unattended,
        }
    }

    async fn confirm(&mut self, question: &str) -> bool {
        self.has_person() && asking::confirm_on_terminal(question).await
    }

    async fn accepts_built_in_model(&mut self, offer: &BuiltInOffer) -> bool {
        // Do not ask again if the person has confirmed the header; without a person, refuse.
        if self.has_shown_header || !self.has_person() {
            return self.has_shown_header;
        }
        let choice = asking::ask_first_debate_on_terminal(offer).await;
        self.wants_demo = choice == FirstDebate::Demo;
        choice == FirstDebate::BuiltInModel
    }
}
