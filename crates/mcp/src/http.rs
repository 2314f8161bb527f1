//! The server on HTTP, as a web server mounts it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use agon_caller::Caller;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::McpService;

// Each start of an AI tool is a session, and a tool that crashes leaves one until it expires.
/// Maximum number of open sessions.
const MAX_SESSIONS: usize = 256;
// A person may leave the AI tool alone for half a day; few clients can start a session again.
/// How long a session without requests stays open.
const KEEP_ALIVE: Duration = Duration::from_secs(12 * 60 * 60);

/// The server on HTTP: a service for one address.
pub type McpHttp = StreamableHttpService<McpService, LocalSessionManager>;

/// Returns the server on HTTP for `caller`. Its clients work in the project of `caller`, whatever
/// folders they have open, and get no tools of a team. It has at most 256 sessions, each of which
/// ends after twelve hours without a request. All sessions and calls end when `closing` is
/// cancelled.
///
/// It checks neither `Host` nor `Origin` nor who asks: the web server must do that first.
pub fn http_service(caller: Caller, closing: CancellationToken) -> McpHttp {
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_cancellation_token(closing.clone());
    let mut service = McpService::in_one_project(caller);
    service.closing = closing;
    let places = Arc::new(Semaphore::new(MAX_SESSIONS));
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(KEEP_ALIVE);
    let each_session = move || open_session(&service, &places);
    StreamableHttpService::new(each_session, sessions.into(), config)
}

/// Returns the service for one more session.
///
/// # Errors
///
/// If all places for sessions are taken.
fn open_session(service: &McpService, places: &Arc<Semaphore>) -> io::Result<McpService> {
    let place = Arc::clone(places).try_acquire_owned();
    let place = place.map_err(|_| io::Error::other("too many open sessions"))?;
    Ok(service.in_session(place))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_session_takes_a_place_until_it_ends() {
        let service = McpService::in_one_project(Caller::new(BTreeMap::new(), "/nosuch"));
        let places = Arc::new(Semaphore::new(2));
        let first = open_session(&service, &places).unwrap();
        let second = open_session(&service, &places).unwrap();
        let error = open_session(&service, &places).unwrap_err();
        assert_eq!(error.to_string(), "too many open sessions");
        drop(first);
        let third = open_session(&service, &places).unwrap();
        assert!(open_session(&service, &places).is_err());
        drop((second, third));
        assert_eq!(places.available_permits(), 2);
    }
}
