//! What was decided near a topic, and whether it still stands on what it stood on.

use agon_caller::system::{format_time, now_ms};
use agon_caller::{Caller, Failure, Notes, find, history};
use agon_config::default;
use agon_index::{HungOn, Near, RefreshLimit};
use agon_record::authority::Authority;
use agon_record::spec::FormatName;
use agon_report::screen::describe_recorded_state;
use schemars::JsonSchema;
use serde::Serialize;

use crate::sources::source_now::{SourceNow, current_source_state};

/// An earlier decision near a topic.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Decision {
    /// Its debate.
    pub debate: String,
    id: Option<String>,
    /// What was debated.
    pub topic: String,
    format: FormatName,
    /// How near, in percent.
    pub near: usize,
    /// What was decided.
    pub answer: String,
    /// Why.
    pub why: Option<String>,
    do_next: Option<String>,
    /// The condition under which the answer changes.
    pub unless: Option<String>,
    authority: Option<Authority>,
    /// The points without which the answer would fall, by the judge's account.
    pub hangs_on: Vec<HungOn>,
    decided_at: String,
    /// How long ago it was decided, in seconds.
    pub age_s: u64,
    /// What became of what it rests on.
    pub source: SourceNow,
    folder: String,
    /// Where the debate stands, in a few words.
    #[serde(skip)]
    pub stands: String,
}

/// What was decided near a topic.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Recall {
    schema: &'static str,
    topic: String,
    /// The decisions, the nearest first.
    pub decisions: Vec<Decision>,
    /// How many debates were looked at.
    #[serde(skip)]
    pub looked_at: usize,
}

/// What was decided near `topic`, at most `limit` decisions.
///
/// # Errors
///
/// If the folder of debates cannot be read.
pub fn recall(
    caller: &Caller,
    topic: &str,
    limit: Option<usize>,
    notes: &mut dyn Notes,
) -> Result<Recall, Failure> {
    let dir = find::debates_dir(caller)?;
    let (mut index, refreshed) = history::open_refreshed_index(&dir, RefreshLimit::All, notes)?;
    history::note_unreadable(&refreshed, notes);
    let near = index
        .find_near(topic, limit.unwrap_or(default::RECALLED_DECISIONS))
        .map_err(|error| history::failure(&error))?;
    let now = now_ms();
    let decisions = near.into_iter();
    let decisions = decisions.filter_map(|near| decision(caller, near, now));
    Ok(Recall {
        schema: "agon.recall/1",
        topic: topic.to_owned(),
        decisions: decisions.collect(),
        looked_at: refreshed.debates,
    })
}

fn decision(caller: &Caller, near: Near, now: u64) -> Option<Decision> {
    let source = current_source_state(caller, &near.path);
    let summary = near.summary;
    Some(Decision {
        stands: describe_recorded_state(
            summary.phase,
            summary.authority,
            summary.halted,
            summary.rounds_completed,
        ),
        folder: caller.display_path(&near.path),
        debate: summary.slug,
        id: summary.ulid.map(|ulid| ulid.to_string()),
        topic: summary.topic,
        format: summary.format,
        near: near.near,
        answer: summary.answer?,
        why: summary.why,
        do_next: summary.do_next,
        unless: summary.unless,
        authority: summary.authority,
        hangs_on: summary.hangs_on,
        decided_at: format_time(summary.at_last),
        age_s: now.saturating_sub(summary.at_last) / 1_000,
        source,
    })
}
