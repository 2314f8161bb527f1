//! Fetches one file into a part, and goes on with a part that is there.

use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::PathBuf;
use std::time::Duration;

use reqwest::header::{CONTENT_RANGE, RANGE};
use reqwest::{Client, Response, StatusCode};
use url::Url;

use super::aside::file_sha256;
use super::{PullStep, Watch};

// Linux repeats a lost first packet after 1, 3, 7 and 15 s (RFC 6298): a bad line gets the fourth
// one too, since a pull is waited for anyway.
/// The time to reach a server.
const CONNECT: Duration = Duration::from_secs(20);

// Chosen, not measured: shorter gives up on a proxy that looks through the whole file first; longer
// leaves a dead line unnoticed. What has come stays either way.
/// The time in which something has to come.
const SILENCE: Duration = Duration::from_secs(60);

// Chosen, not measured: each one has to bring something, and what has come stays for the next pull.
// More only keeps a user waiting at a line that breaks again and again.
/// How often a transfer that breaks off is taken up again, as long as something comes of it.
const ATTEMPTS: u32 = 5;

/// What is fetched.
pub(super) struct FetchRequest {
    /// From where.
    pub(super) url: Url,
    /// Its bytes, where they are known before.
    pub(super) size: Option<u64>,
    /// The most bytes it may have, where they are not.
    pub(super) most: u64,
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
            client: client.map_err(|error| reason_without_url(&error)),
        }
    }

    /// Asks for `url`, with the header `name`.
    pub(super) async fn request_with_header(
        &self,
        url: &Url,
        name: &str,
        value: &str,
    ) -> Result<Response, String> {
        let client = self.client.as_ref().map_err(Clone::clone)?;
        let asked = client.get(url.clone()).header(name, value);
        asked
            .send()
            .await
            .map_err(|error| reason_without_url(&error))
    }

    /// The text of a page, of which more than `most` bytes are not read.
    pub(super) async fn read_page_text(
        &self,
        mut page: Response,
        most: usize,
    ) -> Result<String, String> {
        let mut text = Vec::new();
        while let Some(piece) = page
            .chunk()
            .await
            .map_err(|error| reason_without_url(&error))?
        {
            if text.len().saturating_add(piece.len()) > most {
                return Err(format!("its page is longer than {most} bytes"));
            }
            text.extend_from_slice(&piece);
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Fetches a file; on return its part is whole, on the disk, and has the right checksum.
    pub(super) async fn fetch(&self, wanted: &FetchRequest) -> Result<(), FetchError> {
        // What is there already may be no part of it: then all of it is fetched, once.
        let mut anew = usable_part_length(wanted) > 0;
        loop {
            let why = match self.transfer_with_retries(wanted).await {
                Ok(()) => {
                    self.watch.on_step(PullStep::Checking);
                    match &wanted.sha256 {
                        None => return Ok(()),
                        Some(expected) => {
                            let found =
                                file_sha256(&wanted.part).await.map_err(FetchError::Write)?;
                            if found == *expected {
                                return Ok(());
                            }
                            format!("what came has the sha256 {found}, and was thrown away")
                        }
                    }
                }
                Err(TransferFailure::Elsewhere(why)) => why,
                Err(TransferFailure::Off(why)) => return Err(FetchError::Net(why)),
                Err(TransferFailure::For(error)) => return Err(error),
            };
            drop(fs::remove_file(&wanted.part));
            if !std::mem::take(&mut anew) {
                return Err(FetchError::Net(why));
            }
        }
    }

    /// Fetches the whole file, resuming a broken transfer as long as each attempt brings something,
    /// in `ATTEMPTS` attempts at most.
    async fn transfer_with_retries(&self, wanted: &FetchRequest) -> Result<(), TransferFailure> {
        let mut left = ATTEMPTS;
        loop {
            let before = usable_part_length(wanted);
            match self.transfer_once(wanted).await {
                Err(TransferFailure::Off(why)) => {
                    left -= 1;
                    if left == 0 || usable_part_length(wanted) <= before {
                        return Err(TransferFailure::Off(why));
                    }
                }
                ended => return ended,
            }
        }
    }

    async fn transfer_once(&self, wanted: &FetchRequest) -> Result<(), TransferFailure> {
        let had = usable_part_length(wanted);
        if wanted.size == Some(had) {
            return Ok(());
        }
        let from = format!("bytes={had}-");
        let mut response = self
            .request_with_header(&wanted.url, RANGE.as_str(), &from)
            .await
            .map_err(network_failure)?;
        let had = match response.status() {
            StatusCode::PARTIAL_CONTENT if content_range_start(&response) == Some(had) => had,
            StatusCode::OK => 0,
            // There is no more: it may be here already, and its checksum tells.
            StatusCode::RANGE_NOT_SATISFIABLE if had > 0 && wanted.sha256.is_some() => {
                return Ok(());
            }
            StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT => {
                let why = "it does not go on where it was".to_owned();
                return Err(TransferFailure::Elsewhere(why));
            }
            status => return Err(network_failure(format!("the server says {status}"))),
        };
        let whole = response
            .content_length()
            .map(|rest| rest.saturating_add(had));
        match (whole, wanted.size) {
            (Some(whole), Some(size)) if whole != size => {
                return Err(network_failure(format!(
                    "it has {whole} bytes there, not {size}"
                )));
            }
            // A page of a proxy, perhaps: what is here already is worth more.
            (None, Some(_)) if had == 0 => {
                return Err(network_failure(
                    "the server does not say how long it is".to_owned(),
                ));
            }
            (Some(whole), None) if whole > wanted.most => {
                return Err(network_failure(too_long_message(wanted)));
            }
            _ => {}
        }
        let most = wanted.size.or(whole).unwrap_or(wanted.most);
        let known = wanted.size.or(whole);
        let shown = known.unwrap_or(0);
        let source = wanted.url.host_str().unwrap_or_default();
        self.watch.on_step(PullStep::From {
            source,
            had,
            whole: shown,
        });
        let mut part = open_part(&wanted.part, had).map_err(write_failure)?;
        let mut done = had;
        loop {
            let piece = response.chunk().await;
            let piece = piece.map_err(|error| TransferFailure::Off(reason_without_url(&error)))?;
            let Some(piece) = piece else { break };
            done = done.saturating_add(u64::try_from(piece.len()).unwrap_or(u64::MAX));
            if done > most {
                drop(fs::remove_file(&wanted.part));
                return Err(network_failure(match known {
                    Some(_) => "more came than there is".to_owned(),
                    None => too_long_message(wanted),
                }));
            }
            part.write_all(&piece).map_err(write_failure)?;
            self.watch.on_step(PullStep::Came { done, whole: shown });
        }
        if known.is_some_and(|known| done < known) {
            return Err(TransferFailure::Off("it broke off".to_owned()));
        }
        part.sync_all().map_err(write_failure)
    }
}

/// Why a transfer ended.
enum TransferFailure {
    /// For good.
    For(FetchError),
    /// Perhaps for now.
    Off(String),
    /// What is here is no part of what they have.
    Elsewhere(String),
}

fn too_long_message(wanted: &FetchRequest) -> String {
    format!("it is longer than {} bytes", wanted.most)
}

fn network_failure(why: String) -> TransferFailure {
    TransferFailure::For(FetchError::Net(why))
}

fn write_failure(cause: io::Error) -> TransferFailure {
    TransferFailure::For(FetchError::Write(cause))
}

/// The length of the part that can be resumed; a part longer than the file is deleted.
fn usable_part_length(wanted: &FetchRequest) -> u64 {
    let had = fs::metadata(&wanted.part).map_or(0, |part| part.len());
    // More than there can be is of no use.
    if wanted.size.is_some_and(|size| had > size) {
        drop(fs::remove_file(&wanted.part));
        return 0;
    }
    had
}

fn open_part(path: &std::path::Path, had: u64) -> io::Result<File> {
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

/// The first byte's offset in the `Content-Range` header.
fn content_range_start(response: &Response) -> Option<u64> {
    let range = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
    range
        .strip_prefix("bytes ")?
        .split('-')
        .next()?
        .parse()
        .ok()
}

/// Why it did not come, without the address: that may hold a name and a password.
pub(super) fn reason_without_url(error: &reqwest::Error) -> String {
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
