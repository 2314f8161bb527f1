//! Agon as a server of the Model Context Protocol, for the AI tool that a person works in.
//!
//! A tool call becomes a request to [`agon_app`], and its document becomes the result. There are no
//! rules of debates in here. A debate that is started runs in a process of its own and outlives
//! this server.

mod call;
mod closing;
mod context;
mod fit;
mod folder;
mod front;
mod lines;
mod prompt;
mod schema;
mod service;
mod tool;
mod wording;

use agon_app::{Caller, Failure, FailureKind};
use rmcp::ServiceExt;
use rmcp::transport::stdio;

use self::closing::EndWatch;
use self::lines::BoundedLines;
pub use self::service::McpService;

/// Serves the client on stdin and stdout until it closes the connection.
///
/// # Errors
///
/// If the connection cannot be served, but not where the client closes it.
pub async fn serve_stdio(caller: Caller) -> Result<(), Failure> {
    let failed =
        |error: &dyn std::error::Error| Failure::from_error(FailureKind::Bug, "connection", error);
    let service = McpService::new(caller);
    let (stdin, stdout) = stdio();
    let stdin = EndWatch::new(stdin, service.closing.clone());
    let stdin = BoundedLines::new(stdin);
    let running = match service.serve((stdin, stdout)).await {
        Ok(running) => running,
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(failed(&error)),
    };
    match running.waiting().await {
        Ok(_) => Ok(()),
        Err(error) => Err(failed(&error)),
    }
}
