//! Replays a debate from its record and reports differences.

mod documents;

use std::path::PathBuf;

use agon_caller::{Caller, Failure, Notes, find};
use agon_engine::replay::Replay;
use agon_folder::Recorded;
use agon_prompt::PROMPT_VERSION;
use agon_report::text::count_with_noun;
use schemars::JsonSchema;
use serde::Serialize;

use self::documents::{Documents, compare_documents};
use crate::read::playback::{Playback, Record};
use crate::status::choose;
use crate::status::choose::LikelyDebate;

/// The schema id of the document.
pub const REPLAY_SCHEMA: &str = "agon.replay/1";

/// The result of replaying a debate.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplayDoc {
    /// `agon.replay/1`.
    schema: &'static str,
    /// The debate.
    debate: String,
    /// The number of prompts rebuilt.
    pub prompts: u64,
    /// The number of decisions recomputed.
    pub decisions: u64,
    /// The number of outside events taken from the record: replies, stamps and user requests.
    outcomes: u64,
    /// The number of documents rendered again.
    pub files: u64,
    /// The versions of the prompts in the record.
    prompt_versions: Vec<u32>,
    /// Whether everything that can be compared is unchanged.
    pub same: bool,
    /// The parts that cannot be compared because another version made them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_compared: Vec<String>,
    /// The differences.
    pub differences: Vec<String>,
}

/// A debate that is replayed and compared with its folder.
#[derive(Debug)]
pub struct ReplayedDebate {
    /// The debate.
    pub playback: Playback,
    path: PathBuf,
}

impl ReplayedDebate {
    /// Returns the result as far as it was played.
    pub fn document(&self) -> ReplayDoc {
        let documents = compare_documents(&self.path, self.playback.played_state());
        document(self.playback.replay(), documents)
    }
}

/// Opens the debate `name` for a replay: a folder, a name or an id; `None` means the latest.
///
/// # Errors
///
/// If it does not exist, or its record cannot be played.
pub fn open_replay(
    caller: &Caller,
    name: Option<&str>,
    notes: &mut dyn Notes,
) -> Result<ReplayedDebate, Failure> {
    let path = choose::find_or_choose(caller, name, LikelyDebate::Latest, notes)?;
    let view = find::read_for(caller, &path)?;
    find::note_problems(caller, &path, &view, notes);
    let record = group_by_line(view.events);
    let playback = Playback::open(record, caller.display_path(&path))?;
    Ok(ReplayedDebate { playback, path })
}

/// Groups events by journal line.
fn group_by_line(events: Vec<Recorded>) -> Record {
    let mut record = Record::new();
    let mut last = None;
    for recorded in events {
        match record.last_mut() {
            Some(line) if last == Some(recorded.seq) => line.push(recorded.event),
            Some(_) | None => record.push(vec![recorded.event]),
        }
        last = Some(recorded.seq);
    }
    record
}

fn document(replay: &Replay, documents: Documents) -> ReplayDoc {
    let differences = replay.differences().iter().map(ToString::to_string);
    let differences: Vec<_> = differences.chain(documents.changed).collect();
    let played = replay.played();
    let versions = replay.prompt_versions();
    let others = versions
        .iter()
        .filter(|(version, _)| **version != PROMPT_VERSION);
    let texts = others.map(|(version, count)| {
        let count = count_with_noun(*count, "prompt");
        format!(
            "the text of {count} of version {version}, and what these omit; the current version is \
             {PROMPT_VERSION}"
        )
    });
    let older = replay.excused_differences().iter();
    let decided = older.map(|decision| format!("{decision} (by the limits of an older version)"));
    ReplayDoc {
        schema: REPLAY_SCHEMA,
        debate: replay.state().spec.slug.clone(),
        prompts: played.prompts,
        decisions: played.decisions,
        outcomes: played.outcomes,
        files: documents.count,
        prompt_versions: versions.keys().copied().collect(),
        same: differences.is_empty(),
        not_compared: texts.chain(decided).chain(documents.older).collect(),
        differences,
    }
}
