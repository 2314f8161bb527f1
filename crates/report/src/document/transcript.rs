//! `transcript.md`: both sides as prose, rendered from the moves.

mod extended;

use agon_record::event::Halt;
use agon_record::evidence::stamps_of_turn;
use agon_record::finding::Finding;
use agon_record::format::Judging;
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::spec::{FormatName, Seating};
use agon_record::state::{State, Turn, TurnEnd};
use agon_record::user::UserInput;

use super::{Document, turn_md};
use crate::labels;
use crate::markdown::{escape_inline, link_points};
use crate::text::{count_with_noun, format_duration};

/// The heading of the last section.
const REMARKS: &str = "Remarks";

pub(super) const DOCUMENT: Document = Document {
    path: "transcript.md",
    about: "both sides in prose",
    render: |state, _| Some(link_points(state, &transcript_md(state)).into_bytes()),
    extend: Some(extended::extend),
};

/// Returns the transcript as Markdown: every turn with its seat, tool and model.
///
/// It is rendered from the moves, never from the replies. A lost turn has its cause, and every turn
/// its unresolved findings. Unfinished turns are left out. Text from tools is escaped.
pub fn transcript_md(state: &State) -> String {
    let mut out = head_md(state);
    push_turns(&mut out, state, &state.turns, None);
    push_remarks(&mut out, state);
    format!("{}\n", out.trim_end())
}

/// Returns everything before the turns.
fn head_md(state: &State) -> String {
    let mut out = format!("# Transcript: {}\n\n", escape_inline(&state.spec.topic));
    put!(out, "{}.\n\n", format_and_progress(state));
    for (&seat, seating) in &state.seats {
        let option = state.spec.options().and_then(|options| options.seat(seat));
        let option = option.map(|option| format!(", for {}", escape_inline(&option.name)));
        put!(
            out,
            "- {seat}: {}{}\n",
            seating_md(seating, state.model(seat)),
            option.unwrap_or_default()
        );
    }
    out.push_str(&user_input_md(state));
    out
}

/// Appends the finished turns among `turns`; `stage` already has its heading.
fn push_turns<'a>(
    out: &mut String,
    state: &State,
    turns: impl IntoIterator<Item = (&'a TurnId, &'a Turn)>,
    mut stage: Option<Stage>,
) {
    // As in `link_points`, mark faults only after the end, so that `check` and `replay` agree.
    let marks_faults = state.closed.is_some();
    for (&id, turn) in turns {
        let Some(end) = &turn.end else { continue };
        if stage != Some(id.stage) {
            push_heading(out, 2, &stage_name(state.spec.format(), id.stage));
            stage = Some(id.stage);
        }
        push_heading(out, 3, &turn_heading(state, id, turn));
        out.push_str(&turn_end_md(state, id, end, marks_faults));
    }
}

/// Appends what happened outside the turns.
fn push_remarks(out: &mut String, state: &State) {
    let remarks = closing_remarks(state);
    if !remarks.is_empty() {
        push_heading(out, 2, REMARKS);
        put!(out, "- {}\n", remarks.join("\n- "));
    }
}

/// Returns a turn as Markdown without a heading: its moves, its citation checks and its unresolved
/// findings, or why it was lost. Empty if the turn has not ended.
pub fn turn_markdown(state: &State, id: TurnId) -> String {
    let end = state.turns.get(&id).and_then(|turn| turn.end.as_ref());
    let text = end.map(|end| turn_end_md(state, id, end, true));
    text.unwrap_or_default().trim_end().to_owned()
}

fn turn_end_md(state: &State, id: TurnId, end: &TurnEnd, marks_faults: bool) -> String {
    let mut out = String::new();
    match end {
        TurnEnd::Admitted(admitted) => {
            let shown = labels::with_own_names(state, id, admitted);
            let stamps = stamps_of_turn(state, id);
            out.push_str(&turn_md(&shown, stamps, marks_faults));
            out.push_str(&sent_back_and_findings_md(state, id, &admitted.findings));
        }
        TurnEnd::Lost { cause, findings } => {
            let code = cause.code.name();
            match escape_inline(&cause.detail).as_str() {
                "" => put!(out, "**This turn was lost: {code}.**\n\n"),
                detail => put!(out, "**This turn was lost: {code}** ({detail}).\n\n"),
            }
            if is_defense_unanswered(state, id) {
                out.push_str("The defense in this round got no answer.\n\n");
            }
            out.push_str(&sent_back_and_findings_md(state, id, findings));
        }
    }
    out
}

/// Returns the user's notes and command runs, each with the first turn whose prompt contained it.
fn user_input_md(state: &State) -> String {
    let mut out = String::new();
    if state.words.is_empty() {
        return out;
    }
    push_heading(&mut out, 2, "From the user");
    for (place, word) in state.words.iter().enumerate() {
        let included_from = match labels::first_turn_with_user_input(state, place) {
            Some(turn) => format!("in prompts from {turn} on"),
            None => "not in any prompt yet".to_owned(),
        };
        match word {
            UserInput::Note(note) => put!(
                out,
                "- **{}**, {included_from}: {}\n",
                note.id,
                escape_inline(&note.text)
            ),
            UserInput::Ran(ran) => {
                let (id, run) = (ran.id, &ran.run);
                let (command, ending) = (escape_inline(&run.command), escape_inline(&run.ending()));
                put!(
                    out,
                    "- **{id}**, {included_from}: {command} ({ending}, {} bytes)\n",
                    run.bytes
                );
            }
        }
    }
    out
}

fn format_and_progress(state: &State) -> String {
    let rules = state.format_rules();
    let rounds = |count| count_with_noun(count, rules.rounds.one);
    match rules.judging {
        Judging::AtTheEnd => format!("{}, {} planned", rules.noun, rounds(state.planned_rounds())),
        Judging::EachRound => format!(
            "{}, {} judged",
            rules.noun,
            rounds(state.rounds_completed())
        ),
    }
}

/// Appends a heading between two empty lines.
fn push_heading(out: &mut String, level: usize, text: &str) {
    out.truncate(out.trim_end().len());
    put!(out, "\n\n{} {text}\n\n", "#".repeat(level));
}

/// Returns a tool with its model, as escaped Markdown.
pub(super) fn seating_md(seating: &Seating, model: Option<&str>) -> String {
    let mut out = escape_inline(seating.tool.as_str());
    if let Some(model) = model {
        put!(out, ", model {}", escape_inline(model));
    }
    if let Some(version) = &seating.version {
        put!(out, ", version {}", escape_inline(version));
    }
    if seating.unmeasured {
        put!(out, ", not measured");
    }
    put!(out, " ({})", escape_inline(&seating.transport));
    out
}

fn stage_name(format: FormatName, stage: Stage) -> String {
    match stage {
        Stage::Theses => "Theses".to_owned(),
        Stage::Round(round) => format.rules().round_heading(round),
        Stage::Verdict => "Verdict".to_owned(),
        Stage::Swap => "Verdict with the sides swapped and the names hidden".to_owned(),
    }
}

fn turn_heading(state: &State, id: TurnId, turn: &Turn) -> String {
    let seating = state.seats.get(&id.seat);
    let given = turn.asks.iter().rev().find_map(|ask| ask.given.as_ref());
    let tool = seating.map_or_else(String::new, |seating| {
        let answered = given.and_then(|given| given.model.as_deref());
        let model = answered.or_else(|| state.model(id.seat));
        let model = model.map(|model| format!(" {}", escape_inline(model)));
        format!(
            ": {}{}",
            escape_inline(seating.tool.as_str()),
            model.unwrap_or_default()
        )
    });
    let took = given.map(|given| format!(", {}", format_duration(given.took_ms)));
    format!(
        "{}{tool} ({id}{})",
        capitalize_seat_name(id.seat),
        took.unwrap_or_default()
    )
}

fn capitalize_seat_name(seat: Seat) -> String {
    let name = seat.to_string();
    let (first, rest) = name.split_at(1);
    format!("{}{rest}", first.to_uppercase())
}

/// Returns whether a lost turn leaves the other side's defense unanswered.
fn is_defense_unanswered(state: &State, lost: TurnId) -> bool {
    let Stage::Round(2..) = lost.stage else {
        return false;
    };
    let defense = TurnId {
        seat: Seat::Proposer,
        ..lost
    };
    lost.seat == Seat::Challenger && state.admitted(defense).is_some()
}

/// Returns how many replies were sent back first and for which rules, then the unresolved findings.
fn sent_back_and_findings_md(state: &State, id: TurnId, findings: &[Finding]) -> String {
    let mut out = String::new();
    if let Some(back) = labels::sent_back_replies(state, id) {
        let codes: Vec<_> = back.codes.iter().map(|code| escape_inline(code)).collect();
        let replies = match back.replies {
            1 => "1 reply".to_owned(),
            replies => format!("{replies} replies"),
        };
        put!(
            out,
            "*{replies} sent back before this one: {}.*\n\n",
            codes.join(", ")
        );
    }
    if !findings.is_empty() {
        put!(out, "Unresolved:\n\n");
        for finding in findings {
            let at = match escape_inline(&finding.at).as_str() {
                "" => String::new(),
                at => format!(" at {at}"),
            };
            let (code, message) = (
                escape_inline(&finding.code),
                escape_inline(&finding.message),
            );
            put!(out, "- {} {code}{at}: {message}\n", finding.severity);
        }
        out.push('\n');
    }
    out
}

/// Returns what happened outside the turns: earlier verdicts, lost judges, reached limits, halts.
fn closing_remarks(state: &State) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    for former in state.former_rulings() {
        said.push(format!(
            "The verdict after round {}, before rounds were added, was for the {}: {}",
            former.rounds,
            former.winner,
            escape_inline(&former.answer)
        ));
    }
    if state.is_judge_order_in_effect() {
        said.push("The user sent the debate to the judge before the last round ended.".to_owned());
    }
    for replaced in &state.replaced {
        said.push(format!("{}.", escape_inline(&replaced.describe())));
    }
    for (judge, cause) in state.lost_judges() {
        let why = cause.as_ref().map_or("lost", |cause| cause.code.name());
        said.push(format!(
            "{} was the planned judge but did not rule: {why}.",
            escape_inline(judge.tool.as_str())
        ));
    }
    if let Some(cap) = state.capped {
        said.push(format!(
            "The limit on {} was reached, so the remaining turns were skipped.",
            cap.name()
        ));
    }
    match state.stop_on_agreement() {
        Some(true) => {
            said.push("The first answers agree, and the debate stopped there.".to_owned())
        }
        Some(false) => said
            .push("The first answers agree; the challenger argued as devil's advocate.".to_owned()),
        None => {}
    }
    let ends = state.format_rules().judging == Judging::AtTheEnd;
    if state.closed.is_none() && (ends || state.halted.is_some()) {
        said.push(match &state.halted {
            None => "The debate has not ended.".to_owned(),
            Some(halt) => format!("The debate is halted: {}.", describe_halt_by_codes(halt)),
        });
    }
    said
}

// Uses the record's codes instead of words, so that `check` and `replay` render the same text.
/// Returns why a debate is halted, as the end of a sentence.
fn describe_halt_by_codes(halt: &Halt) -> String {
    match halt {
        Halt::User { turn, cause } => format!("{turn} needs the user ({})", cause.code.name()),
        Halt::ProposerLost { cause } => {
            format!("the proposer's first turn was lost ({})", cause.code.name())
        }
        Halt::TurnLost { turn, cause } => format!("{turn} was lost ({})", cause.code.name()),
        Halt::JudgeLost { cause } => format!("no judge ruled ({})", cause.code.name()),
        Halt::AllTimedOut | Halt::NoTurns | Halt::Capped { .. } => labels::describe_halt(halt),
    }
}
