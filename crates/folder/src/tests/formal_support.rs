//! A small formal debate, and another tool that writes into its folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_record::event::Event;
use agon_record::id::{NodeId, Seat};
use agon_record::moves::Contention;
use agon_record::spec::{FormalSpec, Kind as FormatKind, Spec};
use agon_record::state::State;
use agon_rules::format::first_unjudged_exchange;
use agon_rules::format::{Phase, debate_phase};
use agon_rules::panel;
use agon_store::{Disk, FaultDisk, Projection, RelPath};
use serde_json::{Value, json};

use super::support::{AT, admitted, given, spec};
use crate::formal_files::argument::render_file;
use crate::raw_json::to_ascii_json;
use crate::{Earlier, Folder, projections};

pub(super) fn debates() -> PathBuf {
    PathBuf::from("/srv/debates")
}

pub(super) fn place() -> PathBuf {
    debates().join("job-store")
}

pub(super) fn formal_spec() -> Spec {
    let mut spec = spec();
    spec.slug = "job-store".to_owned();
    spec.topic = "This house would keep jobs in SQLite — not in files.".to_owned();
    let definitions = json!([{ "term": "Job store", "meaning": "the queue of jobs" }]);
    let theses = json!({ "proposition": "Use it.", "opposition": "Keep files." });
    spec.kind = FormatKind::formal(FormalSpec {
        definitions: serde_json::from_value(definitions).unwrap(),
        scope: Some("One host.".to_owned()),
        theses: Some(serde_json::from_value(theses).unwrap()),
    });
    spec.seats.clear();
    spec.ruleset = "formal/1".to_owned();
    spec
}

/// Returns an argument of a few words.
pub(super) fn argument(words: &str) -> Value {
    json!({
        "title": format!("{words} for the job store"), "claim": format!("{words} – it is so."),
        "grounds": [{ "source": "src/store.rs:88", "content": "claim()\nthen lease()",
                      "relevance": "two steps" }],
        "warrant": "Two steps are not one.",
    })
}

pub(super) fn rebuttal(words: &str, target: &str) -> Value {
    let mut value = argument(words);
    value["attacks"] = json!([{ "target_id": target, "attack_type": "warrant_attack", "content": "It does not follow." }]);
    value
}

pub(super) fn contention(value: Value) -> Contention {
    serde_json::from_value(value).unwrap()
}

/// Returns both sides' turns of an exchange.
pub(super) fn exchange_of(round: u16) -> Vec<Event> {
    let turn = |side: &str, other: &str| {
        let moves = if round == 0 {
            let arguments = ["First", "Second", "Third"].map(argument);
            json!({ "kind": "formal", "said": "case", "arguments": arguments })
        } else {
            let before = if round == 1 {
                "000a".to_owned()
            } else {
                format!("{:03}", round - 1)
            };
            let mut moves = rebuttal("Again", &format!("{other}_{before}"));
            moves["kind"] = "formal".into();
            moves["said"] = "rebuttal".into();
            moves
        };
        admitted(&format!("r{round}.{side}"), moves)
    };
    vec![turn("prop", "opp"), turn("opp", "prop")]
}

/// Returns the judgment of the pending exchange in `state`.
pub(super) fn judgment(state: &State, rescores: Value) -> Vec<Event> {
    let round = first_unjudged_exchange(state);
    let mut ids = agon_record::tally::unscored_arguments(state);
    // The judge uses its own order.
    ids.sort_by_key(|id| (id.place, id.seat));
    let scores = ids.iter().map(|id| {
        let score = if id.seat == Seat::Proposition {
            0.3
        } else {
            -0.3
        };
        json!({ "argument_id": id, "score": score, "reasoning": "Plain “enough”." })
    });
    let scores: Vec<_> = scores.collect();
    let turn = format!("r{round}.judge");
    let mut given = given(&turn, "Scores.");
    if let Event::Given(given) = &mut given {
        given.at_ms = Some(AT + 42);
    }
    let scored = admitted(
        &turn,
        json!({ "kind": "formal", "said": "scores", "scores": scores, "rescores": rescores }),
    );
    let mut after = state.clone();
    for event in [&given, &scored] {
        after.apply(event).unwrap();
    }
    let judgment = panel::judgment_by_all_judges(&after, round);
    vec![given, scored, Event::Scored(Box::new(judgment))]
}

/// Returns the events of the next step: arguments, or their judgment.
pub(super) fn next(state: &State) -> Vec<Event> {
    if debate_phase(state) == Phase::AwaitingJudgment {
        judgment(state, json!([]))
    } else {
        exchange_of(first_unjudged_exchange(state))
    }
}

/// Returns the files of the debate, and a graph like that of the engine.
pub(super) fn files(state: &State) -> Vec<Projection> {
    let mut files = projections(state);
    let graph = format!("graph TD\n%% {} scored\n", state.score_histories().len());
    let name = RelPath::new("argument-graph.mmd").unwrap();
    files.push((name, graph.into_bytes()));
    files
}

/// Returns a formal debate after `steps` steps, with its files.
pub(super) fn formal(disk: &FaultDisk, steps: usize) -> Folder {
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let spec = formal_spec();
    let mut folder = Folder::create(shared, &debates(), "Job store", spec, AT).unwrap();
    for _ in 0..steps {
        let events = next(folder.state());
        folder.append(AT, &events).unwrap();
    }
    folder.write_projections(&files(folder.state())).unwrap();
    folder
}

/// Another tool that works in a folder.
pub(super) struct Other<'a> {
    pub(super) disk: &'a FaultDisk,
    pub(super) at: PathBuf,
}

impl<'a> Other<'a> {
    pub(super) fn new(disk: &'a FaultDisk) -> Self {
        let at = place();
        Self { disk, at }
    }

    pub(super) fn read(&self, name: &str) -> String {
        let bytes = self.disk.read(&self.at.join(name)).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        self.disk.place_file(&self.at.join(name), text.as_bytes());
    }

    /// Returns a folder without turns.
    pub(super) fn found(&self) {
        let front = json!({ "debate_id": "job-store", "current_exchange": 0,
            "current_phase": "awaiting_arguments",
            "cumulative_scores": { "proposition": { "total": 0, "count": 0 },
                                   "opposition": { "total": 0, "count": 0 } },
            "x_mood": "calm" });
        let body = "# Motion\n\nThis house would wait.\n\n## Definitions\n\n- **Wait**: do nothing\n\n\
                    - **House**: us\n\n## Scope\n\nToday.\n";
        self.write("debate.md", &format!("{}\n\n{body}", to_ascii_json(&front)));
        self.write("scores.json", "{}");
    }

    pub(super) fn front(&self, change: impl Fn(&mut Value)) {
        let text = self.read("debate.md");
        let (front, body) = crate::formal_files::front::split_front_matter(&text).unwrap();
        let mut front: Value = serde_json::from_str(front).unwrap();
        change(&mut front);
        let body = body.trim_start_matches('\n');
        self.write("debate.md", &format!("{}\n\n{body}", to_ascii_json(&front)));
    }

    pub(super) fn put_argument(&self, id: &str, value: Value) {
        let id: NodeId = id.parse().unwrap();
        self.write(
            &format!("arguments/{id}.md"),
            &render_file(id, &contention(value)),
        );
    }

    pub(super) fn argue(&self, round: u16) {
        for (side, other) in [("prop", "opp"), ("opp", "prop")] {
            if round == 0 {
                for letter in ["a", "b", "c"] {
                    self.put_argument(&format!("{side}_000{letter}"), argument("Theirs"));
                }
            } else {
                let id = format!("{side}_{round:03}");
                self.put_argument(&id, rebuttal("Theirs", &format!("{other}_000a")));
            }
        }
        self.front(|front| front["current_phase"] = "awaiting_judgment".into());
    }

    /// Scores the pending exchange, and scores `rescore` again.
    pub(super) fn judge(&self, rescore: Option<(&str, f64)>) {
        let round = {
            let text = self.read("debate.md");
            let (front, _) = crate::formal_files::front::split_front_matter(&text).unwrap();
            let front: Value = serde_json::from_str(front).unwrap();
            front["current_exchange"].as_u64().unwrap()
        };
        let mut scores: Value = serde_json::from_str(&self.read("scores.json")).unwrap();
        let letters: &[&str] = if round == 0 { &["a", "b", "c"] } else { &[""] };
        for (side, score) in [("prop", json!(1)), ("opp", json!(-1))] {
            for letter in letters {
                scores[format!("{side}_{round:03}{letter}")] = json!({ "current_score": score,
                    "history": [{ "score": score, "reasoning": "Né.",
                                  "scored_at": "2026-11-22T01:52:13.217262+00:00" }] });
            }
        }
        if let Some((id, score)) = rescore {
            scores[id]["current_score"] = json!(score);
            scores[id]["history"].as_array_mut().unwrap().push(json!({
                "score": score, "reasoning": "On reflection.",
                "scored_at": "2026-11-22T01:52:13.217300+00:00",
                "triggered_by": format!("prop_{round:03}") }));
        }
        self.write("scores.json", &to_ascii_json(&scores));
        self.front(|front| {
            front["current_phase"] = "awaiting_arguments".into();
            front["current_exchange"] = (round + 1).into();
            for (seat, short) in [("proposition", "prop"), ("opposition", "opp")] {
                let all = scores.as_object().unwrap().iter();
                let all = all.filter(|(id, _)| id.starts_with(short));
                let all: Vec<f64> = all
                    .map(|(_, e)| e["current_score"].as_f64().unwrap())
                    .collect();
                let total = (all.iter().sum::<f64>() * 1_000.0).round() / 1_000.0;
                front["cumulative_scores"][seat] = json!({ "total": total, "count": all.len() });
            }
        });
        self.write(
            "argument-graph.mmd",
            &format!("graph TD\n%% theirs {round}\n"),
        );
    }
}

/// Returns every file of the folder outside `.agon/`, with its bytes.
pub(super) fn image(disk: &FaultDisk, at: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for dir in ["", "arguments"] {
        for name in disk.list_names(&at.join(dir)).unwrap_or_default() {
            let name = Path::new(dir).join(name);
            if let Ok(bytes) = disk.read(&at.join(&name)) {
                files.push((name.display().to_string(), bytes));
            }
        }
    }
    files
}

/// Returns the names of the changed files.
pub(super) fn changed(before: &[(String, Vec<u8>)], after: &[(String, Vec<u8>)]) -> Vec<String> {
    let differ = before.iter().filter(|file| !after.contains(file));
    let new = after.iter().filter(|file| !before.contains(file));
    let mut names: Vec<_> = differ.chain(new).map(|(name, _)| name.clone()).collect();
    names.sort();
    names.dedup();
    names
}

/// Returns events after which no earlier bytes are known.
pub(super) fn since(events: &[Event]) -> Earlier<'_> {
    let bytes = &|_: &str| None;
    Earlier { events, bytes }
}
