//! Answers a prompt of a session.

use std::path::PathBuf;

use agent_client_protocol::v1::schema::{PromptRequest, StopReason};
use agon_caller::{Failure, FailureKind};
use agon_config::default;
use agon_debates::questions::inquiry;
use agon_debates::request::InquiryRequest;
use agon_debates::status::{RunState, inspect_debate};
use agon_debates::steer;
use agon_debates::steer::SayInput;
use tokio_util::sync::CancellationToken;

use crate::command::PromptIntent;
use crate::follow::{FollowEnd, follow, send_outcome};
use crate::front::PromptFront;
use crate::prompt::PromptParts;
use crate::refusal::sentence;
use crate::session::{OpenSessions, Session};
use crate::start;
use crate::thoughts::Thoughts;
use crate::updates::Updates;

/// A running prompt.
pub(crate) struct PromptRun {
    /// All open sessions.
    pub(crate) sessions: OpenSessions,
    /// The session of the prompt.
    pub(crate) session: Session,
    /// Sends updates to the client.
    pub(crate) updates: Updates,
    /// Cancelled when the client cancels the prompt.
    pub(crate) cancel: CancellationToken,
    /// Cancelled together with `cancel`, and when the client disconnects.
    pub(crate) ending: CancellationToken,
}

impl PromptRun {
    /// Answers a prompt. A failure is sent as an answer, because every client shows answers.
    pub(crate) async fn answer(&mut self, request: &PromptRequest) -> StopReason {
        let caller = &self.session.caller;
        let parts = PromptParts::read(&request.prompt, &caller.cwd, &caller.project());
        let outcome = match self.session.debate.clone() {
            None => self.start_debate(&parts).await,
            Some(path) => self.answer_later_prompt(path, &parts).await,
        };
        match outcome {
            Ok(()) if !self.cancel.is_cancelled() => StopReason::EndTurn,
            Ok(()) => StopReason::Cancelled,
            Err(failure) if self.cancel.is_cancelled() => {
                if failure.kind != FailureKind::Cancelled {
                    self.updates.send_paragraph(&sentence(&failure));
                }
                StopReason::Cancelled
            }
            Err(failure) => {
                self.updates.send_paragraph(&sentence(&failure));
                StopReason::EndTurn
            }
        }
    }

    fn front(&self) -> PromptFront {
        PromptFront::new(self.updates.clone(), self.ending.clone())
    }

    /// Starts the debate of the session and follows it to its end.
    async fn start_debate(&mut self, parts: &PromptParts) -> Result<(), Failure> {
        if !parts.left_out.is_empty() {
            let left_out = parts.left_out.join(", ");
            self.updates.send_paragraph(&format!(
                "_Not read: {left_out}. Agon reads only texts, and files on this machine._"
            ));
        }
        let mut front = self.front();
        let started = start::start(&self.session, parts, &mut front).await;
        if front.is_refused && started.is_err() {
            self.updates
                .send_paragraph("Nothing was started, because you did not allow it. Send another prompt to try again.");
            return Ok(());
        }
        let path = started?;
        self.session.debate = Some(path.clone());
        self.sessions.note_progress(&self.session);
        self.updates.send_paragraph(&format!(
            "_The debate is in `{}`. It runs in the background; cancelling stops it._",
            path.display()
        ));
        self.updates.send_commands();
        self.watch(path).await
    }

    /// Answers a later prompt: continues the debate, adds a note or answers a question.
    async fn answer_later_prompt(
        &mut self,
        path: PathBuf,
        parts: &PromptParts,
    ) -> Result<(), Failure> {
        let is_running = inspect_debate(&path)?.run_state == RunState::Running;
        let pasted = parts.pasted.iter().map(|text| &text.name);
        let unread: Vec<_> = pasted.chain(&parts.left_out).map(String::as_str).collect();
        if !unread.is_empty() {
            let unread = unread.join(", ");
            self.updates.send_paragraph(&format!(
                "_Not read: {unread}. A debate only reads files from its first prompt._"
            ));
        }
        match PromptIntent::parse(&parts.text) {
            PromptIntent::Continue {
                rounds: None,
                note: None,
            } if is_running => {}
            PromptIntent::Continue { rounds, note } => {
                start::continue_debate(&self.session, rounds, note, &mut self.front()).await?;
            }
            PromptIntent::Ask(note) if is_running => {
                let debate = self.session.id.to_string();
                let mut front = self.front();
                let saying = SayInput::Note(note);
                steer::say(&self.session.caller, &debate, saying, &mut front).await?;
                self.updates.send_paragraph("_Sent to every seat._");
            }
            PromptIntent::Ask(question) => return self.ask(question).await,
        }
        self.watch(path).await
    }

    /// Answers a question about the debate from its record.
    async fn ask(&mut self, question: String) -> Result<(), Failure> {
        let debate = self.session.id.to_string();
        let request = InquiryRequest::new(debate, question, default::ANSWER_TIMEOUT_S);
        let answer = inquiry::ask(&self.session.caller, &request, &mut self.front()).await?;
        let mut text = answer.answer;
        if !answer.cited.is_empty() {
            let cited: Vec<_> = answer
                .cited
                .iter()
                .map(|point| point.id.to_string())
                .collect();
            text.push_str(&format!("\n\nBased on {}.", cited.join(", ")));
        }
        if !answer.unknown.is_empty() {
            text.push_str(&format!(
                "\n\nThe answer cites {}, which is not a point of this debate.",
                answer.unknown.join(", ")
            ));
        }
        self.updates.send_paragraph(&text);
        Ok(())
    }

    /// Follows the debate to its end; cancelling the prompt stops the debate.
    async fn watch(&mut self, path: PathBuf) -> Result<(), Failure> {
        let caller = self.session.caller.clone();
        let mut thoughts = Thoughts::of(&caller, self.session.id.to_string());
        let cursor = &mut self.session.cursor;
        let followed = follow(&path, cursor, &self.updates, &mut thoughts, &self.ending);
        self.sessions.note_progress(&self.session);
        match followed? {
            FollowEnd::Idle(heard) => {
                send_outcome(&self.session.caller, &path, &heard, &self.updates)
            }
            // Cancelled by a disconnect, not by the user, so the debate continues without the
            // client.
            FollowEnd::Cancelled if !self.cancel.is_cancelled() => Ok(()),
            FollowEnd::Cancelled => {
                let debate = self.session.id.to_string();
                let mut front = self.front();
                let stopped = steer::stop(&self.session.caller, Some(&debate), &mut front).await?;
                self.updates.send_paragraph(match stopped.stopped {
                    true => {
                        "The debate is stopped, and nothing is lost. Type `continue` to resume it."
                    }
                    false => "The debate ended before it could be stopped.",
                });
                Ok(())
            }
        }
    }
}
