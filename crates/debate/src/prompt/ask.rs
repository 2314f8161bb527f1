//! The parts of a prompt, in order.

use minijinja::context;

use crate::fence::{clean, fence};
use crate::format;
use crate::id::AskKey;
use crate::moves::MovesKind;
use crate::prompt::template::CONTEXT;
use crate::prompt::{Part, Prompt, duel, formal};
use crate::spec::{Context, FormatName};
use crate::state::State;

/// The parts of a prompt, each with what it is for; an empty text stands for none.
pub(super) type Parts = Vec<(&'static str, String)>;

/// What a prompt is made from.
pub(super) struct Ask<'a> {
    pub(super) state: &'a State,
    pub(super) key: AskKey,
    pub(super) kind: MovesKind,
}

impl<'a> Ask<'a> {
    pub(super) fn new(state: &'a State, key: AskKey) -> Self {
        let kind = format::of(state.spec.format).moves_kind(key.turn);
        Self { state, key, kind }
    }

    pub(super) fn prompt(&self) -> Prompt {
        let parts = match self.state.spec.format {
            FormatName::Duel => duel::parts(self),
            FormatName::Formal => formal::parts(self),
        };
        let parts = parts.into_iter().filter(|(_, text)| !text.is_empty());
        let parts = parts.map(|(kind, text)| Part { kind, text }).collect();
        Prompt { parts }
    }

    /// `text` in a fence, under the key of what is fenced.
    pub(super) fn fence(&self, key: &str, label: &str, text: &str) -> String {
        fence(&self.state.spec.salt, key, label, text)
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
        };
        let text = self.fence("context", label, text);
        CONTEXT.fill(context! { what, text })
    }
}
