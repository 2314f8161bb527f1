//! Asks for pages: only on the user's word, and only on the public internet.

use std::fmt;
use std::io::{self, Read};
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use reqwest::blocking::{Client, Response};
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::redirect::Policy;

use super::{Page, Pages};
use crate::vet::{Resolve, Vetted, vet_page_url};

// As much as is read of a file of a source (`Limits::file_bytes`). Held by
// `tests/suite/pages.rs::what_cannot_be_read_says_why_and_nothing_that_the_server_wrote`.
/// The most bytes of a page that are read.
const MAX_BYTES: u64 = 2 << 20;
// Chosen, not measured: three times `TO_RESOLVE`. A slow page is called unreachable sooner; with
// more a debate waits for servers that never answer.
/// The time for one page with all that it is sent on to.
const TIME: Duration = Duration::from_secs(15);
// Eight pages that use up all their `TIME`; further ones are not asked for, so that a run does not
// wait for a network that is down.
/// The time for all pages of a run together.
const TIME_OF_ALL: Duration = Duration::from_secs(120);
// The time that the system's resolver gives a name server by default (`timeout` in `man 5
// resolv.conf`): the second server is not waited for.
/// The time to learn the addresses of a host.
const TO_RESOLVE: Duration = Duration::from_secs(5);

/// The network access that is needed to fetch a page: name resolution and the addresses to connect
/// to.
pub trait Net: Resolve + fmt::Debug + Send + Sync {
    /// Where to connect to for a page that may be asked for.
    fn socket_addresses(&self, page: &Vetted) -> Vec<SocketAddr> {
        let addresses = page.addresses.iter();
        addresses
            .map(|it| SocketAddr::new(*it, page.port))
            .collect()
    }
}

/// Resolves names with the system's resolver; connections go to the resolved addresses.
#[derive(Clone, Copy, Debug)]
pub struct SystemNet;

impl Resolve for SystemNet {
    fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        // The system's own look-up has no bound.
        let (tell, told) = channel();
        let host = host.to_owned();
        thread::spawn(move || {
            let found = (host.as_str(), 0).to_socket_addrs();
            // The receiver may be gone.
            drop(tell.send(found.map(|found| found.map(|it| it.ip()).collect())));
        });
        let late = |_| io::ErrorKind::TimedOut.into();
        told.recv_timeout(TO_RESOLVE)
            .unwrap_or_else(|error| Err(late(error)))
    }
}

impl Net for SystemNet {}

/// Pages of the public internet.
///
/// Every address is vetted before it is asked, the first one and all it leads to; the connection
/// goes to the addresses that were vetted. No proxy, no cookie and no credential is used.
#[derive(Debug)]
pub struct Web<N: Net> {
    net: N,
    /// How long pages took so far.
    took: Mutex<Duration>,
}

impl<N: Net> Web<N> {
    /// Asks over this net.
    pub fn new(net: N) -> Self {
        // Another part of the program may have chosen one already: either will do.
        drop(rustls::crypto::ring::default_provider().install_default());
        Self {
            net,
            took: Mutex::default(),
        }
    }

    fn fetch_following_redirects(&self, url: &str) -> Result<Page, String> {
        let begun = Instant::now();
        let mut url = url.to_owned();
        let mut from: Vec<Vetted> = Vec::new();
        loop {
            let page =
                vet_page_url(&url, &from, &self.net).map_err(|refused| refused.to_string())?;
            let left = TIME.saturating_sub(begun.elapsed());
            let response = self.send_request(&page, left)?;
            let status = response.status();
            if !status.is_redirection() {
                return page_from_response(response, status, begun + TIME);
            }
            let next = response.headers().get(LOCATION);
            let next = next.and_then(|next| next.to_str().ok());
            url = next.ok_or("it is sent on to nowhere")?.to_owned();
            from.push(page);
        }
    }

    fn send_request(&self, page: &Vetted, left: Duration) -> Result<Response, String> {
        if left.is_zero() {
            return Err(timeout_message());
        }
        let host = page.url.host_str().unwrap_or_default();
        let client = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .timeout(left)
            .resolve_to_addrs(host, &self.net.socket_addresses(page))
            .user_agent(concat!("agon/", env!("CARGO_PKG_VERSION")))
            .build();
        let client = client.map_err(|_| "no connection can be made here")?;
        let sent = client.get(page.url.clone()).send();
        sent.map_err(|error| error_message(&error, "it cannot be reached"))
    }
}

impl<N: Net> Pages for Web<N> {
    fn fetch(&self, url: &str) -> Page {
        let took = || self.took.lock().unwrap_or_else(PoisonError::into_inner);
        if *took() > TIME_OF_ALL {
            let why = "the time for asking for pages is used up";
            return Page::Unreachable(why.to_owned());
        }
        let begun = Instant::now();
        let page = self
            .fetch_following_redirects(url)
            .unwrap_or_else(Page::Unreachable);
        *took() += begun.elapsed();
        page
    }
}

/// What a page says, without its markup.
fn page_from_response(
    response: Response,
    status: StatusCode,
    until: Instant,
) -> Result<Page, String> {
    if matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE) {
        return Ok(Page::Absent);
    }
    if !status.is_success() {
        return Err(format!("the server answers {}", status.as_u16()));
    }
    let kind = response.headers().get(CONTENT_TYPE);
    let kind = kind
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or("text/html");
    let kind = kind.to_ascii_lowercase();
    let markup = kind.contains("html") || kind.contains("xml");
    if !(markup || kind.starts_with("text/") || kind.contains("json")) {
        return Err("it is no text".to_owned());
    }
    let bytes = read_body(response, until)?;
    let text = String::from_utf8_lossy(&bytes);
    // Marks that do not close cost the reading of markup a look through the whole rest each.
    if markup && text.matches('<').count() > 2 * text.matches('>').count() + 100 {
        return Err("its markup is broken".to_owned());
    }
    Ok(Page::Text(match markup {
        true => nanohtml2text::html2text(&text),
        false => text.into_owned(),
    }))
}

/// All of a page's bytes, unless they are too many or come too slowly.
fn read_body(mut response: Response, until: Instant) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut piece = [0; 16 * 1024];
    loop {
        let read = response.read(&mut piece).map_err(|_| "it broke off")?;
        let Some(more) = piece.get(..read).filter(|more| !more.is_empty()) else {
            return Ok(bytes);
        };
        bytes.extend_from_slice(more);
        if bytes.len() as u64 > MAX_BYTES {
            return Err(format!("it has more than {MAX_BYTES} bytes"));
        }
        if Instant::now() > until {
            return Err(timeout_message());
        }
    }
}

fn timeout_message() -> String {
    format!("no answer within {} s", TIME.as_secs())
}

/// Why nothing came; never what the server wrote.
fn error_message(error: &reqwest::Error, otherwise: &str) -> String {
    match error.is_timeout() {
        true => timeout_message(),
        false => otherwise.to_owned(),
    }
}
