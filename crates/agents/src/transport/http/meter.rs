//! What has come of an answer so far, and when it is too much or nothing for too long.

use std::borrow::Cow;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use agon_files::json_text::replace_lone_surrogates;
use futures_util::StreamExt;
use genai::chat::{ChatFrameSink, ChatStream, ChatStreamEvent, FrameCtx, RawFrameRef};
use tokio::time::{Instant, timeout_at};

use super::silence::SilenceLimits;

/// How often more bytes may come without the end of a message.
///
/// The crate that reads them keeps them until then, however many they are. Each time there are as
/// many as a connection holds at once: less than half a megabyte.
const MAX_PIECES: usize = 128;

/// Counts what comes.
#[derive(Debug)]
pub(super) struct StreamMeter {
    begun: Instant,
    /// Nanoseconds from then until something came, the last time.
    last: AtomicU64,
    /// Bytes of messages.
    bytes: AtomicUsize,
    /// Messages with something in them.
    messages: AtomicUsize,
    /// How often something came since the last message.
    pieces: AtomicUsize,
    /// Bytes of text for the reader.
    text: AtomicUsize,
    /// Whether it says that the prompt is blocked.
    blocked: AtomicBool,
    /// Why the answer is over, as the server says it, once it does.
    finish: Mutex<Option<String>>,
    /// The last message, where it has half a character in it.
    halved: Mutex<Option<String>>,
}

impl StreamMeter {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self {
            begun: Instant::now(),
            last: AtomicU64::default(),
            bytes: AtomicUsize::default(),
            messages: AtomicUsize::default(),
            pieces: AtomicUsize::default(),
            text: AtomicUsize::default(),
            blocked: AtomicBool::default(),
            finish: Mutex::default(),
            halved: Mutex::default(),
        }
    }

    /// Bytes of messages until now.
    pub(super) fn bytes_received(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Messages until now.
    pub(super) fn message_count(&self) -> usize {
        self.messages.load(Ordering::Relaxed)
    }

    /// Bytes of text until now.
    pub(super) fn text_bytes(&self) -> usize {
        self.text.load(Ordering::Relaxed)
    }

    /// Whether the server says that it does not answer this prompt.
    pub(super) fn is_prompt_blocked(&self) -> bool {
        self.blocked.load(Ordering::Relaxed)
    }

    /// Why the answer is over, as the server said it.
    pub(super) fn finish(&self) -> Option<String> {
        self.finish.lock().ok()?.clone()
    }

    /// The last message, where it has half a character in it.
    pub(super) fn take_halved(&self) -> Option<String> {
        self.halved.lock().ok()?.take()
    }

    /// More of an answer in one body came.
    pub(super) fn count_bytes(&self, count: usize) {
        self.bytes.fetch_add(count, Ordering::Relaxed);
    }

    /// More text came.
    pub(super) fn count_text(&self, text: &str) {
        self.text.fetch_add(text.len(), Ordering::Relaxed);
    }

    fn is_flood(&self, most: usize) -> bool {
        self.bytes_received() > most || self.pieces.load(Ordering::Relaxed) > MAX_PIECES
    }

    /// Something came, be it no message.
    fn mark_activity(&self) {
        let since = u64::try_from(self.begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.last.fetch_max(since, Ordering::Relaxed);
    }

    /// When something came, the last time.
    fn last_activity(&self) -> Instant {
        self.begun + Duration::from_nanos(self.last.load(Ordering::Relaxed))
    }
}

impl ChatFrameSink for StreamMeter {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        self.mark_activity();
        self.bytes.fetch_add(frame.data.len(), Ordering::Relaxed);
        self.pieces.store(0, Ordering::Relaxed);
        if !frame.data.is_empty() {
            self.messages.fetch_add(1, Ordering::Relaxed);
        }
        // The crate does not pass this on. In what a model writes, the marks would be escaped.
        if frame.data.contains("\"blockReason\":") {
            self.blocked.store(true, Ordering::Relaxed);
        }
        if let (Some(reason), Ok(mut finish)) = (finish_reason(frame.data), self.finish.lock()) {
            *finish = Some(reason.to_owned());
        }
        if let Ok(mut halved) = self.halved.lock() {
            let is_halved = matches!(replace_lone_surrogates(frame.data), Cow::Owned(_));
            *halved = is_halved.then(|| frame.data.to_owned());
        }
    }
}

/// Returns why an answer is over, if a message says so. In what a model writes, the marks would be
/// escaped.
fn finish_reason(message: &str) -> Option<&str> {
    let names = ["\"finish_reason\"", "\"stop_reason\"", "\"finishReason\""];
    let (_, rest) = names.iter().find_map(|name| message.split_once(name))?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let (reason, _) = rest.strip_prefix('"')?.split_once('"')?;
    // Some servers send an empty one in every message before the last.
    (!reason.trim().is_empty()).then_some(reason)
}

/// Why no more of an answer is read.
pub(super) enum ReadAbort {
    /// More came than is read.
    Flood,
    /// Nothing came for so long.
    Silence(Duration),
}

/// The next event of an answer of which at most so many bytes are read.
pub(super) async fn next_event(
    stream: &mut ChatStream,
    heard: &Arc<StreamMeter>,
    most: usize,
    silence_limits: SilenceLimits,
) -> Result<Option<genai::Result<ChatStreamEvent>>, ReadAbort> {
    let mut event = pin!(poll_event(stream, heard, most));
    loop {
        let (limit, last) = (
            silence_limits.limit_after(heard.message_count()),
            heard.last_activity(),
        );
        match timeout_at(last + limit, &mut event).await {
            Ok(event) => return event,
            Err(_) if heard.last_activity() == last => return Err(ReadAbort::Silence(limit)),
            // What came was no event.
            Err(_) => {}
        }
    }
}

async fn poll_event(
    stream: &mut ChatStream,
    heard: &Arc<StreamMeter>,
    most: usize,
) -> Result<Option<genai::Result<ChatStreamEvent>>, ReadAbort> {
    poll_fn(|context| {
        if heard.is_flood(most) {
            return Poll::Ready(Err(ReadAbort::Flood));
        }
        let woken = Woken {
            heard: Arc::clone(heard),
            whom: context.waker().clone(),
        };
        let waker = Waker::from(Arc::new(woken));
        stream
            .poll_next_unpin(&mut Context::from_waker(&waker))
            .map(Ok)
    })
    .await
}

/// Wakes a task, and counts it.
struct Woken {
    heard: Arc<StreamMeter>,
    whom: Waker,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.heard.mark_activity();
        self.heard.pieces.fetch_add(1, Ordering::Relaxed);
        self.whom.wake_by_ref();
    }
}
