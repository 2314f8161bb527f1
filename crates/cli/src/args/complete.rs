//! Shell completion of the names of debates and tools.

use std::ffi::OsStr;

use agon_caller::{find, settings};
use agon_seats::tools;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::CompleteEnv;

use super::{HelpDetail, command};
use crate::surroundings::Surroundings;

/// The environment variable that a shell sets to request completions.
pub(crate) const COMPLETION_VARIABLE: &str = "AGON_COMPLETE";

/// Prints completions and exits if a shell requested them; otherwise does nothing.
pub(crate) fn complete_if_asked() {
    CompleteEnv::with_factory(|| command(HelpDetail::All))
        .var(COMPLETION_VARIABLE)
        .complete();
}

/// Completes the name of a debate.
pub(super) fn debate_completer() -> ArgValueCompleter {
    ArgValueCompleter::new(debates)
}

/// Completes the name of a tool.
pub(super) fn tool_completer() -> ArgValueCompleter {
    ArgValueCompleter::new(tool_names)
}

/// Returns the debates in this folder with their topics, latest first.
fn debates(typed: &OsStr) -> Vec<CompletionCandidate> {
    let Ok(edge) = Surroundings::of_process(None, None, None) else {
        return Vec::new();
    };
    let listed = find::debates_dir(&edge).and_then(|dir| find::listing(&dir));
    let mut listed = listed.map(|listing| listing.debates).unwrap_or_default();
    listed.sort_by_key(|debate| std::cmp::Reverse(debate.record.at_last));
    // Offer only plain names, because a shell inserts a candidate without quoting it.
    let named = listed.into_iter();
    let named = named.filter(|debate| find::is_plain_name(&debate.slug));
    let candidates = named.map(|debate| {
        let about = agon_report::text::plain_line(&debate.record.topic);
        CompletionCandidate::new(debate.slug).help(Some(about.into()))
    });
    candidates_with_prefix(typed, candidates)
}

/// Returns the names of all tools, including `human` and models behind an API.
fn tool_names(typed: &OsStr) -> Vec<CompletionCandidate> {
    let Ok(edge) = Surroundings::of_process(None, None, None) else {
        return Vec::new();
    };
    let known = settings::read_settings(&edge).and_then(|settings| tools::profile_names(&settings));
    let mut names = known.unwrap_or_default();
    names.retain(|name| tools::is_plain_tool_name(name));
    candidates_with_prefix(typed, names.into_iter().map(CompletionCandidate::new))
}

fn candidates_with_prefix(
    typed: &OsStr,
    candidates: impl Iterator<Item = CompletionCandidate>,
) -> Vec<CompletionCandidate> {
    let typed = typed.as_encoded_bytes();
    candidates
        .filter(|one| one.get_value().as_encoded_bytes().starts_with(typed))
        .collect()
}
