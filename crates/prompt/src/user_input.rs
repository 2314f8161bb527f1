//! The user's notes and command runs in a prompt.
//!
//! Each is a separate part that does not change from turn to turn.

use agon_record::text::strip_invisible_characters;
use agon_record::user::{CommandRun, Note, Ran, UserInput, WordId};
use agon_wording::fence;
use agon_wording::{Wording, values};

use crate::request::{Parts, PromptRequest};
use crate::template::{NOTE, RUN};

// Half of `MAX_WORD_BYTES` in `rules/src/plan/budget.rs`: change both together.
/// The bytes of an output shown from its beginning, and also from its end.
const HALF: usize = 4 * 1024;

/// Returns the notes, in order.
pub(super) fn note_parts(ask: &PromptRequest<'_>) -> Parts {
    let notes = ask.words.iter().filter_map(|word| match word {
        UserInput::Note(note) => Some(("note", self::note_part(ask, note))),
        UserInput::Ran(_) => None,
    });
    notes.collect()
}

fn note_part(ask: &PromptRequest<'_>, note: &Note) -> Wording {
    let id = Wording::from_format("{}", &[&note.id]);
    // Veiled, because a note may name a tool, and a judge must not see tool names.
    let text = ask.fence_veiled(&fence_key(&id), &note.id, &note.text);
    NOTE.fill(values! { title => word_title(note.id), id, text })
}

/// Returns the command runs, in order.
pub(super) fn run_parts(ask: &PromptRequest<'_>) -> Parts {
    let runs = ask.words.iter().filter_map(|word| match word {
        UserInput::Note(_) => None,
        UserInput::Ran(ran) => Some(("run", run_part(ask, ran))),
    });
    runs.collect()
}

fn run_part(ask: &PromptRequest<'_>, ran: &Ran) -> Wording {
    let id = Wording::from_format("{}", &[&ran.id]);
    let output = strip_invisible_characters(&ran.run.output);
    let (shown, hidden) = cut_middle(&output);
    let text = format!("$ {}\n{shown}", ran.run.command);
    // Not veiled: a seat that cites the output must copy its exact words.
    let text = fence(&ask.state.spec.salt, &fence_key(&id), &ran.id, &text);
    RUN.fill(values! {
        title => word_title(ran.id),
        id,
        ending => describe_exit(&ran.run),
        bytes => ran.run.bytes,
        left_out => ran.run.left_out.saturating_add(hidden as u64),
        text,
    })
}

/// Cuts a long text to whole lines at its beginning and end, and returns the number of hidden
/// bytes.
fn cut_middle(text: &str) -> (String, usize) {
    if text.len() <= 2 * HALF {
        return (text.to_owned(), 0);
    }
    let head = &text[..text.floor_char_boundary(HALF)];
    let head = head.rfind('\n').map_or(head, |end| &head[..=end]);
    let tail = &text[text.ceil_char_boundary(text.len() - HALF)..];
    let tail = tail.find('\n').map_or(tail, |end| &tail[end + 1..]);
    let hidden = text.len() - head.len() - tail.len();
    let head = head.trim_end_matches('\n');
    (format!("{head}\n[… {hidden} bytes …]\n{tail}"), hidden)
}

fn fence_key(id: &str) -> String {
    id.replace(' ', "-")
}

fn word_title(id: WordId) -> Wording {
    match id {
        WordId::Note(number) => Wording::from_format("Note {}", &[&number]),
        WordId::Run(number) => Wording::from_format("Run {}", &[&number]),
    }
}

/// Describes how a command ended.
fn describe_exit(run: &CommandRun) -> Wording {
    let signal = || run.ended.as_deref()?.strip_prefix("signal ")?.parse().ok();
    match (run.exit, signal()) {
        (Some(code), _) => Wording::from_format("exit {}", &[&code]),
        (None, Some(signal)) => Wording::from_format("signal {}", &[&signal as &i32]),
        (None, None) => Wording::from_literal("no exit code"),
    }
}

#[cfg(test)]
mod tests;
