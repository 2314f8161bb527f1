//! What has come of an answer so far, and when it is too much.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::StreamExt;
use genai::chat::{ChatFrameSink, ChatStream, ChatStreamEvent, FrameCtx, RawFrameRef};

/// How often more bytes may come without the end of a message.
///
/// The crate that reads them keeps them until then, however many they are. Each time there are as
/// many as a connection holds at once: less than half a megabyte.
const MOST_PIECES: usize = 128;

/// Counts what comes.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// Bytes of messages.
    bytes: AtomicUsize,
    /// Messages with something in them.
    messages: AtomicUsize,
    /// How often something came since the last message.
    pieces: AtomicUsize,
    /// Bytes of text for the reader.
    text: AtomicUsize,
}

impl Heard {
    /// Bytes of messages until now.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Messages until now.
    pub(super) fn messages(&self) -> usize {
        self.messages.load(Ordering::Relaxed)
    }

    /// Bytes of text until now.
    pub(super) fn text(&self) -> usize {
        self.text.load(Ordering::Relaxed)
    }

    /// More text came.
    pub(super) fn said(&self, text: &str) {
        self.text.fetch_add(text.len(), Ordering::Relaxed);
    }

    fn is_flood(&self, most: usize) -> bool {
        self.bytes() > most || self.pieces.load(Ordering::Relaxed) > MOST_PIECES
    }
}

impl ChatFrameSink for Heard {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        self.bytes.fetch_add(frame.data.len(), Ordering::Relaxed);
        self.pieces.store(0, Ordering::Relaxed);
        if !frame.data.is_empty() {
            self.messages.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// More came than is read.
pub(super) struct Flood;

/// The next event of an answer of which at most so many bytes are read.
pub(super) async fn next(
    stream: &mut ChatStream,
    heard: &Arc<Heard>,
    most: usize,
) -> Result<Option<genai::Result<ChatStreamEvent>>, Flood> {
    poll_fn(|context| {
        if heard.is_flood(most) {
            return Poll::Ready(Err(Flood));
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

/// Wakes somebody, and counts it.
struct Woken {
    heard: Arc<Heard>,
    whom: Waker,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.heard.pieces.fetch_add(1, Ordering::Relaxed);
        self.whom.wake_by_ref();
    }
}
