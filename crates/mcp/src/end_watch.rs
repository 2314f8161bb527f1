//! Detects that the client has disconnected.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

// The library waits five seconds for running calls after the stream ends. A client that has
// disconnected does not read answers but waits for this process to end, so cancel calls at once.
/// A stream that cancels a token when it ends.
#[derive(Debug)]
pub(crate) struct EndWatch<R> {
    stream: R,
    end: CancellationToken,
}

impl<R> EndWatch<R> {
    /// Wraps `stream` so that its end cancels `end`.
    pub(crate) fn new(stream: R, end: CancellationToken) -> Self {
        Self { stream, end }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for EndWatch<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        let has_ended = match &polled {
            Poll::Ready(Ok(())) => buffer.filled().len() == before && buffer.capacity() > before,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if has_ended {
            self.end.cancel();
        }
        polled
    }
}
