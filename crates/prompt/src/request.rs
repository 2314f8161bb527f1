//! The request for a prompt, and the parts that all formats share.

use std::cmp::Reverse;

use agon_record::id::{AskKey, Seat, Stage, TurnId};
use agon_record::moves::MovesKind;
use agon_record::spec::{Context, ContextFile, LEFT_OUT, Repo};
use agon_record::state::State;
use agon_record::user::UserInput;
use agon_rules::format;
use agon_wording::{OwnWords, Wording, fence, values};

use crate::template::{CONTEXT, CONTEXT_REPO, PRECEDENTS};
use crate::veil::Veil;

/// The parts of a prompt, each with its kind; an empty text means that the part is left out.
pub(super) type Parts = Vec<(&'static str, Wording)>;

/// The input for a prompt.
pub(super) struct PromptRequest<'a> {
    pub(super) state: &'a State,
    pub(super) key: AskKey,
    pub(super) kind: MovesKind,
    /// The names to hide from a judge.
    pub(super) veil: Option<Veil>,
    /// The user's inputs that the prompt includes.
    pub(super) words: &'a [UserInput],
    /// Whether a person reads the prompt, which then has no fences.
    pub(super) person: bool,
}

impl<'a> PromptRequest<'a> {
    /// Creates the request for `key` with the first `included` of the user's inputs.
    pub(super) fn new(state: &'a State, key: AskKey, included: usize) -> Self {
        let kind = format::requested_moves_kind(state, key.turn);
        let veil = Veil::for_turn(state, key.turn);
        Self {
            state,
            key,
            kind,
            veil,
            words: state.words.get(..included).unwrap_or(&state.words),
            person: false,
        }
    }

    /// Fences a text by a seat or the user under this key. In a prompt for a judge of a duel, the
    /// names of tools and models in the text are replaced first (see `Veil`).
    pub(super) fn fence_veiled(&self, key: &str, label: &dyn OwnWords, text: &str) -> Wording {
        match &self.veil {
            None => self.fence_unveiled(key, label, text),
            Some(veil) => self.fence_unveiled(
                key,
                &veil.swap_side_names(label.wording()),
                &veil.hide_names(text),
            ),
        }
    }

    /// Fences a text under this key without replacing names.
    pub(super) fn fence_unveiled(&self, key: &str, label: &dyn OwnWords, text: &str) -> Wording {
        fence(&self.state.spec.salt, key, label, text)
    }

    /// Returns the fenced topic.
    pub(super) fn fenced_topic(&self) -> Wording {
        // Tools named in the topic are its subject, so they are not hidden.
        self.fence_unveiled("topic", &"topic", self.state.spec.topic.trim())
    }

    /// Returns whether the sides are swapped.
    pub(super) fn has_swapped_sides(&self) -> bool {
        self.key.turn.stage == Stage::Swap
    }

    /// Returns the sort key of a turn: the stage, then the seat (with the sides swapped, the other
    /// side first).
    pub(super) fn turn_sort_key(
        &self,
        turn: TurnId,
    ) -> (Stage, Reverse<Option<Seat>>, Option<Seat>) {
        let (back, front) = match self.has_swapped_sides() {
            true => (Some(turn.seat), None),
            false => (None, Some(turn.seat)),
        };
        (turn.stage, Reverse(back), front)
    }

    /// Returns the material that every seat received; empty if there is none.
    pub(super) fn material_part(&self) -> Wording {
        match &self.state.spec.context {
            Context::None => Wording::default(),
            Context::Diff { commit, since, .. } if self.person => {
                let given = "# Material\n\nEvery seat received {}.";
                Wording::from_format(given, &[&describe_changes(commit, since.as_deref())])
            }
            Context::File { path, .. } if self.person => {
                let name = self.fence_unveiled("context-name", &"name", path);
                Wording::from_format(
                    "# Material\n\nEvery seat received this file:\n\n{}",
                    &[&name],
                )
            }
            Context::Files { files } if self.person => {
                let names = files.iter().enumerate().map(|(at, file)| {
                    self.fence_unveiled(&format!("context-name-{at}"), &"name", &file.path)
                });
                let given = "# Material\n\nEvery seat received these files:\n\n{}";
                Wording::from_format(given, &[&Wording::join(names, "\n\n")])
            }
            Context::Repo(repo) if self.person => Wording::from_format(
                "# The project\n\nEvery seat can read {}.",
                &[&describe_repo(repo)],
            ),
            Context::Diff {
                commit,
                since,
                text,
                ..
            } => {
                let text = self.fence_unveiled("context", &"diff", text);
                let what = describe_changes(commit, since.as_deref());
                CONTEXT.fill(values! { what, name => false, text })
            }
            Context::File { path, text } => {
                let name = self.fence_unveiled("context-name", &"name", path);
                let text = self.fence_unveiled("context", &"file", text);
                CONTEXT.fill(values! { what => "a file", name, text })
            }
            Context::Files { files } => {
                let text = fenced_files(&self.state.spec.salt, "context", files);
                let what = Wording::from_format("{} files", &[&(files.len() as u64)]);
                CONTEXT.fill(values! { what, name => false, text })
            }
            Context::Repo(repo) => repo_part(repo),
        }
    }

    /// Returns the earlier verdicts for this debate; empty if there are none.
    pub(super) fn precedents_part(&self) -> Wording {
        let told = super::precedents::precedent_entries(&self.state.spec.precedents);
        if told.is_empty() {
            return Wording::default();
        }
        let text = self.fence_veiled("precedents", &"earlier verdicts", &told);
        PRECEDENTS.fill(values! { text })
    }
}

/// Returns files with their names, each in its own fence.
pub(super) fn fenced_files(salt: &str, key: &str, files: &[ContextFile]) -> Wording {
    let files = files.iter().enumerate().map(|(at, file)| {
        let name = fence(salt, &format!("{key}-name-{at}"), &"name", &file.path);
        let text = fence(salt, &format!("{key}-{at}"), &"file", &file.text);
        Wording::join([name, text], "\n\n")
    });
    let files = Wording::join(files, "\n\n");
    Wording::from_format("For each file its name and its content:\n\n{}", &[&files])
}

/// Describes changes: those between two commits, or uncommitted ones.
pub(super) fn describe_changes(commit: &str, since: Option<&str>) -> Wording {
    let range = since
        .and_then(Wording::from_hex)
        .zip(Wording::from_hex(commit));
    match range {
        Some((since, commit)) => Wording::from_format(
            "the changes of the commits after {} up to {}",
            &[&since, &commit],
        ),
        None => describe_uncommitted_changes(commit),
    }
}

fn describe_uncommitted_changes(commit: &str) -> Wording {
    match Wording::from_hex(commit) {
        Some(commit) => Wording::from_format("uncommitted changes on commit {}", &[&commit]),
        None => Wording::from_literal("uncommitted changes"),
    }
}

/// Describes a project: its abbreviated commit and the number of changed files.
fn describe_repo(repo: &Repo) -> Wording {
    let commit = repo.commit.as_deref();
    let commit = commit.and_then(|commit| Wording::from_hex(commit.get(..7)?));
    let files = |count: u64| if count == 1 { "file" } else { "files" };
    match (commit, repo.changed) {
        (None, _) => Wording::from_format("folder of {} {}", &[&repo.files, &files(repo.files)]),
        (Some(commit), 0) => Wording::from_format("repo at {}", &[&commit]),
        (Some(commit), changed) => {
            let filled: [&dyn OwnWords; 3] = [&commit, &changed, &files(changed)];
            Wording::from_format("repo at {} + {} changed {}", &filled)
        }
    }
}

/// Returns the part about a working copy: counts and fixed words, without file names.
fn repo_part(repo: &Repo) -> Wording {
    CONTEXT_REPO.fill(values! {
        about => describe_repo(repo),
        files => repo.files,
        secrets => repo.secrets.len(),
        debates => !repo.debates.is_empty(),
        left_out => excluded_file_counts(repo),
    })
}

/// Returns what else is left out of a working copy, each kind with its count.
fn excluded_file_counts(repo: &Repo) -> Vec<Wording> {
    let known = |said: &str| {
        let (count, kind) = said.split_once(' ')?;
        let count: u64 = count.parse().ok()?;
        let kind = LEFT_OUT.iter().flatten().find(|known| **known == kind)?;
        Some(Wording::from_format("{} {}", &[&count, kind]))
    };
    let told = repo.left_out.iter();
    told.map(|said| known(said).unwrap_or_else(|| Wording::from_literal("something else")))
        .collect()
}
