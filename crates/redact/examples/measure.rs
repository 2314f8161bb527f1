//! Measures what is found of a corpus: `measure FILE [--show N]`.
//!
//! Each line of the file is a JSON object: `id`, `kind`, `context`, `text`, `secrets` (parts of the
//! text that must go) and `keep` (parts that must stay). Recall is the share of secrets that no
//! longer stand in the result, neither whole nor by a half of them in one piece; precision is the
//! share of marks that replaced a piece of a secret. A text that is JSON must be JSON afterwards.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a measurement reads a file and prints what it found"
)]

use std::collections::BTreeMap;
use std::ops::Range;

use agon_redact::{Redacted, Redactor};
use serde_json::Value;

/// Counts of one kind.
#[derive(Default)]
struct Count {
    secrets: usize,
    missed: Vec<String>,
    marks: usize,
    wrong: Vec<String>,
    lost: Vec<String>,
    broken: Vec<String>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(file) = arguments.first() else {
        eprintln!("usage: measure FILE [--show N]");
        return;
    };
    let shown = arguments.get(2).map_or(2, |count| count.parse().unwrap());
    let mut kinds = BTreeMap::<String, Count>::new();
    for line in std::fs::read_to_string(file).unwrap().lines() {
        if line.trim().is_empty() {
            continue;
        }
        let sample: Value = serde_json::from_str(line).unwrap();
        let kind = sample["kind"].as_str().unwrap_or("?").to_owned();
        measure(&sample, kinds.entry(kind).or_default());
    }
    print(&kinds, shown);
}

fn texts(value: &Value) -> Vec<&str> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Value::as_str).collect()
}

fn measure(sample: &Value, count: &mut Count) {
    let text = sample["text"].as_str().unwrap();
    let (secrets, keep) = (texts(&sample["secrets"]), texts(&sample["keep"]));
    let redacted = Redactor::new().redact(text);
    let place = |what: &str| {
        let id = sample["id"].as_str().unwrap_or("?");
        let context = sample["context"].as_str().unwrap_or("?");
        format!("{id} ({context}): {what:?} in {text:?}")
    };
    for secret in &secrets {
        count.secrets += 1;
        if !is_gone(&redacted.text, secret) {
            count.missed.push(place(secret));
        }
    }
    let spots: Vec<_> = secrets
        .iter()
        .flat_map(|secret| text.match_indices(secret))
        .map(|(at, found)| at..at + found.len())
        .collect();
    for hit in &redacted.hits {
        count.marks += 1;
        let meets = |spot: &Range<usize>| hit.span.start < spot.end && spot.start < hit.span.end;
        if !spots.iter().any(meets) {
            let taken = format!("{} {}", hit.rule, &text[hit.span.clone()]);
            count.wrong.push(place(&taken));
        }
    }
    for part in keep {
        if !redacted.text.contains(part) {
            count.lost.push(place(part));
        }
    }
    if breaks(text, &redacted) {
        count.broken.push(place(&redacted.text));
    }
}

/// Whether `secret` no longer stands in `text`, and neither does any half of it.
fn is_gone(text: &str, secret: &str) -> bool {
    let chars: Vec<char> = secret.chars().collect();
    let half = (chars.len() / 2).max(5).min(chars.len()).max(1);
    let mut runs = chars.windows(half);
    !text.contains(secret) && !runs.any(|run| text.contains(&run.iter().collect::<String>()))
}

fn breaks(text: &str, redacted: &Redacted<'_>) -> bool {
    let is_json = |text: &str| serde_json::from_str::<Value>(text).is_ok();
    is_json(text) && !is_json(&redacted.text)
}

fn print(kinds: &BTreeMap<String, Count>, shown: usize) {
    for (kind, count) in kinds {
        let lists = [
            ("missed", &count.missed),
            ("false mark", &count.wrong),
            ("lost", &count.lost),
            ("broken", &count.broken),
        ];
        for (what, list) in lists {
            if !list.is_empty() {
                println!("{kind}: {what} {} of {}", list.len(), count.secrets);
            }
            for one in list.iter().take(shown) {
                println!("    {one}");
            }
        }
    }
    let sum = |of: fn(&Count) -> usize| kinds.values().map(of).sum::<usize>();
    let (secrets, missed) = (sum(|it| it.secrets), sum(|it| it.missed.len()));
    let (marks, wrong) = (sum(|it| it.marks), sum(|it| it.wrong.len()));
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    println!(
        "recall {:.4} ({} of {secrets} secrets)",
        share(secrets - missed, secrets),
        secrets - missed
    );
    println!(
        "precision {:.4} ({} of {marks} marks)",
        share(marks - wrong, marks),
        marks - wrong
    );
    println!(
        "{} kinds, {} parts lost that must stay, {} texts broken",
        kinds.len(),
        sum(|it| it.lost.len()),
        sum(|it| it.broken.len())
    );
}
