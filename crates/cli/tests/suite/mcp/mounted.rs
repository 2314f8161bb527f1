//! The service of `agon mcp` on HTTP, as a web server mounts it.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::thread::JoinHandle;

use agon_caller::Caller;
use agon_mcp::McpService;
use axum::Router;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::support::Place;

/// The service on loopback, until this is dropped.
pub(super) struct Mounted {
    at: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Mounted {
    /// The service for a caller in this place. Pages of other sites reach it under no name.
    pub(super) fn start(place: &Place) -> Self {
        let text = |(name, value): (&String, &String)| (OsString::from(name), value.into());
        let vars = place.env.iter().map(text).collect();
        let caller = Caller {
            is_hosted: true,
            program: Some(env!("CARGO_BIN_EXE_agon").into()),
            ..Caller::new(vars, place.project())
        };
        let (tell, told) = std::sync::mpsc::channel();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                let served = axum::serve(listener, router(caller)).into_future();
                tokio::select! {
                    served = served => served.unwrap(),
                    stopped = stopped => drop(stopped),
                }
            });
            // Calls that still wait are left alone: the process of the test ends them.
            runtime.shutdown_background();
        });
        Self {
            at: told.recv().unwrap(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Where it is.
    pub(super) fn url(&self) -> String {
        format!("http://{}/mcp", self.at)
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        drop(self.stop.take());
        drop(self.thread.take().map(JoinHandle::join));
    }
}

fn router(caller: Caller) -> Router {
    let service = McpService::new(caller);
    // Hosts are those of loopback by default; origins are not looked at unless they are named.
    let config = StreamableHttpServerConfig::default()
        .with_allowed_origins(["http://localhost:*", "http://127.0.0.1:*"]);
    let mounted = StreamableHttpService::new(
        move || Ok(service.clone()),
        LocalSessionManager::default().into(),
        config,
    );
    Router::new().route_service("/mcp", mounted)
}
