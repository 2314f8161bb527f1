//! The parts of a prompt, in order.

use std::cmp::Reverse;

use minijinja::context;

use crate::fence::{clean, fence};
use crate::format;
use crate::id::{AskKey, Seat, Stage, TurnId};
use crate::moves::MovesKind;
use crate::precedent;
use crate::prompt::template::{CONTEXT, CONTEXT_REPO, PRECEDENTS};
use crate::prompt::veil::Veil;
use crate::prompt::{Part, Prompt, again, compact, duel, formal};
use crate::spec::{Context, FormatName, Repo};
use crate::state::State;
use crate::user::Word;

/// The parts of a prompt, each with what it is for; an empty text stands for none.
pub(super) type Parts = Vec<(&'static str, String)>;

/// What a prompt is made from.
pub(super) struct Ask<'a> {
    pub(super) state: &'a State,
    pub(super) key: AskKey,
    pub(super) kind: MovesKind,
    /// What is not shown of who said what.
    pub(super) veil: Option<Veil>,
    /// What the user put in before.
    pub(super) words: &'a [Word],
    /// Whether a person reads it: what others said stands in no fence.
    pub(super) person: bool,
}

impl<'a> Ask<'a> {
    /// The prompt for `key`, with the first `heard` of the user's words in it.
    pub(super) fn new(state: &'a State, key: AskKey, heard: usize) -> Self {
        let kind = format::of(state.spec.format).moves_kind(key.turn);
        let veil = Veil::over(state, key.turn);
        Self {
            state,
            key,
            kind,
            veil,
            words: state.words.get(..heard).unwrap_or(&state.words),
            person: false,
        }
    }

    /// What a person is told before they answer.
    pub(super) fn told_person(mut self) -> String {
        self.person = true;
        let parts = match self.state.spec.format {
            FormatName::Duel => duel::parts(&self),
            FormatName::Formal => formal::parts(&self),
        };
        // The last of the rules are those of the turn; the others say how a program replies.
        let rules = parts.iter().rposition(|(kind, _)| *kind == "rules");
        let parts = parts.into_iter().enumerate().filter(|(at, (kind, text))| {
            let told = match *kind {
                "contract" | "again" => false,
                "rules" => rules == Some(*at),
                _ => true,
            };
            told && !text.is_empty()
        });
        let texts: Vec<_> = parts.map(|(_, (_, text))| text).collect();
        texts.join("\n\n")
    }

    pub(super) fn prompt(&self) -> Prompt {
        let parts = match (self.budget(), self.state.spec.format) {
            (Some(budget), _) => compact::parts(self, budget),
            (None, FormatName::Duel) => duel::parts(self),
            (None, FormatName::Formal) => formal::parts(self),
        };
        let parts = parts.into_iter().filter(|(_, text)| !text.is_empty());
        let part = |(kind, text)| Part {
            kind,
            text,
            // A judge has nothing in mind: each of its calls stands alone.
            brief: (kind == "again" && !self.key.turn.seat.judges()).then(|| again::brief(self)),
        };
        Prompt {
            parts: parts.map(part).collect(),
        }
    }

    /// The tokens that the seat's model has room for, where they are few; a judge who hears the
    /// sides swapped hears all of it.
    fn budget(&self) -> Option<u32> {
        let seating = self.state.seats.get(&self.key.turn.seat)?;
        seating.budget.filter(|_| !self.swapped())
    }

    /// What somebody said in a fence, under the key of what is fenced.
    pub(super) fn fence(&self, key: &str, label: &str, text: &str) -> String {
        match &self.veil {
            None => self.fenced(key, label, text),
            Some(veil) => self.fenced(key, &veil.told(label), &veil.said(text)),
        }
    }

    /// As [`Ask::fence`], whoever is named in it.
    pub(super) fn fenced(&self, key: &str, label: &str, text: &str) -> String {
        match self.person {
            true => clean(text),
            false => fence(&self.state.spec.salt, key, label, text),
        }
    }

    /// Whether the sides are swapped.
    pub(super) fn swapped(&self) -> bool {
        self.key.turn.stage == Stage::Swap
    }

    /// The order in which sides are shown within a round.
    pub(super) fn rank(&self, turn: TurnId) -> (Stage, Reverse<Option<Seat>>, Option<Seat>) {
        let (back, front) = match self.swapped() {
            true => (Some(turn.seat), None),
            false => (None, Some(turn.seat)),
        };
        (turn.stage, Reverse(back), front)
    }

    /// What every seat was given to read; empty when there is none.
    pub(super) fn material(&self) -> String {
        let (what, label, text) = match &self.state.spec.context {
            Context::None => return String::new(),
            Context::Diff { commit, text } => {
                let what = format!("uncommitted changes on commit {}", clean(commit));
                (what, "diff", text)
            }
            Context::File { path, text } => (format!("the file `{}`", clean(path)), "file", text),
            Context::Repo(repo) if self.person => {
                return format!(
                    "# The project\n\nEvery seat reads {}.",
                    clean(&repo.about())
                );
            }
            Context::Repo(repo) => return project(repo),
        };
        if self.person {
            return format!("# Material\n\nEvery seat was given {what}.");
        }
        let text = fence(&self.state.spec.salt, "context", label, text);
        CONTEXT.fill(context! { what, text })
    }

    /// Earlier verdicts that the debate is told of; empty when there is none.
    pub(super) fn precedents(&self) -> String {
        let told = precedent::told(&self.state.spec.precedents);
        if told.is_empty() {
            return String::new();
        }
        let text = self.fence("precedents", "earlier verdicts", &told);
        PRECEDENTS.fill(context! { text })
    }
}

/// What is said of a working copy: counts and words of ours, no file's name.
fn project(repo: &Repo) -> String {
    CONTEXT_REPO.fill(context! {
        about => clean(&repo.about()),
        files => repo.files,
        secrets => repo.secrets.len(),
        debates => !repo.debates.is_empty(),
        left_out => repo.left_out.iter().map(|kind| clean(kind)).collect::<Vec<_>>(),
    })
}
