//! Fetches pages, only at the user's request and only from the public internet.

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

// The same as for a source file (`PinLimits::file_bytes`). Tested by
// `tests/suite/pages.rs::what_cannot_be_read_says_why_and_nothing_that_the_server_wrote`.
/// Maximum size of a page in bytes.
const MAX_BYTES: u64 = 2 << 20;
// Chosen, not measured: three times `RESOLVE_TIMEOUT`. With a lower limit, slow pages fail; with a
// higher one, a debate waits for servers that never answer.
/// Time limit for one page, including its redirects.
const PAGE_TIMEOUT: Duration = Duration::from_secs(15);
// Enough for eight pages that use all of `PAGE_TIMEOUT`. Further pages are not fetched, so that a
// run does not wait for a broken network.
/// Time limit for all pages of a run together.
const TOTAL_TIMEOUT: Duration = Duration::from_secs(120);
// The system resolver's default timeout for one name server (`timeout` in `man 5 resolv.conf`), so
// Agon does not wait for a second one.
/// Time limit for resolving a host name.
const RESOLVE_TIMEOUT: Duration = Duration::from_secs(5);

/// Network access for fetching a page: name resolution and the addresses to connect to.
pub trait Net: Resolve + fmt::Debug + Send + Sync {
    /// Returns the addresses to connect to for a page that passed the checks.
    fn socket_addresses(&self, page: &Vetted) -> Vec<SocketAddr> {
        let addresses = page.addresses.iter();
        addresses
            .map(|it| SocketAddr::new(*it, page.port))
            .collect()
    }
}

/// Uses the system's resolver, and connects to the addresses that it returns.
#[derive(Clone, Copy, Debug)]
pub struct SystemNet;

impl Resolve for SystemNet {
    fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        // The system's resolver has no time limit, so run it on another thread.
        let (sender, receiver) = channel();
        let host = host.to_owned();
        thread::spawn(move || {
            let found = (host.as_str(), 0).to_socket_addrs();
            // Ignore an error: the receiver is gone if the time limit was reached.
            drop(sender.send(found.map(|found| found.map(|it| it.ip()).collect())));
        });
        let late = |_| io::ErrorKind::TimedOut.into();
        receiver
            .recv_timeout(RESOLVE_TIMEOUT)
            .unwrap_or_else(|error| Err(late(error)))
    }
}

impl Net for SystemNet {}

/// Fetches pages from the public internet.
///
/// Vets every address before the request, including every redirect, and connects only to vetted
/// addresses. Uses no proxy, no cookie and no credential.
#[derive(Debug)]
pub struct Web<N: Net> {
    net: N,
    /// The total time spent on pages so far.
    took: Mutex<Duration>,
}

impl<N: Net> Web<N> {
    /// Creates a client that uses this network.
    pub fn new(net: N) -> Self {
        // Ignore an error: another part of the program may already have installed a provider, which
        // works too.
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
            let left = PAGE_TIMEOUT.saturating_sub(begun.elapsed());
            let response = self.send_request(&page, left)?;
            let status = response.status();
            if !status.is_redirection() {
                return page_from_response(response, status, begun + PAGE_TIMEOUT);
            }
            let next = response.headers().get(LOCATION);
            let next = next.and_then(|next| next.to_str().ok());
            url = next.ok_or("its redirect has no target")?.to_owned();
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
        let client = client.map_err(|_| "no connection is possible from this machine")?;
        let sent = client.get(page.url.clone()).send();
        sent.map_err(|error| error_message(&error, "its server cannot be reached"))
    }
}

impl<N: Net> Pages for Web<N> {
    fn fetch(&self, url: &str) -> Page {
        let took = || self.took.lock().unwrap_or_else(PoisonError::into_inner);
        if *took() > TOTAL_TIMEOUT {
            let why = "the time limit for fetching pages is used up";
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

/// Returns the text of a page, without its markup.
fn page_from_response(
    response: Response,
    status: StatusCode,
    until: Instant,
) -> Result<Page, String> {
    if matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE) {
        return Ok(Page::Absent);
    }
    if !status.is_success() {
        return Err(format!(
            "the server answered with status {}",
            status.as_u16()
        ));
    }
    let kind = response.headers().get(CONTENT_TYPE);
    let kind = kind
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or("text/html");
    let kind = kind.to_ascii_lowercase();
    let markup = kind.contains("html") || kind.contains("xml");
    if !(markup || kind.starts_with("text/") || kind.contains("json")) {
        return Err("it is not a text document".to_owned());
    }
    let bytes = read_body(response, until)?;
    let text = String::from_utf8_lossy(&bytes);
    // Each unclosed tag makes the HTML reader scan the rest of the page, so reject a page with many
    // of them.
    if markup && text.matches('<').count() > 2 * text.matches('>').count() + 100 {
        return Err("its markup is broken".to_owned());
    }
    Ok(Page::Text(match markup {
        true => nanohtml2text::html2text(&text),
        false => text.into_owned(),
    }))
}

/// Reads the body of a page, unless it is too large or too slow.
fn read_body(mut response: Response, until: Instant) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut piece = [0; 16 * 1024];
    loop {
        let read = response
            .read(&mut piece)
            .map_err(|_| "the connection broke off")?;
        let Some(more) = piece.get(..read).filter(|more| !more.is_empty()) else {
            return Ok(bytes);
        };
        bytes.extend_from_slice(more);
        if bytes.len() as u64 > MAX_BYTES {
            return Err(format!("it is larger than {MAX_BYTES} bytes"));
        }
        if Instant::now() > until {
            return Err(timeout_message());
        }
    }
}

fn timeout_message() -> String {
    format!("no answer within {} s", PAGE_TIMEOUT.as_secs())
}

/// Returns why a request failed, without any text from the server.
fn error_message(error: &reqwest::Error, otherwise: &str) -> String {
    match error.is_timeout() {
        true => timeout_message(),
        false => otherwise.to_owned(),
    }
}
