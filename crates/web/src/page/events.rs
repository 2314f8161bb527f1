//! The events of a debate as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use agon_debates::status::RunState;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Response};
use futures_util::stream;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, broadcast, watch};
use tokio::time::sleep;

use crate::feed::{Log, Reading};
use crate::fields::Fields;
use crate::find::find_debate;
use crate::reply::{self, ErrorForm, Reply};
use crate::site::Site;
use crate::work;

// A page says that the connection is lost after two and a half of these.
/// The longest time without anything to send.
const BEAT: Duration = Duration::from_secs(10);
/// What a reader gets first: how soon to reconnect, in milliseconds.
const FIRST: &str = "retry: 400\nevent: beat\ndata: \n\n";
const BEAT_FRAME: &str = "event: beat\ndata: \n\n";

/// `GET /debates/{name}/events`: the lines of the journal after `Last-Event-ID`, or after the
/// parameter `after`, and then each new one.
pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: Request,
) -> Reply {
    let after = last_event_id(&request);
    let found = work::run(&site, async move |caller| find_debate(caller, &name));
    let path = match found.await {
        Ok(path) => path,
        Err(failure) => return reply::failure(&site, &failure, ErrorForm::Document),
    };
    let place = match site.stream_place() {
        Ok(place) => place,
        Err(refusal) => return reply::refusal(refusal),
    };
    let reading = match site.feeds.read(&site.caller, &path, &site.stop) {
        Ok(reading) => reading,
        Err(failure) => return reply::failure(&site, &failure, ErrorForm::Document),
    };
    let reader = Reader {
        log: reading.feed.log.subscribe(),
        words: reading.feed.words.subscribe(),
        after,
        run_state: None,
        is_first: true,
        _reading: reading,
        _place: place,
        site,
    };
    let frames = stream::unfold(reader, |mut reader| async move {
        let mut frames = reader.next().await?;
        if reader.site.is_watching() {
            frames = reader.site.private.mask(&frames);
        }
        Some((Ok::<_, Infallible>(frames), reader))
    });
    let mut reply = Response::new(Body::from_stream(frames));
    let kind = HeaderValue::from_static("text/event-stream");
    reply.headers_mut().insert(CONTENT_TYPE, kind);
    reply
}

/// Returns the last line that the reader has; 0 for none.
fn last_event_id(request: &Request) -> u64 {
    let header = request.headers().get("last-event-id");
    let header = header.and_then(|it| it.to_str().ok()?.trim().parse().ok());
    let query = Fields::of_query(request.uri());
    let parameter = query.text("after").and_then(|it| it.parse().ok());
    header.or(parameter).unwrap_or(0)
}

/// One open page.
struct Reader {
    log: watch::Receiver<Log>,
    words: broadcast::Receiver<Arc<str>>,
    /// The last line that was sent.
    after: u64,
    /// The last run state that was sent.
    run_state: Option<RunState>,
    is_first: bool,
    /// Keeps the feed open.
    _reading: Arc<Reading>,
    /// Kept as long as the stream is open.
    _place: Option<OwnedSemaphorePermit>,
    site: Arc<Site>,
}

impl Reader {
    /// Waits for something to send; `None` once the server stops.
    async fn next(&mut self) -> Option<String> {
        if std::mem::take(&mut self.is_first) {
            return Some(FIRST.to_owned());
        }
        loop {
            let new = self.new_frames();
            if !new.is_empty() {
                return Some(new);
            }
            tokio::select! {
                () = self.site.stop.cancelled() => return None,
                changed = self.log.changed() => changed.ok()?,
                words = self.words.recv() => match words {
                    Ok(frame) => return Some(frame.as_ref().to_owned()),
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                },
                () = sleep(BEAT) => return Some(BEAT_FRAME.to_owned()),
            }
        }
    }

    /// Returns the lines and the state that were not sent yet.
    fn new_frames(&mut self) -> String {
        let log = self.log.borrow_and_update();
        let from = log.lines.partition_point(|line| line.seq <= self.after);
        let mut frames = String::new();
        for line in &log.lines[from..] {
            frames.push_str(&line.frame);
            self.after = line.seq;
        }
        if let Some(now) = log.run_state
            && self.run_state != Some(now)
        {
            frames.push_str(&format!("event: state\ndata: \"{now}\"\n\n"));
            self.run_state = Some(now);
        }
        frames
    }
}
