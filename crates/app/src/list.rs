//! The debates in a folder, with how they stand.

use agon_folder::{ListedDebate, View};
use agon_record::authority::Authority;
use agon_record::text::sanitise_line;
use agon_report::screen::describe_state_in_list;
use agon_rules::format::Phase;
use agon_store::RealDisk;
use agon_verdict::status::RunState;
use agon_verdict::verdict::verdict_without_graph;
use schemars::JsonSchema;
use serde::Serialize;

use crate::caller::Caller;
use crate::failure::{Failure, error_chain};
use crate::system::format_time;
use crate::{find, standing};

/// The name and version of the list.
pub const LIST_SCHEMA: &str = "agon.list/1";

/// A debate of the list.
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
    rounds_completed: u16,
    rounds: u16,
    opened_at: String,
    last_at: String,
    folder: String,
}

/// A folder that holds a debate which cannot be read.
#[derive(Serialize, JsonSchema)]
struct Unreadable {
    folder: String,
    error: String,
}

/// The debates here, the last one first.
#[derive(Serialize, JsonSchema)]
pub struct List {
    schema: &'static str,
    debates: Vec<ListEntry>,
    unreadable: Vec<Unreadable>,
}

/// A debate of the list, as a person reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRow<'a> {
    /// Its name.
    pub debate: &'a str,
    /// Where it stands.
    pub stands: String,
    /// When something happened in it last, after RFC 3339.
    pub last_at: &'a str,
    /// Its answer, else its topic.
    pub says: &'a str,
}

impl<'a> ListRow<'a> {
    fn of(entry: &'a ListEntry) -> Self {
        Self {
            debate: &entry.debate,
            stands: describe_state_in_list(entry.phase, entry.authority, entry.state),
            last_at: &entry.last_at,
            says: entry.answer.as_ref().unwrap_or(&entry.topic),
        }
    }
}

impl List {
    /// The debates, as a person reads them.
    pub fn rows(&self) -> Vec<ListRow<'_>> {
        self.debates.iter().map(ListRow::of).collect()
    }

    /// The folders that cannot be read, with why.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        let unreadable = self.unreadable.iter();
        unreadable.map(|bad| format!("{}: {}", bad.folder, bad.error))
    }
}

/// The debates in the caller's folder, the last one first.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn list(caller: &Caller) -> Result<List, Failure> {
    let mut listing = find::listing(&find::debates_dir(caller)?)?;
    listing
        .debates
        .sort_by(|a, b| (b.at_last, &b.slug).cmp(&(a.at_last, &a.slug)));
    let debates = listing.debates.into_iter();
    let unreadable = listing.unreadable.into_iter().map(|bad| Unreadable {
        folder: caller.display_path(&bad.path),
        error: sanitise_line(&error_chain(&bad.error), 300),
    });
    Ok(List {
        schema: LIST_SCHEMA,
        debates: debates.map(|found| entry(caller, found)).collect(),
        unreadable: unreadable.collect(),
    })
}

fn entry(caller: &Caller, found: ListedDebate) -> ListEntry {
    // Only a closed debate has an answer, and only its whole record tells it.
    let verdict = (found.phase == Phase::Closed)
        .then(|| View::read(&RealDisk, &found.path).ok())
        .flatten()
        .and_then(|view| verdict_without_graph(&view.state));
    ListEntry {
        state: standing::run_state_of_listed(&found),
        folder: caller.display_path(&found.path),
        debate: found.slug,
        id: found.ulid.to_string(),
        topic: found.topic,
        phase: found.phase,
        halted: found.halted,
        authority: verdict.as_ref().map(|verdict| verdict.authority),
        answer: verdict.and_then(|verdict| verdict.answer),
        rounds_completed: found.rounds_completed,
        rounds: found.rounds,
        opened_at: format_time(found.at_first),
        last_at: format_time(found.at_last),
    }
}
