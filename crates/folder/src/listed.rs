//! What a list says about one debate.

use std::path::{Path, PathBuf};

use agon_record::authority::Authority;
use agon_record::decision::DecisionKind;
use agon_record::id::Seat;
use agon_record::state::State;
use agon_report::screen::tool_or_side_name;
use agon_rules::format::{Phase, debate_phase};
use agon_store::load::SnapshotUse;
use agon_store::{Disk, DiskError, RunEntry};
use agon_verdict::status::{RunState, run_state};
use agon_verdict::verdict::verdict_without_graph;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::folder::read_detached_process;
use crate::glance::current_writer;
use crate::view::{View, ViewError};

/// A debate in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedDebate {
    /// Its folder.
    pub path: PathBuf,
    /// The name of its folder.
    pub slug: String,
    /// What its record says.
    pub record: ListedRecord,
    /// Whether a process has it open for writing.
    pub has_writer: bool,
    /// The background process that it was last handed to; the debate runs while that process does.
    /// May be left out if that process has ended and the debate was not interrupted.
    pub handed_to: Option<RunEntry>,
    /// Whether its folder has problems.
    pub problems: bool,
}

impl ListedDebate {
    /// Returns the run state, as far as the folder shows.
    pub fn folder_run_state(&self) -> RunState {
        match self.has_writer {
            true => self.record.live,
            false => self.record.idle,
        }
    }
}

/// What the record of a debate says in a list. It changes only with the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedRecord {
    /// Its unique id.
    pub ulid: Ulid,
    /// The topic.
    pub topic: String,
    /// The phase.
    pub phase: Phase,
    /// Whether it has stopped without an answer.
    pub halted: bool,
    /// Its run state if no process runs it.
    pub idle: RunState,
    /// Its run state if a process runs it.
    pub live: RunState,
    /// The number of rounds in which both sides spoke.
    pub rounds_completed: u16,
    /// The number of planned rounds.
    pub rounds: u16,
    /// When it was opened, in milliseconds since 1970.
    pub at_first: u64,
    /// When its last journal line was written.
    pub at_last: u64,
    /// The number of journal lines.
    pub lines: u64,
    /// Whether another tool keeps it; it has no unique id then.
    pub foreign: bool,
    /// Whether it is the recorded debate of `agon demo`.
    pub is_demo: bool,
    /// The verdict of a closed debate.
    pub verdict: Option<ListedVerdict>,
}

/// The verdict of a debate in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedVerdict {
    /// The answer.
    pub answer: Option<String>,
    /// The authority of the answer.
    pub authority: Authority,
    /// The winner.
    pub winner: Option<Seat>,
    /// The winner's tool.
    pub winner_tool: Option<String>,
    /// Whether the answer was taken, if that is recorded.
    #[serde(default)]
    pub taken: Option<DecisionKind>,
    /// The winner, for people: its tool, or its side if both sides are the same tool.
    pub winner_name: Option<String>,
}

impl ListedRecord {
    /// Returns what the record of `view` says.
    pub fn of(view: &View) -> Self {
        let state = &view.state;
        let phase = debate_phase(state);
        let verdict = (phase == Phase::Closed).then(|| listed_verdict(state));
        Self {
            ulid: state.spec.ulid,
            topic: state.spec.topic.clone(),
            phase,
            halted: state.halted.is_some(),
            idle: run_state(state, false),
            live: run_state(state, true),
            rounds_completed: state.rounds_completed(),
            rounds: state.planned_rounds(),
            at_first: view.at_first,
            at_last: view.at_last,
            lines: view.lines,
            foreign: view.foreign,
            is_demo: state.spec.is_demo(),
            verdict: verdict.flatten(),
        }
    }
}

fn listed_verdict(state: &State) -> Option<ListedVerdict> {
    let verdict = verdict_without_graph(state)?;
    let winner = verdict.winner;
    let seating = winner.and_then(|winner| state.seats.get(&winner));
    Some(ListedVerdict {
        taken: verdict.decided.as_ref().map(|decided| decided.taken),
        answer: verdict.answer,
        authority: verdict.authority,
        winner,
        winner_tool: seating.map(|seating| seating.tool.to_string()),
        winner_name: winner.map(|winner| tool_or_side_name(state, winner)),
    })
}

/// A debate in a list that cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    /// Its folder.
    pub path: PathBuf,
    /// The reason.
    pub error: ViewError,
}

/// What a folder beside other debates contains.
#[derive(Debug)]
pub enum ListedFolder {
    /// A debate.
    Debate(Box<ListedDebate>),
    /// A debate that cannot be read.
    Unreadable(Unreadable),
    /// No debate.
    NotADebate,
}

/// Reads the debate in the folder `slug` of `debates_dir` for a list.
///
/// # Errors
///
/// If its lock or its background process cannot be checked.
pub fn read_listed(
    disk: &dyn Disk,
    debates_dir: &Path,
    slug: &str,
) -> Result<ListedFolder, DiskError> {
    let path = debates_dir.join(slug);
    // Check for a writer first: the lines that it wrote last are then read too.
    let has_writer = current_writer(disk, &path)?.is_present();
    let (record, problems) = match read_record(disk, &path) {
        Ok(read) => read,
        Err(ViewError::NotADebate { .. }) => return Ok(ListedFolder::NotADebate),
        Err(error) => return Ok(ListedFolder::Unreadable(Unreadable { path, error })),
    };
    let handed_to = read_detached_process(disk, &path)?;
    Ok(ListedFolder::Debate(Box::new(ListedDebate {
        slug: slug.to_owned(),
        has_writer,
        handed_to,
        problems,
        record,
        path,
    })))
}

/// Returns what the record in `path` says, and whether the folder has problems.
fn read_record(disk: &dyn Disk, path: &Path) -> Result<(ListedRecord, bool), ViewError> {
    let whole = View::read(disk, path);
    if let Ok(view) = &whole
        && view.problems.is_empty()
    {
        return Ok((ListedRecord::of(view), false));
    }
    // A snapshot may reach further than a damaged journal, but an answer must be in the journal.
    let view = View::load(disk, path, SnapshotUse::Snapshot)?;
    let record = ListedRecord::of(&view);
    let verdict = match record.phase {
        Phase::Closed => whole.ok().and_then(|whole| listed_verdict(&whole.state)),
        _ => None,
    };
    let problems = !view.problems.is_empty();
    Ok((ListedRecord { verdict, ..record }, problems))
}
