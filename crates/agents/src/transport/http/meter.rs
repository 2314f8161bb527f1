//! Measures the received part of an answer, and detects excessive output and silence.

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

/// The maximum number of times that data may arrive before a message is complete.
///
/// The crate stores all bytes until then. Each piece has at most the size of a connection's buffer: less
/// than half a megabyte.
const MAX_PIECES: usize = 128;

/// Counters of the data received for one answer.
#[derive(Debug)]
pub(super) struct StreamMeter {
    begun: Instant,
    /// The time at which data last arrived, in nanoseconds since `begun`.
    last: AtomicU64,
    /// The number of bytes in messages.
    bytes: AtomicUsize,
    /// The number of non-empty messages.
    messages: AtomicUsize,
    /// The number of times that data arrived since the last message.
    pieces: AtomicUsize,
    /// The number of bytes of answer text.
    text: AtomicUsize,
    /// Whether the server reports that the prompt is blocked.
    blocked: AtomicBool,
    /// The finish reason, once the server reports it.
    finish: Mutex<Option<String>>,
    /// The last message, if it contains an unpaired surrogate.
    halved: Mutex<Option<String>>,
}

impl StreamMeter {
    /// Creates an empty meter.
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

    /// Returns the number of bytes in messages so far.
    pub(super) fn bytes_received(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Returns the number of messages so far.
    pub(super) fn message_count(&self) -> usize {
        self.messages.load(Ordering::Relaxed)
    }

    /// Returns the number of bytes of answer text so far.
    pub(super) fn text_bytes(&self) -> usize {
        self.text.load(Ordering::Relaxed)
    }

    /// Returns whether the server reports that the prompt is blocked.
    pub(super) fn is_prompt_blocked(&self) -> bool {
        self.blocked.load(Ordering::Relaxed)
    }

    /// Returns the finish reason that the server reported.
    pub(super) fn finish(&self) -> Option<String> {
        self.finish.lock().ok()?.clone()
    }

    /// Returns the last message, if it contains an unpaired surrogate.
    pub(super) fn take_message_with_half(&self) -> Option<String> {
        self.halved.lock().ok()?.take()
    }

    /// Counts bytes of an answer that comes in one body.
    pub(super) fn count_bytes(&self, count: usize) {
        self.bytes.fetch_add(count, Ordering::Relaxed);
    }

    /// Counts answer text.
    pub(super) fn count_text(&self, text: &str) {
        self.text.fetch_add(text.len(), Ordering::Relaxed);
    }

    fn is_excessive(&self, max_bytes: usize) -> bool {
        self.bytes_received() > max_bytes || self.pieces.load(Ordering::Relaxed) > MAX_PIECES
    }

    /// Records that data arrived, even without a complete message.
    fn mark_activity(&self) {
        let since = u64::try_from(self.begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.last.fetch_max(since, Ordering::Relaxed);
    }

    /// Returns when data last arrived.
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
        // `genai` does not report a blocked prompt, so search the raw message. In text from a
        // model, the quotes would be escaped.
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

/// Returns the finish reason in a raw message, if there is one. In text from a model, the quotes
/// would be escaped.
fn finish_reason(message: &str) -> Option<&str> {
    let names = ["\"finish_reason\"", "\"stop_reason\"", "\"finishReason\""];
    let (_, rest) = names.iter().find_map(|name| message.split_once(name))?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let (reason, _) = rest.strip_prefix('"')?.split_once('"')?;
    // Ignore an empty reason: some servers send one in every message before the last.
    (!reason.trim().is_empty()).then_some(reason)
}

/// The reason why Agon stopped reading an answer.
pub(super) enum ReadAbort {
    /// The answer exceeds the size limit.
    Flood,
    /// No data arrived within this time.
    Silence(Duration),
}

/// Waits for the next event of an answer; `max_bytes` is the size limit in bytes.
pub(super) async fn next_event(
    stream: &mut ChatStream,
    meter: &Arc<StreamMeter>,
    max_bytes: usize,
    silence_limits: SilenceLimits,
) -> Result<Option<genai::Result<ChatStreamEvent>>, ReadAbort> {
    let mut event = pin!(poll_event(stream, meter, max_bytes));
    loop {
        let (limit, last) = (
            silence_limits.limit_after(meter.message_count()),
            meter.last_activity(),
        );
        match timeout_at(last + limit, &mut event).await {
            Ok(event) => return event,
            Err(_) if meter.last_activity() == last => return Err(ReadAbort::Silence(limit)),
            // Some data arrived, but no complete event yet, so keep waiting.
            Err(_) => {}
        }
    }
}

async fn poll_event(
    stream: &mut ChatStream,
    meter: &Arc<StreamMeter>,
    max_bytes: usize,
) -> Result<Option<genai::Result<ChatStreamEvent>>, ReadAbort> {
    poll_fn(|context| {
        if meter.is_excessive(max_bytes) {
            return Poll::Ready(Err(ReadAbort::Flood));
        }
        let woken = Woken {
            meter: Arc::clone(meter),
            waker: context.waker().clone(),
        };
        let waker = Waker::from(Arc::new(woken));
        stream
            .poll_next_unpin(&mut Context::from_waker(&waker))
            .map(Ok)
    })
    .await
}

/// A waker that also records each wake-up, because data arrived.
struct Woken {
    meter: Arc<StreamMeter>,
    waker: Waker,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.meter.mark_activity();
        self.meter.pieces.fetch_add(1, Ordering::Relaxed);
        self.waker.wake_by_ref();
    }
}
