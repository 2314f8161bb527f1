//! A line editor.

use unicode_width::UnicodeWidthChar;

use super::Key;

/// A line being typed, with a cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Typed {
    chars: Vec<char>,
    at: usize,
}

/// The effect of a key on the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Edited {
    /// The line is still being edited.
    Editing,
    /// The line is complete, with this text.
    Done(String),
    /// The line was cancelled.
    Cancelled,
}

impl Typed {
    /// Applies a key; limits the line to `max_bytes` bytes.
    pub(crate) fn apply_key(&mut self, key: Key, max_bytes: usize) -> Edited {
        match key {
            Key::Enter => return Edited::Done(self.text()),
            Key::Esc => return Edited::Cancelled,
            Key::Char(c) => self.insert_chars(&[c], max_bytes),
            Key::Paste(text) => self.insert_chars(&text.chars().collect::<Vec<_>>(), max_bytes),
            Key::Backspace if self.at > 0 => {
                self.at -= 1;
                self.chars.remove(self.at);
            }
            Key::Delete if self.at < self.chars.len() => {
                self.chars.remove(self.at);
            }
            Key::Left => self.at = self.at.saturating_sub(1),
            Key::Right => self.at = (self.at + 1).min(self.chars.len()),
            Key::Home => self.at = 0,
            Key::End => self.at = self.chars.len(),
            Key::CutBefore => {
                self.chars.drain(..self.at);
                self.at = 0;
            }
            Key::CutAfter => self.chars.truncate(self.at),
            Key::CutWord => {
                let before = &self.chars[..self.at];
                let word = before.iter().rposition(|c| !c.is_whitespace());
                let word = word.map_or(0, |last| {
                    let space = before[..last].iter().rposition(|c| c.is_whitespace());
                    space.map_or(0, |space| space + 1)
                });
                self.chars.drain(word..self.at);
                self.at = word;
            }
            Key::Backspace | Key::Delete | Key::Suspend => {}
        }
        Edited::Editing
    }

    fn insert_chars(&mut self, new: &[char], max_bytes: usize) {
        let mut room = max_bytes.saturating_sub(self.text().len());
        for &c in new {
            let Some(left) = room.checked_sub(c.len_utf8()) else {
                return;
            };
            room = left;
            self.chars.insert(self.at, c);
            self.at += 1;
        }
    }

    fn text(&self) -> String {
        self.chars.iter().collect()
    }

    /// Renders prompt and line in at most `width` columns, with a mark at the cursor; of a long
    /// line, shows the part around the cursor.
    pub(crate) fn render(&self, prompt: &str, width: usize) -> String {
        let room = width.saturating_sub(prompt.len() + 2).max(8);
        let wide = |c: &char| c.width().unwrap_or(0);
        let (before, after) = self.chars.split_at(self.at);
        let mut left = room;
        let mut from = before.len();
        let share = if after.is_empty() { room } else { room * 2 / 3 };
        while from > 0 && room - left + wide(&before[from - 1]) <= share {
            from -= 1;
            left -= wide(&before[from]);
        }
        let mut until = 0;
        while until < after.len() && wide(&after[until]) <= left {
            left -= wide(&after[until]);
            until += 1;
        }
        let text: String = before[from..].iter().collect();
        let rest: String = after[..until].iter().collect();
        format!("{prompt}{text}▏{rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &[Key]) -> Typed {
        let mut line = Typed::default();
        for key in keys {
            assert_eq!(line.apply_key(key.clone(), 40), Edited::Editing);
        }
        line
    }

    fn says(text: &str) -> Vec<Key> {
        text.chars().map(Key::Char).collect()
    }

    #[test]
    fn a_line_is_edited_as_lines_are() {
        let mut keys = says("two writers");
        keys.extend([Key::CutWord, Key::Paste("jobs".to_owned()), Key::Home]);
        keys.extend([Key::Delete, Key::Char('T'), Key::End, Key::Backspace]);
        let mut line = typed(&keys);
        assert_eq!(line.render("> ", 60), "> Two job▏");
        assert_eq!(
            line.apply_key(Key::Enter, 40),
            Edited::Done("Two job".to_owned())
        );
        line.apply_key(Key::Left, 40);
        line.apply_key(Key::CutAfter, 40);
        assert_eq!(line.render("> ", 60), "> Two jo▏");
        line.apply_key(Key::CutBefore, 40);
        assert_eq!(line, Typed::default());
        assert_eq!(line.apply_key(Key::Esc, 40), Edited::Cancelled);
    }

    #[test]
    fn keys_at_the_ends_of_a_line_do_nothing() {
        let ends = [
            Key::Backspace,
            Key::Delete,
            Key::Left,
            Key::Right,
            Key::CutWord,
            Key::CutBefore,
            Key::CutAfter,
            Key::Home,
            Key::End,
            Key::Suspend,
        ];
        assert_eq!(typed(&ends), Typed::default());
    }

    #[test]
    fn no_more_is_typed_than_is_taken() {
        let line = typed(&[Key::Paste("é".repeat(30))]);
        assert_eq!(line.text().len(), 40);
    }

    #[test]
    fn of_a_long_line_the_part_around_the_place_is_shown() {
        use unicode_width::UnicodeWidthStr;
        let mut line = typed(&says("abcdefghijklmnopqrstuvwxyz0123456789"));
        for _ in 0..37 {
            let shown = line.render("> ", 20);
            assert!(shown.width() <= 20, "{shown}");
            assert!(shown.contains('▏'));
            line.apply_key(Key::Left, 40);
        }
        assert!(line.render("> ", 20).starts_with("> ▏abc"));
        let wide = typed(&says("火火火火火火火火火火火火"));
        assert!(wide.render("> ", 20).width() <= 20);
    }
}
