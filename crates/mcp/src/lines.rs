//! Reads lines from a client, with a maximum length.

use rmcp::model::RequestId;
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::id_scan::LineScan;

// A tool accepts texts up to 2 MiB (`MAX_QUESTION_BYTES`), and JSON escapes can make them six times
// as long.
/// The maximum length of a line, in bytes.
pub(crate) const MAX_LINE_BYTES: usize = 12 * 1024 * 1024;
/// The size of a read, in bytes.
const CHUNK: usize = 64 * 1024;

/// A line from a client.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ClientLine {
    /// The line, without its end.
    Whole(Vec<u8>),
    /// A line above the maximum length, with the id of its request if there is one.
    TooLong(Option<RequestId>),
}

/// The lines of a stream.
#[derive(Debug)]
pub(crate) struct BoundedLines<R> {
    stream: R,
    chunk: Vec<u8>,
    /// Start and end of the unread part of the chunk.
    taken: usize,
    filled: usize,
    line: PartialLine,
    max: usize,
}

/// The part of a line that was read so far.
#[derive(Debug, Default)]
struct PartialLine {
    bytes: Vec<u8>,
    /// The id scan of a line that is too long; its bytes are not stored.
    beyond: Option<LineScan>,
}

impl<R: AsyncRead + Unpin> BoundedLines<R> {
    /// Returns the lines of `stream`, of at most [`MAX_LINE_BYTES`] each.
    pub(crate) fn new(stream: R) -> Self {
        Self::with_max(stream, MAX_LINE_BYTES)
    }

    fn with_max(stream: R, max: usize) -> Self {
        Self {
            stream,
            chunk: vec![0; CHUNK],
            taken: 0,
            filled: 0,
            line: PartialLine::default(),
            max,
        }
    }

    /// Returns the next line; `None` once the stream has ended or failed. Dropping the future does
    /// not lose data. A line without an end is ignored, because its request is incomplete.
    pub(crate) async fn next(&mut self) -> Option<ClientLine> {
        loop {
            let rest = &self.chunk[self.taken..self.filled];
            let end = rest.iter().position(|&byte| byte == b'\n');
            let part = &rest[..end.unwrap_or(rest.len())];
            self.line.take(part, self.max);
            self.taken += part.len();
            if end.is_some() {
                self.taken += 1;
                return Some(std::mem::take(&mut self.line).finish());
            }
            let read = self.stream.read(&mut self.chunk).await.ok();
            (self.taken, self.filled) = (0, read.filter(|&read| read > 0)?);
        }
    }
}

impl PartialLine {
    fn take(&mut self, part: &[u8], max: usize) {
        if let Some(scan) = &mut self.beyond {
            scan.scan_bytes(part);
        } else if self.bytes.len() + part.len() > max {
            let mut scan = LineScan::default();
            scan.scan_bytes(&std::mem::take(&mut self.bytes));
            scan.scan_bytes(part);
            self.beyond = Some(scan);
        } else {
            self.bytes.extend_from_slice(part);
        }
    }

    fn finish(self) -> ClientLine {
        match self.beyond {
            Some(scan) => ClientLine::TooLong(scan.id_of_request()),
            None => ClientLine::Whole(self.bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::NumberOrString;

    use super::*;

    /// Returns the lines of this text, with a maximum of 60 bytes each.
    fn lines(text: &str) -> Vec<ClientLine> {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let mut stream = BoundedLines::with_max(text.as_bytes(), 60);
        runtime.unwrap().block_on(async {
            let mut lines = Vec::new();
            while let Some(line) = stream.next().await {
                lines.push(line);
            }
            lines
        })
    }

    #[test]
    fn a_line_that_is_too_long_tells_the_id_of_its_request() {
        let long = "x".repeat(100_000);
        let text = |id: &str| Some(NumberOrString::String(id.into()));
        for (line, id) in [
            (
                format!("{{\"id\":7,\"params\":{{\"id\":8,\"a\":\"{long}\"}}}}"),
                Some(NumberOrString::Number(7)),
            ),
            (
                format!("{{\"params\":{{\"id\":8,\"a\":\"{long}\"}},\"id\":7}}"),
                Some(NumberOrString::Number(7)),
            ),
            (
                format!("{{\"params\":[{{\"a\":\"}}\\\"{long}\"}}], \"id\" : \"a,}}b\" }}"),
                text("a,}b"),
            ),
            (format!("{{\"method\":\"{long}\"}}"), None),
            (format!("{{\"id\":null,\"a\":\"{long}\"}}"), None),
            (format!("{{\"id\":{{\"a\":1}},\"a\":\"{long}\"}}"), None),
            (format!("{{\"a\":\"id\",\"b\":\"{long}\"}}"), None),
            (format!("{{\"id\":3,\"result\":\"{long}\"}}"), None),
            (format!("{{\"error\":\"{long}\",\"id\":3}}"), None),
            (long, None),
        ] {
            let fits = "y".repeat(60);
            let whole = || ClientLine::Whole(fits.clone().into_bytes());
            let all = lines(&format!("{fits}\n{line}\n{fits}\nno end"));
            assert_eq!(all, [whole(), ClientLine::TooLong(id), whole()]);
        }
    }
}
