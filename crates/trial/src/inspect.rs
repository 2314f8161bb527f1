//! Writes a trial as logs of Inspect (`.eval`), one for each arm, which its viewer opens.

mod archive;

use std::collections::BTreeMap;
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
            "{time}_{}_agon{}.eval",
            arm.name(),
            loaded.trial.seed
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
    let ids: Vec<_> = outcomes.iter().map(|outcome| &outcome.question).collect();
    let id = |kind: &str| format!("agon-{kind}-{}-{}", arm.name(), trial.seed);
    let eval = json!({
        "eval_id": id("eval"), "run_id": id("run"), "task_id": id("task"),
        "created": now, "task": format!("agon_trial/{}", arm.name()), "task_version": 0,
        "dataset": {"name": trial.dataset, "samples": ids.len(), "sample_ids": ids},
        "model": model, "config": {}, "scorers": [{"name": "choice"}],
        "metadata": {"arm": arm.name(), "tools": trial.tools, "seed": trial.seed},
    });
    let mut samples = Vec::new();
    for outcome in outcomes {
        if let Some(question) = questions.get(outcome.question.as_str()) {
            samples.push(sample(folder, trial.seed, question, outcome, &model));
        }
    }
    let summary = arm_report(arm, outcomes, trial.seed);
    let metric = |name: &str, value: f64| json!({"name": name, "value": value});
    let tokens: u64 = outcomes.iter().map(|outcome| outcome.tokens).sum();
    let usage = json!({&model: usage(tokens)});
    let header = json!({
        "version": 2, "status": "success", "eval": eval, "plan": {},
        "results": {
            "total_samples": samples.len(), "completed_samples": samples.len(),
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
    for (number, sample) in (1..).zip(&samples) {
        // The ids are of others, and must not become paths.
        let id = sample.get("id").and_then(Value::as_str).unwrap_or_default();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let name = match id.chars().all(is_plain) && !id.starts_with('.') {
            true => id.to_owned(),
            false => number.to_string(),
        };
        files.push((format!("samples/{name}_epoch_1.json"), encode(sample)?));
    }
    files.push(("_journal/summaries/1.json".to_owned(), encode(&summaries)?));
    files.push(("summaries.json".to_owned(), encode(&summaries)?));
    files.push(("header.json".to_owned(), encode(&header)?));
    Ok(files)
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

fn usage(tokens: u64) -> Value {
    json!({"input_tokens": 0, "output_tokens": 0, "total_tokens": tokens})
}

fn sample(folder: &Path, seed: u64, question: &Question, outcome: &Outcome, model: &str) -> Value {
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
        "id": question.id, "epoch": 1, "input": input, "messages": messages,
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
            "folder": outcome.folder, "canary": question.canary, "anchor": question.anchor,
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
mod tests {
    use super::*;
    use crate::report::tests::loaded;

    #[test]
    fn a_log_has_a_file_for_each_sample_and_no_name_of_others_as_a_path() {
        let mut loaded = loaded();
        let question = |id: &str| Question {
            id: id.to_owned(),
            text: "?".to_owned(),
            options: vec!["x".to_owned(), "y".to_owned()],
            answer: "y".to_owned(),
            fixed_order: true,
            ..Question::default()
        };
        loaded.questions = vec![question("q0"), question("../q1")];
        loaded.outcomes[2].question = "../q1".to_owned();
        let outcomes = [&loaded.outcomes[0], &loaded.outcomes[2]];
        let files = log_files(
            Path::new("/nonexistent"),
            &loaded,
            Arm::One,
            &outcomes,
            "now",
        );
        let files: BTreeMap<_, _> = files.unwrap().into_iter().collect();
        let names: Vec<&str> = files.keys().map(String::as_str).collect();
        let wanted = [
            "_journal/start.json",
            "_journal/summaries/1.json",
            "header.json",
            "samples/2_epoch_1.json",
            "samples/q0_epoch_1.json",
            "summaries.json",
        ];
        assert_eq!(names, wanted);
        let sample: Value = serde_json::from_slice(&files["samples/q0_epoch_1.json"]).unwrap();
        assert_eq!(
            (&sample["target"], &sample["choices"]),
            (&json!("B"), &json!(["x", "y"]))
        );
        assert_eq!(sample["scores"]["choice"]["answer"], "A");
        let header: Value = serde_json::from_slice(&files["header.json"]).unwrap();
        assert_eq!(header["results"]["total_samples"], 2);
    }

    #[test]
    fn each_arm_has_a_log() {
        let dir = tempfile::tempdir().unwrap();
        let to = dir.path().join("logs");
        let written = write_logs(dir.path(), &loaded(), &to, 1_700_000_000_000).unwrap();
        let names: Vec<_> = written
            .iter()
            .map(|it| it.file_name().unwrap().to_owned())
            .collect();
        assert_eq!(
            names,
            [
                "2023-11-14T22-13-20+00-00_one_agon3.eval",
                "2023-11-14T22-13-20+00-00_duel_agon3.eval"
            ]
        );
        assert!(std::fs::read(&written[0]).unwrap().starts_with(b"PK"));
    }
}
