//! Writes and parses `debate.md` of a formal debate.

use std::collections::BTreeMap;

use agon_record::id::Seat;
use agon_record::spec::Definition;
use agon_record::state::State;
use agon_record::tally::{Total, side_totals};
use agon_rules::format::{Phase, debate_phase};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{FormalFault, front, imported_text};
use crate::markup::{escape_block, escape_line, escape_term, unescape_block, unescape_line};
use crate::raw_json::{
    Members, apply_edits, byte_range_of, members_insertion, to_ascii_json, to_ascii_json_nested,
};

const FILE: &str = "debate.md";
const FRONT: &str =
    "add front matter with debate_id, current_exchange, current_phase and cumulative_scores";

/// Returns the expected file; `None` if the original that it is based on is lost.
pub(crate) fn render_file(state: &State) -> Option<String> {
    match imported_text(state, FILE) {
        None => Some(render_new_file(state)),
        Some(text) => Some(update_front_matter(state, text?)),
    }
}

fn render_new_file(state: &State) -> String {
    let spec = &state.spec;
    let mut front = Map::new();
    front.insert("debate_id".to_owned(), spec.slug.as_str().into());
    front.extend(shared_front_matter(state));
    front.extend(own_front_matter(state));
    let mut out = to_ascii_json(&Value::Object(front));
    out.push_str(&format!("\n\n# Motion\n\n{}\n", escape_block(&spec.topic)));
    if !spec.definitions().is_empty() {
        out.push_str("\n## Definitions\n\n");
    }
    for Definition {
        term: words,
        meaning,
    } in spec.definitions()
    {
        out.push_str(&format!(
            "- **{}**: {}\n",
            escape_term(words),
            escape_line(meaning)
        ));
    }
    if let Some(scope) = spec.scope() {
        out.push_str(&format!("\n## Scope\n\n{}\n", escape_block(scope)));
    }
    out
}

/// The keys that other tools read and change.
fn shared_front_matter(state: &State) -> Map<String, Value> {
    let totals = side_totals(state).into_iter();
    let totals: Map<_, _> = totals
        .map(|(seat, total)| (seat.to_string(), json!(total)))
        .collect();
    let front = json!({
        "current_exchange": agon_rules::format::first_unjudged_exchange(state),
        "current_phase": debate_phase(state).to_string(),
        "cumulative_scores": totals,
    });
    into_object(front)
}

/// The keys that only Agon knows.
fn own_front_matter(state: &State) -> Map<String, Value> {
    let spec = &state.spec;
    let seats = state.seats.iter();
    let seats: Map<_, _> = seats
        .map(|(seat, seating)| {
            let tool = json!({ "tool": seating.tool, "model": state.model(*seat) });
            (seat.to_string(), tool)
        })
        .collect();
    let mut front = into_object(json!({ "format": spec.format(), "ulid": spec.ulid.to_string() }));
    if let Some(theses) = state.theses() {
        front.insert("theses".to_owned(), json!(theses));
    }
    front.insert("seats".to_owned(), seats.into());
    front.insert("ruleset".to_owned(), spec.ruleset.as_str().into());
    front.insert("agon".to_owned(), spec.agon.as_str().into());
    front
}

fn into_object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    }
}

/// Returns the file of another tool with updated front matter.
fn update_front_matter(state: &State, text: &str) -> String {
    let Ok((object, _)) = front::split_front_matter(text) else {
        return text.to_owned();
    };
    let Ok(members) = Members::parse(object) else {
        return text.to_owned();
    };
    // Replace Agon's own keys only in a file that Agon has already written.
    let ulid = Value::from(state.spec.ulid.to_string()).to_string();
    let ours = members.get("ulid").is_some_and(|value| value.get() == ulid);
    let ours = own_front_matter(state)
        .into_iter()
        .map(|(key, value)| (key, value, ours));
    let standing = shared_front_matter(state).into_iter();
    let wanted = standing.map(|(key, value)| (key, value, true)).chain(ours);
    let mut edits = Vec::new();
    let mut new = Vec::new();
    for (key, value, replace) in wanted {
        match members.get(&key) {
            None => new.push((key, to_ascii_json_nested(&value, 1))),
            Some(old) if replace => {
                // Keep the bytes of an equal value, such as `0` for `0.0`.
                if !is_json_equal(old.get(), &value) {
                    edits.push((
                        byte_range_of(text, old.get()),
                        to_ascii_json_nested(&value, 1),
                    ));
                }
            }
            Some(_) => {}
        }
    }
    if !new.is_empty() {
        edits.push(members_insertion(text, object, &members, &new));
    }
    apply_edits(text, edits)
}

fn is_json_equal(old: &str, new: &Value) -> bool {
    fn are_values_equal(old: &Value, new: &Value) -> bool {
        match (old, new) {
            (Value::Number(old), Value::Number(new)) => old.as_f64() == new.as_f64(),
            (Value::Object(old), Value::Object(new)) => {
                old.len() == new.len()
                    && old.iter().zip(new).all(|((old_key, old), (key, new))| {
                        old_key == key && are_values_equal(old, new)
                    })
            }
            (old, new) => old == new,
        }
    }
    serde_json::from_str(old).is_ok_and(|old: Value| are_values_equal(&old, new))
}

/// The contents of `debate.md`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DebateContents {
    pub(crate) debate_id: Option<String>,
    pub(crate) exchange: u16,
    pub(crate) judging: bool,
    /// The line of each key, for errors about contradictions.
    pub(crate) line: u32,
    pub(crate) totals: Option<BTreeMap<Seat, Total>>,
    pub(crate) motion: String,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) scope: Option<String>,
}

#[derive(Deserialize)]
struct DebateHead {
    debate_id: Option<String>,
    current_exchange: u16,
    current_phase: Phase,
    cumulative_scores: Option<BTreeMap<Seat, Total>>,
}

/// Parses `debate.md`; line ends must be `
/// `.
pub(crate) fn parse_file(text: &str) -> Result<DebateContents, FormalFault> {
    let (object, rest) = front::split_front_matter(text)?;
    let before = &text[..byte_range_of(text, object).start];
    let front: DebateHead = serde_json::from_str(object)
        .map_err(|error| FormalFault::from_json_error(before, &error, FRONT))?;
    let members = Members::parse(object)
        .map_err(|error| FormalFault::from_json_error(before, &error, FRONT))?;
    let line = |key: &str| {
        let value = members.get(key).map_or(object, |value| value.get());
        front::line_number_at(text, byte_range_of(text, value).start)
    };
    let judging = match front.current_phase {
        Phase::AwaitingArguments => false,
        Phase::AwaitingJudgment => true,
        other => {
            let what = format!("`{other}` is not a phase of a formal debate");
            let hint = "write awaiting_arguments or awaiting_judgment";
            return Err(FormalFault::new(Some(line("current_phase")), what, hint));
        }
    };
    let [motion, definitions, scope] = split_sections(rest);
    let motion = motion.map(|text| unescape_block(text.trim()));
    let Some(motion) = motion.filter(|motion| !motion.is_empty()) else {
        let at = Some(front::line_number_at(text, text.len()));
        let hint = "write the motion under `# Motion`";
        return Err(FormalFault::new(at, "has no motion", hint));
    };
    Ok(DebateContents {
        debate_id: front.debate_id,
        exchange: front.current_exchange,
        judging,
        line: line("current_exchange"),
        totals: front.cumulative_scores,
        motion,
        definitions: definitions.map(parse_definitions).unwrap_or_default(),
        scope: scope
            .map(|text| unescape_block(text.trim()))
            .filter(|text| !text.is_empty()),
    })
}

/// Checks that `new` differs from `old` only in what other tools change; otherwise returns what
/// changed.
pub(crate) fn check_allowed_changes(old: &str, new: &str) -> Result<(), String> {
    let read = |text| {
        let (object, rest) = front::split_front_matter(text).map_err(|fault| fault.what)?;
        let members = Members::parse(object).map_err(|error| error.to_string())?;
        let members = members.0.into_iter();
        let kept = members.filter(|(key, _)| {
            let key = key.as_str();
            !matches!(
                key,
                "current_exchange" | "current_phase" | "cumulative_scores"
            )
        });
        let kept = kept.map(|(key, value)| (key, serde_json::from_str(value.get()).ok()));
        Ok::<(Map<String, Value>, &str), String>((
            kept.filter_map(|(key, value)| Some((key, value?)))
                .collect(),
            rest.trim_start_matches('\n'),
        ))
    };
    let (old, new) = (read(old)?, read(new)?);
    if old.1 != new.1 {
        return Err("the text of debate.md was changed".to_owned());
    }
    let keys = old.0.keys().chain(new.0.keys());
    let mut changed = keys.filter(|key| old.0.get(*key) != new.0.get(*key));
    match changed.next() {
        None => Ok(()),
        Some(key) => Err(format!("`{key}` in debate.md was changed")),
    }
}

/// Returns the texts under `# Motion`, `## Definitions` and `## Scope`, in this order.
fn split_sections(rest: &str) -> [Option<&str>; 3] {
    const NAMES: [&str; 3] = ["Motion", "Definitions", "Scope"];
    // For each section, its index, the start of its heading, and the start of its text.
    let mut heads: Vec<(usize, usize, usize)> = Vec::new();
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let words = line.trim_start_matches('#');
        let words = words.strip_prefix(' ').filter(|_| line.starts_with('#'));
        let name = words.and_then(|words| NAMES.iter().position(|name| *name == words.trim()));
        let next = name.filter(|name| heads.last().is_none_or(|(now, ..)| name > now));
        heads.extend(next.map(|next| (next, start, at)));
    }
    let ends = heads.iter().skip(1).map(|(_, start, _)| *start);
    let ends: Vec<_> = ends.chain([rest.len()]).collect();
    let mut found = [None; 3];
    for (&(which, _, begin), end) in heads.iter().zip(ends) {
        if let Some(text) = found.get_mut(which) {
            *text = rest.get(begin..end);
        }
    }
    found
}

/// Parses a list of definitions; other lines continue the preceding definition.
fn parse_definitions(text: &str) -> Vec<Definition> {
    let mut items: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let item = line.strip_prefix("- ").or(line.strip_prefix("* "));
        match (item, items.last_mut()) {
            (Some(item), _) => items.push(item.trim().to_owned()),
            (None, Some(last)) => last.push_str(&format!("\n{}", line.trim())),
            (None, None) => items.push(line.trim().to_owned()),
        }
    }
    items.iter().map(|item| parse_definition(item)).collect()
}

fn parse_definition(item: &str) -> Definition {
    let bold = item.strip_prefix("**").and_then(|rest| {
        let (words, meaning) = rest.split_once("**")?;
        match words.strip_suffix(':') {
            Some(words) if !meaning.starts_with(':') => Some((words, meaning)),
            Some(_) | None => Some((words, meaning.strip_prefix(':').unwrap_or(meaning))),
        }
    });
    let plain = || item.split_once(':').unwrap_or((item, ""));
    let (words, meaning) = bold.unwrap_or_else(plain);
    Definition {
        term: unescape_line(words.trim()),
        meaning: unescape_line(meaning.trim()),
    }
}
