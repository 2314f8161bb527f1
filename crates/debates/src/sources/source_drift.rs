//! Compares the source of a verdict with the present: each cited place, or the files of the
//! context.

mod summary;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use agon_caller::{Caller, find};
use agon_evidence::{Manifest, PlaceNow, ProjectNow, SourceDrift};
use agon_record::evidence::stamps_of_turn;
use agon_record::stamp::{SourceText, Stamp, StampKind};
use agon_record::state::State;
use agon_report::text::count_with_noun;
use agon_store::{RealDisk, read_blob};
use agon_verdict::verdict::citation_counts;
use schemars::JsonSchema;
use serde::Serialize;

use self::summary::{NAMED, describe, format_place};
use crate::sources::own_folders::path_below;

// Chosen, not measured: a verdict cites about twenty places.
/// Maximum number of places that a document lists.
const LISTED: usize = 50;

/// The current state of the source of a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SourceNow")]
pub struct SourceStatus {
    /// The overall state.
    pub state: SourceState,
    /// The pinned source; null if none was pinned.
    pub about: Option<String>,
    /// The number of compared files: the cited ones, or all if none is cited.
    pub files: usize,
    /// The number of files that have changed or are gone. A file in which all cited places are
    /// unchanged does not count.
    pub changed_files: usize,
    /// The first few of these files.
    pub changed: Vec<String>,
    /// The cited places by state; null if the verdict cites none.
    pub places: Option<PlaceCounts>,
    /// The places that are no longer as cited, at most 50.
    pub drifted: Vec<DriftedPlace>,
    /// A summary in words.
    pub said: String,
    /// How many citations the debate has, and how many of them were found when it was decided.
    #[serde(skip)]
    pub citations: [u32; 2],
}

/// The current state of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceState {
    /// Everything is unchanged.
    Same,
    /// Everything still exists, some of it elsewhere.
    Moved,
    /// Some of it has changed or is gone.
    Changed,
    /// All of it is gone.
    Gone,
    /// The state is unknown.
    Unknown,
}

impl SourceStatus {
    /// Returns whether something that is cited no longer exists. Files that are not cited do not
    /// count, since some file of a project changes every day.
    pub fn is_stale(&self) -> bool {
        self.places.is_some() && matches!(self.state, SourceState::Changed | SourceState::Gone)
    }
}

/// The number of places in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlaceCounts {
    /// The lines are still there.
    pub same: usize,
    /// The lines are elsewhere.
    pub moved: usize,
    /// The file exists without the lines.
    pub changed: usize,
    /// The file is gone, and the lines are nowhere else.
    pub gone: usize,
    /// The state is unknown.
    pub unknown: usize,
}

/// A place or a file that has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DriftedPlace {
    /// The place, such as `src/store.rs:88-92`.
    pub place: String,
    /// Its state.
    pub state: PlaceState,
    /// Its new place, if it moved.
    pub now: Option<String>,
}

/// The state of a place that has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlaceState {
    /// The lines are elsewhere.
    Moved,
    /// The file exists without the lines.
    Changed,
    /// The file is gone, and the lines are nowhere else.
    Gone,
    /// The state is unknown.
    Unknown,
}

/// Returns the current state of the source of the debate in `folder`.
pub fn current_source_state(caller: &Caller, folder: &Path) -> SourceStatus {
    let Ok(view) = find::read(folder) else {
        return unknown_status(None, "the debate cannot be read");
    };
    SourceStatus {
        citations: count_citations(&view.state),
        ..compare_with_source(caller, folder, &view.state)
    }
}

/// Returns how many citations a debate has, and how many of them were found.
fn count_citations(state: &State) -> [u32; 2] {
    let sides = citation_counts(state).into_values();
    let found = [StampKind::Found, StampKind::Moved, StampKind::Place];
    sides.fold([0, 0], |[all, were_found], side| {
        let of_side: u32 = found.iter().map(|kind| side.count(*kind)).sum();
        [all + side.total(), were_found + of_side]
    })
}

fn compare_with_source(caller: &Caller, folder: &Path, state: &State) -> SourceStatus {
    let Some(pinned) = &state.spec.source else {
        return unknown_status(None, "no source");
    };
    let about = Some(pinned.about.clone());
    let kept = |hash: &str| read_blob(&RealDisk, folder, hash).ok().flatten();
    let manifest = kept(&pinned.manifest).and_then(|bytes| Manifest::from_bytes(&bytes).ok());
    let Some(manifest) = manifest else {
        return unknown_status(about, "its manifest is missing");
    };
    let project = caller.project();
    let places = cited_places(state, &manifest);
    if places.is_empty() {
        return match manifest.compare_with_folder(&project, None) {
            Ok(since) => status_of_files(about, since),
            Err(_) => unknown_status(about, "the project folder is gone"),
        };
    }
    let debates = find::debates_dir(caller).ok();
    let debates = debates.and_then(|dir| path_below(&project, &dir));
    let apart: Vec<&str> = debates.as_deref().into_iter().collect();
    let Ok(mut now) = ProjectNow::open(&project, &apart) else {
        return unknown_status(about, "the project folder is gone");
    };
    let found = places.into_iter().map(|was| {
        let place = now.place(was, || kept(&was.blob));
        (was, place)
    });
    status_of_places(about, found.collect())
}

/// Returns the places in the source where citations were found, each once. Leaves out places in
/// commits, which cannot change.
fn cited_places<'a>(state: &'a State, manifest: &Manifest) -> Vec<&'a SourceText> {
    let turns = state.turns.keys();
    let stamps = turns.flat_map(|turn| stamps_of_turn(state, *turn));
    let there = stamps.filter_map(|stamp| match &stamp.stamped.stamp {
        Stamp::Found { there, .. } | Stamp::Moved { there, .. } | Stamp::Place { there } => {
            Some(there)
        }
        Stamp::Wrong { .. }
        | Stamp::Missing { .. }
        | Stamp::Unreachable { .. }
        | Stamp::Unchecked { .. } => None,
    });
    let in_source = there.filter(|it| {
        let file = &it.place.file;
        let is_pinned = manifest.entries.contains_key(file) && !manifest.given.contains(file);
        it.place.commit.is_none() && is_pinned
    });
    let by_place: BTreeMap<_, _> = in_source
        .map(|it| ((&it.place.file, it.place.lines), it))
        .collect();
    by_place.into_values().collect()
}

fn unknown_status(about: Option<String>, why: &str) -> SourceStatus {
    SourceStatus {
        state: SourceState::Unknown,
        about,
        files: 0,
        changed_files: 0,
        changed: Vec::new(),
        places: None,
        drifted: Vec::new(),
        said: format!("unknown ({why})"),
        citations: [0, 0],
    }
}

fn status_of_places(about: Option<String>, found: Vec<(&SourceText, PlaceNow)>) -> SourceStatus {
    let mut counts = PlaceCounts::default();
    let mut drifted = Vec::new();
    let mut stale = BTreeSet::new();
    let files: BTreeSet<&str> = found.iter().map(|(was, _)| &*was.place.file).collect();
    let all = found.len();
    for (was, now) in &found {
        let (count, state, now) = match now {
            PlaceNow::Same => {
                counts.same += 1;
                continue;
            }
            PlaceNow::Moved { file, lines } => {
                let now = Some(format_place(file, *lines));
                (&mut counts.moved, PlaceState::Moved, now)
            }
            PlaceNow::Changed => (&mut counts.changed, PlaceState::Changed, None),
            PlaceNow::Gone => (&mut counts.gone, PlaceState::Gone, None),
            PlaceNow::Unknown => (&mut counts.unknown, PlaceState::Unknown, None),
        };
        *count += 1;
        if matches!(state, PlaceState::Changed | PlaceState::Gone) {
            stale.insert(was.place.file.clone());
        }
        drifted.push(DriftedPlace {
            place: format_place(&was.place.file, was.place.lines),
            state,
            now,
        });
    }
    let said = describe(all, "place", "it cites", &drifted);
    drifted.truncate(LISTED);
    SourceStatus {
        state: overall_state(counts),
        about,
        files: files.len(),
        changed_files: stale.len(),
        changed: stale.into_iter().take(NAMED).collect(),
        places: Some(counts),
        drifted,
        said,
        citations: [0, 0],
    }
}

fn status_of_files(about: Option<String>, since: SourceDrift) -> SourceStatus {
    let counts = PlaceCounts {
        same: since.files - since.changed.len() - since.gone.len() - since.unknown,
        changed: since.changed.len(),
        gone: since.gone.len(),
        unknown: since.unknown,
        moved: 0,
    };
    let of = |names: &[String], state| -> Vec<DriftedPlace> {
        let places = names.iter().map(|name| DriftedPlace {
            place: name.clone(),
            state,
            now: None,
        });
        places.collect()
    };
    let mut drifted = of(&since.changed, PlaceState::Changed);
    drifted.extend(of(&since.gone, PlaceState::Gone));
    let mut said = describe(since.files, "file", "it was given", &drifted);
    if counts.unknown > 0 {
        said = match drifted.is_empty() {
            true => format!(
                "unknown ({} cannot be compared)",
                count_files(counts.unknown)
            ),
            false => format!("{said}; {} cannot be compared", count_files(counts.unknown)),
        };
    }
    let changed = [since.changed, since.gone].concat();
    drifted.truncate(LISTED);
    SourceStatus {
        state: overall_state(counts),
        about,
        files: since.files,
        changed_files: changed.len(),
        changed: changed.into_iter().take(NAMED).collect(),
        places: None,
        drifted,
        said,
        citations: [0, 0],
    }
}

fn count_files(count: usize) -> String {
    count_with_noun(count as u64, "file")
}

fn overall_state(counts: PlaceCounts) -> SourceState {
    let PlaceCounts {
        same,
        moved,
        changed,
        gone,
        unknown,
    } = counts;
    match () {
        () if gone > 0 && same + moved + changed + unknown == 0 => SourceState::Gone,
        () if changed + gone > 0 => SourceState::Changed,
        () if unknown > 0 || same + moved == 0 => SourceState::Unknown,
        () if moved > 0 => SourceState::Moved,
        () => SourceState::Same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_decides_how_a_source_stands() {
        let counts = |same, moved, changed, gone, unknown| {
            overall_state(PlaceCounts {
                same,
                moved,
                changed,
                gone,
                unknown,
            })
        };
        assert_eq!(counts(3, 0, 0, 0, 0), SourceState::Same);
        assert_eq!(counts(3, 1, 0, 0, 0), SourceState::Moved);
        assert_eq!(counts(3, 1, 0, 0, 1), SourceState::Unknown);
        assert_eq!(counts(3, 1, 1, 0, 1), SourceState::Changed);
        assert_eq!(counts(3, 0, 0, 1, 0), SourceState::Changed);
        assert_eq!(counts(0, 0, 0, 4, 0), SourceState::Gone);
        assert_eq!(counts(0, 0, 0, 0, 0), SourceState::Unknown);
    }
}
