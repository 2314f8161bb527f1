//! Agon as a server of the Model Context Protocol, for the AI tool that a person works in.
//!
//! A tool call becomes a request to a use case, and its document becomes the result. There are no
//! rules of debates in here. A debate that is started runs in a process of its own and outlives
//! this server.

mod arguments;
mod call;
mod closing;
mod context;
mod fit;
mod folder;
mod front;
mod lines;
mod prompt;
mod roots;
mod scan;
mod schema;
mod service;
mod tool;
mod wire;
mod wording;

use agon_caller::{Caller, Code, Failure, FailureKind};
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio;
use rmcp::{ServerHandler, ServiceExt};

use self::closing::EndWatch;
pub use self::service::McpService;
use self::wire::Wire;

/// Serves the client on stdin and stdout until it closes the connection.
///
/// # Errors
///
/// If the connection cannot be served, but not where the client closes it.
pub async fn serve_stdio(caller: Caller) -> Result<(), Failure> {
    let failed = |error: &dyn std::error::Error| Failure::from_error(Code::Connection, error);
    let service = McpService::new(caller);
    let (stdin, stdout) = stdio();
    let stdin = EndWatch::new(stdin, service.closing.clone());
    let versions = service.supported_protocol_versions().into_owned();
    let running = match service.serve(Wire::new(stdin, stdout, versions)).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        // The library shows the message, as its code has it.
        Err(ServerInitializeError::ExpectedInitializeRequest(_)) => {
            let message = "the client opened no connection: its first request was something else";
            return Err(Failure::new(Code::Connection, message).kind(FailureKind::Usage));
        }
        Err(error) => return Err(failed(&error)),
    };
    match running.waiting().await {
        Ok(_) => Ok(()),
        Err(error) => Err(failed(&error)),
    }
}
