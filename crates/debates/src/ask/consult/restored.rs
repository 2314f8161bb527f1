//! What a consult goes on with, checked again before it is used.

use std::path::PathBuf;

use agon_agents::profile::Transport;
use agon_agents::{ConversationId, SavedConversation};
use agon_caller::hint::flag;
use agon_caller::{Caller, Code, Failure, Hint, Notes, error_chain, system};
use agon_record::text::sanitise_line;
use agon_store::{Consult, ConsultError, Consults, Conversation};
use ulid::Ulid;

use crate::request::ConsultRequest;

// Claude Code 2.1.197 deletes its conversations after 30 days where its user says nothing else
// (`cleanupPeriodDays`): longer would promise what is gone.
/// How long a consult can be gone on with.
pub(super) const RETENTION_MS: u64 = 30 * 24 * 60 * 60 * 1_000;

/// What is gone on with; nothing of it when a consult begins.
#[derive(Clone, Debug, Default)]
pub(super) struct Restored {
    /// The consult.
    pub(super) id: Option<Ulid>,
    /// Its project.
    pub(super) project: Option<PathBuf>,
    /// The conversations of the consult, one with each tool that was asked.
    pub(super) conversations: Vec<Conversation>,
    /// Those of them that are to go on, in the order in which they were asked.
    pub(super) wanted: Vec<Conversation>,
}

/// What `--continue` names, or nothing and a note that says why.
///
/// # Errors
///
/// If what it names cannot be the id of anything.
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
                    Hint::new("an id is the `id` or `session_id` that ")
                        .flag("json")
                        .text(" gives")
                        .then(flag("continue").text(" alone goes on with the last one here")),
                ));
        }
    };
    let afresh = |why: &str, notes: &mut dyn Notes| {
        notes.note(&format!("note: {why}; asking afresh"));
        Ok(Restored::default())
    };
    let Some(consults) = consults else {
        return afresh("there is no home to keep consults in", notes);
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
            Err(error) => return afresh(&sanitise_line(&error_chain(&error), 200), notes),
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
            "" => afresh("there is no consult here to go on with", notes),
            name => afresh(&format!("nothing is kept of {name}"), notes),
        };
    };
    if system::now_ms().saturating_sub(consult.at) > RETENTION_MS {
        return afresh("the consult is older than 30 days", notes);
    }
    let of_one = session.filter(|session| session.as_str().parse() != Ok(consult.id));
    let meant = |conversation: &&Conversation| {
        of_one
            .as_ref()
            .is_none_or(|session| conversation.session == session.as_str())
    };
    Ok(Restored {
        id: Some(consult.id),
        wanted: consult
            .conversations
            .iter()
            .filter(meant)
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
    /// The conversation with a tool, as it is taken up in `folder`; or why it cannot be.
    pub(super) fn resume_conversation(
        conversation: &Conversation,
        by: Option<Transport>,
        folder: PathBuf,
    ) -> Result<SavedConversation, String> {
        let transport = by.map_or(conversation.transport.as_str(), |by| by.name());
        if conversation.transport != transport {
            return Err(format!(
                "was spoken to over {}",
                sanitise_line(&conversation.transport, 20)
            ));
        }
        let id = conversation.session.parse();
        let id = id.map_err(|error: agon_agents::ConversationIdError| error.to_string())?;
        Ok(SavedConversation {
            id,
            begun: true,
            folder,
            spent: conversation.spent,
        })
    }
}
