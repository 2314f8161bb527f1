//! `agon replay`: a debate again from its record, and what differs.

use std::path::Path;

use agon_engine::host::files;
use agon_engine::replay::Replay;
use agon_prompt::PROMPT_VERSION;
use agon_record::state::State;
use agon_report::text::counted;
use agon_store::Recorded;
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::{Global, ReplayArgs};
use crate::command::which;
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::replaying::{self, Record};
use crate::{running, screen};

/// The name and version of the document.
pub(crate) const REPLAY_SCHEMA: &str = "agon.replay/1";

/// What came of playing a debate again.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReplayDoc {
    /// `agon.replay/1`.
    schema: &'static str,
    /// The debate.
    debate: String,
    /// Prompts that were made again.
    prompts: u64,
    /// Decisions that were made again.
    decisions: u64,
    /// What came from outside, taken from the record: replies, stamps, wishes.
    outcomes: u64,
    /// Documents that were made again.
    files: u64,
    /// The versions of the prompts in the record.
    prompt_versions: Vec<u32>,
    /// Whether all of it that can be compared is as it was.
    same: bool,
    /// What cannot be compared, since it was made in another version.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_compared: Vec<String>,
    /// What is not.
    differences: Vec<String>,
}

/// Plays a debate again; exit 8 when something differs.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &ReplayArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let path = which::find(edge, global, args.debate.as_deref())?;
    let view = which::read(&path)?;
    which::note_problems(&view, &view.state.spec.slug, out);
    let record = lines(view.events);
    let folder = running::shown(edge, &path);
    let mut screen = screen::replaying(edge, global.json);
    let replay = replaying::play(edge, (&record, &folder), args.pace, &mut screen).await?;
    let document = document(&replay, documents(&path, replay.state()));
    if global.json {
        out.json(&document)?;
    } else {
        running::print(edge, global, replay.state(), &folder, out)?;
        out.line("")?;
        told(&document, out)?;
    }
    Ok(match document.same {
        true => Exit::Done,
        false => Exit::Findings,
    })
}

/// The events of each line of a journal.
fn lines(events: Vec<Recorded>) -> Record {
    let mut record = Record::new();
    let mut last = None;
    for recorded in events {
        match record.last_mut() {
            Some(line) if last == Some(recorded.seq) => line.push(recorded.event),
            Some(_) | None => record.push(vec![recorded.event]),
        }
        last = Some(recorded.seq);
    }
    record
}

/// A verdict for programs.
const VERDICT: &str = "verdict.json";
/// The same for people.
const VERDICT_TEXT: &str = "verdict.md";

/// The documents of a debate, made again.
#[derive(Default)]
struct Documents {
    count: u64,
    /// Those that are not as they would be made now.
    changed: Vec<String>,
    /// Those that have another version.
    older: Vec<String>,
}

fn documents(path: &Path, state: &State) -> Documents {
    let mut documents = Documents::default();
    let files = files(state);
    let verdict = files.iter().find(|(name, _)| name.as_str() == VERDICT);
    // What people read of a verdict has no version of its own.
    let verdict = verdict.and_then(|(_, now)| older(&stored(path, VERDICT), now));
    for (name, now) in files {
        let name = name.as_str();
        documents.count += 1;
        let then = stored(path, name);
        if then == now {
            continue;
        }
        let of_verdict = verdict.clone().filter(|_| name == VERDICT_TEXT);
        match of_verdict.or_else(|| older(&then, &now)) {
            Some((old, new)) => {
                let entry = format!("{name} is {old}, and would be {new} now");
                documents.older.push(entry);
            }
            None => documents
                .changed
                .push(format!("{name}: another text would stand there")),
        }
    }
    documents
}

/// What stands in the folder under `name`; nothing where that cannot be read.
fn stored(path: &Path, name: &str) -> Vec<u8> {
    std::fs::read(path.join(name)).unwrap_or_default()
}

/// The names and versions of both documents where `then` is an older version of `now`.
fn older(then: &[u8], now: &[u8]) -> Option<(String, String)> {
    let (old, new) = (schema(then)?, schema(now)?);
    let (old_name, old_version) = versioned(&old)?;
    let (new_name, new_version) = versioned(&new)?;
    (old_name == new_name && old_version < new_version).then_some((old, new))
}

/// The two parts of a name such as `agon.verdict/2`.
fn versioned(schema: &str) -> Option<(&str, u32)> {
    let (name, version) = schema.split_once('/')?;
    Some((name, version.parse().ok()?))
}

/// The name and version that a document begins with.
fn schema(document: &[u8]) -> Option<String> {
    let document: serde_json::Value = serde_json::from_slice(document).ok()?;
    Some(document.get("schema")?.as_str()?.to_owned())
}

fn document(replay: &Replay, documents: Documents) -> ReplayDoc {
    let differences = replay.differences().iter().map(ToString::to_string);
    let differences: Vec<_> = differences.chain(documents.changed).collect();
    let played = replay.played();
    let versions = replay.prompt_versions();
    let others = versions
        .iter()
        .filter(|(version, _)| **version != PROMPT_VERSION);
    let texts = others.map(|(version, count)| {
        let count = counted(*count, "prompt");
        format!(
            "the text of {count} of version {version}, and what was set aside for them; prompts are \
             version {PROMPT_VERSION} now"
        )
    });
    let older = replay.not_compared().iter();
    let decided = older.map(|decision| format!("{decision} (by the bounds of an older version)"));
    ReplayDoc {
        schema: REPLAY_SCHEMA,
        debate: replay.state().spec.slug.clone(),
        prompts: played.prompts,
        decisions: played.decisions,
        outcomes: played.outcomes,
        files: documents.count,
        prompt_versions: versions.keys().copied().collect(),
        same: differences.is_empty(),
        not_compared: texts.chain(decided).chain(documents.older).collect(),
        differences,
    }
}

fn told(document: &ReplayDoc, out: &mut Out) -> Result<(), Failure> {
    let made = format!(
        "{}, {} and {} made again",
        counted(document.prompts, "prompt"),
        counted(document.decisions, "decision"),
        counted(document.files, "document"),
    );
    match (document.same, document.not_compared.is_empty()) {
        (true, true) => out.line(&format!("{made}: byte for byte as they were"))?,
        (true, false) => out.line(&format!("{made}: what can be compared is as it was"))?,
        (false, _) => out.line(&format!(
            "{made}; {}:",
            counted(document.differences.len() as u64, "difference")
        ))?,
    }
    let mut each = document.differences.iter();
    each.try_for_each(|difference| out.line(&format!("  {difference}")))?;
    let mut each = document.not_compared.iter();
    each.try_for_each(|what| out.line(&format!("not compared: {what}")))
}
