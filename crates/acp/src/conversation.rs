//! A prompt of a session, from its words to what is answered.

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
use crate::follow::{FollowEnd, follow, tell_end};
use crate::front::PromptFront;
use crate::prompt::PromptParts;
use crate::refusal::sentence;
use crate::session::{OpenSessions, Session};
use crate::start;
use crate::thoughts::Thoughts;
use crate::updates::Updates;

/// A prompt that is under way.
pub(crate) struct PromptRun {
    /// All sessions.
    pub(crate) sessions: OpenSessions,
    /// Its session.
    pub(crate) session: Session,
    /// Whom it tells.
    pub(crate) updates: Updates,
    /// Cancelled when the client takes the prompt back.
    pub(crate) cancel: CancellationToken,
    /// Cancelled by that, and when the client is gone.
    pub(crate) ending: CancellationToken,
}

impl PromptRun {
    /// Answers a prompt. What is refused is told as an answer: every client shows that.
    pub(crate) async fn answer(&mut self, request: &PromptRequest) -> StopReason {
        let caller = &self.session.caller;
        let parts = PromptParts::read(&request.prompt, &caller.cwd, &caller.project());
        let outcome = match self.session.debate.clone() {
            None => self.debate(&parts).await,
            Some(path) => self.talk(path, &parts).await,
        };
        match outcome {
            Ok(()) if !self.cancel.is_cancelled() => StopReason::EndTurn,
            Ok(()) => StopReason::Cancelled,
            Err(failure) if self.cancel.is_cancelled() => {
                if failure.kind != FailureKind::Cancelled {
                    self.updates.say(&sentence(&failure));
                }
                StopReason::Cancelled
            }
            Err(failure) => {
                self.updates.say(&sentence(&failure));
                StopReason::EndTurn
            }
        }
    }

    fn front(&self) -> PromptFront {
        PromptFront::new(self.updates.clone(), self.ending.clone())
    }

    /// Holds the debate of the session.
    async fn debate(&mut self, parts: &PromptParts) -> Result<(), Failure> {
        if !parts.left_out.is_empty() {
            let left_out = parts.left_out.join(", ");
            self.updates.say(&format!(
                "_Not read: {left_out}. Texts are, and files on this machine._"
            ));
        }
        let mut front = self.front();
        let started = start::start(&self.session, parts, &mut front).await;
        if front.is_refused && started.is_err() {
            self.updates
                .say("Nothing was started: you did not allow it. A further prompt begins again.");
            return Ok(());
        }
        let path = started?;
        self.session.debate = Some(path.clone());
        self.sessions.note_progress(&self.session);
        self.updates.say(&format!(
            "_The debate is in `{}`. It runs in a process of its own; cancelling stops it._",
            path.display()
        ));
        self.updates.offer_commands();
        self.watch(path).await
    }

    /// Takes a later prompt.
    async fn talk(&mut self, path: PathBuf, parts: &PromptParts) -> Result<(), Failure> {
        let is_running = inspect_debate(&path)?.run_state == RunState::Running;
        let pasted = parts.pasted.iter().map(|text| &text.name);
        let unread: Vec<_> = pasted.chain(&parts.left_out).map(String::as_str).collect();
        if !unread.is_empty() {
            let unread = unread.join(", ");
            self.updates.say(&format!(
                "_Not read: {unread}. A debate is given what its first prompt brings._"
            ));
        }
        match PromptIntent::parse(&parts.text) {
            PromptIntent::Continue {
                rounds: None,
                note: None,
            } if is_running => {}
            PromptIntent::Continue { rounds, note } => {
                start::go_on(&self.session, rounds, note, &mut self.front()).await?;
            }
            PromptIntent::Ask(note) if is_running => {
                let debate = self.session.id.to_string();
                let mut front = self.front();
                let saying = SayInput::Note(note);
                steer::say(&self.session.caller, &debate, saying, &mut front).await?;
                self.updates.say("_Said to every seat._");
            }
            PromptIntent::Ask(question) => return self.ask(question).await,
        }
        self.watch(path).await
    }

    /// Asks about the debate, from its record.
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
            text.push_str(&format!("\n\nRests on {}.", cited.join(", ")));
        }
        if !answer.unknown.is_empty() {
            text.push_str(&format!(
                "\n\nIt names {}, which no seat said.",
                answer.unknown.join(", ")
            ));
        }
        self.updates.say(&text);
        Ok(())
    }

    /// Tells the debate to its end; a prompt that is taken back stops it.
    async fn watch(&mut self, path: PathBuf) -> Result<(), Failure> {
        let caller = self.session.caller.clone();
        let mut thoughts = Thoughts::of(&caller, self.session.id.to_string());
        let cursor = &mut self.session.cursor;
        let followed = follow(&path, cursor, &self.updates, &mut thoughts, &self.ending);
        self.sessions.note_progress(&self.session);
        match followed? {
            FollowEnd::Idle(heard) => tell_end(&self.session.caller, &path, &heard, &self.updates),
            // The client is gone: the debate goes on without it.
            FollowEnd::Cancelled if !self.cancel.is_cancelled() => Ok(()),
            FollowEnd::Cancelled => {
                let debate = self.session.id.to_string();
                let mut front = self.front();
                let stopped = steer::stop(&self.session.caller, Some(&debate), &mut front).await?;
                self.updates.say(match stopped.stopped {
                    true => "The debate is stopped; nothing is lost. `continue` goes on with it.",
                    false => "The debate had ended before it could be stopped.",
                });
                Ok(())
            }
        }
    }
}
