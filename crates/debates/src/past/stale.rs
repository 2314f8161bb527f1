//! Finds decisions whose cited sources have changed.

use std::path::Path;

use agon_caller::system::{format_time, now_ms};
use agon_caller::{Caller, Code, Failure, FailureKind, Notes, find, history};
use agon_index::{RefreshLimit, Summary};
use agon_report::text::plain_line as clean_line;
use schemars::JsonSchema;
use serde::Serialize;

use crate::sources::source_drift::{SourceStatus, current_source_state};

/// The name and version of [`StaleDoc`].
pub const STALE_SCHEMA: &str = "agon.stale/1";

/// The decisions of a project and whether their sources have changed: `agon.stale/1`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StaleDoc {
    #[schemars(extend("const" = STALE_SCHEMA))]
    schema: &'static str,
    /// All decisions, or the named one; the latest first.
    pub decisions: Vec<DecisionNow>,
    /// The number of decisions with a changed or missing source.
    pub stale: usize,
}

/// A decision and the current state of its sources.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DecisionNow {
    /// Its debate.
    pub debate: String,
    id: Option<String>,
    /// The topic.
    pub topic: String,
    /// The decision.
    pub answer: String,
    decided_at: String,
    /// The age of the decision, in seconds.
    pub age_s: u64,
    /// The current state of its sources.
    pub source: SourceStatus,
    folder: String,
}

/// Compares the sources of each decision with the project as it is now; of only one debate if
/// `name` is given. Calls no model and writes nothing but the index.
///
/// # Errors
///
/// If the folder of debates cannot be read, or there is no such debate.
pub fn find_stale(
    caller: &Caller,
    name: Option<&str>,
    notes: &mut dyn Notes,
) -> Result<StaleDoc, Failure> {
    let only = name.map(|name| find::find_debate_folder(caller, name));
    let only = only.transpose()?;
    let dir = find::debates_dir(caller)?;
    let (mut index, refreshed) = history::open_refreshed_index(&dir, RefreshLimit::All, notes)?;
    history::note_unreadable(&refreshed, notes);
    let decisions = index
        .decisions()
        .map_err(|error| history::failure(&error))?;
    let now = now_ms();
    // Compare real paths, because the user may type a path that differs from the one in the index.
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let only = only.map(|path| real(&path));
    let wanted = decisions
        .into_iter()
        .filter(|(path, _)| only.as_ref().is_none_or(|only| *only == real(path)));
    let decisions: Vec<DecisionNow> = wanted
        .filter_map(|(path, summary)| {
            let source = current_source_state(caller, &path);
            let folder = caller.display_path(&path);
            decision(summary, source, folder, now)
        })
        .collect();
    if let (Some(name), true) = (name, decisions.is_empty()) {
        let message = format!("{} has no answer yet", clean_line(name));
        return Err(Failure::new(Code::NoVerdict, message)
            .kind(FailureKind::Usage)
            .parameter("debate")
            .hint("leave out the name to check every decision here"));
    }
    let stale = decisions.iter().filter(|it| it.source.is_stale());
    Ok(StaleDoc {
        schema: STALE_SCHEMA,
        stale: stale.count(),
        decisions,
    })
}

fn decision(
    summary: Summary,
    source: SourceStatus,
    folder: String,
    now: u64,
) -> Option<DecisionNow> {
    Some(DecisionNow {
        debate: summary.slug,
        id: summary.ulid.map(|ulid| ulid.to_string()),
        topic: summary.topic,
        answer: summary.answer?,
        decided_at: format_time(summary.at_answer),
        age_s: now.saturating_sub(summary.at_answer) / 1_000,
        source,
        folder,
    })
}
