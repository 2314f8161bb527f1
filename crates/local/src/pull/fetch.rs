//! Downloads a file, resuming a partial download.

use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::PathBuf;
use std::time::Duration;

use reqwest::header::{CONTENT_RANGE, RANGE};
use reqwest::{Client, Response, StatusCode};
use url::Url;

use super::blocking::file_sha256;
use super::{PullStep, Watch};

// Linux resends a lost first packet after 1, 3, 7 and 15 s (RFC 6298). This allows for the fourth
// one, because the user waits for a download anyway.
/// Time limit for connecting to a server.
const CONNECT: Duration = Duration::from_secs(20);

// Chosen, not measured: a shorter limit gives up on a proxy that scans the whole file first; with a
// longer one, a dead connection goes unnoticed. The partial download is kept either way.
/// Time limit for receiving further data.
const SILENCE: Duration = Duration::from_secs(60);

// Chosen, not measured: each attempt must make progress, and the next pull continues the partial
// download. More attempts would only keep the user waiting on an unreliable connection.
/// Maximum number of attempts to resume an interrupted transfer.
const ATTEMPTS: u32 = 5;

/// A file to download.
pub(super) struct FetchRequest {
    /// The URL.
    pub(super) url: Url,
    /// Its size in bytes, if known.
    pub(super) size: Option<u64>,
    /// Its maximum size in bytes, if the size is unknown.
    pub(super) most: u64,
    /// Its checksum, if known.
    pub(super) sha256: Option<String>,
    /// The path of the partial download.
    pub(super) part: PathBuf,
}

/// The reason why a download failed.
pub(super) enum FetchError {
    /// The partial download cannot be written.
    Write(io::Error),
    /// The file did not arrive, or its contents are wrong.
    Net(String),
}

/// The HTTP client for downloads.
pub(super) struct Fetcher<'a> {
    watch: &'a dyn Watch,
    client: Result<Client, String>,
}

impl<'a> Fetcher<'a> {
    /// Returns a client that uses the proxies of the environment.
    pub(super) fn new(watch: &'a dyn Watch) -> Self {
        // Ignore an error: another part of the program may already have installed a provider, which
        // works too.
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

    /// Requests `url` with the header `name`.
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

    /// Downloads the text of a page, at most `most` bytes.
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
                return Err(format!("the page is too long: the limit is {most} bytes"));
            }
            text.extend_from_slice(&piece);
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Downloads a file; on return, it is complete, synced and has the right checksum.
    pub(super) async fn fetch(&self, wanted: &FetchRequest) -> Result<(), FetchError> {
        // If the existing part turns out to belong to another file, download the whole file once.
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
                            format!(
                                "the downloaded file has the wrong sha256 {found} and was discarded"
                            )
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

    /// Downloads the whole file in at most `ATTEMPTS` attempts, resuming as long as each makes
    /// progress.
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
            // There is nothing left to send, so the file may be complete; its checksum decides.
            StatusCode::RANGE_NOT_SATISFIABLE if had > 0 && wanted.sha256.is_some() => {
                return Ok(());
            }
            StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT => {
                let why = "the server cannot resume the download".to_owned();
                return Err(TransferFailure::Elsewhere(why));
            }
            status => return Err(network_failure(format!("the server returned {status}"))),
        };
        let whole = response
            .content_length()
            .map(|rest| rest.saturating_add(had));
        match (whole, wanted.size) {
            (Some(whole), Some(size)) if whole != size => {
                return Err(network_failure(format!(
                    "the server's file has {whole} bytes instead of {size}"
                )));
            }
            // Without a length, this may be a proxy's error page, which must not replace the
            // existing part.
            (None, Some(_)) if had == 0 => {
                return Err(network_failure(
                    "the server does not report its length".to_owned(),
                ));
            }
            (Some(whole), None) if whole > wanted.most => {
                return Err(network_failure(file_too_large_message(wanted)));
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
                    Some(_) => "the server sent too many bytes".to_owned(),
                    None => file_too_large_message(wanted),
                }));
            }
            part.write_all(&piece).map_err(write_failure)?;
            self.watch.on_step(PullStep::Came { done, whole: shown });
        }
        if known.is_some_and(|known| done < known) {
            return Err(TransferFailure::Off(
                "the connection was interrupted".to_owned(),
            ));
        }
        part.sync_all().map_err(write_failure)
    }
}

/// The reason why a transfer stopped.
enum TransferFailure {
    /// It failed, and a retry would not help.
    For(FetchError),
    /// It failed, but a retry may help.
    Off(String),
    /// The existing part does not belong to the server's file.
    Elsewhere(String),
}

fn file_too_large_message(wanted: &FetchRequest) -> String {
    format!("the file is too large: the limit is {} bytes", wanted.most)
}

fn network_failure(why: String) -> TransferFailure {
    TransferFailure::For(FetchError::Net(why))
}

fn write_failure(cause: io::Error) -> TransferFailure {
    TransferFailure::For(FetchError::Write(cause))
}

/// Returns the length of the partial download; deletes it first if it is longer than the file.
fn usable_part_length(wanted: &FetchRequest) -> u64 {
    let had = fs::metadata(&wanted.part).map_or(0, |part| part.len());
    // A part longer than the file cannot be resumed, so delete it.
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

/// Returns the position of the first byte, from the `Content-Range` header.
fn content_range_start(response: &Response) -> Option<u64> {
    let range = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
    range
        .strip_prefix("bytes ")?
        .split('-')
        .next()?
        .parse()
        .ok()
}

/// Returns why a request failed, without the URL, which may contain a user name and password.
pub(super) fn reason_without_url(error: &reqwest::Error) -> String {
    let mut source = std::error::Error::source(error);
    let mut last = None;
    while let Some(inner) = source {
        last = Some(inner.to_string());
        source = inner.source();
    }
    let what = if error.is_timeout() {
        "the server did not respond in time"
    } else if error.is_connect() {
        "no connection"
    } else {
        "the connection was interrupted"
    };
    match last {
        Some(last) => format!("{what} ({})", last.lines().next().unwrap_or_default()),
        None => what.to_owned(),
    }
}
