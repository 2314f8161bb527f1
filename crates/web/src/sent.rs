//! What a client sent, and the form in which it wants an error.

use axum::body::Bytes;
use axum::extract::Request;

use crate::fields::Fields;
use crate::reply::ErrorForm;

/// The body of a write, which a page or a program sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sent {
    /// The fields of a form; empty if the body is JSON.
    pub(crate) fields: Fields,
    /// The body as it was sent.
    pub(crate) body: Bytes,
}

impl Sent {
    /// Returns what came with a request; nothing for one that only reads.
    pub(crate) fn of(request: &Request) -> Self {
        let sent = request.extensions().get::<Self>().cloned();
        sent.unwrap_or_default()
    }
}

/// Returns the form in which a client wants an error: a page only for browsers.
pub(crate) fn error_form(request: &Request) -> ErrorForm {
    let accept = request.headers().get("accept");
    let accept = accept.and_then(|it| it.to_str().ok()).unwrap_or_default();
    match accept.contains("text/html") {
        true => ErrorForm::Page,
        false => ErrorForm::Document,
    }
}
