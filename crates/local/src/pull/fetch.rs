//! Fetches one file into a part, and goes on with a part that is there.

use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::PathBuf;
use std::time::Duration;

use reqwest::header::{CONTENT_RANGE, RANGE};
use reqwest::{Client, Response, StatusCode};
use url::Url;

use super::{Step, Watch};
use crate::cache::checksum;

/// The time to reach a server.
const CONNECT: Duration = Duration::from_secs(20);

/// The time in which something has to come.
const SILENCE: Duration = Duration::from_secs(60);

/// How often a transfer that breaks off is taken up again, as long as something comes of it.
const ATTEMPTS: u32 = 5;

/// What is fetched.
pub(super) struct Fetched {
    /// From where.
    pub(super) url: Url,
    /// Its bytes, where they are known before.
    pub(super) size: Option<u64>,
    /// Its checksum, where it is known before.
    pub(super) sha256: Option<String>,
    /// Where it goes.
    pub(super) part: PathBuf,
}

/// Why it is not there.
pub(super) enum FetchError {
    /// The part cannot be written.
    Write(io::Error),
    /// It did not come, or what came is not it.
    Net(String),
}

/// Asks servers.
pub(super) struct Fetcher<'a> {
    watch: &'a dyn Watch,
    client: Result<Client, String>,
}

impl<'a> Fetcher<'a> {
    /// Asks servers by way of the proxies of the environment.
    pub(super) fn new(watch: &'a dyn Watch) -> Self {
        // Another part of the program may have chosen one already: either will do.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = Client::builder()
            .user_agent(concat!("agon/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            .build();
        Self {
            watch,
            client: client.map_err(|error| reason(&error)),
        }
    }

    /// Asks for `url`, with a header.
    pub(super) async fn ask(&self, url: &Url, header: (&str, &str)) -> Result<Response, String> {
        let client = self.client.as_ref().map_err(Clone::clone)?;
        let asked = client.get(url.clone()).header(header.0, header.1);
        asked.send().await.map_err(|error| reason(&error))
    }

    /// Fetches a file; on return its part is whole, on the disk, and has the right checksum.
    pub(super) async fn fetch(&self, wanted: &Fetched) -> Result<(), FetchError> {
        let mut left = ATTEMPTS;
        loop {
            let before = had(wanted);
            match self.transfer(wanted).await {
                Ok(()) => break,
                Err(Broken::For(error)) => return Err(error),
                Err(Broken::Off(why)) => {
                    left -= 1;
                    if left == 0 || had(wanted) <= before {
                        return Err(FetchError::Net(why));
                    }
                }
            }
        }
        self.watch.step(Step::Checking);
        let Some(expected) = &wanted.sha256 else {
            return Ok(());
        };
        let found = checksum(&wanted.part).map_err(FetchError::Write)?;
        if found == *expected {
            return Ok(());
        }
        drop(fs::remove_file(&wanted.part));
        Err(FetchError::Net(format!(
            "what came has the sha256 {found}, and was thrown away"
        )))
    }

    async fn transfer(&self, wanted: &Fetched) -> Result<(), Broken> {
        let had = had(wanted);
        if wanted.size == Some(had) {
            return Ok(());
        }
        let from = format!("bytes={had}-");
        let mut response = self
            .ask(&wanted.url, (RANGE.as_str(), &from))
            .await
            .map_err(net)?;
        let had = match response.status() {
            StatusCode::PARTIAL_CONTENT if begins(&response) == Some(had) => had,
            StatusCode::OK => 0,
            StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT => {
                // What is there is not the beginning of what they have.
                drop(fs::remove_file(&wanted.part));
                return Err(Broken::Off("it does not go on where it was".to_owned()));
            }
            status => return Err(net(format!("the server says {status}"))),
        };
        let whole = response
            .content_length()
            .map(|rest| rest.saturating_add(had));
        if let (Some(whole), Some(size)) = (whole, wanted.size)
            && whole != size
        {
            return Err(net(format!("it has {whole} bytes there, not {size}")));
        }
        let most = wanted.size.or(whole);
        let shown = most.unwrap_or(0);
        let source = wanted.url.host_str().unwrap_or_default();
        self.watch.step(Step::From {
            source,
            had,
            whole: shown,
        });
        let mut part = open(&wanted.part, had).map_err(unkept)?;
        let mut done = had;
        loop {
            let piece = response.chunk().await;
            let piece = piece.map_err(|error| Broken::Off(reason(&error)))?;
            let Some(piece) = piece else { break };
            done = done.saturating_add(u64::try_from(piece.len()).unwrap_or(u64::MAX));
            if most.is_some_and(|most| done > most) {
                drop(fs::remove_file(&wanted.part));
                return Err(net("more came than there is".to_owned()));
            }
            part.write_all(&piece).map_err(unkept)?;
            self.watch.step(Step::Came { done, whole: shown });
        }
        if most.is_some_and(|most| done < most) {
            return Err(Broken::Off("it broke off".to_owned()));
        }
        part.sync_all().map_err(unkept)
    }
}

/// Why a transfer ended.
enum Broken {
    /// For good.
    For(FetchError),
    /// Perhaps for now.
    Off(String),
}

fn net(why: String) -> Broken {
    Broken::For(FetchError::Net(why))
}

fn unkept(cause: io::Error) -> Broken {
    Broken::For(FetchError::Write(cause))
}

/// The bytes that are there.
fn had(wanted: &Fetched) -> u64 {
    let had = fs::metadata(&wanted.part).map_or(0, |part| part.len());
    // More than there can be is of no use.
    if wanted.size.is_some_and(|size| had > size) {
        drop(fs::remove_file(&wanted.part));
        return 0;
    }
    had
}

fn open(path: &std::path::Path, had: u64) -> io::Result<File> {
    let mut part = File::options()
        .create(true)
        .write(true)
        .truncate(false)
        .open(path)?;
    if part.metadata()?.len() != had {
        part.set_len(had)?;
    }
    part.seek(io::SeekFrom::Start(had))?;
    Ok(part)
}

/// Where the part that came begins.
fn begins(response: &Response) -> Option<u64> {
    let range = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
    range
        .strip_prefix("bytes ")?
        .split('-')
        .next()?
        .parse()
        .ok()
}

/// Why it did not come, without the address: that may hold a name and a password.
pub(super) fn reason(error: &reqwest::Error) -> String {
    let mut source = std::error::Error::source(error);
    let mut last = None;
    while let Some(inner) = source {
        last = Some(inner.to_string());
        source = inner.source();
    }
    let what = if error.is_timeout() {
        "nothing came in time"
    } else if error.is_connect() {
        "no connection"
    } else {
        "it broke off"
    };
    match last {
        Some(last) => format!("{what} ({})", last.lines().next().unwrap_or_default()),
        None => what.to_owned(),
    }
}
