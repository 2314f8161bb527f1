//! Makes the text of a tool presentable while it arrives.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agon_agents::OutputListener;
use agon_record::text::strip_control_characters;
use agon_redact::{Redactor, unescape_printable};
use tokio::time::Instant;

use crate::observer::Listener;

// Each update searches the whole buffer for secrets. That takes 4 ms at the 8.1 MB/s that a dev
// build reached in `cargo xtask bench redact`, one fiftieth of this time.
/// The time between two updates.
const EVERY: Duration = Duration::from_millis(200);
// Ten times the size of a 4,096-bit private key in PEM, the longest secret in common use.
/// Bytes that are buffered, so that a secret is recognized from its beginning.
const MAX_TAIL_BYTES: usize = 32 * 1024;
/// Bytes at the end that are not shown yet, since a secret may begin there.
const HELD_BACK: usize = 256;
// A little more than two lines of the widest output (110 columns).
/// Maximum number of characters that are shown.
const SHOWN: usize = 240;

/// Listens to a tool and forwards redacted text.
#[derive(Debug)]
pub(crate) struct RedactingListener {
    redactor: Arc<Redactor>,
    to: Arc<dyn Listener>,
    heard: Mutex<BufferedTail>,
}

#[derive(Debug, Default)]
struct BufferedTail {
    tail: String,
    /// When to show the text again.
    next: Option<Instant>,
}

impl RedactingListener {
    pub(crate) fn new(redactor: Arc<Redactor>, to: Arc<dyn Listener>) -> Self {
        Self {
            redactor,
            to,
            heard: Mutex::default(),
        }
    }
}

impl OutputListener for RedactingListener {
    fn receive_chunk(&self, text: &str) {
        self.to.hear_bytes(text.len());
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.tail.push_str(text);
        let over = heard.tail.len().saturating_sub(MAX_TAIL_BYTES);
        let over = heard.tail.ceil_char_boundary(over);
        heard.tail.drain(..over);
        let now = Instant::now();
        if heard.next.is_some_and(|next| now < next) {
            return;
        }
        let words = presentable_words(&self.redactor, &heard.tail);
        if !words.is_empty() {
            heard.next = Some(now + EVERY);
            self.to.show_words(&words);
        }
    }
}

/// Returns the last words of `tail` that may be shown, on one line.
///
/// Searches all of the text for secrets, after undoing what could hide them. Holds back the end up
/// to a space, since the next characters may turn it into a secret.
fn presentable_words(redactor: &Redactor, tail: &str) -> String {
    let plain = strip_control_characters(tail);
    let plain = strip_control_characters(&unescape_printable(&plain));
    let text = redactor.redact(&plain).text;
    let safe = text.floor_char_boundary(text.len().saturating_sub(HELD_BACK));
    let safe = text[..safe].rfind(char::is_whitespace).unwrap_or(0);
    let words: Vec<_> = text[..safe].split_whitespace().collect();
    let line = words.join(" ");
    let from = line
        .char_indices()
        .rev()
        .nth(SHOWN - 1)
        .map_or(0, |(at, _)| at);
    line[from..].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Default)]
    struct Lines(Mutex<Vec<String>>);

    impl Listener for Lines {
        fn show_words(&self, words: &str) {
            self.0.lock().unwrap().push(words.to_owned());
        }
    }

    /// Returns everything shown of `text` if it arrives in pieces of `pieces` bytes.
    fn lines(text: &str, pieces: usize) -> Vec<String> {
        let to = Arc::new(Lines::default());
        let hearing = RedactingListener::new(Arc::new(Redactor::new()), Arc::clone(&to) as _);
        let mut rest = text;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.ceil_char_boundary(pieces.min(rest.len())));
            hearing.receive_chunk(piece);
            hearing.heard.lock().unwrap().next = None;
            rest = after;
        }
        std::mem::take(&mut *to.0.lock().unwrap())
    }

    fn prose(words: usize) -> String {
        (0..words).map(|n| format!("word{n} ")).collect()
    }

    #[test]
    fn the_last_words_are_shown_once_enough_has_come_after_them() {
        let shown = lines(&prose(100), 7);
        assert_eq!(shown[0], "word0");
        let last = shown.last().unwrap();
        assert!(last.chars().count() <= SHOWN, "{last}");
        assert!(prose(100).contains(last.as_str()), "{last}");
        assert!(last.ends_with("word62"), "{last}");
        assert!(lines("short and sweet", 3).is_empty());
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_shown() {
        let text = format!("\u{1b}[2J\u{202e}one\r\n\u{7}two \\u001b[31m {}", prose(60));
        for line in lines(&text, 5) {
            assert!(!line.chars().any(char::is_control), "{line:?}");
            assert!(!line.contains('\u{202e}'), "{line:?}");
        }
    }

    /// Returns a key of each kind that can arrive in pieces: plain, escaped, and with a colour code
    /// inside.
    fn secrets() -> Vec<(String, String)> {
        let token = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
        let key = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7".to_owned();
        let rows = vec![key.as_str(); 24].join("\n");
        let pem = format!("-----BEGIN PRIVATE KEY-----\n{rows}\n-----END PRIVATE KEY-----");
        vec![
            (token.clone(), token.clone()),
            (token.replace('g', "\\u0067"), token.clone()),
            (
                format!("{}\u{1b}[0m{}", &token[..9], &token[9..]),
                token.clone(),
            ),
            (pem.clone(), key.clone()),
            (pem.replace('\n', "\\n"), key),
        ]
    }

    proptest! {
        #[test]
        fn no_piece_of_a_secret_is_shown(
            which in 0_usize..5,
            before in 0_usize..80,
            pieces in 1_usize..90,
        ) {
            let (said, secret) = secrets()[which].clone();
            let text = format!("{}{said} {}", prose(before), prose(120));
            for line in lines(&text, pieces) {
                for at in 0..secret.len() - 8 {
                    prop_assert!(!line.contains(&secret[at..at + 8]), "{line}");
                }
            }
        }
    }
}
