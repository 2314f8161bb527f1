//! Reads the words of a debate that another process runs.

use std::io::{ErrorKind, Read};
use std::os::unix::net::UnixStream;

use agon_caller::Caller;

use super::{LiveWords, socket_folders};

/// Longer than any line that is sent: about two hundred characters, escaped.
const MAX_LINE_BYTES: usize = 16 * 1024;

/// A connection to a debate's socket.
#[derive(Debug)]
pub struct LiveReader {
    stream: UnixStream,
    /// The beginning of an incomplete line.
    rest: Vec<u8>,
    /// The last words received.
    last: Option<LiveWords>,
}

impl LiveReader {
    /// Connects to the debate `id`; `None` if no process offers it.
    pub fn connect(caller: &Caller, id: &str) -> Option<Self> {
        let folders = socket_folders(caller);
        let mut found = folders
            .iter()
            .filter_map(|folder| UnixStream::connect(folder.join(id)).ok());
        let stream = found.next()?;
        stream.set_nonblocking(true).ok()?;
        Some(Self {
            stream,
            rest: Vec::new(),
            last: None,
        })
    }

    /// Returns the words that are new since the last call, joined for each call of a tool. Returns
    /// `None` once the connection is closed. Never blocks.
    pub fn read_new(&mut self) -> Option<Vec<LiveWords>> {
        let mut bytes = [0; 4096];
        let is_open = loop {
            match self.stream.read(&mut bytes) {
                Ok(0) => break false,
                Ok(read) => self.rest.extend(bytes.iter().take(read)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => break error.kind() == ErrorKind::WouldBlock,
            }
        };
        let whole = self.rest.iter().rposition(|&byte| byte == b'\n');
        let lines: Vec<u8> = self.rest.drain(..whole.map_or(0, |at| at + 1)).collect();
        let mut new = Vec::new();
        for line in lines.split(|&byte| byte == b'\n') {
            if let Ok(words) = serde_json::from_slice(line) {
                self.take(words, &mut new);
            }
        }
        let is_sane = self.rest.len() <= MAX_LINE_BYTES;
        (is_open && is_sane || !new.is_empty()).then_some(new)
    }

    /// Adds the new part of `words` to `new`.
    fn take(&mut self, words: LiveWords, new: &mut Vec<LiveWords>) {
        let fresh = match &self.last {
            Some(last) if last.call == words.call => new_suffix(&last.words, &words.words),
            Some(_) | None => words.words.clone(),
        };
        if !fresh.is_empty() {
            match new.last_mut() {
                Some(one) if one.call == words.call => one.words.push_str(&fresh),
                Some(_) | None => new.push(LiveWords {
                    call: words.call,
                    words: fresh,
                }),
            }
        }
        self.last = Some(words);
    }
}

/// Returns what `now` adds after the end of `before`. Both are the latest words of one text. If
/// they do not overlap, words in between were missed.
fn new_suffix(before: &str, now: &str) -> String {
    let begins = now.char_indices().map(|(at, _)| at).chain([now.len()]);
    // The longest end of `before` that is a beginning of `now`.
    let common = begins.rev().find(|&at| before.ends_with(&now[..at]));
    match common {
        Some(0) | None => format!(" … {now}"),
        Some(at) => now[at..].to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_new_is_told() {
        for (before, now, new) in [
            ("Use SQL", "Use SQLite for", "ite for"),
            ("Use SQLite", "Use SQLite", ""),
            ("a b c", "b c d e", " d e"),
            ("a b c", "x y", " … x y"),
            ("größe ä", "ä ö", " ö"),
        ] {
            assert_eq!(new_suffix(before, now), new, "{before} | {now}");
        }
    }
}
