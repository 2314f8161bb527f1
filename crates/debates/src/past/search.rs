//! Searches past debates for words.

use std::path::PathBuf;

use agon_index::{Hit, RefreshLimit};
use agon_record::authority::Authority;
use agon_record::spec::FormatName;
use agon_report::screen::describe_recorded_state;
use agon_rules::format::Phase;
use schemars::JsonSchema;
use serde::Serialize;

use agon_caller::system::format_time;
use agon_caller::{Caller, Failure, Notes, find, history};
use agon_config::default;
pub use agon_index::Piece;

/// A debate that contains all the words.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FoundDebate {
    /// Its name.
    pub debate: String,
    id: Option<String>,
    /// The topic.
    pub topic: String,
    format: FormatName,
    #[schemars(with = "String")]
    phase: Phase,
    halted: bool,
    /// The answer, once there is one.
    pub answer: Option<String>,
    authority: Option<Authority>,
    opened_at: String,
    /// When the debate last changed (RFC 3339).
    pub last_at: String,
    folder: String,
    snippet: String,
    matched: Vec<String>,
    score: f64,
    /// The number of judged exchanges of a formal debate.
    #[serde(skip)]
    judged: u16,
    /// The matching text with some context.
    #[serde(skip)]
    pub pieces: Vec<Piece>,
}

impl FoundDebate {
    /// Returns the state of the debate in a few words.
    pub fn state_in_words(&self) -> String {
        describe_recorded_state(self.phase, self.authority, self.halted, self.judged)
    }
}

/// The result of a search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SearchDoc {
    schema: &'static str,
    search: String,
    /// The debates, the best match first.
    pub debates: Vec<FoundDebate>,
    /// The folder of debates.
    #[serde(skip)]
    pub dir: PathBuf,
    /// The number of debates that were searched.
    #[serde(skip)]
    pub searched: usize,
}

/// Returns the debates that contain all `words`, at most `limit`.
///
/// # Errors
///
/// If no word is given, or the folder of debates cannot be read.
pub fn search(
    caller: &Caller,
    words: &str,
    limit: Option<usize>,
    notes: &mut dyn Notes,
) -> Result<SearchDoc, Failure> {
    let dir = find::debates_dir(caller)?;
    let (mut index, refreshed) = history::open_refreshed_index(&dir, RefreshLimit::All, notes)?;
    history::note_unreadable(&refreshed, notes);
    let hits = index
        .search(words, limit.unwrap_or(default::FOUND_DEBATES))
        .map_err(|error| history::failure(&error))?;
    for note in index.take_notes() {
        notes.note(&format!("note: {note}"));
    }
    let debates = hits.into_iter().map(|hit| found_debate(caller, hit));
    Ok(SearchDoc {
        schema: "agon.search/1",
        search: words.to_owned(),
        debates: debates.collect(),
        dir,
        searched: refreshed.debates,
    })
}

fn found_debate(caller: &Caller, hit: Hit) -> FoundDebate {
    let matched = hit.snippet.iter().filter(|piece| piece.found);
    let summary = hit.summary;
    FoundDebate {
        folder: caller.display_path(&hit.path),
        debate: summary.slug,
        id: summary.ulid.map(|ulid| ulid.to_string()),
        topic: summary.topic,
        format: summary.format,
        phase: summary.phase,
        halted: summary.halted,
        answer: summary.answer,
        authority: summary.authority,
        judged: summary.rounds_completed,
        opened_at: format_time(summary.at_first),
        last_at: format_time(summary.at_last),
        matched: matched.map(|piece| piece.text.clone()).collect(),
        snippet: hit
            .snippet
            .iter()
            .map(|piece| piece.text.as_str())
            .collect(),
        score: (hit.score * 1e3).round() / 1e3,
        pieces: hit.snippet,
    }
}
