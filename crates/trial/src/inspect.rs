//! Writes a trial as logs of Inspect (`.eval`), one for each arm, which its viewer opens.

mod archive;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use agon_caller::system::format_time;
use agon_caller::{Failure, find, write_failure};
use agon_record::state::State;
use serde_json::{Value, json};

use crate::arm::Arm;
use crate::grade::Grade;
use crate::outcome::Outcome;
use crate::present::{present, topic};
use crate::question::Question;
use crate::report::{Loaded, arm_report};
use archive::archive;

/// The length of the ids of logs, in characters: that of the ids which Inspect makes.
const LOG_ID: usize = 22;

/// Writes a log for each arm of the trial in `folder` into the folder `to`, and returns their paths.
/// `now_ms` is the time of the logs, in milliseconds since 1970.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write_logs(
    folder: &Path,
    loaded: &Loaded,
    to: &Path,
    now_ms: u64,
) -> Result<Vec<PathBuf>, Failure> {
    std::fs::create_dir_all(to).map_err(|error| write_failure(&error))?;
    let mut written = Vec::new();
    for arm in Arm::ALL {
        let outcomes: Vec<_> = loaded.outcomes.iter().filter(|it| it.arm == arm).collect();
        if outcomes.is_empty() {
            continue;
        }
        let files = log_files(folder, loaded, arm, &outcomes, &format_time(now_ms))?;
        let bytes = archive(&files).map_err(|error| write_failure(&error))?;
        // The viewer lists logs by these names: time, task and id.
        let time = format_time(now_ms).replace(':', "-").replace('Z', "+00-00");
        let path = to.join(format!(
            "{time}_{}_{}.eval",
            arm.name(),
            log_id(loaded, arm, &format_time(now_ms), "task")
        ));
        agon_files::replace(&path, &bytes, 0o644, agon_files::Durable::No)
            .map_err(|error| write_failure(&error))?;
        written.push(path);
    }
    Ok(written)
}

/// Returns the files in the log of an arm.
fn log_files(
    folder: &Path,
    loaded: &Loaded,
    arm: Arm,
    outcomes: &[&Outcome],
    now: &str,
) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let trial = &loaded.trial;
    let questions: BTreeMap<&str, &Question> = loaded
        .questions
        .iter()
        .map(|it| (it.id.as_str(), it))
        .collect();
    let model = format!("agon/{}", arm.name());
    let names = file_names(outcomes.iter().map(|outcome| outcome.question.as_str()));
    let id = |kind: &str| log_id(loaded, arm, now, kind);
    let eval = json!({
        "eval_id": id("eval"), "run_id": id("run"), "task_id": id("task"),
        "created": now, "task": format!("agon_trial/{}", arm.name()), "task_version": 0,
        "dataset": {"name": trial.dataset, "samples": names.len(), "sample_ids": names},
        "model": model, "config": {}, "scorers": [{"name": "choice"}],
        "metadata": {"arm": arm.name(), "tools": trial.tools, "seed": trial.seed, "models": trial.models},
    });
    let mut samples = Vec::new();
    for (outcome, name) in outcomes.iter().zip(&names) {
        if let Some(question) = questions.get(outcome.question.as_str()) {
            samples.push(sample(
                folder,
                trial.seed,
                question,
                (outcome, name),
                &model,
            ));
        }
    }
    let asked = loaded.questions.iter().filter(|it| it.is_asked_by(arm));
    let planned = asked.count().max(samples.len());
    // Of the states that Inspect knows, this one says that samples are missing.
    let status = match samples.len() == planned {
        true => "success",
        false => "cancelled",
    };
    let summary = arm_report(arm, outcomes, trial.seed);
    let metric = |name: &str, value: f64| json!({"name": name, "value": value});
    let tokens: u64 = outcomes.iter().map(|outcome| outcome.tokens).sum();
    let usage = json!({&model: usage(tokens)});
    let header = json!({
        "version": 2, "status": status, "eval": eval, "plan": {},
        "results": {
            "total_samples": planned, "completed_samples": samples.len(),
            "scores": [{"name": "choice", "scorer": "choice", "metrics": {
                "accuracy": metric("accuracy", summary.accuracy.value),
                "low": metric("low", summary.accuracy.low),
                "high": metric("high", summary.accuracy.high),
            }}],
        },
        "stats": {"started_at": now, "completed_at": now, "model_usage": usage},
    });
    let summaries: Vec<Value> = samples.iter().map(sample_summary).collect();
    let mut files = vec![(
        "_journal/start.json".to_owned(),
        encode(&json!({"version": 2, "eval": eval, "plan": {}}))?,
    )];
    for sample in &samples {
        let name = sample.get("id").and_then(Value::as_str).unwrap_or_default();
        files.push((format!("samples/{name}_epoch_1.json"), encode(sample)?));
    }
    files.push(("_journal/summaries/1.json".to_owned(), encode(&summaries)?));
    files.push(("summaries.json".to_owned(), encode(&summaries)?));
    files.push(("header.json".to_owned(), encode(&header)?));
    Ok(files)
}

/// Returns an id of a log, different for every data set, seed, arm and time.
fn log_id(loaded: &Loaded, arm: Arm, now: &str, kind: &str) -> String {
    let trial = &loaded.trial;
    let text = format!(
        "{kind} {} {now} {} {}",
        arm.name(),
        trial.seed,
        trial.dataset
    );
    let hash = blake3::hash(text.as_bytes()).to_hex();
    hash.chars().take(LOG_ID).collect()
}

/// Returns a name for each id, which is the name of the sample's file too: the viewer finds a file by
/// the id of its sample. The ids are of others, and must not become paths.
fn file_names<'a>(ids: impl Iterator<Item = &'a str>) -> Vec<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let mut known = BTreeSet::new();
    let mut names = Vec::new();
    for id in ids {
        let id: String = id
            .chars()
            .map(|c| if is_plain(c) { c } else { '-' })
            .collect();
        let id = match id.starts_with('.') {
            true => format!("q{id}"),
            false => id,
        };
        let numbered = (2_usize..).map(|number| format!("{id}-{number}"));
        let mut candidates = std::iter::once(id.clone()).chain(numbered);
        names.extend(candidates.find(|name| known.insert(name.to_lowercase())));
    }
    names
}

/// Returns the summary of a sample: what lists of samples show.
fn sample_summary(sample: &Value) -> Value {
    let of = |field: &str| sample.get(field).cloned().unwrap_or_default();
    let messages = sample
        .get("messages")
        .and_then(Value::as_array)
        .map_or(0, Vec::len);
    let mut summary = json!({"completed": true, "message_count": messages});
    for field in [
        "id",
        "epoch",
        "input",
        "choices",
        "target",
        "scores",
        "model_usage",
        "total_time",
    ] {
        if let Some(fields) = summary.as_object_mut() {
            fields.insert(field.to_owned(), of(field));
        }
    }
    summary
}

/// Returns a usage. The results do not have the tokens in and out apart.
fn usage(tokens: u64) -> Value {
    json!({"total_tokens": tokens})
}

fn sample(
    folder: &Path,
    seed: u64,
    question: &Question,
    (outcome, name): (&Outcome, &str),
    model: &str,
) -> Value {
    let presented = present(question, seed);
    let input = topic(question, &presented, outcome.arm);
    let said = |text: &str, model: &str| json!({"role": "assistant", "content": text, "model": model, "source": "generate"});
    let mut messages = vec![json!({"role": "user", "content": input})];
    if let Some(name) = &outcome.folder
        && let Ok(view) = find::read(&folder.join(name))
    {
        messages.extend(
            turns(&view.state)
                .iter()
                .map(|(text, tool)| said(text, tool)),
        );
    }
    messages.extend(outcome.texts.iter().map(|text| said(text, model)));
    let answer = outcome.answer.clone().unwrap_or_default();
    let letters: BTreeMap<&String, String> = presented
        .options
        .iter()
        .zip('A'..='Z')
        .map(|(option, letter)| (option, letter.to_string()))
        .collect();
    // The viewer compares letters with `choices`.
    let letter = |text: &String| letters.get(text).cloned().unwrap_or_else(|| text.clone());
    let right = question
        .right_option()
        .and_then(|at| question.options.get(at));
    let mut sample = json!({
        "id": name, "epoch": 1, "input": input, "messages": messages,
        "target": right.map_or_else(|| question.answer.clone(), letter),
        "output": {
            "model": model, "completion": answer,
            "choices": [{"message": {"role": "assistant", "content": answer}, "stop_reason": "stop"}],
        },
        "scores": {"choice": {
            "value": if outcome.is_right() { "C" } else { "I" },
            "answer": letter(&answer),
            "explanation": explanation(outcome.grade),
            "metadata": {
                "grade": outcome.grade, "confidence": outcome.confidence, "debate": outcome.debate,
            },
        }},
        "metadata": {
            "question": question.id, "folder": outcome.folder, "canary": question.canary, "anchor": question.anchor,
        },
        "model_usage": {model: usage(outcome.tokens)},
        "total_time": outcome.seconds,
    });
    if let (false, Some(fields)) = (presented.options.is_empty(), sample.as_object_mut()) {
        fields.insert("choices".to_owned(), json!(presented.options));
    }
    sample
}

/// Returns what each turn of a debate said, and by which tool.
fn turns(state: &State) -> Vec<(String, String)> {
    let mut turns: Vec<(_, String, String)> = Vec::new();
    for node in state.nodes() {
        let seating = state.seats.get(&node.seat());
        let tool = seating.map_or_else(String::new, |seating| seating.tool.to_string());
        let text = match node.point.title() {
            Some(title) => format!("**{}** {title}: {}", node.id, node.point.main_text()),
            None => format!("**{}** {}", node.id, node.point.main_text()),
        };
        match turns.last_mut() {
            Some((turn, said, _)) if *turn == node.turn => {
                said.push_str("\n\n");
                said.push_str(&text);
            }
            _ => turns.push((node.turn, text, tool)),
        }
    }
    turns
        .into_iter()
        .map(|(_, text, tool)| (text, tool))
        .collect()
}

fn explanation(grade: Grade) -> &'static str {
    match grade {
        Grade::Right => "the right answer",
        Grade::Wrong => "another answer",
        Grade::Unreadable => "no answer was found in the text",
        Grade::Failed => "the call or the debate failed",
    }
}

fn encode(value: &impl serde::Serialize) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(value).map_err(|error| Failure::from_error(agon_caller::Code::Json, &error))
}

#[cfg(test)]
mod tests;
