//! Listens, by default on the loopback interface only, and limits what a connection may cost.

use std::convert::Infallible;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use agon_caller::{Caller, Code, Failure};
use agon_debates::report::page;
use axum::extract::Request;
use axum::response::IntoResponse;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tower_service::Service;

use crate::endpoint::{self, Endpoint, PublicOrigin};
use crate::gate::{Gate, MOUNTED};
use crate::key::{Key, key_folder};
use crate::newcomers::{Newcomer, Newcomers};
use crate::router;
use crate::site::{MAX_WORK, Site};
use crate::stalled::Impatient;

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
/// How long a connection may accept no byte of a response.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum size of the headers of a request, in bytes.
const MAX_HEADER_BYTES: usize = 32 * 1024;
/// Maximum number of headers of a request.
const MAX_HEADERS: usize = 64;
/// How long to wait after a failed attempt to accept a connection, such as for too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How long use cases may take to end after the server was stopped.
const END_TIMEOUT: Duration = Duration::from_secs(1);

/// The options of a server.
#[derive(Clone, Debug, Default)]
pub struct WebOptions {
    /// The port; `None` for 2466, or any free one if that is taken.
    pub port: Option<u16>,
    /// Whether it only shows debates and changes nothing.
    pub read_only: bool,
    /// Whether it has a second address, for people who may only watch.
    pub share: bool,
    /// The address at which it listens; `None` for the loopback interface.
    pub listen: Option<IpAddr>,
    /// The address under which browsers reach it, such as that of a proxy.
    pub origin: Option<PublicOrigin>,
    /// The file with the key; `None` for the one that Agon keeps. Needed if other computers can
    /// reach the server.
    pub token_file: Option<PathBuf>,
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    site: Arc<Site>,
    header_timeout: Duration,
    /// Addresses that the front end added.
    mounted: Router,
    is_local: bool,
}

impl Server {
    /// Listens for the debates of `caller`.
    ///
    /// # Errors
    ///
    /// If the port is taken, the key file cannot be used, or other computers could reach the server
    /// and there is no token file.
    pub async fn bind(caller: Caller, options: WebOptions) -> Result<Self, Failure> {
        let ip = options.listen.unwrap_or(Ipv4Addr::LOCALHOST.into());
        let is_local = endpoint::is_local(ip, options.origin.as_ref())?;
        let key = match &options.token_file {
            Some(file) => Key::read_from(&caller.cwd.join(file))?,
            None if is_local => Key::read_or_create(&caller)?,
            None => {
                let message =
                    "other computers could reach the server, and it has no token of its own";
                return Err(Failure::new(Code::MissingParameter, message)
                    .parameter("token_file")
                    .hint("create one with (umask 077; openssl rand -hex 32 > FILE), and add --token-file FILE"));
            }
        };
        let listener = listen(ip, options.port).await?;
        let address = listener.local_addr();
        let address = address.map_err(|error| Failure::from_error(Code::PortTaken, &error))?;
        let endpoint = Endpoint::new(address, options.origin);
        let gate = Gate::new(key, endpoint, options.share, options.read_only);
        Ok(Self {
            listener,
            site: Arc::new(Site::new(caller, gate)),
            header_timeout: HEADER_TIMEOUT,
            mounted: Router::new(),
            is_local,
        })
    }

    /// Adds a protocol server at `/mcp`, behind the same checks, for holders of the key only.
    pub fn mount<S>(self, service: S) -> Self
    where
        S: Service<Request, Error = Infallible> + Clone + Send + Sync + 'static,
        S::Response: IntoResponse,
        S::Future: Send + 'static,
    {
        Self {
            mounted: self.mounted.route_service(MOUNTED, service),
            ..self
        }
    }

    /// Returns the address that only shows the debates and the team, if it is shared.
    pub fn watching_address(&self) -> Option<String> {
        self.site.gate.watching_address()
    }

    /// Returns whether only this computer can reach the server.
    pub fn is_local(&self) -> bool {
        self.is_local
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
    pub(crate) fn port(&self) -> u16 {
        self.listener.local_addr().unwrap().port()
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
        let router = router::router(Arc::clone(&self.site), self.mounted);
        let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        let newcomers = Arc::new(Newcomers::default());
        loop {
            let accepted = tokio::select! {
                () = stop.cancelled() => break,
                accepted = accept(&self.listener, &places) => accepted,
            };
            let Some((stream, peer, place)) = accepted else {
                sleep(ACCEPT_PAUSE).await;
                continue;
            };
            let Some(newcomer) = newcomers.admit(peer) else {
                continue;
            };
            let connection = connection(stream, newcomer, router.clone(), self.header_timeout);
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

async fn listen(ip: IpAddr, port: Option<u16>) -> Result<TcpListener, Failure> {
    let taken = |port: u16, error: std::io::Error| {
        Failure::new(
            Code::PortTaken,
            format!("cannot listen at {}: {error}", SocketAddr::new(ip, port)),
        )
        .hint("leave out --port to use a free port, or stop the program that uses it")
    };
    let wanted = port.unwrap_or(PORT);
    match TcpListener::bind((ip, wanted)).await {
        Ok(listener) => Ok(listener),
        Err(error) if port.is_none() && error.kind() == ErrorKind::AddrInUse => {
            let any = TcpListener::bind((ip, 0)).await;
            any.map_err(|error| taken(0, error))
        }
        Err(error) => Err(taken(wanted, error)),
    }
}

/// Accepts a connection once there is a place for it; `None` if that failed.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, IpAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    let (stream, peer) = listener.accept().await.ok()?;
    stream.set_nodelay(true).ok();
    Some((stream, peer.ip(), place))
}

/// Answers the requests of one connection until it ends.
async fn connection(
    stream: TcpStream,
    newcomer: Arc<Newcomer>,
    router: Router,
    header_timeout: Duration,
) {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(header_timeout)
        .max_buf_size(MAX_HEADER_BYTES)
        .max_headers(MAX_HEADERS);
    let service = TowerToHyperService::new(router.layer(Extension(newcomer)));
    // An error is a client that broke the protocol or went away, which concerns no other client.
    builder
        .serve_connection(TokioIo::new(Impatient::new(stream, WRITE_TIMEOUT)), service)
        .await
        .ok();
}
