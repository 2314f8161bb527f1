//! An Agent Client Protocol agent that lets editors hold debates in their agent panel.
//!
//! A session is a debate: its first prompt is the topic, the turns are messages, the rounds are the
//! plan, and the verdict is the answer. This crate contains no rules of debates. A debate runs in
//! its own process and outlives this one. Session and debate share an id, so a later process can
//! find it.

mod agent;
mod command;
mod conversation;
mod embedded;
mod follow;
mod front;
mod options;
mod permission;
mod prompt;
mod prompt_thread;
mod refusal;
mod replay;
mod requests;
mod session;
mod start;
mod stdio;
mod thoughts;
mod updates;

use agon_caller::{Caller, Code, Failure};

use self::session::OpenSessions;

/// Serves the client on stdin and stdout until it closes the connection.
///
/// # Errors
///
/// Returns an error if the connection fails, but not if the client closes it.
pub async fn serve_stdio(caller: Caller) -> Result<(), Failure> {
    let sessions = OpenSessions::new(caller);
    let closing = sessions.closing.clone();
    let (theirs, ours) = agent_client_protocol::Channel::duplex();
    let pump = stdio::pass_lines(ours, closing.clone());
    let (served, ()) = tokio::join!(agent::serve(sessions, theirs), pump);
    closing.cancel();
    served.map_err(|error| Failure::from_error(Code::Connection, &error))
}
