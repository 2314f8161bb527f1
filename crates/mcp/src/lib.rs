//! A Model Context Protocol server that offers Agon to AI tools.
//!
//! Each tool call becomes a request to a use case, whose document is the result. This crate
//! contains no rules of debates. A started debate runs in its own process and outlives this server.

mod arguments;
mod call;
mod context;
mod end_watch;
mod fit;
mod folder;
mod front;
mod http;
mod id_scan;
mod lines;
mod prompt;
mod roots;
mod schema;
mod service;
mod tool;
mod wire;
mod wording;

use agon_caller::{Caller, Code, Failure, FailureKind};
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio;
use rmcp::{ServerHandler, ServiceExt};

use self::end_watch::EndWatch;
pub use self::http::{McpHttp, http_service};
pub use self::service::McpService;
use self::wire::Wire;

/// Serves the client on stdin and stdout until it closes the connection.
///
/// # Errors
///
/// Returns an error if the connection fails, but not if the client closes it.
pub async fn serve_stdio(caller: Caller) -> Result<(), Failure> {
    let failed = |error: &dyn std::error::Error| Failure::from_error(Code::Connection, error);
    let service = McpService::new(caller);
    let (stdin, stdout) = stdio();
    let stdin = EndWatch::new(stdin, service.closing.clone());
    let versions = service.supported_protocol_versions().into_owned();
    let running = match service.serve(Wire::new(stdin, stdout, versions)).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        // A message of our own, because the library prints the request in Rust's debug format.
        Err(ServerInitializeError::ExpectedInitializeRequest(_)) => {
            let message = "the client's first request was not `initialize`";
            return Err(Failure::new(Code::Connection, message).kind(FailureKind::Usage));
        }
        Err(error) => return Err(failed(&error)),
    };
    match running.waiting().await {
        Ok(_) => Ok(()),
        Err(error) => Err(failed(&error)),
    }
}
