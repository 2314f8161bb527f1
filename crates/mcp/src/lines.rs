//! Lines of a client, none kept longer than a request can be.

use rmcp::model::RequestId;
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::scan::LineScan;

// The longest text that a tool takes has 2 MiB (`MAX_QUESTION_BYTES`), which escapes make six times
// as long.
/// Bytes of the longest line.
pub(crate) const MAX_LINE_BYTES: usize = 12 * 1024 * 1024;
/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;

/// A line of a client.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ClientLine {
    /// It, without its end.
    Whole(Vec<u8>),
    /// It was longer than is read; the id of the request in it, where it has one.
    TooLong(Option<RequestId>),
}

/// The lines of a stream.
#[derive(Debug)]
pub(crate) struct BoundedLines<R> {
    stream: R,
    chunk: Vec<u8>,
    /// Where what was not taken of the chunk begins and ends.
    taken: usize,
    filled: usize,
    line: PartialLine,
    max: usize,
}

/// A line up to where it was read.
#[derive(Debug, Default)]
struct PartialLine {
    bytes: Vec<u8>,
    /// What is known of a line that is too long, whose bytes are not kept.
    beyond: Option<LineScan>,
}

impl<R: AsyncRead + Unpin> BoundedLines<R> {
    /// Lines of at most [`MAX_LINE_BYTES`].
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

    /// The next line; none once the stream has ended or failed. Nothing is lost where the future is
    /// dropped. A line without an end is none: its request was not sent whole.
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
            scan.take_all(part);
        } else if self.bytes.len() + part.len() > max {
            let mut scan = LineScan::default();
            scan.take_all(&std::mem::take(&mut self.bytes));
            scan.take_all(part);
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

    /// The lines of this text, of which none may have more than 60 bytes.
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
