//! Files rendered from the state of a debate, in the shapes of the folder.

mod argument;
mod debate;
mod markdown;

use std::collections::BTreeSet;

use agon_record::event::Event;
use agon_record::format::Judging;
use agon_record::id::NodeId;
use agon_record::point::Node;
use agon_record::state::State;
use agon_store::{Projection, RelPath};
use agon_verdict::verdict::{Verdict, verdict};
use serde_json::Value;

use crate::formal;
use crate::markup::is_unseen;

/// The files of a debate in the shapes of the folder, with their paths.
///
/// `debate.md`, one file in `arguments/` for every point that was made,
/// `scores.json` of a formal debate, and `verdict.json` once there is a
/// verdict. The same state gives the same bytes.
///
/// What another tool wrote keeps its bytes: of `debate.md` only the front
/// matter changes, to `scores.json` entries are added, arguments stay as they
/// are. A file whose bytes are lost is left out.
pub fn projections(state: &State) -> Vec<Projection> {
    changed_projections(state, None, verdict(state).as_ref())
}

/// The files among [`projections`] that `events`, which led to `state`, change; all of them where
/// the events are not known.
///
/// What a long debate writes for a step, without looking at what it wrote before. `verdict` is the
/// verdict on `state`, which takes time to work out, so that who publishes does so once.
pub(crate) fn changed_projections(
    state: &State,
    events: Option<&[Event]>,
    verdict: Option<&Verdict>,
) -> Vec<Projection> {
    let ids: Option<BTreeSet<NodeId>> =
        events.map(|events| events.iter().flat_map(added_node_ids).collect());
    let mut files = match state.format_rules().judging {
        Judging::AtTheEnd => duel_files(state, ids.as_ref()),
        Judging::EachRound => formal_files(state, ids.as_ref()),
    };
    files.extend(verdict.and_then(verdict_file));
    to_projections(files)
}

/// The points that an event adds.
fn added_node_ids(event: &Event) -> Vec<NodeId> {
    if let Event::Admitted { ids, .. } = event {
        ids.clone()
    } else if let Event::Imported(imported) = event {
        imported.arguments.iter().map(|known| known.id).collect()
    } else {
        Vec::new()
    }
}

fn verdict_file(verdict: &Verdict) -> Option<(String, String)> {
    let json = serde_json::to_value(verdict).ok()?;
    Some(("verdict.json".to_owned(), to_safe_pretty_json(&json) + "\n"))
}

/// Each of the names is one by construction.
fn to_projections(files: Vec<(String, String)>) -> Vec<Projection> {
    let files = files.into_iter().filter_map(|(path, text)| {
        let path = RelPath::new(path).ok()?;
        Some((path, text.into_bytes()))
    });
    files.collect()
}

/// The files of a duel; of the points, those in `only`.
fn duel_files(state: &State, only: Option<&BTreeSet<NodeId>>) -> Vec<(String, String)> {
    let mut files = vec![("debate.md".to_owned(), debate::render_file(state))];
    for node in select_nodes(state, only) {
        let path = format!("arguments/{}.md", node.id);
        files.push((path, argument::render_file(&node)));
    }
    files
}

/// The files of a formal debate; of the arguments, those in `only`.
fn formal_files(state: &State, only: Option<&BTreeSet<NodeId>>) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut put = |path: String, text: Option<String>| files.extend(text.map(|text| (path, text)));
    put("debate.md".to_owned(), formal::debate::render_file(state));
    for node in select_nodes(state, only) {
        let path = format!("arguments/{}.md", node.id);
        let text = match (formal::imported_text(state, &path), node.point.contention()) {
            (Some(text), _) => text.map(str::to_owned),
            (None, Some(one)) => Some(formal::argument::render_file(node.id, one)),
            (None, None) => Some(argument::render_file(&node)),
        };
        put(path, text);
    }
    put("scores.json".to_owned(), formal::scores::render_file(state));
    files
}

fn select_nodes<'a>(state: &'a State, only: Option<&BTreeSet<NodeId>>) -> Vec<Node<'a>> {
    match only {
        None => state.nodes(),
        Some(ids) => ids.iter().filter_map(|id| state.node(*id)).collect(),
    }
}

/// JSON for people, without characters that a terminal or page must not get.
fn to_safe_pretty_json(value: &Value) -> String {
    let mut out = String::new();
    for c in format!("{value:#}").chars() {
        if c != '\n' && is_unseen(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}
