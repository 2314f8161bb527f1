//! The brief of a session, which the seats of a debate read.

use agon_caller::host_sign::calling_session_id;
use agon_caller::{Caller, Code, Failure};
use agon_record::text::strip_control_characters;
use agon_sessions::{Handover, HandoverOptions, RecentEntries, SessionHost};
use agon_tokens::count_tokens;

use super::choose::{SessionChoice, SessionRequest, choose};
use super::debate;
use super::describe::clean;
use super::examine::MAX_RECENT_BYTES;
use super::{all_sessions_hint, unreadable};

/// Maximum number of characters of a session's id in the name of its brief.
const MAX_ID: usize = 8;

/// The brief of a session: redacted, with every line of the record quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionBrief {
    /// The tool whose session it is.
    pub host: &'static str,
    /// The session's id.
    pub session: String,
    /// The file name by which the brief is cited.
    pub name: String,
    /// The brief, as Markdown.
    pub text: String,
    /// Its o200k tokens.
    pub tokens: usize,
}

/// Returns the brief of the session with this id; without an id, of the session that runs Agon, or
/// else of the latest one in the project.
///
/// # Errors
///
/// If there is no such session, it cannot be read, the user asked nothing in it, or it is the seat
/// of a debate.
pub fn session_brief(caller: &Caller, session: Option<&str>) -> Result<SessionBrief, Failure> {
    let request = SessionRequest {
        choice: session.map_or(SessionChoice::Own, |name| {
            SessionChoice::Named(name.to_owned())
        }),
        host: None,
    };
    let found = choose(caller, &request)?.into_iter().next();
    let session = found.filter(|it| it.host != SessionHost::Agon);
    let session = session.ok_or_else(|| {
        let message = "a seat of a debate has no brief, because no user speaks in it";
        refusal(message.to_owned())
    })?;
    let unread = || refusal(format!("Agon cannot read sessions of {}", session.host));
    let mut reader = debate::open(&session).ok_or_else(unread)?;
    let mut recent = RecentEntries::new(MAX_RECENT_BYTES);
    let read = reader.read(&mut |entry| recent.push(entry));
    read.map_err(|error| unreadable(&error))?;
    let plan = reader.plan();
    let options = HandoverOptions {
        project: reader.session().project.as_deref(),
        plan: &plan,
        dropped: recent.dropped(),
    };
    let handover = Handover::of(recent.iter(), &options);
    let id = clean(&session.id);
    if handover.asked.is_empty() {
        return Err(refusal(format!("the user asked nothing in session `{id}`")));
    }
    let is_running = calling_session_id(caller).is_some_and(|own| own == session.id);
    let text = strip_control_characters(&handover.render_brief(is_running));
    Ok(SessionBrief {
        host: session.host.as_str(),
        name: name_of(session.host, &id),
        session: id,
        tokens: count_tokens(&text),
        text,
    })
}

fn name_of(host: SessionHost, id: &str) -> String {
    let plain = id.chars().filter(char::is_ascii_alphanumeric);
    let plain: String = plain.take(MAX_ID).collect();
    format!("session-{}-{plain}.md", host.as_str())
}

fn refusal(message: String) -> Failure {
    Failure::new(Code::NoSession, message)
        .parameter("session")
        .hint(all_sessions_hint())
}
