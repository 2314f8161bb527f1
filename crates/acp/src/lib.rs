//! Agon as an agent of the Agent Client Protocol: an editor holds a debate in its agent panel.
//!
//! A session is a debate: its first prompt is the topic, the turns are messages, the rounds are the
//! plan, and the verdict is the answer. There are no rules of debates in here. A debate runs in a
//! process of its own and outlives this one; its id is the id of the session, so that any later
//! process finds it again.

mod agent;
mod command;
mod conversation;
mod embedded;
mod follow;
mod front;
mod options;
mod permission;
mod prompt;
mod refusal;
mod replay;
mod requests;
mod session;
mod start;
mod stdio;
mod take;
mod thoughts;
mod updates;

use agon_caller::{Caller, Code, Failure};

use self::session::OpenSessions;

/// Serves the client on stdin and stdout until it closes the connection.
///
/// # Errors
///
/// If the connection cannot be served, but not where the client closes it.
pub async fn serve_stdio(caller: Caller) -> Result<(), Failure> {
    let sessions = OpenSessions::new(caller);
    let closing = sessions.closing.clone();
    let (theirs, ours) = agent_client_protocol::Channel::duplex();
    let pump = stdio::pass_lines(ours, closing.clone());
    let (served, ()) = tokio::join!(agent::serve(sessions, theirs), pump);
    closing.cancel();
    served.map_err(|error| Failure::from_error(Code::Connection, &error))
}
