//! Lists the debates in a folder with their states.

use std::path::Path;

use agon_caller::system::{describe_age, format_time, now_ms};
use agon_caller::{Caller, Failure, IgnoreNotes, Notes, error_chain, find};
use agon_folder::ListedDebate;
use agon_record::authority::Authority;
use agon_record::decision::DecisionKind;
use agon_record::id::Seat;
use agon_record::text::sanitise_line;
use agon_report::screen::{ListedState, describe_state_in_list};
use agon_rules::format::Phase;
use agon_verdict::status::RunState;
use schemars::JsonSchema;
use serde::Serialize;

use crate::status;

/// The schema id of the list.
pub const LIST_SCHEMA: &str = "agon.list/1";

/// A debate in the list.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Entry")]
struct ListEntry {
    debate: String,
    id: String,
    topic: String,
    state: RunState,
    #[schemars(with = "String")]
    phase: Phase,
    halted: bool,
    answer: Option<String>,
    authority: Option<Authority>,
    /// Whether the answer was taken; null until it is recorded.
    taken: Option<DecisionKind>,
    #[schemars(with = "Option<String>")]
    winner: Option<Seat>,
    winner_tool: Option<String>,
    /// The winner, for people.
    #[serde(skip)]
    winner_name: Option<String>,
    rounds_completed: u16,
    rounds: u16,
    opened_at: String,
    last_at: String,
    folder: String,
    #[serde(skip)]
    last_at_ms: u64,
}

/// The folder of a debate that cannot be read.
#[derive(Serialize, JsonSchema)]
struct Unreadable {
    folder: String,
    error: String,
}

/// The debates in a folder, the latest first.
#[derive(Serialize, JsonSchema)]
pub struct List {
    schema: &'static str,
    debates: Vec<ListEntry>,
    unreadable: Vec<Unreadable>,
}

/// A debate in the list, formatted for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRow<'a> {
    /// Its name.
    pub debate: &'a str,
    /// Its state, in words.
    pub stands: String,
    /// Its run state.
    pub run: RunState,
    /// The number of rounds in which both sides spoke.
    pub rounds_completed: u16,
    /// The number of planned rounds.
    pub rounds: u16,
    /// The time since its last change, or the date if that is long ago.
    pub age: String,
    /// The topic.
    pub topic: &'a str,
    /// The answer, if there is one.
    pub answer: Option<&'a str>,
}

impl<'a> ListRow<'a> {
    fn new(entry: &'a ListEntry, now_ms: u64) -> Self {
        Self {
            debate: &entry.debate,
            stands: describe_state_in_list(ListedState {
                phase: entry.phase,
                run: entry.state,
                authority: entry.authority,
                winner: entry.winner_name.as_deref(),
                judged: entry.rounds_completed,
                taken: entry.taken,
            }),
            run: entry.state,
            rounds_completed: entry.rounds_completed,
            rounds: entry.rounds,
            age: describe_age(entry.last_at_ms, now_ms),
            topic: &entry.topic,
            answer: entry.answer.as_deref(),
        }
    }
}

impl List {
    /// Returns the debates, formatted for people.
    pub fn rows(&self) -> Vec<ListRow<'_>> {
        let now = now_ms();
        let row = |entry| ListRow::new(entry, now);
        self.debates.iter().map(row).collect()
    }

    /// Returns a warning for each folder that cannot be read.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        let unreadable = self.unreadable.iter();
        unreadable.map(|bad| format!("{}: {}", bad.folder, bad.error))
    }

    /// Returns the name of each folder that cannot be read, without its path.
    pub fn unreadable_names(&self) -> impl Iterator<Item = String> {
        let names = self.unreadable.iter().map(|bad| Path::new(&bad.folder));
        names.filter_map(|folder| Some(folder.file_name()?.to_string_lossy().into_owned()))
    }
}

/// Lists the debates in the caller's folder, the latest first, at most `limit`.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn list(caller: &Caller, limit: Option<usize>) -> Result<List, Failure> {
    list_with_notes(caller, limit, &mut IgnoreNotes)
}

/// As [`list`], and notes why it takes more than a second.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn list_with_notes(
    caller: &Caller,
    limit: Option<usize>,
    notes: &mut dyn Notes,
) -> Result<List, Failure> {
    let mut listing = find::listing_with_notes(&find::debates_dir(caller)?, notes)?;
    listing
        .debates
        .sort_by(|a, b| (b.record.at_last, &b.slug).cmp(&(a.record.at_last, &a.slug)));
    let debates = listing.debates.into_iter();
    let debates = debates.take(limit.unwrap_or(usize::MAX));
    let unreadable = listing.unreadable.into_iter().map(|bad| Unreadable {
        folder: caller.display_path(&bad.path),
        error: sanitise_line(&error_chain(&bad.error), 300),
    });
    let left = listing.interrupted_removals.iter().map(|path| Unreadable {
        folder: caller.display_path(path),
        error: describe_interrupted_removal(path),
    });
    Ok(List {
        schema: LIST_SCHEMA,
        debates: debates.map(|found| entry(caller, found)).collect(),
        unreadable: unreadable.chain(left).collect(),
    })
}

/// Returns what to do about a debate whose removal was interrupted.
fn describe_interrupted_removal(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!(
        "its removal was interrupted; run `agon rm {name}` to finish it, or rename the folder \
         to restore it"
    )
}

fn entry(caller: &Caller, found: ListedDebate) -> ListEntry {
    let state = status::run_state_of_listed(&found);
    let record = found.record;
    let verdict = record.verdict;
    let authority = verdict.as_ref().map(|verdict| verdict.authority);
    let winner = verdict.as_ref().and_then(|verdict| verdict.winner);
    let taken = verdict.as_ref().and_then(|verdict| verdict.taken);
    let (answer, winner_tool, winner_name) = verdict.map_or((None, None, None), |verdict| {
        (verdict.answer, verdict.winner_tool, verdict.winner_name)
    });
    ListEntry {
        state,
        folder: caller.display_path(&found.path),
        debate: found.slug,
        id: record.ulid.to_string(),
        topic: record.topic,
        phase: record.phase,
        halted: record.halted,
        authority,
        taken,
        winner,
        winner_tool,
        winner_name,
        answer,
        rounds_completed: record.rounds_completed,
        rounds: record.rounds,
        opened_at: format_time(record.at_first),
        last_at: format_time(record.at_last),
        last_at_ms: record.at_last,
    }
}
