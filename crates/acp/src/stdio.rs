//! Reads and writes messages on stdin and stdout, one per line.

use agent_client_protocol::{Channel, Error, TransportFrame};
use futures_util::StreamExt;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio_util::sync::CancellationToken;

// A prompt with its embedded files is one line. Agon uses at most 200 KiB of context, so this
// leaves ample room.
/// The maximum length of a message, in bytes.
const MAX_LINE: usize = 16 * 1024 * 1024;

/// A line of input.
enum Line {
    /// The line, without its end.
    Text(Vec<u8>),
    /// A line that was longer than the maximum and was skipped.
    TooLong,
    /// The end of the input.
    End,
}

/// Passes lines between the streams and the protocol until the protocol ends or the client closes
/// the connection, which cancels `closing`.
pub(crate) async fn pass_lines(channel: Channel, closing: CancellationToken) {
    let Channel { mut rx, tx, .. } = channel;
    let reading = async move {
        let mut stdin = BufReader::new(tokio::io::stdin());
        loop {
            let frame = match read_line(&mut stdin).await {
                Ok(Line::Text(line)) if line.iter().all(u8::is_ascii_whitespace) => continue,
                Ok(Line::Text(line)) => TransportFrame::parse_json(&String::from_utf8_lossy(&line)),
                Ok(Line::TooLong) => TransportFrame::Malformed {
                    raw: String::new(),
                    error: Error::invalid_request()
                        .data(format!("a message can have at most {MAX_LINE} bytes")),
                },
                Ok(Line::End) | Err(_) => break,
            };
            if tx.unbounded_send(frame).is_err() {
                break;
            }
        }
        // Cancel before the channel closes, so that running calls see the cancellation first.
        closing.cancel();
        drop(tx);
    };
    let writing = async move {
        let mut stdout = tokio::io::stdout();
        while let Some(frame) = rx.next().await {
            let Ok(mut line) = frame.to_json() else {
                continue;
            };
            line.push('\n');
            // Stop writing if the client has disconnected; the end of stdin stops everything else.
            if stdout.write_all(line.as_bytes()).await.is_err() || stdout.flush().await.is_err() {
                break;
            }
        }
    };
    tokio::join!(reading, writing);
}

/// Reads the next line; skips the content of a line that is too long.
async fn read_line(stream: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Line> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let read = stream.fill_buf().await?;
        if read.is_empty() {
            return Ok(match (is_too_long, line.is_empty()) {
                (true, _) => Line::TooLong,
                (false, true) => Line::End,
                (false, false) => Line::Text(line),
            });
        }
        let end = read.iter().position(|&byte| byte == b'\n');
        let part = &read[..end.unwrap_or(read.len())];
        is_too_long |= line.len() + part.len() > MAX_LINE;
        if !is_too_long {
            line.extend_from_slice(part);
        }
        let used = end.map_or(read.len(), |end| end + 1);
        stream.consume(used);
        if end.is_some() {
            return Ok(match is_too_long {
                true => Line::TooLong,
                false => Line::Text(line),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_line_that_is_too_long_is_left_out_and_the_next_one_is_read() {
        let long = "x".repeat(MAX_LINE + 1);
        let text = format!("one\n{long}\ntwo");
        let mut stream = text.as_bytes();
        let mut kinds = Vec::new();
        loop {
            match read_line(&mut stream).await.unwrap_or(Line::End) {
                Line::Text(line) => kinds.push(String::from_utf8_lossy(&line).into_owned()),
                Line::TooLong => kinds.push("too long".to_owned()),
                Line::End => break,
            }
        }
        assert_eq!(kinds, ["one", "too long", "two"]);
    }
}
