//! What the keys do while a debate runs.

use agon_debates::steer::observer::{MAX_NOTE_BYTES, UserCommand};
use agon_report::screen::{Line, Style};
use agon_report::text::plain_line;

use super::{Screen, read_yes_from_stdin};
use crate::keys::{Edited, Key, Typed};

/// What stands before a note that is typed.
const PROMPT: &str = "> n ";

// Chosen, not measured: two keys of a slow typist are closer. Too short takes a letter of a note
// for an answer; too long makes a person press twice.
/// A person who looks up from typing pauses longer than this.
const QUIET: std::time::Duration = std::time::Duration::from_millis(700);

impl Screen {
    /// What a key asks of the debate; none while a note is typed, and for keys that mean nothing.
    pub(super) fn handle_key(&mut self, key: Key) -> Option<UserCommand> {
        let Some(mut note) = self.note.take() else {
            return self.handle_command_key(&key);
        };
        let edited = note.apply_key(key, MAX_NOTE_BYTES);
        if edited == Edited::On {
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
            Edited::Done(_) | Edited::GivenUp | Edited::On => None,
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

    /// Shows the note that is typed below everything else.
    fn show_note(&mut self, note: Option<&Typed>) {
        let width = self.lines.width();
        if let Some(status) = &mut self.status {
            status.show_typed_line(note.map(|note| note.render(PROMPT, width)));
        }
    }

    /// Whether a person says yes: by a key, or by a line where there is no keyboard.
    pub(super) async fn ask_yes(&mut self) -> bool {
        let Some(keys) = &mut self.keys else {
            return read_yes_from_stdin().await;
        };
        // A note that is being typed is put aside: its next key is meant for it, not as an answer.
        if self.note.take().is_some() {
            if let Some(status) = &mut self.status {
                status.show_typed_line(None);
            }
            drop(
                self.stderr
                    .write_all(b"  (the note was put aside: answer first)\n"),
            );
            // Until the typing stops, nothing is an answer.
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
        // That stderr is gone cannot be reported.
        drop(
            self.stderr
                .write_all(answer.as_bytes())
                .and_then(|()| self.stderr.flush()),
        );
        yes
    }
}
