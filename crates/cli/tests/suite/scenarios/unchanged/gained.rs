//! What a command that acts left behind, as it is recorded.
//!
//! What differs from run to run is taken out, and nothing else:
//! - of a line of the journal its number, its time and its hashes: they follow from the clock;
//! - of an event the times that a call took (`took_ms`, `clock_ms`, `at_ms`), and names that are
//!   made by chance (ULIDs that the folder did not have before);
//! - of a debate that is opened only now, as an import is, the salt that is made by chance, and the
//!   hashes of its prompts, whose fences have it in them;
//! - the order of events of different asks: those that are asked at once answer in any order. Those
//!   of one ask stay in theirs;
//! - in documents and on screens the time spent (`wall_ms`, `duration_ms`, `0:03`, `1:02:03`,
//!   `about 1 s`), dates, and the
//!   same names;
//! - the order of the lines on stderr, where those who are asked at once are told of as they
//!   answer: its lines are sorted.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::bundle::Files;
use super::printed::{Block, fingerprint, stream};
use super::world::World;
use crate::support::Ran;

/// Bytes of an event that is recorded whole.
const MAX_EVENT: usize = 400;

const JOURNAL: &str = ".agon/journal.jsonl";

/// What came of a command that acts on this debate: what it printed, the events that the journal
/// gained since `before`, and the documents.
pub(super) fn block(
    world: &World,
    args: &[String],
    ran: &Ran,
    (before, after): (&Files, &Files),
) -> Block {
    let code = ran
        .code
        .map_or("a signal".to_owned(), |code| code.to_string());
    let mut body = format!("= exit {code}\n");
    let known = |text: &str| {
        before
            .values()
            .any(|bytes| String::from_utf8_lossy(bytes).contains(text))
    };
    let clean = |text: &str| timeless(&world.without_places(text), known);
    body.push_str(&stream('>', clean(&ran.stdout).as_bytes()));
    body.push_str(&stream('!', sorted(&clean(&ran.stderr)).as_bytes()));
    for event in events(before, after) {
        let event = clean(&event);
        body.push_str(&format!("+ {}\n", cut(&event)));
    }
    for (path, bytes) in after.iter().filter(|(path, _)| !path.starts_with(".agon/")) {
        if before.get(path) == Some(bytes) {
            continue;
        }
        let print = match std::str::from_utf8(bytes) {
            Ok(text) => fingerprint(clean(text).as_bytes()),
            Err(_) => fingerprint(bytes),
        };
        body.push_str(&format!("* {path} {print}\n"));
    }
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        body.push_str(&format!("- {path}\n"));
    }
    Block {
        head: args.join(" "),
        body,
    }
}

fn sorted(text: &str) -> String {
    let mut lines: Vec<_> = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    lines.sort_unstable();
    lines.into_iter().map(|line| format!("{line}\n")).collect()
}

/// The events that the journal gained, by their asks; those of no ask come first.
fn events(before: &Files, after: &Files) -> Vec<String> {
    let lines = |files: &Files| -> Vec<Value> {
        let journal = files.get(JOURNAL).map(Vec::as_slice).unwrap_or_default();
        let lines = journal.split(|byte| *byte == b'\n');
        // A line that was torn is none.
        lines
            .filter_map(|line| serde_json::from_slice(line).ok())
            .collect()
    };
    let (old, new) = (lines(before), lines(after));
    assert_eq!(
        new[..old.len()],
        old,
        "no line that was there is another now"
    );
    let opened = old.is_empty();
    let gained = new[old.len()..].iter();
    let gained = gained.flat_map(|line| line["events"].as_array().unwrap().clone());
    let mut by_ask: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for mut event in gained {
        for time in ["took_ms", "clock_ms", "at_ms"] {
            if let Some(value) = event.get_mut(time) {
                *value = 0.into();
            }
        }
        if opened {
            without_salt(&mut event);
        }
        let ask = event["key"].as_str().unwrap_or_default().to_owned();
        by_ask.entry(ask).or_default().push(event);
    }
    by_ask
        .into_values()
        .flatten()
        .map(|event| event.to_string())
        .collect()
}

/// Takes out the salt of a debate and the hashes that follow from it.
fn without_salt(event: &mut Value) {
    if let Some(salt) = event.get_mut("salt") {
        *salt = Value::Null;
    }
    let parts = event.get_mut("parts").and_then(Value::as_array_mut);
    for part in parts.into_iter().flatten() {
        part["hash"] = Value::Null;
    }
}

/// An event whole where it is short, else its kind, its ask, and its hash.
fn cut(event: &str) -> String {
    if event.len() <= MAX_EVENT {
        return event.to_owned();
    }
    let value: Value = serde_json::from_str(event).unwrap();
    let name = |key: &str| value[key].as_str().unwrap_or("-").to_owned();
    format!(
        "{} {} ({})",
        name("event"),
        name("key"),
        fingerprint(event.as_bytes())
    )
}

/// A text without times and names that are made by chance; `known` says which are not.
fn timeless(text: &str, known: impl Fn(&str) -> bool) -> String {
    static ULID: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b").unwrap());
    static TIMES: LazyLock<[(Regex, &str); 5]> = LazyLock::new(|| {
        [
            (r#""(wall_ms|took_ms|duration_ms)": ?\d+"#, "\"$1\":0"),
            (
                r"\b\d\d\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|\+00:00)?",
                "[AT]",
            ),
            (r" *\b\d+:\d\d(?::\d\d)?\b *", " [TIME] "),
            (r"\babout \d+ (?:s|min)\b", "about [TIME]"),
            (r"\[AT\]-[0-9a-f]{4}\b", "[AT]-[ID]"),
        ]
        .map(|(pattern, name)| (Regex::new(pattern).unwrap(), name))
    });
    let text = ULID.replace_all(text, |found: &regex::Captures<'_>| {
        let ulid = found[0].to_owned();
        if known(&ulid) {
            ulid
        } else {
            "[ULID]".to_owned()
        }
    });
    let clean = |text: String, (pattern, name): &(Regex, &str)| {
        pattern.replace_all(&text, *name).into_owned()
    };
    TIMES.iter().fold(text.into_owned(), clean)
}
