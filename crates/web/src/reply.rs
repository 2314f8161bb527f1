//! The responses of the server, each with the same headers of protection.

use std::sync::{Arc, LazyLock};

use agon_caller::hint::CommandLine;
use agon_caller::{Code, Failure, FailureKind};
use agon_report::csp_hash;
use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY, SET_COOKIE,
};
use axum::http::{HeaderValue, Response, StatusCode};
use maud::{Markup, html};
use serde_json::Value;

use crate::frame::{self, SCRIPTS, STYLE};
use crate::gate::Refusal;
use crate::private;
use crate::site::Site;

pub(crate) type Reply = Response<Body>;

const HTML: &str = "text/html; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";
const MARKDOWN: &str = "text/markdown; charset=utf-8";
const JSON: &str = "application/json";

/// The policy of every response. Only the embedded style sheet and scripts are used, nothing is
/// loaded from elsewhere, and no other page can contain this one.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let scripts = SCRIPTS
        .map(|script| format!("'{}'", csp_hash(script)))
        .join(" ");
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src {scripts}; connect-src 'self'; \
         img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        csp_hash(&STYLE)
    );
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});

// With `no-referrer`, browsers send `Origin: null` with a form of our own page, and `gate` refuses it.
/// Headers of every response besides the policy, unless it sets another cache or referrer policy.
const PROTECTION: [(&str, &str); 6] = [
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-store"),
];

/// Adds the headers of protection to a response.
pub(crate) fn protect(mut reply: Reply) -> Reply {
    let headers = reply.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, POLICY.clone());
    for (name, value) in PROTECTION {
        let may_differ = name == CACHE_CONTROL.as_str() || name == REFERRER_POLICY.as_str();
        if !(may_differ && headers.contains_key(name)) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    reply
}

fn with_type(status: StatusCode, kind: &'static str, body: impl Into<Body>) -> Reply {
    let mut reply = Response::new(body.into());
    *reply.status_mut() = status;
    let kind = HeaderValue::from_static(kind);
    reply.headers_mut().insert(CONTENT_TYPE, kind);
    reply
}

/// Returns a page.
pub(crate) fn page(markup: Markup) -> Reply {
    with_type(StatusCode::OK, HTML, markup.into_string())
}

/// Returns a document for programs.
pub(crate) fn json(document: &Value) -> Reply {
    with_type(StatusCode::OK, JSON, format!("{document:#}\n"))
}

/// As [`json`], without what people do not see who may only watch.
pub(crate) fn json_for(site: &Site, mut document: Value) -> Reply {
    if site.is_watching() {
        private::reduce(&mut document);
    }
    json(&document)
}

/// Returns a document in Markdown.
pub(crate) fn markdown(text: String) -> Reply {
    with_type(StatusCode::OK, MARKDOWN, text)
}

/// Sends the browser to `location`, an address of this server.
pub(crate) fn see_other(location: &str) -> Reply {
    let mut reply = with_type(StatusCode::SEE_OTHER, TEXT, "");
    let location = HeaderValue::from_str(location).unwrap_or(HeaderValue::from_static("/"));
    reply.headers_mut().insert(LOCATION, location);
    reply
}

/// Returns the page that sends the browser to `location` with its new cookie.
///
/// A redirect would not do: if a page of another site or a file opened the address, the browser
/// does not send a strict cookie to where that leads, but it does if this page leads there.
pub(crate) fn arrival(location: &str, cookie: &str) -> Reply {
    let markup = html! {
        (maud::DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="refresh" content={ "0; url=" (location) };
                title { "Agon" }
            }
            body { a href=(location) { "Open Agon" } }
        }
    };
    let mut reply = page(markup);
    // The address of this page contains the key, which no later request may name.
    let referrer = HeaderValue::from_static("no-referrer");
    reply.headers_mut().insert(REFERRER_POLICY, referrer);
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        reply.headers_mut().insert(SET_COOKIE, cookie);
    }
    reply
}

/// Returns the response to a request that is not answered: short and without any data.
pub(crate) fn refusal(refusal: Refusal) -> Reply {
    let (status, text) = refusal.status_and_text();
    with_type(status, TEXT, format!("{text}\n"))
}

/// Returns the failure of a request for an address that the server does not have.
pub(crate) fn unknown_page() -> Failure {
    Failure::new(Code::UnknownPage, "there is no such page")
        .hint("`/` lists the debates, and /api/openapi.json the addresses for programs")
}

/// The form in which a client wants an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorForm {
    Page,
    Document,
}

/// Returns the failure as the client may see it: a message may name folders of the user.
pub(crate) fn visible_failure(site: &Site, failure: &Failure) -> Failure {
    let is_harmless = matches!(failure.code, Code::UnknownDebate | Code::UnknownPage);
    match site.is_watching() && !is_harmless {
        true => Failure::new(failure.code, "this cannot be shown")
            .hint("the user who shares this address can see why"),
        false => failure.clone(),
    }
}

/// Returns the response for a failed request.
pub(crate) fn failure(site: &Arc<Site>, failure: &Failure, form: ErrorForm) -> Reply {
    let status = status_of(failure);
    let failure = &visible_failure(site, failure);
    let document = failure.document(&CommandLine);
    if form == ErrorForm::Document {
        return match serde_json::to_value(&document) {
            Ok(document) => with_type(status, JSON, format!("{document:#}\n")),
            Err(error) => with_type(
                StatusCode::INTERNAL_SERVER_ERROR,
                TEXT,
                format!("{error}\n"),
            ),
        };
    }
    let title = match status {
        StatusCode::NOT_FOUND => "Not found",
        _ => "That did not work",
    };
    let body = html! {
        main #answer {
            section.part {
                h1 { (title) }
                p.problem role="alert" { (capitalized(&failure.message)) "." }
                @if !document.error.hint.is_empty() {
                    p.note { (capitalized(&document.error.hint)) "." }
                }
                p.note { "Error code: " code { (failure.code.name()) } }
                p { a href="/" { "All debates" } }
            }
        }
    };
    let page = frame::render(site, &frame::PageHead::titled(title), &body);
    with_type(status, HTML, page.into_string())
}

fn capitalized(text: &str) -> String {
    agon_report::text::capitalize(&agon_report::text::plain_line(text))
}

fn status_of(failure: &Failure) -> StatusCode {
    match (failure.code, failure.kind) {
        (
            Code::UnknownDebate
            | Code::UnknownPage
            | Code::UnknownPoint
            | Code::NoSession
            | Code::NoTeam
            | Code::NoRepository,
            _,
        ) => StatusCode::NOT_FOUND,
        (Code::Locked, _) => StatusCode::CONFLICT,
        (_, FailureKind::Usage) => StatusCode::BAD_REQUEST,
        (_, FailureKind::Bug) => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}
