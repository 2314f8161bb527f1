//! The keys that work while a debate runs.

use agon_debates::steer::observer::{MAX_NOTE_BYTES, UserCommand};
use agon_report::screen::{Line, Style};
use agon_report::text::plain_line;

use super::{Screen, read_yes_from_stdin};
use crate::keys::{Edited, Key, Typed};

/// The prompt of a note.
const PROMPT: &str = "> n ";

// Chosen, not measured: even slow typists pause less between two keys. With a shorter value, a
// letter of a note would count as an answer; with a longer one, people would have to press twice.
/// The pause after which a key counts as an answer and not as part of a note.
const QUIET: std::time::Duration = std::time::Duration::from_millis(700);

impl Screen {
    /// Returns the command of a key; `None` for other keys and while a note is typed.
    pub(super) fn handle_key(&mut self, key: Key) -> Option<UserCommand> {
        let Some(mut note) = self.note.take() else {
            return self.handle_command_key(&key);
        };
        let edited = note.apply_key(key, MAX_NOTE_BYTES);
        if edited == Edited::Editing {
            self.show_note(Some(&note));
            self.note = Some(note);
            return None;
        }
        self.show_note(None);
        match edited {
            Edited::Done(text) if !text.trim().is_empty() => {
                let command = UserCommand::note(&text);
                if let UserCommand::Note { text, .. } = &command {
                    let note = format!("{PROMPT}{}", plain_line(text));
                    self.print_lines(&[Line::default().with(Style::Strong, note)]);
                }
                Some(command)
            }
            Edited::Done(_) | Edited::Cancelled | Edited::Editing => None,
        }
    }

    fn handle_command_key(&mut self, key: &Key) -> Option<UserCommand> {
        match key {
            Key::Char('n' | 'N') => {
                let note = Typed::default();
                self.show_note(Some(&note));
                self.note = Some(note);
                None
            }
            Key::Char('j' | 'J') => Some(UserCommand::Judge),
            Key::Char('+') => Some(UserCommand::Rounds { more: 1 }),
            _ => None,
        }
    }

    /// Shows the note being typed, below everything else.
    fn show_note(&mut self, note: Option<&Typed>) {
        let width = self.lines.width();
        if let Some(status) = &mut self.status {
            status.show_typed_line(note.map(|note| note.render(PROMPT, width)));
        }
    }

    /// Asks for yes or no, by a key or, without a keyboard, by a line.
    pub(super) async fn ask_yes(&mut self) -> bool {
        let Some(keys) = &mut self.keys else {
            return read_yes_from_stdin().await;
        };
        // Discard an unfinished note, because the next keys were meant for it and not for this
        // question.
        if self.note.take().is_some() {
            if let Some(status) = &mut self.status {
                status.show_typed_line(None);
            }
            drop(
                self.stderr
                    .write_all(b"  (note discarded; please answer first)\n"),
            );
            // Ignore keys until the typing pauses, because they were meant for the note.
            while tokio::time::timeout(QUIET, keys.next_key()).await.is_ok() {}
        }
        let yes = loop {
            match keys.next_key().await {
                Key::Char('y' | 'Y') => break true,
                Key::Char('n' | 'N') | Key::Enter | Key::Esc => break false,
                _ => {}
            }
        };
        let answer = if yes { "y\n" } else { "n\n" };
        // A failure of stderr cannot be reported.
        drop(
            self.stderr
                .write_all(answer.as_bytes())
                .and_then(|()| self.stderr.flush()),
        );
        yes
    }
}
