//! Restores an earlier consult for `--continue`, after checking it again.

use std::path::PathBuf;

use agon_agents::profile::Transport;
use agon_agents::{ConversationId, SavedConversation};
use agon_caller::hint::flag;
use agon_caller::{Caller, Code, Failure, Hint, Notes, error_chain, system};
use agon_record::text::sanitise_line;
use agon_store::{Consult, ConsultError, Consults, Conversation};
use ulid::Ulid;

use crate::request::ConsultRequest;

// Claude Code 2.1.197 deletes conversations after 30 days by default (`cleanupPeriodDays`), so they
// could not be resumed later anyway.
/// How long a consult can be continued.
pub(super) const RETENTION_MS: u64 = 30 * 24 * 60 * 60 * 1_000;

/// The earlier consult that is continued; empty for a new one.
#[derive(Clone, Debug, Default)]
pub(super) struct Restored {
    /// The consult.
    pub(super) id: Option<Ulid>,
    /// Its project.
    pub(super) project: Option<PathBuf>,
    /// Its conversations, one for each tool that was asked.
    pub(super) conversations: Vec<Conversation>,
    /// The conversations to resume, in the order they were asked.
    pub(super) wanted: Vec<Conversation>,
}

/// Finds the consult that `--continue` names. If it cannot be restored, returns an empty value and
/// notes why.
///
/// # Errors
///
/// If the name cannot be an id.
pub(super) fn restore_consult(
    caller: &Caller,
    request: &ConsultRequest,
    consults: Option<&Consults>,
    notes: &mut dyn Notes,
) -> Result<Restored, Failure> {
    let Some(name) = &request.continued else {
        return Ok(Restored::default());
    };
    let name = name.trim();
    let session = match name.parse::<ConversationId>() {
        Ok(session) => Some(session),
        Err(_) if name.is_empty() => None,
        Err(error) => {
            return Err(Failure::from_error(Code::InvalidParameter, &error)
                .parameter("continue")
                .hint(
                    Hint::new("copy the `id` or `session_id` from the output of ")
                        .flag("json")
                        .then(flag("continue").text(" alone continues the latest consult here")),
                ));
        }
    };
    let start_new = |why: &str, notes: &mut dyn Notes| {
        notes.note(&format!("note: {why}; starting a new consult"));
        Ok(Restored::default())
    };
    let Some(consults) = consults else {
        return start_new("there is no home folder to keep consults in", notes);
    };
    let consult = match (&session, name.parse::<Ulid>()) {
        (None, _) => {
            let project = caller.project();
            let latest = consults.latest(|consult| consult.project == project);
            note_unreadable(&latest.unreadable, notes);
            latest.found
        }
        (Some(_), Ok(id)) => match consults.read(id) {
            Ok(consult) => Some(consult),
            Err(ConsultError::NotKept) => None,
            Err(error) => return start_new(&sanitise_line(&error_chain(&error), 200), notes),
        },
        (Some(session), Err(_)) => {
            let has = |consult: &Consult| {
                consult
                    .conversations
                    .iter()
                    .any(|c| c.session == session.as_str())
            };
            consults.latest(has).found
        }
    };
    let Some(consult) = consult else {
        return match name {
            "" => start_new("there is no consult to continue in this project", notes),
            name => start_new(&format!("no consult {name} is saved"), notes),
        };
    };
    if system::now_ms().saturating_sub(consult.at) > RETENTION_MS {
        return start_new("the consult is older than 30 days", notes);
    }
    let of_one = session.filter(|session| session.as_str().parse() != Ok(consult.id));
    let is_wanted = |conversation: &&Conversation| {
        of_one
            .as_ref()
            .is_none_or(|session| conversation.session == session.as_str())
    };
    Ok(Restored {
        id: Some(consult.id),
        wanted: consult
            .conversations
            .iter()
            .filter(is_wanted)
            .cloned()
            .collect(),
        project: Some(consult.project),
        conversations: consult.conversations,
    })
}

fn note_unreadable(errors: &[ConsultError], notes: &mut dyn Notes) {
    for error in errors {
        notes.note(&format!(
            "note: {}",
            sanitise_line(&error_chain(error), 200)
        ));
    }
}

impl Restored {
    /// Returns the saved conversation to resume in `folder`, or why it cannot be resumed.
    pub(super) fn resume_conversation(
        conversation: &Conversation,
        by: Option<Transport>,
        folder: PathBuf,
    ) -> Result<SavedConversation, String> {
        let transport = by.map_or(conversation.transport.as_str(), |by| by.name());
        if conversation.transport != transport {
            return Err(format!(
                "was asked over another transport, {}",
                sanitise_line(&conversation.transport, 20)
            ));
        }
        let id = conversation.session.parse();
        let id = id.map_err(|_: agon_agents::ConversationIdError| {
            "has no valid conversation ID".to_owned()
        })?;
        Ok(SavedConversation {
            id,
            begun: true,
            folder,
            spent: conversation.spent,
        })
    }
}
