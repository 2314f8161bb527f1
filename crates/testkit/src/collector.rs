//! A trace collector for tests: it receives OTLP/HTTP as JSON and stores it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::Value;
use tokio::sync::oneshot;

/// The response of a collector to each request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Success.
    Well,
    /// A server error.
    Badly,
    /// A response that comes after any client has timed out.
    Never,
}

/// A collector that listens on the loopback address until it is dropped.
#[derive(Debug)]
pub struct Collector {
    at: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// A received request.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    /// Its headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// Its body; null if it is not JSON.
    pub body: Value,
}

impl Collector {
    /// Starts a collector with these answers.
    ///
    /// # Panics
    ///
    /// If no port is free.
    pub fn start(answers: Answers) -> Self {
        let received = Arc::new(Mutex::new(Vec::new()));
        let (tell, told) = std::sync::mpsc::channel();
        let (stop, stopped) = oneshot::channel::<()>();
        let kept = Arc::clone(&received);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                let take = move |headers: HeaderMap, body: Bytes| {
                    let kept = Arc::clone(&kept);
                    async move { take(&kept, answers, &headers, &body).await }
                };
                let app = Router::new().route("/v1/traces", post(take));
                let served = axum::serve(listener, app).into_future();
                tokio::select! {
                    served = served => served.unwrap(),
                    stopped = stopped => drop(stopped),
                }
            });
        });
        Self {
            at: told.recv().unwrap(),
            received,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Its address, for `OTEL_EXPORTER_OTLP_ENDPOINT`.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.at)
    }

    /// The requests received so far.
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// The spans received so far, in the order in which they ended.
    pub fn spans(&self) -> Vec<Value> {
        let received = self.received();
        let each = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
        let resources = received
            .iter()
            .flat_map(|one| each(&one.body, "resourceSpans"));
        let scopes = resources.flat_map(|resource| each(&resource, "scopeSpans"));
        scopes.flat_map(|scope| each(&scope, "spans")).collect()
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        drop(self.stop.take());
        drop(self.thread.take().map(std::thread::JoinHandle::join));
    }
}

async fn take(
    kept: &Mutex<Vec<Received>>,
    answers: Answers,
    headers: &HeaderMap,
    body: &[u8],
) -> (StatusCode, &'static str) {
    let text =
        |value: &axum::http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = headers
        .iter()
        .map(|(name, value)| (name.to_string(), text(value)));
    let body = serde_json::from_slice(body).unwrap_or_default();
    kept.lock().unwrap().push(Received {
        headers: headers.collect(),
        body,
    });
    match answers {
        Answers::Well => (StatusCode::OK, "{}"),
        Answers::Badly => (StatusCode::INTERNAL_SERVER_ERROR, "{}"),
        Answers::Never => {
            tokio::time::sleep(Duration::from_secs(3_600)).await;
            (StatusCode::OK, "{}")
        }
    }
}
