//! Listens on the loopback interface, and limits what a connection may cost.

use std::io::ErrorKind;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use agon_caller::{Caller, Code, Failure};
use agon_debates::report::page;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::gate::Gate;
use crate::key::{Key, key_folder};
use crate::router;
use crate::site::{MAX_WORK, Site};

// 2466 spells AGON on the keys of a telephone. A fixed port lets an open page reconnect when
// the server is started again.
/// The port, if it is free and the user names none.
const PORT: u16 = 2466;
// 200 open pages, and as many requests for what has changed in them. A process may usually open
// 1,024 files.
/// Maximum number of open connections; more wait until one is closed.
const MAX_CONNECTIONS: usize = 480;
/// How long a connection may take to send the next request's headers.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum size of the headers of a request, in bytes.
const MAX_HEADER_BYTES: usize = 32 * 1024;
/// Maximum number of headers of a request.
const MAX_HEADERS: usize = 64;
/// How long to wait after a failed attempt to accept a connection, such as for too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How long use cases may take to end after the server was stopped.
const END_TIMEOUT: Duration = Duration::from_secs(1);

/// The options of a server.
#[derive(Clone, Copy, Debug, Default)]
pub struct WebOptions {
    /// The port; `None` for 2466, or any free one if that is taken.
    pub port: Option<u16>,
    /// Whether it only shows debates and changes nothing.
    pub read_only: bool,
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    site: Arc<Site>,
    header_timeout: Duration,
}

impl Server {
    /// Listens on the loopback interface for the debates of `caller`.
    ///
    /// # Errors
    ///
    /// If the port is taken, or the key file cannot be used.
    pub async fn bind(caller: Caller, options: WebOptions) -> Result<Self, Failure> {
        let key = Key::read_or_create(&caller)?;
        let listener = listen(options.port).await?;
        let port = listener.local_addr();
        let port = port.map_err(|error| Failure::from_error(Code::PortTaken, &error))?;
        let gate = Gate::new(key, port.port(), options.read_only);
        Ok(Self {
            listener,
            site: Arc::new(Site::new(caller, gate)),
            header_timeout: HEADER_TIMEOUT,
        })
    }

    /// Returns the address that opens the pages. It contains the key, so it must stay private.
    pub fn address(&self) -> String {
        self.site.gate.address()
    }

    /// Opens the pages in the browser.
    ///
    /// # Errors
    ///
    /// If no browser can be started.
    pub async fn open_browser(&self) -> Result<(), Failure> {
        let Some(folder) = key_folder(&self.site.caller) else {
            let message = "there is no folder for the file that leads the browser to the page";
            return Err(Failure::new(Code::NoBrowser, message)
                .hint("open the printed address yourself, or set HOME"));
        };
        let file = folder.join("web.html");
        page::open_address(&self.site.caller, &self.address(), &file).await
    }

    /// Returns the address without the key.
    pub fn origin(&self) -> String {
        self.site.gate.origin()
    }

    #[cfg(test)]
    pub(crate) fn with_header_timeout(self, header_timeout: Duration) -> Self {
        Self {
            header_timeout,
            ..self
        }
    }

    /// Answers requests until `stop` is cancelled, and ends at most a second later. Debates that
    /// run then continue.
    pub async fn serve(self, stop: CancellationToken) {
        let router = router::router(Arc::clone(&self.site));
        let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        loop {
            let accepted = tokio::select! {
                () = stop.cancelled() => break,
                accepted = accept(&self.listener, &places) => accepted,
            };
            let Some((stream, place)) = accepted else {
                sleep(ACCEPT_PAUSE).await;
                continue;
            };
            let connection = connection(stream, router.clone(), self.header_timeout);
            let stop = stop.clone();
            tokio::spawn(async move {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = connection => {}
                }
                drop(place);
            });
        }
        self.site.stop.cancel();
        // A cancelled use case ends its processes before it frees its place.
        let all = self.site.places.acquire_many(MAX_WORK);
        timeout(END_TIMEOUT, all).await.ok();
    }
}

async fn listen(port: Option<u16>) -> Result<TcpListener, Failure> {
    let taken = |port: u16, error: std::io::Error| {
        Failure::new(
            Code::PortTaken,
            format!("cannot listen on port {port}: {error}"),
        )
        .hint("leave out --port to use a free port, or stop the program that uses it")
    };
    let wanted = port.unwrap_or(PORT);
    match TcpListener::bind((Ipv4Addr::LOCALHOST, wanted)).await {
        Ok(listener) => Ok(listener),
        Err(error) if port.is_none() && error.kind() == ErrorKind::AddrInUse => {
            let any = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
            any.map_err(|error| taken(0, error))
        }
        Err(error) => Err(taken(wanted, error)),
    }
}

/// Accepts a connection once there is a place for it; `None` if that failed.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    let (stream, _) = listener.accept().await.ok()?;
    stream.set_nodelay(true).ok();
    Some((stream, place))
}

/// Answers the requests of one connection until it ends.
async fn connection(stream: TcpStream, router: Router, header_timeout: Duration) {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(header_timeout)
        .max_buf_size(MAX_HEADER_BYTES)
        .max_headers(MAX_HEADERS);
    let service = TowerToHyperService::new(router);
    // An error is a client that broke the protocol or went away, which concerns no other client.
    builder
        .serve_connection(TokioIo::new(stream), service)
        .await
        .ok();
}
