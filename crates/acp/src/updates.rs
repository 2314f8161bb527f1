//! What a session's client is told while a request of its is under way.

use agent_client_protocol::Client;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    AvailableCommand, AvailableCommandInput, AvailableCommandsUpdate, ContentBlock, ContentChunk,
    Plan, PlanEntry, PlanEntryPriority, PlanEntryStatus, SessionId, SessionNotification,
    SessionUpdate, TextContent, UnstructuredCommandInput,
};
use agon_debates::status::stages::{DebateStage, StageProgress};

use crate::command;

/// Tells the client of one session.
#[derive(Clone, Debug)]
pub(crate) struct Updates {
    /// The connection to the client.
    pub(crate) client: ConnectionTo<Client>,
    /// The session.
    pub(crate) session: SessionId,
}

impl Updates {
    /// A paragraph of an answer.
    pub(crate) fn say(&self, markdown: &str) {
        // Clients join the chunks of one answer without anything between them.
        let chunk = text_chunk(&format!("{}\n\n", markdown.trim_end()));
        self.send(SessionUpdate::AgentMessageChunk(chunk));
    }

    /// Words of a seat that is still speaking.
    pub(crate) fn think(&self, words: &str) {
        self.send(SessionUpdate::AgentThoughtChunk(text_chunk(words)));
    }

    /// What the user said earlier.
    pub(crate) fn repeat_user(&self, text: &str) {
        self.send(SessionUpdate::UserMessageChunk(text_chunk(text)));
    }

    /// The plan, whole each time, as the protocol wants it.
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

    /// What can be typed with a slash before it.
    pub(crate) fn offer_commands(&self) {
        let hint = UnstructuredCommandInput::new("how many rounds, or a word to both sides");
        let offered = AvailableCommand::new(command::CONTINUE, command::CONTINUE_ABOUT)
            .input(AvailableCommandInput::Unstructured(hint));
        let update = AvailableCommandsUpdate::new(vec![offered]);
        self.send(SessionUpdate::AvailableCommandsUpdate(update));
    }

    fn send(&self, update: SessionUpdate) {
        let notification = SessionNotification::new(self.session.clone(), update);
        // A client that is gone has nothing to be told; the debate goes on.
        self.client.send_notification(notification).ok();
    }
}

fn text_chunk(text: &str) -> ContentChunk {
    ContentChunk::new(ContentBlock::Text(TextContent::new(text)))
}
