//! Past debates: the index of them, opened and brought up to date.

use std::collections::BTreeMap;
use std::path::Path;

use agon_index::{Index, IndexError, PastCallCost, RefreshLimit, Refreshed};
use agon_record::spec::{Effort, ToolName};
use agon_record::state::State;
use agon_rules::expected::{self, Expected, TimeAndTokens};

use crate::Notes;
use crate::{Failure, FailureKind};

// SQLite indexed 10,000 documents in 5.3 s on two busy cores: 200 are a tenth of a second. Those
// that are left are read by `agon list --search`.
/// Debates that are read before one begins, of those that changed.
const LATEST: usize = 200;
// Chosen, not measured: enough for quarters that one odd call does not move, and few enough that
// last year's model is forgotten.
/// The latest calls of a kind that say what the next one takes.
const CALLS: usize = 100;

/// The index of the debates in `dir`, up to date; what was wrong with it is said on stderr.
///
/// # Errors
///
/// If the folder of debates cannot be read.
pub fn open_refreshed_index(
    dir: &Path,
    upto: RefreshLimit,
    notes: &mut dyn Notes,
) -> Result<(Index, Refreshed), Failure> {
    let mut index = Index::open(dir).map_err(|error| failure(&error))?;
    let refreshed = index.refresh(upto).map_err(|error| failure(&error))?;
    for note in index.take_notes() {
        notes.note(&format!("note: {note}"));
    }
    Ok((index, refreshed))
}

/// What is left of a debate will take, by what earlier calls in `dir` took; none where too little
/// is known.
///
/// Calls of the same tool at the same effort say most; where there are too few, those of the tool
/// at any effort do, then those of any tool. What cannot be read says nothing.
pub fn estimate_remaining(dir: &Path, state: &State) -> Option<Expected> {
    let mut index = Index::open(dir).ok()?;
    // A debate does not begin late because there are ten thousand old ones to read.
    index.refresh(RefreshLimit::Latest(LATEST)).ok()?;
    let mut known: BTreeMap<(ToolName, Effort, &str), Option<Expected>> = BTreeMap::new();
    expected::estimate_remaining(state, |seating, kind| {
        let key = (seating.tool.clone(), seating.effort, kind.name());
        let takes = known.entry(key);
        *takes.or_insert_with(|| {
            let (tool, effort) = (Some(&seating.tool), Some(seating.effort));
            let asked = [(tool, effort), (tool, None), (None, effort), (None, None)];
            asked.into_iter().find_map(|(tool, effort)| {
                let past = index.past_calls(kind, tool, effort, CALLS).ok()?;
                let takes = |past: PastCallCost| TimeAndTokens {
                    ms: past.took_ms,
                    tokens: past.tokens,
                };
                Expected::from_past_calls(&past.into_iter().map(takes).collect::<Vec<_>>())
            })
        })
    })
}

/// Says on stderr which folders could not be read this time.
pub fn note_unreadable(refreshed: &Refreshed, notes: &mut dyn Notes) {
    for (path, why) in &refreshed.unreadable {
        let why = agon_record::text::sanitise_line(why, 300);
        let path = agon_record::text::sanitise_line(&path.display().to_string(), 200);
        notes.warn(&format!("{path}: {why}"));
    }
}

/// An index that does not answer.
pub fn failure(error: &IndexError) -> Failure {
    match error {
        IndexError::NoWords => {
            Failure::new(FailureKind::Usage, "invalid_parameter", error.to_string())
                .parameter("search")
        }
        IndexError::Folder { .. } => Failure::from_error(FailureKind::Store, "store", error),
        IndexError::Library(_) => Failure::from_error(FailureKind::Store, "index", error)
            .hint("delete .agon/index.db in the folder of debates; it is built anew"),
    }
}
