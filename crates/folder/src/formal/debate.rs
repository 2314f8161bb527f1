//! `debate.md` of a formal debate, written and read.

use std::collections::BTreeMap;

use agon_record::id::Seat;
use agon_record::spec::Definition;
use agon_record::state::State;
use agon_record::tally::{Total, totals};
use agon_rules::format::{Phase, phase};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{FormalFault, front, imported};
use crate::markup::{block, line, term, unblock, unline};
use crate::raw_json::{Members, added, ascii, nested, place, spliced};

const FILE: &str = "debate.md";
const FRONT: &str =
    "give the front matter debate_id, current_exchange, current_phase and cumulative_scores";

/// The file as it should be; none when the bytes it is made of are lost.
pub(crate) fn render(state: &State) -> Option<String> {
    match imported(state, FILE) {
        None => Some(new(state)),
        Some(text) => Some(updated(state, text?)),
    }
}

fn new(state: &State) -> String {
    let spec = &state.spec;
    let mut front = Map::new();
    front.insert("debate_id".to_owned(), spec.slug.as_str().into());
    front.extend(shared_state(state));
    front.extend(own(state));
    let mut out = ascii(&Value::Object(front));
    out.push_str(&format!("\n\n# Motion\n\n{}\n", block(&spec.topic)));
    if !spec.definitions().is_empty() {
        out.push_str("\n## Definitions\n\n");
    }
    for Definition {
        term: words,
        meaning,
    } in spec.definitions()
    {
        out.push_str(&format!("- **{}**: {}\n", term(words), line(meaning)));
    }
    if let Some(scope) = spec.scope() {
        out.push_str(&format!("\n## Scope\n\n{}\n", block(scope)));
    }
    out
}

/// What other tools read and change.
fn shared_state(state: &State) -> Map<String, Value> {
    let totals = totals(state).into_iter();
    let totals: Map<_, _> = totals
        .map(|(seat, total)| (seat.to_string(), json!(total)))
        .collect();
    let front = json!({
        "current_exchange": agon_rules::format::exchange(state),
        "current_phase": phase(state).to_string(),
        "cumulative_scores": totals,
    });
    object(front)
}

/// What only we know.
fn own(state: &State) -> Map<String, Value> {
    let spec = &state.spec;
    let seats = state.seats.iter();
    let seats: Map<_, _> = seats
        .map(|(seat, seating)| {
            let tool = json!({ "tool": seating.tool, "model": state.model(*seat) });
            (seat.to_string(), tool)
        })
        .collect();
    let mut front = object(json!({ "format": spec.format(), "ulid": spec.ulid.to_string() }));
    if let Some(theses) = state.theses() {
        front.insert("theses".to_owned(), json!(theses));
    }
    front.insert("seats".to_owned(), seats.into());
    front.insert("ruleset".to_owned(), spec.ruleset.as_str().into());
    front.insert("agon".to_owned(), spec.agon.as_str().into());
    front
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    }
}

/// The file of another tool with a front matter that says how things stand now.
fn updated(state: &State, text: &str) -> String {
    let Ok((object, _)) = front::split(text) else {
        return text.to_owned();
    };
    let Ok(members) = Members::of(object) else {
        return text.to_owned();
    };
    // Keys like ours are ours only in a file that we have written before.
    let ulid = Value::from(state.spec.ulid.to_string()).to_string();
    let ours = members.get("ulid").is_some_and(|value| value.get() == ulid);
    let ours = own(state)
        .into_iter()
        .map(|(key, value)| (key, value, ours));
    let standing = shared_state(state).into_iter();
    let wanted = standing.map(|(key, value)| (key, value, true)).chain(ours);
    let mut edits = Vec::new();
    let mut new = Vec::new();
    for (key, value, replace) in wanted {
        match members.get(&key) {
            None => new.push((key, nested(&value, 1))),
            Some(old) if replace => {
                // What says the same keeps its bytes, such as `0` for `0.0`.
                if !same(old.get(), &value) {
                    edits.push((place(text, old.get()), nested(&value, 1)));
                }
            }
            Some(_) => {}
        }
    }
    if !new.is_empty() {
        edits.push(added(text, object, &members, &new));
    }
    spliced(text, edits)
}

fn same(old: &str, new: &Value) -> bool {
    fn alike(old: &Value, new: &Value) -> bool {
        match (old, new) {
            (Value::Number(old), Value::Number(new)) => old.as_f64() == new.as_f64(),
            (Value::Object(old), Value::Object(new)) => {
                old.len() == new.len()
                    && old
                        .iter()
                        .zip(new)
                        .all(|((old_key, old), (key, new))| old_key == key && alike(old, new))
            }
            (old, new) => old == new,
        }
    }
    serde_json::from_str(old).is_ok_and(|old: Value| alike(&old, new))
}

/// What `debate.md` says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DebateContents {
    pub(crate) debate_id: Option<String>,
    pub(crate) exchange: u16,
    pub(crate) judging: bool,
    /// The line of each, for what contradicts them.
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

/// Reads `debate.md`; line ends must be `\n`.
pub(crate) fn read(text: &str) -> Result<DebateContents, FormalFault> {
    let (object, rest) = front::split(text)?;
    let before = &text[..place(text, object).start];
    let front: DebateHead =
        serde_json::from_str(object).map_err(|error| FormalFault::json(before, &error, FRONT))?;
    let members = Members::of(object).map_err(|error| FormalFault::json(before, &error, FRONT))?;
    let line = |key: &str| {
        let value = members.get(key).map_or(object, |value| value.get());
        front::line_of(text, place(text, value).start)
    };
    let judging = match front.current_phase {
        Phase::AwaitingArguments => false,
        Phase::AwaitingJudgment => true,
        other => {
            let what = format!("`{other}` is no phase of a formal debate");
            let hint = "write awaiting_arguments or awaiting_judgment";
            return Err(FormalFault::new(Some(line("current_phase")), what, hint));
        }
    };
    let [motion, definitions, scope] = sections(rest);
    let motion = motion.map(|text| unblock(text.trim()));
    let Some(motion) = motion.filter(|motion| !motion.is_empty()) else {
        let at = Some(front::line_of(text, text.len()));
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
        definitions: definitions.map(defined).unwrap_or_default(),
        scope: scope
            .map(|text| unblock(text.trim()))
            .filter(|text| !text.is_empty()),
    })
}

/// Whether `new` is `old` but for what other tools change; what else changed.
pub(crate) fn continues(old: &str, new: &str) -> Result<(), String> {
    let read = |text| {
        let (object, rest) = front::split(text).map_err(|fault| fault.what)?;
        let members = Members::of(object).map_err(|error| error.to_string())?;
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
        return Err("the text of debate.md is another".to_owned());
    }
    let keys = old.0.keys().chain(new.0.keys());
    let mut changed = keys.filter(|key| old.0.get(*key) != new.0.get(*key));
    match changed.next() {
        None => Ok(()),
        Some(key) => Err(format!("`{key}` in debate.md is another")),
    }
}

/// The texts under `# Motion`, `## Definitions` and `## Scope`, in this order.
fn sections(rest: &str) -> [Option<&str>; 3] {
    const NAMES: [&str; 3] = ["Motion", "Definitions", "Scope"];
    // Which, where its heading begins, and where its text does.
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

/// The definitions of a list; a line that begins none belongs to the one before.
fn defined(text: &str) -> Vec<Definition> {
    let mut items: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let item = line.strip_prefix("- ").or(line.strip_prefix("* "));
        match (item, items.last_mut()) {
            (Some(item), _) => items.push(item.trim().to_owned()),
            (None, Some(last)) => last.push_str(&format!("\n{}", line.trim())),
            (None, None) => items.push(line.trim().to_owned()),
        }
    }
    items.iter().map(|item| definition(item)).collect()
}

fn definition(item: &str) -> Definition {
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
        term: unline(words.trim()),
        meaning: unline(meaning.trim()),
    }
}
