//! Earlier verdicts, and whether what they rest on still stands.

use std::path::Path;

use agon_evidence::{Manifest, SourceDrift};
use agon_index::{Near, RefreshLimit, Summary};
use agon_record::precedent::{MAX_PRECEDENTS, Precedent};
use agon_redact::Redactor;
use agon_report::text::count_with_noun;
use agon_store::{RealDisk, read_blob};
use schemars::JsonSchema;
use serde::Serialize;

use crate::caller::Caller;
use crate::failure::Failure;
use crate::history;
use crate::notes::Notes;
use crate::system::format_time;

// A line of names; the others are counted. Held by
// `a_few_changed_files_are_named_and_the_rest_counted`.
/// The most changed files that are named.
const NAMED: usize = 5;

/// What became of the source that a verdict rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SourceNow {
    /// How it stands.
    pub state: SourceState,
    /// What was pinned; null when nothing was.
    pub about: Option<String>,
    /// Files that were compared: those that were cited, or all where none was.
    pub files: usize,
    /// How many of them have changed.
    pub changed_files: usize,
    /// Which, the first few.
    pub changed: Vec<String>,
    /// The same in words.
    pub said: String,
}

/// How a source stands now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceState {
    /// Every file is as it was.
    Same,
    /// Some file is not.
    Changed,
    /// It cannot be told.
    Unknown,
}

/// What became of the source of the debate in `folder`.
pub fn current_source_state(caller: &Caller, folder: &Path, summary: &Summary) -> SourceNow {
    let about = summary.source.as_ref().map(|pinned| pinned.about.clone());
    let unknown = |why: &str| SourceNow {
        state: SourceState::Unknown,
        about: about.clone(),
        files: 0,
        changed_files: 0,
        changed: Vec::new(),
        said: format!("unknown ({why})"),
    };
    let Some(pinned) = &summary.source else {
        return unknown("no source");
    };
    let bytes = read_blob(&RealDisk, folder, &pinned.manifest)
        .ok()
        .flatten();
    let Some(manifest) = bytes.and_then(|bytes| Manifest::from_bytes(&bytes).ok()) else {
        return unknown("its manifest is missing");
    };
    // What was cited says more than what could have been.
    let cited = &summary.cited;
    let in_source = cited.iter().any(|path| manifest.entries.contains_key(path));
    let only = in_source.then_some(cited.as_slice());
    let Ok(since) = manifest.compare_with_folder(&caller.project(), only) else {
        return unknown("the project is not there");
    };
    let what = if in_source {
        "it cites"
    } else {
        "it was given"
    };
    let state = match &since {
        since if since.is_unchanged() => SourceState::Same,
        SourceDrift { changed, .. } if !changed.is_empty() => SourceState::Changed,
        SourceDrift { .. } => SourceState::Unknown,
    };
    SourceNow {
        state,
        about: about.clone(),
        files: since.files,
        changed_files: since.changed.len(),
        said: describe_source(state, &since, what),
        changed: since.changed.into_iter().take(NAMED).collect(),
    }
}

fn describe_source(state: SourceState, since: &SourceDrift, what: &str) -> String {
    match state {
        SourceState::Same => format!(
            "same ({} {what})",
            count_with_noun(since.files as u64, "file")
        ),
        SourceState::Unknown => format!(
            "unknown ({} {what} cannot be compared)",
            count_with_noun(since.unknown.max(since.files) as u64, "file")
        ),
        SourceState::Changed => {
            let changed = &since.changed;
            let mut names: Vec<_> = changed.iter().take(NAMED).map(String::as_str).collect();
            let more = format!("{} more", changed.len().saturating_sub(NAMED));
            if changed.len() > NAMED {
                names.push(&more);
            }
            let has = if changed.len() == 1 { "has" } else { "have" };
            let of = count_with_noun(since.files as u64, "file");
            format!(
                "{} of {of} {what} {has} changed: {}",
                changed.len(),
                names.join(", ")
            )
        }
    }
}

/// The nearest earlier verdicts in `dir` on `topic`, as a debate is told of them.
///
/// # Errors
///
/// If the folder of debates cannot be read.
pub fn find_precedents(
    caller: &Caller,
    dir: &Path,
    topic: &str,
    redactor: &Redactor,
    notes: &mut dyn Notes,
) -> Result<Vec<Precedent>, Failure> {
    let (mut index, _) = history::open_refreshed_index(dir, RefreshLimit::All, notes)?;
    let near = index
        .find_near(topic, MAX_PRECEDENTS)
        .map_err(|error| history::failure(&error))?;
    if near.is_empty() {
        notes.note("note: no earlier decision is near this topic; nobody is told of any");
    }
    let told = near
        .into_iter()
        .filter_map(|near| precedent(caller, near, redactor));
    Ok(told.collect())
}

fn precedent(caller: &Caller, near: Near, redactor: &Redactor) -> Option<Precedent> {
    let now = current_source_state(caller, &near.path, &near.summary);
    let summary = near.summary;
    // Another tool may have written it; ours is redacted already.
    let clean = |text: String| redactor.redact(&text).text.into_owned();
    let precedent = Precedent {
        debate: clean(summary.slug),
        id: summary.ulid.map(|ulid| ulid.to_string()),
        day: format_time(summary.at_last).chars().take(10).collect(),
        topic: clean(summary.topic),
        answer: clean(summary.answer?),
        why: summary.why.map(clean),
        unless: summary.unless.map(clean),
        authority: summary.authority,
        source: clean(now.said),
    };
    Some(precedent.truncate_texts())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_changed_files_are_named_and_the_rest_counted() {
        let since = |files, changed: usize, unknown| SourceDrift {
            files,
            changed: (0..changed).map(|number| format!("{number}.rs")).collect(),
            unknown,
        };
        let changed = |files, count| {
            describe_source(SourceState::Changed, &since(files, count, 0), "it cites")
        };
        assert_eq!(changed(12, 1), "1 of 12 files it cites has changed: 0.rs");
        assert_eq!(
            changed(12, 7),
            "7 of 12 files it cites have changed: 0.rs, 1.rs, 2.rs, 3.rs, 4.rs, 2 more"
        );
        assert_eq!(
            describe_source(SourceState::Same, &since(1, 0, 0), "it was given"),
            "same (1 file it was given)"
        );
    }
}
