//! Measures redaction on a corpus: `measure FILE [--show N] [--all]`.
//!
//! Each line of the file is a JSON object: `id`, `kind`, `surrounding`, `text`, `secrets` (objects
//! with `body`, the part of the text to redact, and `public_prefix`, the common prefix of the
//! vendor's secrets) and `stay` (parts of the text that must stay). A secret counts as found if no
//! five consecutive characters of its body after the prefix remain. A false positive is a tag that
//! replaces no part of a secret, or a part that should stay and is missing for another reason.
//! Recall is the share of secrets found, precision the share of correct finds among all finds. A
//! JSON text must stay valid JSON, and a second run must change nothing.
//!
//! Prints at most N misses and N false positives of every kind, then a table by kind and one by
//! surrounding; `--all` also prints the rows without faults.

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

/// Number of consecutive characters of a body that must not remain.
const LEFT: usize = 5;

/// Counts for one kind or surrounding.
#[derive(Default)]
struct Count {
    secrets: usize,
    missed: Vec<String>,
    wrong: Vec<String>,
    broken: Vec<String>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(file) = arguments.first() else {
        eprintln!("usage: measure FILE [--show N] [--all]");
        return;
    };
    let all = arguments.iter().any(|argument| argument == "--all");
    let shown = arguments
        .iter()
        .skip_while(|argument| *argument != "--show")
        .nth(1)
        .map_or(2, |count| count.parse().unwrap());
    let mut kinds = BTreeMap::<String, Count>::new();
    let mut surroundings = BTreeMap::<String, Count>::new();
    for line in std::fs::read_to_string(file).unwrap().lines() {
        if line.trim().is_empty() {
            continue;
        }
        let sample: Value = serde_json::from_str(line).unwrap();
        let of = |name: &str| sample[name].as_str().unwrap_or("?").to_owned();
        measure(&sample, kinds.entry(of("kind")).or_default());
        measure(&sample, surroundings.entry(of("surrounding")).or_default());
    }
    print_faults(&kinds, shown);
    print_table("kind", &kinds, all);
    print_table("surrounding", &surroundings, all);
    print_total(&kinds);
}

fn measure(sample: &Value, count: &mut Count) {
    let text = sample["text"].as_str().unwrap();
    let redacted = Redactor::new().redact(text);
    let place = |what: &str| {
        let id = sample["id"].as_str().unwrap_or("?");
        format!("{id}: {what:?} in {text:?}")
    };
    let mut spots = Vec::new();
    for secret in list(&sample["secrets"]) {
        let body = secret["body"].as_str().unwrap();
        let prefix = secret["public_prefix"].as_str().unwrap_or_default();
        spots.extend(text.match_indices(body).map(|(at, it)| at..at + it.len()));
        count.secrets += 1;
        if !is_gone(&redacted.text, body.strip_prefix(prefix).unwrap_or(body)) {
            count.missed.push(place(body));
        }
    }
    let meets =
        |one: &Range<usize>, other: &Range<usize>| one.start < other.end && other.start < one.end;
    let mut marked = Vec::new();
    for hit in &redacted.hits {
        if !spots.iter().any(|spot| meets(&hit.span, spot)) {
            let taken = format!("{} {}", hit.rule, &text[hit.span.clone()]);
            count.wrong.push(place(&taken));
            marked.push(hit.span.clone());
        }
    }
    for part in list(&sample["stay"]).iter().filter_map(Value::as_str) {
        let counted = text
            .match_indices(part)
            .any(|(at, it)| marked.iter().any(|hit| meets(hit, &(at..at + it.len()))));
        if !redacted.text.contains(part) && !counted {
            count.wrong.push(place(part));
        }
    }
    if is_broken(text, &redacted) {
        count.broken.push(place(&redacted.text));
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Whether `text` contains no `LEFT` consecutive characters of `body`.
fn is_gone(text: &str, body: &str) -> bool {
    let chars: Vec<char> = body.chars().collect();
    let mut runs = chars.windows(LEFT.min(chars.len()).max(1));
    !runs.any(|run| text.contains(&run.iter().collect::<String>()))
}

fn is_broken(text: &str, redacted: &Redacted<'_>) -> bool {
    let is_json = |text: &str| serde_json::from_str::<Value>(text).is_ok();
    let again = Redactor::new().redact(&redacted.text);
    is_json(text) && !is_json(&redacted.text) || !again.hits.is_empty()
}

fn print_faults(counts: &BTreeMap<String, Count>, shown: usize) {
    for (kind, count) in counts {
        let lists = [
            ("missed", &count.missed),
            ("false", &count.wrong),
            ("broken", &count.broken),
        ];
        for (what, list) in lists {
            for one in list.iter().take(shown) {
                println!("{what} {kind} {one}");
            }
        }
    }
}

fn print_table(title: &str, counts: &BTreeMap<String, Count>, all: bool) {
    println!("\n{title:<32} secrets found recall false");
    for (name, count) in counts {
        let found = count.secrets - count.missed.len();
        if all || found < count.secrets || !count.wrong.is_empty() {
            println!(
                "{name:<32} {:>7} {found:>5} {:>6.3} {:>5}",
                count.secrets,
                share(found, count.secrets),
                count.wrong.len()
            );
        }
    }
}

fn print_total(counts: &BTreeMap<String, Count>) {
    let sum = |of: fn(&Count) -> usize| counts.values().map(of).sum::<usize>();
    let (secrets, missed) = (sum(|it| it.secrets), sum(|it| it.missed.len()));
    let (found, wrong) = (secrets - missed, sum(|it| it.wrong.len()));
    println!(
        "\nrecall {:.4} ({found} of {secrets} secrets)",
        share(found, secrets)
    );
    println!(
        "precision {:.4} ({wrong} false positives)",
        share(found, found + wrong)
    );
    println!(
        "{} kinds, {} texts broken",
        counts.len(),
        sum(|it| it.broken.len())
    );
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 1.0;
    }
    part as f64 / whole as f64
}
