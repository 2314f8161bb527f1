//! What simple pages have in common: a request for a document, and its page.

use std::sync::Arc;

use agon_caller::{Caller, Failure};
use axum::extract::Request;
use maud::{Markup, html};

use crate::fields::Fields;
use crate::frame::{self, PageHead};
use crate::reply::{self, Reply};
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
            let head = PageHead {
                title,
                place,
                live: None,
            };
            let body = html! { main.list #answer { h1 { (title) } (body) } };
            reply::page(frame::render(site, &head, &body))
        }
        Err(failure) => reply::failure(site, &failure, form),
    }
}
