//! Lines of a client, none longer than the library takes.
//!
//! The library drops a longer one without a word, and its client waits for ever. Here such a line
//! becomes a short request with the same id, whose answer says what was wrong.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use serde_json::{Value, json};
use tokio::io::{AsyncRead, ReadBuf};

/// The method of the request that stands for a line that is too long.
pub(crate) const TOO_LONG: &str = "agon/line_too_long";

// The longest text that a tool takes has 2 MiB (`MAX_QUESTION_BYTES`), which escapes make six times
// as long; the library takes 16 MiB.
/// Bytes of the longest line.
pub(crate) const MAX_LINE_BYTES: usize = 12 * 1024 * 1024;
/// Bytes of the longest id that is answered.
const MAX_ID_BYTES: usize = 1024;
/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;
/// Ends what was passed on of a line so that it can be no message.
const BROKEN: &[u8] = b"\0\n";

/// A stream of lines in which each that is too long is replaced.
#[derive(Debug)]
pub(crate) struct BoundedLines<R> {
    stream: R,
    line: LineScan,
    /// What is passed on next.
    ready: Vec<u8>,
    /// How much of it was passed on.
    taken: usize,
    max: usize,
}

impl<R> BoundedLines<R> {
    /// The stream with lines of at most [`MAX_LINE_BYTES`].
    pub(crate) fn new(stream: R) -> Self {
        Self::with_max(stream, MAX_LINE_BYTES)
    }

    fn with_max(stream: R, max: usize) -> Self {
        Self {
            stream,
            line: LineScan::default(),
            ready: Vec::new(),
            taken: 0,
            max,
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\n' {
                let line = std::mem::take(&mut self.line);
                match line.bytes > self.max {
                    true => self.ready.extend(line.replacement()),
                    false => self.ready.push(byte),
                }
                continue;
            }
            self.line.take(byte);
            if self.line.bytes <= self.max {
                self.ready.push(byte);
            } else if self.line.bytes == self.max + 1 {
                self.ready.extend(BROKEN);
            }
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for BoundedLines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        while self.taken == self.ready.len() {
            self.ready.clear();
            self.taken = 0;
            let mut chunk = [0; CHUNK];
            let mut read = ReadBuf::new(&mut chunk);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut read))?;
            if read.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            self.take(read.filled());
        }
        let end = self.ready.len().min(self.taken + buffer.remaining());
        buffer.put_slice(&self.ready[self.taken..end]);
        self.taken = end;
        Poll::Ready(Ok(()))
    }
}

/// How far a line is, and what is its id, whatever its length.
#[derive(Debug, Default)]
struct LineScan {
    bytes: usize,
    /// Open braces and brackets.
    depth: usize,
    in_text: bool,
    is_escaped: bool,
    /// The last text at the top, up to some bytes: perhaps a key.
    text: Vec<u8>,
    /// What comes after the key `id`; none before it.
    id: Option<Vec<u8>>,
    /// Whether what comes now is the value of the key `id`.
    in_id: bool,
}

impl LineScan {
    fn take(&mut self, byte: u8) {
        self.bytes = self.bytes.saturating_add(1);
        if self.in_id {
            let ends = !self.in_text && self.depth == 1 && matches!(byte, b',' | b'}');
            match (&mut self.id, ends) {
                (_, true) => self.in_id = false,
                (Some(id), false) if id.len() < MAX_ID_BYTES => id.push(byte),
                (_, false) => {}
            }
        }
        if self.in_text {
            match (self.is_escaped, byte) {
                (true, _) => self.is_escaped = false,
                (false, b'\\') => self.is_escaped = true,
                (false, b'"') => self.in_text = false,
                (false, _) => {}
            }
            if self.in_text && self.text.len() <= 2 {
                self.text.push(byte);
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_text = true;
                self.text.clear();
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b':' if self.depth == 1 && self.text == b"id" && self.id.is_none() => {
                self.in_id = true;
                self.id = Some(Vec::new());
            }
            _ => {}
        }
    }

    /// The request that stands for it; nothing where it has no id, so that no answer is due.
    fn replacement(&self) -> Vec<u8> {
        let id = self
            .id
            .as_deref()
            .and_then(|id| serde_json::from_slice(id).ok());
        match id {
            Some(id @ (Value::String(_) | Value::Number(_))) => {
                let request = json!({"jsonrpc": "2.0", "id": id, "method": TOO_LONG});
                format!("{request}\n").into_bytes()
            }
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    /// What is passed on of these lines, of which none may have more than 60 bytes.
    fn passed(lines: &str) -> String {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let mut stream = BoundedLines::with_max(lines.as_bytes(), 60);
        let mut text = String::new();
        let read = stream.read_to_string(&mut text);
        runtime.unwrap().block_on(read).unwrap();
        text
    }

    #[test]
    fn a_line_that_is_too_long_becomes_a_request_with_its_id() {
        let long = "x".repeat(100);
        for (line, id) in [
            (
                format!("{{\"id\":7,\"params\":{{\"id\":8,\"a\":\"{long}\"}}}}"),
                "7",
            ),
            (
                format!("{{\"params\":{{\"id\":8,\"a\":\"{long}\"}},\"id\":7}}"),
                "7",
            ),
            (
                format!("{{\"params\":[{{\"a\":\"}}\\\"{long}\"}}], \"id\" : \"a,}}b\" }}"),
                "\"a,}b\"",
            ),
        ] {
            let cut = &line[..60];
            let all = passed(&format!("{line}\nnext\n"));
            let lines: Vec<_> = all.lines().collect();
            assert_eq!((lines[0], lines[2]), (format!("{cut}\0").as_str(), "next"));
            let request: Value = serde_json::from_str(lines[1]).unwrap();
            let id: Value = serde_json::from_str(id).unwrap();
            assert_eq!(
                request,
                json!({"jsonrpc": "2.0", "id": id, "method": TOO_LONG})
            );
        }
    }

    #[test]
    fn one_without_an_id_is_left_out_and_shorter_ones_stay_as_they_are() {
        let long = "x".repeat(100);
        let fits = "y".repeat(60);
        for line in [
            format!("{{\"method\":\"{long}\"}}"),
            format!("{{\"id\":null,\"a\":\"{long}\"}}"),
            format!("{{\"id\":{{\"a\":1}},\"a\":\"{long}\"}}"),
            format!("{{\"a\":\"id\",\"b\":\"{long}\"}}"),
            long,
        ] {
            let passed = passed(&format!("{fits}\n{line}\n{fits}\n"));
            assert_eq!(passed, format!("{fits}\n{}\0\n{fits}\n", &line[..60]));
        }
    }
}
