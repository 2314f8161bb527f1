//! Reads a child's output with limited memory.

use std::collections::VecDeque;
use std::future::pending;

use tokio::io::{AsyncRead, AsyncReadExt};

// The capacity of a pipe on Linux (`man 7 pipe`): one read empties a full one.
const CHUNK: usize = 64 * 1024;

/// A pipe that is read in chunks until it is closed.
#[derive(Debug)]
pub(crate) struct PipeSource<R> {
    reader: Option<R>,
    chunk: Vec<u8>,
}

impl<R: AsyncRead + Unpin> PipeSource<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self {
            reader: Some(reader),
            chunk: vec![0; CHUNK],
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.reader.is_some()
    }

    /// Returns the next bytes, or none when the pipe has just closed. After that it never resolves.
    /// Dropping the future loses nothing.
    pub(crate) async fn next_chunk(&mut self) -> &[u8] {
        let Some(reader) = &mut self.reader else {
            return pending().await;
        };
        match reader.read(&mut self.chunk).await {
            Ok(length) if length > 0 => &self.chunk[..length],
            Ok(_) | Err(_) => {
                self.reader = None;
                &[]
            }
        }
    }
}

/// The first bytes of a stream, up to a limit.
#[derive(Debug)]
pub(crate) struct OutputHead {
    kept: Vec<u8>,
    cap: usize,
    over: bool,
}

impl OutputHead {
    pub(crate) fn new(cap: usize) -> Self {
        Self {
            kept: Vec::new(),
            cap,
            over: false,
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let room = self.cap - self.kept.len();
        self.kept.extend(bytes.iter().take(room));
        self.over |= bytes.len() > room;
    }

    /// Returns whether some bytes were dropped.
    pub(crate) fn has_overflowed(&self) -> bool {
        self.over
    }

    /// The bytes kept so far.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.kept
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.kept
    }
}

/// The last bytes of a stream.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    kept: VecDeque<u8>,
}

impl Tail {
    /// Number of bytes kept.
    pub(crate) const LEN: usize = 64 * 1024;

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let fresh = &bytes[bytes.len().saturating_sub(Self::LEN)..];
        let excess = (self.kept.len() + fresh.len()).saturating_sub(Self::LEN);
        self.kept.drain(..excess);
        self.kept.extend(fresh);
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.kept.iter().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_at_its_cap_is_not_over_it() {
        let mut head = OutputHead::new(4);
        head.push(b"ab");
        head.push(b"cd");
        assert!(!head.has_overflowed());
        head.push(b"e");
        assert!(head.has_overflowed());
        assert_eq!(head.into_bytes(), b"abcd");
    }

    #[test]
    fn a_tail_keeps_the_last_bytes_however_they_came() {
        let all: Vec<u8> = (0..200_000_u32).map(|n| n.to_le_bytes()[0]).collect();
        for step in [1_000, 65_536, 150_000, 200_000] {
            let mut tail = Tail::default();
            for piece in all.chunks(step) {
                tail.push(piece);
            }
            assert_eq!(
                tail.bytes(),
                all[all.len() - Tail::LEN..],
                "in pieces of {step}"
            );
        }
    }
}
