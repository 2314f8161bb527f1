//! What simple pages have in common: a request for a document, and its page.

use std::sync::Arc;

use agon_caller::{Caller, Failure};
use axum::extract::Request;
use axum::http::header::{ETAG, IF_NONE_MATCH};
use axum::http::{HeaderValue, StatusCode};
use maud::{Markup, html};
use serde_json::Value;

use crate::fields::Fields;
use crate::form::Form;
use crate::frame::{self, PageHead};
use crate::reply::{self, ErrorForm, Reply};
use crate::sent::error_form;
use crate::site::Site;
use crate::work;

/// Answers a request with the page that `render` makes from the fields of its address.
pub(super) async fn respond<W>(
    site: &Arc<Site>,
    request: Request,
    (title, place): (&str, &str),
    render: W,
) -> Reply
where
    W: AsyncFnOnce(&Caller, &Fields) -> Result<Markup, Failure> + Send + 'static,
{
    let form = error_form(&request);
    let fields = Fields::of_query(request.uri());
    let rendered = work::run(site, async move |caller| render(caller, &fields).await);
    match rendered.await {
        Ok(body) => {
            let body = html! { main.list #answer { h1 { (title) } (body) } };
            framed(site, title, place, &body)
        }
        Err(failure) => reply::failure(site, &failure, form),
    }
}

/// A document in one of its forms.
pub(super) enum Rendered {
    /// A page: its title and the content of its `main`.
    Page(String, Markup),
    /// As `Page`, as wide as the screen allows.
    Wide(String, Markup),
    Markdown(String),
    Json(Value),
}

/// Answers a request with the form of a document that it asks for. `place` is the page of the
/// navigation that it belongs to.
pub(super) async fn respond_in_form<W>(
    site: &Arc<Site>,
    request: Request,
    place: &'static str,
    render: W,
) -> Reply
where
    W: AsyncFnOnce(&Caller, Form) -> Result<Rendered, Failure> + Send + 'static,
{
    let form = Form::of_request(&request);
    let error = match form {
        Form::Page => error_form(&request),
        Form::Markdown | Form::Json | Form::File => ErrorForm::Document,
    };
    let rendered = work::run(site, async move |caller| render(caller, form).await);
    match rendered.await {
        Ok(Rendered::Page(title, body)) => {
            let body = html! { main.list #answer { (body) } };
            framed(site, &title, place, &body)
        }
        Ok(Rendered::Wide(title, body)) => {
            let body = html! { main.list.board #answer { (body) } };
            framed(site, &title, place, &body)
        }
        Ok(Rendered::Markdown(text)) => reply::markdown(text),
        Ok(Rendered::Json(document)) => reply::json_for(site, document),
        Err(failure) => reply::failure(site, &failure, error),
    }
}

fn framed(site: &Arc<Site>, title: &str, place: &str, body: &Markup) -> Reply {
    let head = PageHead {
        title,
        place,
        live: None,
    };
    reply::page(frame::render(site, &head, body))
}

/// Returns the response for a client that has this version already, if it has.
pub(super) fn unchanged(request: &Request, version: Option<&str>) -> Option<Reply> {
    let given = request.headers().get(IF_NONE_MATCH)?.to_str().ok()?;
    (Some(given) == version).then(|| {
        let mut reply = Reply::default();
        *reply.status_mut() = StatusCode::NOT_MODIFIED;
        reply
    })
}

/// Adds the version to a response, for [`unchanged`] of a later request.
pub(super) fn with_version(mut reply: Reply, version: Option<&str>) -> Reply {
    let version = version.and_then(|it| HeaderValue::from_str(it).ok());
    if let Some(version) = version.filter(|_| reply.status() == StatusCode::OK) {
        reply.headers_mut().insert(ETAG, version);
    }
    reply
}
