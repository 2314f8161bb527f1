//! Decodes the bytes of a terminal into keys.

use std::collections::VecDeque;

// Twice the longest note (`MAX_NOTE_BYTES`). The limit bounds the memory of a paste without an end.
/// The maximum number of characters of a paste.
const MAX_PASTED: usize = 16 * 1024;
const PASTE_ENDS: &[u8] = b"\x1b[201~";

/// A key, or a paste.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// A character.
    Char(char),
    /// The pasted text, on one line.
    Paste(String),
    /// The end of a line.
    Enter,
    /// Cancel.
    Esc,
    /// Delete the previous character.
    Backspace,
    /// Delete the next character.
    Delete,
    /// Move left.
    Left,
    /// Move right.
    Right,
    /// Move to the beginning.
    Home,
    /// Move to the end.
    End,
    /// Delete everything before the cursor, Ctrl-U.
    CutBefore,
    /// Delete everything after the cursor, Ctrl-K.
    CutAfter,
    /// Delete the previous word, Ctrl-W.
    CutWord,
    /// Suspend the process, Ctrl-Z.
    Suspend,
}

/// Decodes bytes into keys as they arrive.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    bytes: VecDeque<u8>,
    /// The paste so far.
    paste: Option<Vec<u8>>,
    /// Whether a started sequence is known to be complete.
    ended: bool,
}

/// The meaning of the bytes at the front.
enum DecodeStep {
    Key(Key),
    Nothing,
    Paste,
    More,
}

impl Decoder {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    /// Whether a sequence has started that may be a lone escape key.
    pub(super) fn is_sequence_pending(&self) -> bool {
        self.paste.is_none() && !self.bytes.is_empty()
    }

    /// Marks the pending bytes as complete: no more of the escape sequence will arrive.
    pub(super) fn mark_input_ended(&mut self) {
        self.ended = true;
    }

    /// Returns the next key, if it is complete.
    pub(super) fn next_key(&mut self) -> Option<Key> {
        loop {
            if self.paste.is_some() {
                if let Some(pasted) = self.read_paste() {
                    return Some(Key::Paste(pasted));
                }
                return None;
            }
            let ended = std::mem::take(&mut self.ended);
            let bytes: Vec<u8> = self.bytes.iter().copied().take(32).collect();
            let (step, taken) = decode_step(&bytes, ended);
            self.bytes.drain(..taken.min(self.bytes.len()));
            match step {
                DecodeStep::Key(key) => return Some(key),
                DecodeStep::Nothing => {}
                DecodeStep::Paste => self.paste = Some(Vec::new()),
                DecodeStep::More => return None,
            }
        }
    }

    /// Returns the pasted text once its end has arrived.
    fn read_paste(&mut self) -> Option<String> {
        let paste = self.paste.as_mut()?;
        while let Some(byte) = self.bytes.pop_front() {
            paste.push(byte);
            if paste.ends_with(PASTE_ENDS) {
                let text = paste.get(..paste.len() - PASTE_ENDS.len());
                let text = String::from_utf8_lossy(text.unwrap_or_default());
                let line = agon_report::text::sanitise_line(&text, MAX_PASTED);
                self.paste = None;
                return Some(line);
            }
            if paste.len() > 4 * MAX_PASTED {
                // Drop the middle of an overlong paste; its last bytes may begin the end marker.
                paste.drain(2 * MAX_PASTED..paste.len() - PASTE_ENDS.len());
            }
        }
        None
    }
}

/// Returns the key at the front of `bytes` and its length; `ended` means that no more bytes follow.
fn decode_step(bytes: &[u8], ended: bool) -> (DecodeStep, usize) {
    let Some((&first, rest)) = bytes.split_first() else {
        return (DecodeStep::More, 0);
    };
    let key = |key| (DecodeStep::Key(key), 1);
    match first {
        b'\r' | b'\n' => key(Key::Enter),
        0x7f | 0x08 => key(Key::Backspace),
        0x01 => key(Key::Home),
        0x05 => key(Key::End),
        0x15 => key(Key::CutBefore),
        0x0b => key(Key::CutAfter),
        0x17 => key(Key::CutWord),
        0x1a => key(Key::Suspend),
        b'\t' => key(Key::Char(' ')),
        0x1b => decode_escape_sequence(rest, ended),
        0..0x20 => (DecodeStep::Nothing, 1),
        0x20..0x7f => key(Key::Char(char::from(first))),
        0x80.. => decode_character(bytes, ended),
    }
}

/// Decodes a character of several bytes.
fn decode_character(bytes: &[u8], ended: bool) -> (DecodeStep, usize) {
    let head = bytes.get(..bytes.len().min(4)).unwrap_or_default();
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() > 0 => {
            let valid = head.get(..error.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(valid).unwrap_or_default()
        }
        Err(error) if error.error_len().is_none() && !ended => return (DecodeStep::More, 0),
        Err(error) => return (DecodeStep::Nothing, error.error_len().unwrap_or(1)),
    };
    match text.chars().next() {
        Some(c) if agon_report::text::sanitise_line(&c.to_string(), 4).is_empty() => {
            (DecodeStep::Nothing, c.len_utf8())
        }
        Some(c) => (DecodeStep::Key(Key::Char(c)), c.len_utf8()),
        None => (DecodeStep::Nothing, 1),
    }
}

/// Decodes the bytes after an escape.
fn decode_escape_sequence(rest: &[u8], ended: bool) -> (DecodeStep, usize) {
    match rest.first() {
        None if ended => (DecodeStep::Key(Key::Esc), 1),
        None => (DecodeStep::More, 0),
        Some(b'O') if rest.len() > 1 => (decode_escape_final(rest.get(1).copied(), b""), 3),
        Some(b'[') => {
            let body = rest.get(1..).unwrap_or_default();
            let end = body.iter().position(|byte| (0x40..=0x7e).contains(byte));
            match end {
                Some(end) => (
                    decode_escape_final(body.get(end).copied(), &body[..end]),
                    end + 3,
                ),
                // Drop an escape sequence that never ends.
                None if ended || body.len() > 16 => (DecodeStep::Nothing, rest.len() + 1),
                None => (DecodeStep::More, 0),
            }
        }
        Some(b'O') if !ended => (DecodeStep::More, 0),
        Some(_) => (DecodeStep::Key(Key::Esc), 1),
    }
}

fn decode_escape_final(last: Option<u8>, number: &[u8]) -> DecodeStep {
    match (last, number) {
        (Some(b'D'), _) => DecodeStep::Key(Key::Left),
        (Some(b'C'), _) => DecodeStep::Key(Key::Right),
        (Some(b'H'), _) | (Some(b'~'), b"1" | b"7") => DecodeStep::Key(Key::Home),
        (Some(b'F'), _) | (Some(b'~'), b"4" | b"8") => DecodeStep::Key(Key::End),
        (Some(b'~'), b"3") => DecodeStep::Key(Key::Delete),
        (Some(b'~'), b"200") => DecodeStep::Paste,
        (Some(_) | None, _) => DecodeStep::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(pieces: &[&[u8]]) -> Vec<Key> {
        let mut decoder = Decoder::default();
        let mut keys = Vec::new();
        for piece in pieces {
            decoder.push(piece);
            keys.extend(std::iter::from_fn(|| decoder.next_key()));
        }
        decoder.mark_input_ended();
        keys.extend(std::iter::from_fn(|| decoder.next_key()));
        keys
    }

    fn typed(text: &str) -> Vec<Key> {
        text.chars().map(Key::Char).collect()
    }

    #[test]
    fn characters_come_whole_however_their_bytes_come() {
        assert_eq!(keys(&["né火".as_bytes()]), typed("né火"));
        let bytes = "né火".as_bytes();
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(keys(&single), typed("né火"));
        assert_eq!(keys(&[b"a\xff\xfeb\x00\x02"]), typed("ab"));
        assert_eq!(keys(&["a\u{202e}b".as_bytes()]), typed("ab"));
    }

    #[test]
    fn the_keys_that_edit_a_line_are_known() {
        let all =
            b"\x7f\x1b[D\x1b[C\x1b[H\x1b[F\x1bOH\x1bOF\x1b[3~\x1b[1~\x1b[4~\x15\x0b\x17\r\x1a";
        let known = [
            Key::Backspace,
            Key::Left,
            Key::Right,
            Key::Home,
            Key::End,
            Key::Home,
            Key::End,
            Key::Delete,
            Key::Home,
            Key::End,
            Key::CutBefore,
            Key::CutAfter,
            Key::CutWord,
            Key::Enter,
            Key::Suspend,
        ];
        assert_eq!(keys(&[all]), known);
        let single: Vec<&[u8]> = all.chunks(1).collect();
        assert_eq!(keys(&single), known);
        assert_eq!(keys(&[b"\x1b[A\x1b[15~\x1b[1;5C"]), [Key::Right]);
    }

    #[test]
    fn an_escape_that_nothing_follows_is_the_key() {
        assert_eq!(keys(&[b"\x1b"]), [Key::Esc]);
        assert_eq!(keys(&[b"\x1bx"]), [Key::Esc, Key::Char('x')]);
        assert_eq!(keys(&[b"\x1b\x1b"]), [Key::Esc, Key::Esc]);
    }

    #[test]
    fn what_is_pasted_is_one_piece_and_one_line() {
        let pasted = b"a\x1b[200~j\n+\x1b[31m red\x1b[201~n";
        let whole = [
            Key::Char('a'),
            Key::Paste("j + red".to_owned()),
            Key::Char('n'),
        ];
        assert_eq!(keys(&[pasted]), whole);
        let single: Vec<&[u8]> = pasted.chunks(1).collect();
        assert_eq!(keys(&single), whole);
        let long = [b"\x1b[200~", "x".repeat(200_000).as_bytes(), b"\x1b[201~j"].concat();
        let keys = keys(&[&long]);
        assert_eq!(keys.len(), 2, "{keys:?}");
        assert_eq!(keys[1], Key::Char('j'));
    }
}
