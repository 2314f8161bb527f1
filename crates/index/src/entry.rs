//! The data that the index stores about one debate.

use std::collections::BTreeSet;

use agon_record::authority::Authority;
use agon_record::decision::DecisionDoc;
use agon_record::event::Event;
use agon_record::evidence::{citation_fault, stamps_of_turn};
use agon_record::ground::Pinned;
use agon_record::id::{AskKey, NodeId};
use agon_record::spec::{FormatName, ToolName};
use agon_record::stamp::{SourceText, Stamp};
use agon_record::state::State;
use agon_record::text::sanitise_line;
use agon_rules::format::{self, Phase, debate_phase};
use agon_verdict::verdict::{Verdict, verdict_without_graph};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::ledger::{CallEnd, CallRecord};
use agon_folder::{ListedRecord, View};
use agon_store::time;

// More than twice the 88 kB of the `agon demo` journal. A search does not find text beyond this;
// `agon show` still prints it.
/// Maximum length, in characters, of the indexed text of one kind.
const MAX_TEXT: usize = 200_000;

/// A summary of a debate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The name of the debate's folder.
    pub slug: String,
    /// The debate's unique ID; `None` if another tool wrote the folder.
    pub ulid: Option<Ulid>,
    /// The format of the debate.
    pub format: FormatName,
    /// The topic of the debate.
    pub topic: String,
    /// The phase of the debate.
    pub phase: Phase,
    /// Whether the debate has stopped without an answer.
    pub halted: bool,
    /// The number of rounds in which both sides spoke.
    pub rounds_completed: u16,
    /// The number of planned rounds.
    pub rounds: u16,
    /// The answer, if there is one.
    pub answer: Option<String>,
    /// The reason for the answer.
    pub why: Option<String>,
    /// The recommended next step.
    pub do_next: Option<String>,
    /// The condition under which the answer would change.
    pub unless: Option<String>,
    /// The authority of the answer.
    pub authority: Option<Authority>,
    /// The points that the answer depends on, according to the judge.
    pub hangs_on: Vec<DecisivePoint>,
    /// The tools that took part, each once.
    pub tools: Vec<ToolName>,
    /// When the debate was opened, in milliseconds since 1970.
    pub at_first: u64,
    /// When the last line of the journal was written, in milliseconds since 1970.
    pub at_last: u64,
    /// When the verdict was recorded; without one, the same as `at_last`.
    pub at_answer: u64,
    /// Whether the answer was taken, and why, if that is recorded.
    pub decided: Option<DecisionDoc>,
    /// The source of its citations.
    pub source: Option<Pinned>,
    /// The files of that source that were cited.
    pub cited: Vec<String>,
}

/// A point that an answer depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "HungOn")]
pub struct DecisivePoint {
    /// The point.
    pub id: NodeId,
    /// Its title, or its text in short.
    pub title: String,
    /// The faults in its citations; left out if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// All indexed data of a debate.
pub(super) struct IndexEntry {
    pub(super) summary: Summary,
    pub(super) texts: Texts,
    pub(super) calls: Vec<CallRecord>,
    /// What a list says; `None` if the folder has problems, which a list checks each time.
    pub(super) listed: Option<ListedRecord>,
}

/// The searchable texts, in the order of the table's columns.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) topic: String,
    pub(super) answer: String,
    pub(super) points: String,
    pub(super) reasons: String,
    pub(super) about: String,
    pub(super) signs: String,
}

impl IndexEntry {
    pub(super) fn of(slug: String, view: &View) -> Self {
        let state = &view.state;
        let summary = summary(slug, view, verdict_without_graph(state));
        let mut texts = Texts {
            topic: sanitised_lines([summary.topic.as_str()]),
            answer: sanitised_lines(summary.answer.as_deref()),
            points: points_text(state),
            reasons: reasons_text(state, &summary),
            about: metadata_text(view, &summary),
            signs: String::new(),
        };
        texts.signs =
            unspaced_script_text(&[&texts.topic, &texts.answer, &texts.points, &texts.reasons]);
        let calls = call_records(view);
        Self {
            summary,
            texts,
            calls,
            listed: view.problems.is_empty().then(|| ListedRecord::of(view)),
        }
    }
}

fn summary(slug: String, view: &View, verdict: Option<Verdict>) -> Summary {
    let state = &view.state;
    let mut summary = Summary {
        slug,
        ulid: (!view.foreign).then_some(state.spec.ulid),
        format: state.spec.format(),
        topic: state.spec.topic.clone(),
        phase: debate_phase(state),
        halted: state.halted.is_some(),
        rounds_completed: state.rounds_completed(),
        rounds: state.planned_rounds(),
        answer: None,
        why: None,
        do_next: None,
        unless: None,
        authority: None,
        hangs_on: Vec::new(),
        tools: seated_tools(state),
        at_first: view.at_first,
        at_last: view.at_last,
        at_answer: view.answered_at(),
        decided: state.decision().map(DecisionDoc::from),
        source: state.spec.source.clone(),
        cited: files_with_citations(state),
    };
    if let Some(verdict) = verdict {
        summary.authority = Some(verdict.authority);
        let ids = verdict.hangs_on.into_iter();
        summary.hangs_on = ids.filter_map(|id| decisive_point(state, id)).collect();
        summary.answer = verdict.answer;
        summary.why = verdict.why;
        summary.do_next = verdict.do_next;
        summary.unless = verdict.unless;
    }
    summary
}

fn decisive_point(state: &State, id: NodeId) -> Option<DecisivePoint> {
    let point = state.node(id)?.point;
    let title = point.title().unwrap_or_else(|| point.main_text());
    let title = sanitise_line(title, 100);
    let fault = citation_fault(state, id).map(str::to_owned);
    Some(DecisivePoint { id, title, fault })
}

fn seated_tools(state: &State) -> Vec<ToolName> {
    let tools: BTreeSet<_> = state.seats.values().map(|seat| &seat.tool).collect();
    tools.into_iter().cloned().collect()
}

/// Returns the files that the debate cites.
fn files_with_citations(state: &State) -> Vec<String> {
    let stamps = state
        .turns
        .keys()
        .flat_map(|turn| stamps_of_turn(state, *turn));
    let files = stamps.filter_map(|stamp| match &stamp.stamped.stamp {
        Stamp::Found { there, .. } | Stamp::Moved { there, .. } => uncommitted_file(there),
        Stamp::Place { there } | Stamp::Wrong { there, .. } => uncommitted_file(there),
        Stamp::Missing { .. } | Stamp::Unreachable { .. } | Stamp::Unchecked { .. } => None,
    });
    let files: BTreeSet<_> = files.collect();
    files.into_iter().collect()
}

/// Returns the file of a citation; `None` if it cites a past commit, which cannot change.
fn uncommitted_file(shown: &SourceText) -> Option<String> {
    let place = &shown.place;
    place.commit.is_none().then(|| place.file.clone())
}

/// Returns the title and the claim of every point.
fn points_text(state: &State) -> String {
    let nodes = state.nodes();
    let said = nodes.iter().flat_map(|node| {
        let title = node.point.title();
        title.into_iter().chain([node.point.main_text()])
    });
    sanitised_lines(said)
}

/// Returns the searchable text other than topic, answer and points: the verdict's reasons, next
/// step and condition, definitions, scope, theses, the user's notes, earlier answers, and why an
/// answer was taken or not.
fn reasons_text(state: &State, summary: &Summary) -> String {
    let spec = &state.spec;
    let verdict = [&summary.why, &summary.do_next, &summary.unless];
    let verdict = verdict.into_iter().filter_map(|text| text.as_deref());
    let definitions = spec.definitions().iter();
    let definitions = definitions.flat_map(|known| [known.term.as_str(), known.meaning.as_str()]);
    let theses = state.theses();
    let sides = spec.format().sides();
    let theses = sides
        .into_iter()
        .filter_map(|seat| theses.and_then(|theses| theses.thesis(seat)));
    // Also index the user's notes, and the answers from before the debate was continued.
    let words = state.words.iter().map(|word| word.text());
    let former = state.former_rulings().iter();
    let former = former.map(|former| former.answer.as_str());
    let decisions = state.decisions.iter();
    let decisions = decisions.map(|decided| decided.decision.why.as_str());
    let said = verdict
        .chain(definitions)
        .chain(spec.scope())
        .chain(theses)
        .chain(words)
        .chain(former)
        .chain(decisions);
    sanitised_lines(said)
}

/// Returns the searchable metadata: folder name, ID, format, phase, authority, whether the debate
/// was halted, seats with tools and models, dates.
fn metadata_text(view: &View, summary: &Summary) -> String {
    let seats = view.state.seats.iter();
    let seats = seats.map(|(seat, who)| {
        let model = who.model.as_deref().unwrap_or_default();
        format!("{seat} {} {model}", who.tool)
    });
    let mut words: Vec<String> = seats.collect();
    words.push(summary.slug.clone());
    words.extend(summary.ulid.map(|ulid| ulid.to_string()));
    words.push(summary.format.to_string());
    words.push(summary.phase.to_string().replace('_', " "));
    words.extend(summary.authority.map(|it| it.name().to_owned()));
    words.extend(
        summary
            .decided
            .iter()
            .map(|decided| decided.taken.to_string()),
    );
    words.extend(summary.halted.then(|| "halted".to_owned()));
    let dates = [summary.at_first, summary.at_last];
    let dates = dates.into_iter().filter(|at| *at > 0);
    words.extend(dates.filter_map(|at| Some(time::to_text(at).get(..10)?.to_owned())));
    sanitised_lines(words.iter().map(String::as_str))
}

/// Returns the texts on one line each, safe to print.
fn sanitised_lines<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut out = String::new();
    let mut room = MAX_TEXT;
    for one in texts {
        let one = sanitise_line(one, room);
        room = room.saturating_sub(one.chars().count());
        if !out.is_empty() && !one.is_empty() {
            out.push('\n');
        }
        out.push_str(&one);
    }
    out
}

/// Separates the characters of scripts without spaces (CJK, Thai and others), so that full-text
/// search finds parts of a run.
fn unspaced_script_text(texts: &[&str]) -> String {
    let mut out = String::new();
    for text in texts {
        for run in text
            .split(|c| !is_unspaced_script(c))
            .filter(|run| !run.is_empty())
        {
            out.push_str(&space_out_chars(run));
            // Put a separator between runs of characters, so that a search phrase cannot match
            // across two runs.
            out.push_str(" | ");
        }
    }
    out
}

/// Returns whether `c` belongs to a script without spaces between words.
pub(super) fn is_unspaced_script(c: char) -> bool {
    matches!(u32::from(c), 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF)
}

/// Inserts a space after each character of `run`.
pub(super) fn space_out_chars(run: &str) -> String {
    run.chars().flat_map(|c| [c, ' ']).collect()
}

/// Returns every call of the debate, in order.
fn call_records(view: &View) -> Vec<CallRecord> {
    let format = format::format_of(&view.state);
    let mut calls: Vec<(AskKey, CallRecord)> = Vec::new();
    for recorded in &view.events {
        // Only calls have a cost, so skip all other events.
        if let Event::Asked(asked) = &recorded.event {
            let call = CallRecord {
                at_ms: recorded.at_ms,
                tool: asked.tool.clone(),
                model: asked.model.clone(),
                effort: asked.effort,
                kind: format.moves_kind(asked.key.turn),
                ended: CallEnd::Open,
                usage: None,
                took_ms: None,
                clock_ms: None,
            };
            calls.push((asked.key, call));
            continue;
        }
        let (key, ended, usage, took_ms, clock_ms) = if let Event::Given(it) = &recorded.event {
            (
                it.key,
                CallEnd::Given,
                Some(it.usage),
                it.took_ms,
                it.clock_ms,
            )
        } else if let Event::Lost(it) = &recorded.event {
            (it.key, CallEnd::Lost, it.usage, it.took_ms, it.clock_ms)
        } else {
            continue;
        };
        let open = |(known, call): &&mut (AskKey, CallRecord)| {
            *known == key && call.ended == CallEnd::Open
        };
        if let Some((_, call)) = calls.iter_mut().rev().find(open) {
            call.ended = ended;
            call.usage = usage;
            call.took_ms = Some(took_ms);
            call.clock_ms = Some(clock_ms);
        }
    }
    calls.into_iter().map(|(_, call)| call).collect()
}
