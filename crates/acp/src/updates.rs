//! Sends updates to a session's client during a request.

use agent_client_protocol::Client;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    AvailableCommand, AvailableCommandInput, AvailableCommandsUpdate, ContentBlock, ContentChunk,
    Plan, PlanEntry, PlanEntryPriority, PlanEntryStatus, SessionId, SessionNotification,
    SessionUpdate, TextContent, UnstructuredCommandInput,
};
use agon_debates::status::stages::{DebateStage, StageProgress};

use crate::command;

/// Sends updates to the client of one session.
#[derive(Clone, Debug)]
pub(crate) struct Updates {
    /// The connection to the client.
    pub(crate) client: ConnectionTo<Client>,
    /// The session.
    pub(crate) session: SessionId,
}

impl Updates {
    /// Sends a paragraph of an answer.
    pub(crate) fn send_paragraph(&self, markdown: &str) {
        // Ends with a blank line, because clients join the chunks of an answer without a separator.
        let chunk = text_chunk(&format!("{}\n\n", markdown.trim_end()));
        self.send(SessionUpdate::AgentMessageChunk(chunk));
    }

    /// Sends words of a seat that is still answering, as a thought.
    pub(crate) fn send_thought(&self, words: &str) {
        self.send(SessionUpdate::AgentThoughtChunk(text_chunk(words)));
    }

    /// Sends an earlier message of the user.
    pub(crate) fn send_user_message(&self, text: &str) {
        self.send(SessionUpdate::UserMessageChunk(text_chunk(text)));
    }

    /// Sends the plan, in full each time, because the protocol requires it.
    pub(crate) fn show_plan(&self, stages: &[DebateStage]) {
        let entries = stages.iter().map(|stage| {
            let status = match stage.progress {
                StageProgress::Pending => PlanEntryStatus::Pending,
                StageProgress::Underway => PlanEntryStatus::InProgress,
                StageProgress::Done => PlanEntryStatus::Completed,
            };
            PlanEntry::new(stage.title.clone(), PlanEntryPriority::Medium, status)
        });
        self.send(SessionUpdate::Plan(Plan::new(entries.collect())));
    }

    /// Sends the list of slash commands.
    pub(crate) fn send_commands(&self) {
        let hint = UnstructuredCommandInput::new("number of rounds, or a note to both sides");
        let offered = AvailableCommand::new(command::CONTINUE, command::CONTINUE_ABOUT)
            .input(AvailableCommandInput::Unstructured(hint));
        let update = AvailableCommandsUpdate::new(vec![offered]);
        self.send(SessionUpdate::AvailableCommandsUpdate(update));
    }

    fn send(&self, update: SessionUpdate) {
        let notification = SessionNotification::new(self.session.clone(), update);
        // Sending fails only if the client has disconnected. The debate then continues without it.
        self.client.send_notification(notification).ok();
    }
}

fn text_chunk(text: &str) -> ContentChunk {
    ContentChunk::new(ContentBlock::Text(TextContent::new(text)))
}
