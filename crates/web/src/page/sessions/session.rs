//! A session's page: the state with its reasons first, then the figures and the findings.

use agon_health::{
    NextStepDoc, QuotedLineDoc, SessionFindingDoc, SessionFindingsDoc, SessionHealthDoc,
    SessionPlaceDoc,
};
use agon_report::text::{abbreviate_count, count_with_noun, plain_line};
use maud::{Markup, html};

use super::{address, dot, fill, pattern_name, picture, state_name, time, title};

/// Returns the page of a session.
pub(super) fn page(session: &SessionHealthDoc) -> Markup {
    let plan = session.plan.iter().filter(|item| item.state != "done");
    let plan: Vec<_> = plan.collect();
    html! {
        p.kicker.back { a href="/sessions" { "Sessions" } }
        h1 dir="auto" { (title(session)) }
        p.found.task-state data-state=(dot(session.state)) {
            span.dot aria-hidden="true" {}
            strong { (state_name(session.state)) } " · " (fill(session))
        }
        @if !session.reasons.is_empty() {
            ul.reasons {
                @for reason in &session.reasons {
                    li { span dir="auto" { (plain_line(&reason.words)) } @if let Some(place) = &reason.place { " " span.note { (plain_line(place)) } } }
                }
            }
        }
        (picture::curve(session))
        @if let Some(step) = &session.next_step { (next_step(session, step)) }
        @if let Some(found) = &session.findings { (findings(found)) }
        @if !plan.is_empty() {
            section.part {
                h2 { "To do" }
                ul.lines { @for item in plan { li { span dir="auto" { (plain_line(&item.text)) } " " span.faint { (item.state.replace('_', " ")) } } } }
            }
        }
        (figures(session))
        p.note.twins { "The same as " a href={ (address(session)) ".md" } { "Markdown" } " or " a href={ (address(session)) ".json" } { "JSON" } "." }
    }
}

fn findings(found: &SessionFindingsDoc) -> Markup {
    html! {
        section.part {
            h2 { "Findings" }
            @if found.count == 0 { p { "None." } }
            ol.lines { @for finding in &found.shown { (entry(finding)) } }
            @let more = found.count.saturating_sub(found.shown.len());
            @if more > 0 { p.note { "and " (more) " more, which are less severe" } }
            @if found.dropped > 0 { p.note { (count_with_noun(found.dropped, "entry")) " before the last 50 MB were not checked." } }
        }
    }
}

fn entry(finding: &SessionFindingDoc) -> Markup {
    html! {
        li {
            p {
                strong { (pattern_name(finding.pattern)) } " "
                @match finding.severity.as_str() { "red" => span.warn { "severe" }, _ => span.caution { "likely" } }
                " " span.note {
                    @if let Some(turn) = finding.turn { "turn " (turn) " · " }
                    @if let Some(place) = &finding.place { (plain_line(place)) " · " }
                    (format!("{:.0} % sure", finding.confidence * 100.0))
                    @if !finding.is_current { " · no longer in the context" }
                }
            }
            p dir="auto" { (plain_line(&finding.reason)) }
            @if let Some(cause) = &finding.cause { p.note { "Turn " (cause.turn) ": " q dir="auto" { (plain_line(&cause.words)) } } }
            p.note { q dir="auto" { (plain_line(&finding.words)) } }
        }
    }
}

fn next_step(session: &SessionHealthDoc, step: &NextStepDoc) -> Markup {
    let patterns: Vec<String> = step.patterns.iter().map(|it| pattern_name(it)).collect();
    let what = match step.step {
        "write" => "Write these lines into a file that your tool reads at the start.",
        "select" => "Start a new session or compact this one, and load only these files.",
        "compress" if step.lines.is_empty() => "Compact the session.",
        "compress" => "Compact the session, and keep these lines word for word.",
        _ => "Continue in a new session, and give it the hand-over.",
    };
    html! {
        section.part {
            h2 { "What to do" }
            p { (what) " This helps against " (patterns.join(", ")) "." }
            @if step.step == "isolate" { p { "In a terminal: " code { "agon context --handover " (plain_line(&session.id)) } } }
            ul.lines {
                @for line in &step.lines { li { (quoted(line)) } }
                @for place in &step.load { li { code { (file(place)) } } }
                @for task in &step.tasks { li { "open: " span dir="auto" { (plain_line(task)) } } }
                @for span in &step.spans { li { "A summary can replace turns " (span.first) " to " (span.last) " (" (abbreviate_count(span.bytes)) " bytes)." } }
                @for unused in &step.leave { li { "Not needed again: " code { (plain_line(unused)) } } }
            }
            @if step.more > 0 { p.note { "and " (step.more) " more" } }
        }
    }
}

fn quoted(line: &QuotedLineDoc) -> Markup {
    html! { q dir="auto" { (plain_line(&line.words)) } " " span.faint { "turn " (line.turn) } }
}

fn file(place: &SessionPlaceDoc) -> String {
    let lines: Vec<String> = place.lines.iter().map(u64::to_string).collect();
    match lines.is_empty() {
        true => plain_line(&place.path),
        false => format!("{}:{}", plain_line(&place.path), lines.join(",")),
    }
}

fn figures(session: &SessionHealthDoc) -> Markup {
    let limits = &session.limits;
    let window = if limits.is_window_known {
        ""
    } else {
        " (assumed)"
    };
    let source = match limits.as_of.is_empty() {
        true => plain_line(&limits.source),
        false => format!(
            "{}, {}",
            plain_line(&limits.source),
            plain_line(&limits.as_of)
        ),
    };
    let used = format!(
        "{} in {}; {} input and {} output tokens",
        count_with_noun(u64::from(session.calls), "model call"),
        count_with_noun(u64::from(session.turns), "turn"),
        abbreviate_count(session.tokens.input),
        abbreviate_count(session.tokens.output)
    );
    let tools = match session.host {
        "agon" => format!(
            "{} citations looked up, {} wrong or missing",
            session.tool_calls, session.failures
        ),
        _ => format!(
            "{}, {} failed",
            count_with_noun(session.tool_calls, "call"),
            session.failures
        ),
    };
    let rows = [
        (
            "Session",
            format!("{} {}", session.host, plain_line(&session.id)),
        ),
        ("Models", plain_line(&session.models.join(", "))),
        (
            "Limits",
            format!(
                "onset {}, severe {}, window {}{window}",
                abbreviate_count(limits.onset),
                abbreviate_count(limits.severe),
                abbreviate_count(limits.window)
            ),
        ),
        ("Source", source),
        ("Usage", used),
        ("Tools", tools),
        ("Compacted", session.compactions.len().to_string()),
        (
            "Last entry",
            session.last.as_deref().map(time).unwrap_or_default(),
        ),
        ("Record", plain_line(&session.file)),
    ];
    html! {
        section.part {
            h2 { "Figures" }
            dl.facts {
                @for (name, value) in rows { @if !value.is_empty() { div { dt { (name) } dd { (value) } } } }
                @for problem in &session.problems {
                    div { dt { "Not read" } dd { (problem.kind.replace('_', " ")) " " (plain_line(problem.detail.as_deref().unwrap_or_default())) " (" (problem.count) "×)" } }
                }
            }
        }
    }
}
