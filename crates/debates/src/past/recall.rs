//! Earlier decisions similar to a topic, and whether their sources have changed.

use agon_caller::system::{format_time, now_ms};
use agon_caller::{Caller, Failure, Notes, find, history};
use agon_config::default;
use agon_index::{DecisivePoint, RefreshLimit, SimilarDecision};
use agon_record::authority::Authority;
use agon_record::decision::DecisionDoc;
use agon_record::spec::FormatName;
use agon_report::screen::describe_recorded_state;
use schemars::JsonSchema;
use serde::Serialize;

use crate::sources::source_drift::{SourceStatus, current_source_state};

/// An earlier decision similar to a topic.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Decision {
    /// Its debate.
    pub debate: String,
    id: Option<String>,
    /// The topic of the debate.
    pub topic: String,
    format: FormatName,
    /// The similarity to the topic, in percent.
    pub near: usize,
    /// The decision.
    pub answer: String,
    /// The reason.
    pub why: Option<String>,
    do_next: Option<String>,
    /// The condition under which the answer would change.
    pub unless: Option<String>,
    authority: Option<Authority>,
    /// The points that the answer depends on, according to the judge.
    pub hangs_on: Vec<DecisivePoint>,
    decided_at: String,
    /// Whether the answer was taken, and why; null until it is recorded.
    pub decided: Option<DecisionDoc>,
    /// The age of the decision, in seconds.
    pub age_s: u64,
    /// Whether its sources have changed.
    pub source: SourceStatus,
    folder: String,
    /// The state of the debate, in a few words.
    #[serde(skip)]
    pub stands: String,
}

/// The decisions similar to a topic.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Recall {
    schema: &'static str,
    topic: String,
    /// The decisions, the most similar first; those with a recorded outcome come a little earlier.
    pub decisions: Vec<Decision>,
    /// The number of debates that were searched.
    #[serde(skip)]
    pub looked_at: usize,
}

/// Returns the decisions similar to `topic`, at most `limit`.
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
    let similar = index
        .find_similar(topic, limit.unwrap_or(default::RECALLED_DECISIONS))
        .map_err(|error| history::failure(&error))?;
    let now = now_ms();
    let decisions = similar.into_iter();
    let decisions = decisions.filter_map(|similar| decision(caller, similar, now));
    Ok(Recall {
        schema: "agon.recall/1",
        topic: topic.to_owned(),
        decisions: decisions.collect(),
        looked_at: refreshed.debates,
    })
}

fn decision(caller: &Caller, similar: SimilarDecision, now: u64) -> Option<Decision> {
    let source = current_source_state(caller, &similar.path);
    let summary = similar.summary;
    Some(Decision {
        stands: describe_recorded_state(
            summary.phase,
            summary.authority,
            summary.halted,
            summary.rounds_completed,
        ),
        folder: caller.display_path(&similar.path),
        debate: summary.slug,
        id: summary.ulid.map(|ulid| ulid.to_string()),
        topic: summary.topic,
        format: summary.format,
        near: similar.similarity,
        answer: summary.answer?,
        why: summary.why,
        do_next: summary.do_next,
        unless: summary.unless,
        authority: summary.authority,
        hangs_on: summary.hangs_on,
        decided: summary.decided,
        decided_at: format_time(summary.at_answer),
        age_s: now.saturating_sub(summary.at_answer) / 1_000,
        source,
    })
}
