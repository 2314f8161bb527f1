//! `agon list --search`: past debates by their words.

use agon_index::{Hit, Summary, Upto};
use agon_record::authority::Authority;
use agon_record::spec::FormatName;
use agon_report::text::{cut, plain};
use agon_rules::format::Phase;
use serde::Serialize;

use crate::args::Global;
use crate::command::list::time;
use crate::command::which;
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::{DIM, Out, STRONG, styled};
use crate::past;

/// The most debates that are listed where nobody says how many.
const MOST: usize = 20;

#[derive(Serialize)]
struct Found {
    debate: String,
    id: Option<String>,
    topic: String,
    format: FormatName,
    phase: Phase,
    halted: bool,
    answer: Option<String>,
    authority: Option<Authority>,
    opened_at: String,
    last_at: String,
    folder: String,
    snippet: String,
    matched: Vec<String>,
    score: f64,
}

#[derive(Serialize)]
struct Search<'a> {
    schema: &'static str,
    search: &'a str,
    debates: Vec<Found>,
}

/// Lists the debates in which all the words stand, the best first.
pub(crate) fn run(
    edge: &Edge,
    global: &Global,
    (words, limit): (&str, Option<usize>),
    out: &mut Out,
) -> Result<Exit, Failure> {
    let dir = which::debates_dir(edge, global)?;
    let (mut index, refreshed) = past::index(&dir, Upto::All, out)?;
    past::note_unreadable(&refreshed, out);
    let hits = index
        .search(words, limit.unwrap_or(MOST))
        .map_err(|error| past::failure(&error))?;
    for note in index.notes() {
        out.note(&format!("note: {note}"));
    }
    if global.json {
        out.json(&Search {
            schema: "agon.search/1",
            search: words,
            debates: hits.into_iter().map(|hit| found(edge, hit)).collect(),
        })?;
        return Ok(Exit::Done);
    }
    if hits.is_empty() {
        out.note(&format!(
            "nothing in {} has all of that; {} searched",
            dir.display(),
            agon_report::text::counted(refreshed.debates as u64, "debate")
        ));
        return Ok(Exit::Done);
    }
    for hit in &hits {
        print(edge, hit, out)?;
    }
    Ok(Exit::Done)
}

fn found(edge: &Edge, hit: Hit) -> Found {
    let matched = hit.snippet.iter().filter(|piece| piece.found);
    let summary = hit.summary;
    Found {
        folder: which::shown(edge, &hit.path),
        debate: summary.slug,
        id: summary.ulid.map(|ulid| ulid.to_string()),
        topic: summary.topic,
        format: summary.format,
        phase: summary.phase,
        halted: summary.halted,
        answer: summary.answer,
        authority: summary.authority,
        opened_at: time(summary.at_first),
        last_at: time(summary.at_last),
        matched: matched.map(|piece| piece.text.clone()).collect(),
        snippet: hit
            .snippet
            .iter()
            .map(|piece| piece.text.as_str())
            .collect(),
        score: (hit.score * 1e3).round() / 1e3,
    }
}

/// Two or three lines: what it is called and where it stands, its answer, what was found.
fn print(edge: &Edge, hit: &Hit, out: &mut Out) -> Result<(), Failure> {
    let summary = &hit.summary;
    let name = plain(&summary.slug);
    let day = time(summary.at_last);
    let day = day.get(..10).unwrap_or_default();
    out.line(&format!(
        "{}  {}",
        styled(STRONG, &cut(&name, edge.width)),
        styled(DIM, &format!("{} · {day}", stands(summary)))
    ))?;
    let room = edge.width.saturating_sub(2);
    let said = match &summary.answer {
        Some(answer) => format!("{} → {}", plain(&summary.topic), plain(answer)),
        None => plain(&summary.topic),
    };
    out.line(&format!("  {}", cut(&said, room)))?;
    let mut left = room.saturating_sub(2);
    let mut line = String::from("    ");
    for piece in &hit.snippet {
        let text = cut(&plain_within(&piece.text), left);
        left = left.saturating_sub(agon_report::text::columns(&text));
        match piece.found {
            true => line.push_str(&styled(STRONG, &text)),
            false => line.push_str(&styled(DIM, &text)),
        }
    }
    out.line(&line)
}

/// `text` fit to be shown, with the space at its ends, which stands beside a match.
fn plain_within(text: &str) -> String {
    let space = |is: bool| if is { " " } else { "" };
    let (before, after) = (text.starts_with(' '), text.ends_with(' '));
    match plain(text) {
        nothing if nothing.is_empty() => space(before || after).to_owned(),
        said => format!("{}{said}{}", space(before), space(after)),
    }
}

/// Where a debate stands, in a few words.
pub(crate) fn stands(summary: &Summary) -> String {
    let lesser = match summary.authority {
        Some(Authority::Full) | None => String::new(),
        Some(lesser @ (Authority::Unstable | Authority::Partial | Authority::Uncontested)) => {
            format!(", {}", lesser.name())
        }
    };
    if summary.phase == Phase::Closed {
        return format!("closed{lesser}");
    }
    let halted = if summary.halted { "halted, " } else { "" };
    format!("{halted}{}", summary.phase)
}
