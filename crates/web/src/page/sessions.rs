//! The sessions of AI tools in the project, and whether their contexts are still good.

mod markdown;
mod picture;
mod session;

use std::sync::Arc;

use agon_caller::Code;
use agon_health::{ContextDoc, ContextState, SessionChoice, SessionHealthDoc, SessionRequest};
use agon_report::text::{abbreviate_count, count_with_noun, plain_line, truncate_to_width};
use axum::extract::{Path, Request, State};
use maud::{Markup, html};

use super::respond::{Rendered, respond_in_form};
use crate::fields::path_segment;
use crate::form::{Form, without_ending};
use crate::reply::Reply;
use crate::site::Site;
use crate::steering::to_json;

/// The address of the list.
const SESSIONS: &str = "/sessions";
/// Maximum width of a title in the list, in columns.
const MAX_COLUMNS: usize = 180;
/// The number of characters of an id that name a session without a title.
const SHORT_ID: usize = 8;

/// `GET /sessions`: the list.
pub(crate) async fn show(State(site): State<Arc<Site>>, request: Request) -> Reply {
    respond_in_form(&site, request, SESSIONS, async |caller, form| {
        let all = SessionRequest {
            choice: SessionChoice::All,
            host: None,
        };
        let document = match agon_health::inspect(caller, &all) {
            Err(failure) if failure.code == Code::NoSession && form == Form::Page => {
                return Ok(Rendered::Page("Sessions".to_owned(), no_sessions()));
            }
            document => document?,
        };
        Ok(match form {
            Form::Json => Rendered::Json(to_json(&document)?),
            Form::Markdown => Rendered::Markdown(markdown::list(&document)),
            Form::Page | Form::File => Rendered::Page("Sessions".to_owned(), list(&document)),
        })
    })
    .await
}

/// `GET /sessions/{host}/{id}`: a session with its findings.
pub(crate) async fn one(
    State(site): State<Arc<Site>>,
    Path((host, id)): Path<(String, String)>,
    request: Request,
) -> Reply {
    respond_in_form(&site, request, SESSIONS, async move |caller, form| {
        let id = without_ending(&id);
        let document = agon_health::inspect_listed(caller, &host, id)?;
        Ok(match form {
            Form::Json => Rendered::Json(to_json(&document)?),
            Form::Markdown => Rendered::Markdown(markdown::sessions(&document)),
            Form::Page | Form::File => {
                let sessions = &document.sessions;
                let title = sessions.first().map(title).unwrap_or_default();
                let body = html! { @for one in sessions { (session::page(one)) } };
                Rendered::Page(title, body)
            }
        })
    })
    .await
}

fn no_sessions() -> Markup {
    html! {
        h1 { "Sessions" }
        section.part.empty {
            h2 { "No sessions yet" }
            p { "Once an AI tool has worked in this project, this page says how full its context is and what went wrong in it." }
        }
    }
}

fn list(document: &ContextDoc) -> Markup {
    html! {
        h1 { "Sessions" }
        p.found.note { "How full the context of each session is, and whether its results are still reliable. The page of a session has the findings." }
        ol.debates { @for session in &document.sessions { (entry(session)) } }
        @if document.passed_over > 0 {
            p.note { (count_with_noun(document.passed_over as u64, "older session")) " not listed. In a terminal, " code { "agon context ID" } " shows one." }
        }
        p.note.twins { "The same as " a href="/sessions.md" { "Markdown" } " or " a href="/sessions.json" { "JSON" } "." }
    }
}

fn entry(session: &SessionHealthDoc) -> Markup {
    let unread = session.problems.iter().find(|it| it.kind == "unreadable");
    html! {
        li.entry data-state=(dot(session.state)) {
            p.state { span.dot aria-hidden="true" {} (state_name(session.state)) }
            div.what {
                h2 { a href=(address(session)) dir="auto" { (truncate_to_width(&title(session), MAX_COLUMNS)) } }
                @if let Some(problem) = unread { p.reply dir="auto" { (plain_line(problem.detail.as_deref().unwrap_or("cannot be read"))) } }
                @else { (picture::meter(session)) }
                p.meta {
                    span { (session.host) }
                    span { (plain_line(&session.id)) }
                    span { (fill(session)) }
                    @if session.turns > 0 { span { (count_with_noun(session.turns, "turn")) } }
                    @if let Some(last) = &session.last { span { (time(last)) } }
                }
            }
        }
    }
}

/// Returns the address of a session's page.
fn address(session: &SessionHealthDoc) -> String {
    format!("{SESSIONS}/{}/{}", session.host, path_segment(&session.id))
}

/// Returns the title of a session, or its tool and the beginning of its id.
fn title(session: &SessionHealthDoc) -> String {
    let title = session.title.as_deref().map(plain_line);
    let title = title.filter(|title| !title.is_empty());
    title.unwrap_or_else(|| {
        let id: String = plain_line(&session.id).chars().take(SHORT_ID).collect();
        format!("{} {id}", session.host)
    })
}

/// Returns the tokens in a context with the limit from which results get worse.
fn fill(session: &SessionHealthDoc) -> String {
    let onset = abbreviate_count(session.limits.onset);
    match session.fill {
        Some(fill) => format!("{} tokens, onset {onset}", abbreviate_count(fill)),
        None => "tokens unknown".to_owned(),
    }
}

/// Returns a time such as `2026-11-23 04:07` (UTC).
fn time(at: &str) -> String {
    plain_line(&at.get(..16).unwrap_or(at).replace('T', " "))
}

/// Returns the name of a state, for people.
fn state_name(state: ContextState) -> &'static str {
    match state {
        ContextState::Unknown => "unknown",
        ContextState::Green => "healthy",
        ContextState::Amber => "getting worse",
        ContextState::Red => "unreliable",
    }
}

/// Returns the state whose dot a context has.
fn dot(state: ContextState) -> &'static str {
    match state {
        ContextState::Unknown => "stopped",
        ContextState::Green => "done",
        ContextState::Amber => "waiting_for_person",
        ContextState::Red => "failed",
    }
}

fn pattern_name(pattern: &str) -> String {
    match pattern {
        "tokens" => "a full context".to_owned(),
        other => other.replace('_', " "),
    }
}
