//! Lists the debates in a folder with their states.

use std::path::Path;

use agon_caller::system::{describe_age, format_time, now_ms};
use agon_caller::{Caller, Failure, error_chain, find};
use agon_folder::{ListedDebate, View};
use agon_record::authority::Authority;
use agon_record::id::Seat;
use agon_record::text::sanitise_line;
use agon_report::screen::{ListedState, describe_state_in_list, tool_or_side_name};
use agon_rules::format::Phase;
use agon_store::RealDisk;
use agon_verdict::status::RunState;
use agon_verdict::verdict::verdict_without_graph;
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
    /// Its state.
    pub stands: String,
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
            }),
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
}

/// Lists the debates in the caller's folder, the latest first, at most `limit`.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn list(caller: &Caller, limit: Option<usize>) -> Result<List, Failure> {
    let mut listing = find::listing(&find::debates_dir(caller)?)?;
    listing
        .debates
        .sort_by(|a, b| (b.at_last, &b.slug).cmp(&(a.at_last, &a.slug)));
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
    // Read the whole record only for a closed debate, because no other debate has an answer.
    let view = (found.phase == Phase::Closed)
        .then(|| View::read(&RealDisk, &found.path).ok())
        .flatten();
    let verdict = view
        .as_ref()
        .and_then(|view| verdict_without_graph(&view.state));
    let winner = verdict.as_ref().and_then(|verdict| verdict.winner);
    let won = view.as_ref().zip(winner);
    let winner_tool = won.and_then(|(view, winner)| {
        let seating = view.state.seats.get(&winner)?;
        Some(seating.tool.to_string())
    });
    let winner_name = won.map(|(view, winner)| tool_or_side_name(&view.state, winner));
    ListEntry {
        state: status::run_state_of_listed(&found),
        folder: caller.display_path(&found.path),
        debate: found.slug,
        id: found.ulid.to_string(),
        topic: found.topic,
        phase: found.phase,
        halted: found.halted,
        authority: verdict.as_ref().map(|verdict| verdict.authority),
        winner,
        winner_tool,
        winner_name,
        answer: verdict.and_then(|verdict| verdict.answer),
        rounds_completed: found.rounds_completed,
        rounds: found.rounds,
        opened_at: format_time(found.at_first),
        last_at: format_time(found.at_last),
        last_at_ms: found.at_last,
    }
}
