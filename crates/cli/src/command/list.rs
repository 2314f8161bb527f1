//! `agon list`: the debates here.

use agon_record::authority::Authority;
use agon_record::text::sanitise;
use agon_rules::format::Phase;
use agon_store::{Listed, RealDisk, View};
use agon_verdict::status::Standing;
use agon_verdict::verdict::unread;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::{Global, ListArgs};
use crate::command::{search, which};
use crate::edge::Edge;
use crate::error::{Exit, Failure, chain};
use crate::output::{ODD, Out, columns};
use crate::standing;

/// The name and version of the list.
pub(crate) const SCHEMA: &str = "agon.list/1";

/// A debate of the list.
#[derive(Serialize, JsonSchema)]
struct Entry {
    debate: String,
    id: String,
    topic: String,
    state: Standing,
    #[schemars(with = "String")]
    phase: Phase,
    halted: bool,
    answer: Option<String>,
    authority: Option<Authority>,
    rounds_completed: u16,
    rounds: u16,
    opened_at: String,
    last_at: String,
    folder: String,
}

/// A folder that holds a debate which cannot be read.
#[derive(Serialize, JsonSchema)]
struct Unreadable {
    folder: String,
    error: String,
}

/// The debates here, the last one first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct List {
    schema: &'static str,
    debates: Vec<Entry>,
    unreadable: Vec<Unreadable>,
}

/// Lists the debates, the last one first, or those that a search finds.
pub(crate) fn run(
    edge: &Edge,
    global: &Global,
    args: &ListArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    if let Some(words) = &args.search {
        return search::run(edge, global, (words, args.limit), out);
    }
    let dir = which::debates_dir(edge, global)?;
    let mut listing = which::listing(&dir)?;
    listing
        .debates
        .sort_by(|a, b| (b.at_last, &b.slug).cmp(&(a.at_last, &a.slug)));
    let debates: Vec<_> = listing
        .debates
        .into_iter()
        .map(|found| entry(edge, found))
        .collect();
    let unreadable = listing.unreadable.into_iter().map(|bad| Unreadable {
        folder: which::shown(edge, &bad.path),
        error: sanitise(&chain(&bad.error), 300),
    });
    let unreadable: Vec<_> = unreadable.collect();
    if global.json {
        out.json(&List {
            schema: SCHEMA,
            debates,
            unreadable,
        })?;
        return Ok(Exit::Done);
    }
    for bad in &unreadable {
        out.note(&format!(
            "{ODD}warning{ODD:#}: {}: {}",
            bad.folder, bad.error
        ));
    }
    if debates.is_empty() {
        out.note(&format!("there is no debate in {}", dir.display()));
        return Ok(Exit::Done);
    }
    out.data(&columns(&rows(edge.width, &debates)))?;
    Ok(Exit::Done)
}

fn rows(width: usize, debates: &[Entry]) -> Vec<[String; 4]> {
    let slug = debates
        .iter()
        .map(|debate| debate.debate.len())
        .max()
        .unwrap_or(0);
    let room = width.saturating_sub(slug + STATE + WHEN + 6).max(24);
    let row = |debate: &Entry| {
        let text = debate.answer.as_ref().unwrap_or(&debate.topic);
        let text = agon_report::text::cut(&agon_report::text::plain(text), room);
        let when = debate
            .last_at
            .get(..WHEN)
            .unwrap_or(&debate.last_at)
            .replace('T', " ");
        [debate.debate.clone(), stands(debate), when, text]
    };
    debates.iter().map(row).collect()
}

/// Columns of the state, and of a time to the minute.
const STATE: usize = 20;
const WHEN: usize = 16;

fn stands(debate: &Entry) -> String {
    let phase = match debate.phase {
        Phase::Closed => match debate.authority {
            Some(Authority::Full) | None => "closed",
            Some(Authority::Unstable) => "closed, unstable",
            Some(Authority::Partial) => "closed, partial",
            Some(Authority::Uncontested) => "closed, uncontested",
        },
        Phase::AwaitingBlind
        | Phase::AwaitingProposer
        | Phase::AwaitingChallenger
        | Phase::AwaitingVerdict
        | Phase::AwaitingArguments
        | Phase::AwaitingJudgment => {
            let phase = debate.phase.to_string();
            let phase = phase.trim_start_matches("awaiting_");
            return match debate.state {
                Standing::WaitingForPerson => "waits for a person".to_owned(),
                Standing::Done => format!("at rest, {phase}"),
                Standing::Running | Standing::Stopped | Standing::Failed => {
                    format!("{}, {phase}", debate.state)
                }
            };
        }
    };
    phase.to_owned()
}

fn entry(edge: &Edge, found: Listed) -> Entry {
    // Only a closed debate has an answer, and only its whole record tells it.
    let verdict = (found.phase == Phase::Closed)
        .then(|| View::read(&RealDisk, &found.path).ok())
        .flatten()
        .and_then(|view| unread(&view.state));
    Entry {
        state: standing::of_listed(&found),
        folder: which::shown(edge, &found.path),
        debate: found.slug,
        id: found.ulid.to_string(),
        topic: found.topic,
        phase: found.phase,
        halted: found.halted,
        authority: verdict.as_ref().map(|verdict| verdict.authority),
        answer: verdict.and_then(|verdict| verdict.answer),
        rounds_completed: found.rounds_completed,
        rounds: found.rounds,
        opened_at: time(found.at_first),
        last_at: time(found.at_last),
    }
}

/// RFC 3339 in UTC, to the second.
pub(crate) fn time(at_ms: u64) -> String {
    let at = i64::try_from(at_ms)
        .ok()
        .and_then(|ms| Timestamp::from_millisecond(ms).ok());
    at.map(|at| format!("{at:.0}")).unwrap_or_default()
}
