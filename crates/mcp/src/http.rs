//! The server on HTTP, as a web server mounts it.

use agon_caller::Caller;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use crate::McpService;

/// The server on HTTP: a service for one address.
pub type McpHttp = StreamableHttpService<McpService, LocalSessionManager>;

/// Returns the server on HTTP for `caller`. Its clients work in the project of `caller`, whatever
/// folders they have open, and get no tools of a team. All sessions and calls end when `closing` is cancelled.
///
/// It checks neither `Host` nor `Origin` nor who asks: the web server must do that first.
pub fn http_service(caller: Caller, closing: CancellationToken) -> McpHttp {
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_cancellation_token(closing.clone());
    let mut service = McpService::in_one_project(caller);
    service.closing = closing;
    let each_session = move || Ok(service.clone());
    StreamableHttpService::new(each_session, LocalSessionManager::default().into(), config)
}
