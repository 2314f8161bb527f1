//! Writes and parses `scores.json`, the score history of every argument.

use std::collections::{BTreeMap, BTreeSet};

use agon_record::event::{Event, ScoreEntry};
use agon_record::id::{NodeId, Seat, Stage, TurnId};
use agon_record::score::Score;
use agon_record::state::State;
use agon_store::time;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{FormalFault, front, imported_text};
use crate::raw_json::{
    Members, apply_edits, byte_range_of, members_insertion, to_ascii_json_nested,
};

pub(crate) const FILE: &str = "scores.json";
const HINT: &str = "add `current_score` to each argument, and a `history` with `score`, `reasoning` and `scored_at`";

/// Returns the expected file; `None` if the original that it is based on is lost.
///
/// Existing entries of another tool keep their bytes; new scores are appended.
pub(crate) fn render_file(state: &State) -> Option<String> {
    let base = match imported_text(state, FILE) {
        None => "{}",
        Some(text) => text?,
    };
    let Ok(file) = ScoresFile::parse(base) else {
        return Some(base.to_owned());
    };
    let mut edits = Vec::new();
    for entry in &file.entries {
        let all = state
            .score_histories()
            .get(&entry.id)
            .map_or(&[][..], Vec::as_slice);
        let items = history_items(all).skip(entry.history.len());
        let items: String = items
            .map(|item| format!(",\n      {}", to_ascii_json_nested(&item, 3)))
            .collect();
        if let (false, Some(last), Some(known)) =
            (items.is_empty(), all.last(), entry.history.last())
        {
            let end = byte_range_of(base, known.get()).end;
            edits.push((end..end, items));
            edits.push((
                byte_range_of(base, entry.current.get()),
                json!(last.score).to_string(),
            ));
        }
    }
    let known: BTreeSet<_> = file.entries.iter().map(|entry| entry.id).collect();
    let new: Vec<_> = arguments_by_first_score(state)
        .into_iter()
        .filter(|id| !known.contains(id))
        .filter_map(|id| {
            let entry = EntryJson::new(state.score_histories().get(&id)?)?;
            Some((id.to_string(), to_ascii_json_nested(&entry, 1)))
        })
        .collect();
    if !new.is_empty() {
        edits.push(members_insertion(base, base.trim(), &file.members, &new));
    }
    Some(apply_edits(base, edits))
}

/// Returns the expected file, given the one before `events`; `None` if it must be rendered from the
/// state.
pub(crate) fn extend_file(state: &State, events: &[Event], earlier: &str) -> Option<String> {
    let is_import = |event: &Event| matches!(event, Event::Imported(_));
    if events.iter().any(is_import) || imported_text(state, FILE).is_some() {
        return None;
    }
    let judgments = events.iter().filter_map(|event| match event {
        Event::Scored(judgment) => Some(judgment.as_ref()),
        _ => None,
    });
    let (mut changed, mut listed) = (BTreeSet::new(), Vec::new());
    for judgment in judgments {
        changed.extend(judgment.scores.iter().map(|one| one.id));
        changed.extend(judgment.rescores.iter().map(|one| one.id));
        listed.extend(arguments_judged_in(state, judgment.exchange));
    }
    if changed.is_empty() {
        return Some(earlier.to_owned());
    }
    let mut edits = Vec::new();
    let mut new = BTreeSet::new();
    for id in changed {
        match earlier.find(&format!("\n  \"{id}\": {{")) {
            None => _ = new.insert(id),
            Some(begins) => {
                let ends = begins + earlier.get(begins..)?.find(ENTRY_END)? + ENTRY_END.len();
                edits.push((begins..ends, entry_text(state, id)?));
            }
        }
    }
    let end = earlier.strip_suffix("\n}")?.len();
    for id in listed {
        if new.remove(&id) {
            edits.push((end..end, format!(",{}", entry_text(state, id)?)));
        }
    }
    // Their place is unknown.
    new.is_empty().then(|| apply_edits(earlier, edits))
}

/// The end of an argument's entry. Inside strings, a line end is escaped.
const ENTRY_END: &str = "\n  }";

/// Returns the entry of one argument with its key, from the end of the previous line.
fn entry_text(state: &State, id: NodeId) -> Option<String> {
    let entry = EntryJson::new(state.score_histories().get(&id)?)?;
    Some(format!("\n  \"{id}\": {}", to_ascii_json_nested(&entry, 1)))
}

/// Returns the arguments that judges scored in an exchange, in their order.
fn arguments_judged_in(state: &State, exchange: u16) -> Vec<NodeId> {
    let from = TurnId::round(exchange, Seat::Proposer);
    let turns = state.turns.range(from..);
    let turns = turns.take_while(|(turn, _)| turn.stage == from.stage);
    let judges = turns.filter(|(turn, _)| turn.seat.is_judge());
    let scores = judges.filter_map(|(&turn, _)| state.admitted(turn)?.moves.scores());
    scores
        .flat_map(|scores| scores.scores.iter().map(|one| one.argument_id))
        .collect()
}

/// Returns the arguments in the order of their first scores.
fn arguments_by_first_score(state: &State) -> Vec<NodeId> {
    let judged = state.admitted_turns().filter_map(|(turn, admitted)| {
        let scores = admitted.moves.scores()?;
        matches!((turn.stage, turn.seat), (Stage::Round(_), Seat::Judge(_))).then_some(scores)
    });
    let scored = judged.flat_map(|scores| scores.scores.iter().map(|one| one.argument_id));
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for id in scored.chain(state.score_histories().keys().copied()) {
        if state.score_histories().contains_key(&id) && seen.insert(id) {
            order.push(id);
        }
    }
    order
}

/// The scores of one argument as they are written.
#[derive(Serialize)]
struct EntryJson<'a> {
    current_score: Score,
    history: Vec<ItemJson<'a>>,
}

impl<'a> EntryJson<'a> {
    fn new(all: &'a [ScoreEntry]) -> Option<Self> {
        Some(Self {
            current_score: all.last()?.score,
            history: history_items(all).collect(),
        })
    }
}

/// One item of a history as it is written.
#[derive(Serialize)]
struct ItemJson<'a> {
    score: Score,
    reasoning: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    scored_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    triggered_by: Option<NodeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_score: Option<Score>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<Score>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<[Score; 2]>,
}

/// Returns the items of a history.
fn history_items(all: &[ScoreEntry]) -> impl Iterator<Item = ItemJson<'_>> {
    all.iter().enumerate().map(|(at, entry)| {
        let before = at.checked_sub(1).and_then(|before| all.get(before));
        ItemJson {
            score: entry.score,
            reasoning: &entry.reasoning,
            scored_at: entry.at_ms.map(time::to_text_with_offset),
            triggered_by: entry.triggered_by,
            previous_score: before.map(|before| before.score),
            diff: before.map(|before| entry.score - before.score),
            spread: entry.spread,
        }
    })
}

/// `scores.json` with the raw bytes of its parts.
#[derive(Debug)]
pub(crate) struct ScoresFile<'a> {
    members: Members<'a>,
    pub(crate) entries: Vec<ArgumentScores<'a>>,
}

/// The scores of one argument.
#[derive(Debug)]
pub(crate) struct ArgumentScores<'a> {
    pub(crate) id: NodeId,
    pub(crate) current: &'a RawValue,
    pub(crate) history: Vec<&'a RawValue>,
    /// Keys that are not part of the format.
    pub(crate) others: Vec<(String, &'a RawValue)>,
}

impl<'a> ScoresFile<'a> {
    pub(crate) fn parse(text: &'a str) -> Result<Self, FormalFault> {
        let members =
            Members::parse(text).map_err(|error| FormalFault::from_json_error("", &error, HINT))?;
        let mut entries: Vec<ArgumentScores<'a>> = Vec::new();
        for (name, value) in &members.0 {
            let entry = ArgumentScores::parse(text, name, value)?;
            entries.push(entry);
        }
        let mut ids: Vec<_> = entries.iter().map(|entry| entry.id).collect();
        ids.sort();
        if let Some(twice) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
            let what = format!("has {} twice", twice[0]);
            return Err(FormalFault::new(None, what, "keep one of them"));
        }
        Ok(Self { members, entries })
    }
}

impl<'a> ArgumentScores<'a> {
    fn parse(text: &str, name: &str, value: &'a RawValue) -> Result<Self, FormalFault> {
        let begin = byte_range_of(text, value.get()).start;
        let line = front::line_number_at(text, begin);
        let fault = |what: String, hint| FormalFault::new(Some(line), what, hint);
        let json =
            |error: serde_json::Error| FormalFault::from_json_error(&text[..begin], &error, HINT);
        let id = name.parse().map_err(|_| {
            fault(
                format!("`{name}` is not an argument id"),
                "use ids such as prop_001",
            )
        })?;
        let members = Members::parse(value.get()).map_err(json)?;
        let (Some(current), Some(history)) = (members.get("current_score"), members.get("history"))
        else {
            let what = format!("{id} lacks `current_score` or `history`");
            return Err(fault(what, HINT));
        };
        let history: Vec<&RawValue> = serde_json::from_str(history.get()).map_err(json)?;
        if history.is_empty() {
            return Err(fault(format!("{id} has an empty history"), HINT));
        }
        let others = members.0.into_iter();
        let others = others.filter(|(key, _)| !matches!(key.as_str(), "current_score" | "history"));
        Ok(Self {
            id,
            current,
            history,
            others: others.collect(),
        })
    }
}

#[derive(Deserialize)]
struct RecordedScore {
    score: Score,
    #[serde(default)]
    reasoning: String,
    scored_at: Option<String>,
    triggered_by: Option<String>,
    spread: Option<[Score; 2]>,
}

/// Parses `scores.json`.
pub(crate) fn parse_file(text: &str) -> Result<BTreeMap<NodeId, Vec<ScoreEntry>>, FormalFault> {
    let file = ScoresFile::parse(text)?;
    let mut scores = BTreeMap::new();
    for entry in &file.entries {
        let history = entry.history.iter().map(|item| {
            let before = &text[..byte_range_of(text, item.get()).start];
            let item: RecordedScore = serde_json::from_str(item.get())
                .map_err(|error| FormalFault::from_json_error(before, &error, HINT))?;
            Ok(ScoreEntry {
                score: item.score,
                reasoning: item.reasoning,
                at_ms: item.scored_at.and_then(|at| time::from_text(&at)),
                triggered_by: item.triggered_by.and_then(|id| id.parse().ok()),
                spread: item.spread,
            })
        });
        let history = history.collect::<Result<Vec<_>, FormalFault>>()?;
        let line = front::line_number_at(text, byte_range_of(text, entry.current.get()).start);
        let current: Score = serde_json::from_str(entry.current.get()).map_err(|_| {
            FormalFault::new(Some(line), "is not a score", "write a number from -1 to 1")
        })?;
        let (Some(first), Some(last)) = (history.first(), history.last()) else {
            continue;
        };
        if !first.score.is_in_range() {
            let what = format!("{} is scored {}", entry.id, first.score);
            return Err(FormalFault::new(
                Some(line),
                what,
                "write a number from -1 to 1",
            ));
        }
        if current != last.score {
            let what = format!(
                "{} has the current score {current}, but its last score is {}",
                entry.id, last.score
            );
            let hint = "make `current_score` the last score of the history";
            return Err(FormalFault::new(Some(line), what, hint));
        }
        scores.insert(entry.id, history);
    }
    Ok(scores)
}

/// Returns whether `new` contains everything that `old` says about its arguments and differs only
/// by additional scores.
pub(crate) fn has_only_added_scores(old: &str, new: &str) -> bool {
    let (Ok(old), Ok(new)) = (ScoresFile::parse(old), ScoresFile::parse(new)) else {
        return false;
    };
    let new: BTreeMap<_, _> = new.entries.iter().map(|entry| (entry.id, entry)).collect();
    let value = |raw: &RawValue| serde_json::from_str::<Value>(raw.get()).ok();
    old.entries.iter().all(|before| {
        let Some(after) = new.get(&before.id) else {
            return false;
        };
        let history = before.history.iter().zip(&after.history);
        let others = before.others.iter().zip(&after.others);
        before.history.len() <= after.history.len()
            && before.others.len() == after.others.len()
            && history
                .into_iter()
                .all(|(old, new)| value(old) == value(new))
            && others
                .into_iter()
                .all(|(old, new)| old.0 == new.0 && value(old.1) == value(new.1))
    })
}
