//! A debate's page: the answer first, then both sides beside each other, then the details.

pub(crate) mod actions;
pub(crate) mod answer;
mod head;
mod slots;
mod under_way;

use std::sync::Arc;

use agon_caller::hint::CommandLine;
use agon_caller::{Caller, Failure, IgnoreNotes};
use agon_debates::read::show;
use agon_report::text::plain_line;
use agon_report::{html as report_html, readme_md, transcript_md};
use axum::extract::{Path, Request, State};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_DISPOSITION;
use maud::html;
use serde_json::{Value, json};

use crate::fields::{Fields, debate_address};
use crate::find::find_debate;
use crate::form::Form;
use crate::frame::{self, LivePage, PageHead};
use crate::loaded::Loaded;
use crate::reply::{self, ErrorForm, Reply};
use crate::sent::error_form;
use crate::site::Site;
use crate::steering::to_json;
use crate::work;
use slots::Slot;

/// A debate in one of its forms.
enum Rendered {
    Page(Box<Loaded>, Vec<Slot>),
    Markdown(String),
    Json(Value),
    File(String, String),
}

/// `GET /debates/{name}`: the page; `NAME.md`, `NAME.json` and `NAME.html` are its other forms.
pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: Request,
) -> Reply {
    let wanted = Form::of_accept(&request);
    let at = requested_moment(&request);
    let done = actions::done_notice(&request);
    let error = match wanted {
        Form::Page => error_form(&request),
        Form::Markdown | Form::Json | Form::File => ErrorForm::Document,
    };
    let here = Arc::clone(&site);
    let rendered = work::run(&site, async move |caller| {
        render(&here, caller, &name, wanted, at)
    });
    match rendered.await {
        Ok(Rendered::Page(loaded, slots)) => reply::page(page(&site, &loaded, &slots, done)),
        Ok(Rendered::Markdown(text)) => reply::markdown(text),
        Ok(Rendered::Json(document)) => reply::json_for(&site, document),
        Ok(Rendered::File(name, text)) => file(&name, text),
        Err(failure) => reply::failure(&site, &failure, error),
    }
}

/// `GET /debates/{name}/parts`: the parts of the page that differ from those the client has.
pub(crate) async fn parts(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    request: Request,
) -> Reply {
    let at = requested_moment(&request);
    let query = Fields::of_query(request.uri());
    let have = query.get("have").unwrap_or_default().to_owned();
    let here = Arc::clone(&site);
    let parts = work::run(&site, async move |caller| {
        let path = find_debate(caller, &name)?;
        let loaded = Loaded::read(&path, &name, at)?;
        let slots = slots::slots(&here, &loaded);
        let have: Vec<&str> = have.split(',').collect();
        let changed = slots
            .iter()
            .filter(|slot| !have.contains(&slot.hash.as_str()));
        let changed: Vec<Value> = changed
            .map(|slot| json!({"slot": slot.id, "hash": slot.hash, "html": slot.body.0}))
            .collect();
        Ok(json!({
            "seq": loaded.seq,
            "state": loaded.run_state.to_string(),
            "title": head::title(&loaded),
            "parts": changed,
        }))
    });
    match parts.await {
        Ok(document) => reply::json_for(&site, document),
        Err(failure) => reply::failure(&site, &failure, ErrorForm::Document),
    }
}

/// Returns the line of the record up to which the debate is to be shown.
fn requested_moment(request: &Request) -> Option<u64> {
    let query = Fields::of_query(request.uri());
    query.text("at")?.parse().ok()
}

fn render(
    site: &Site,
    caller: &Caller,
    name: &str,
    wanted: Form,
    at: Option<u64>,
) -> Result<Rendered, Failure> {
    let mut found = find_debate(caller, name).map(|path| (path, name, wanted));
    // The name of a folder can end like a form, so the whole name is tried first.
    if found.is_err() {
        for (ending, form) in Form::ENDINGS {
            if let Some(name) = name.strip_suffix(ending)
                && let Ok(path) = find_debate(caller, name)
            {
                found = Ok((path, name, form));
                break;
            }
        }
    }
    let (path, name, form) = found?;
    if form == Form::Json {
        let shown = show::show(caller, Some(&path.display().to_string()), &mut IgnoreNotes)?;
        let mut document = to_json(&shown.ended.document())?;
        // A debate without a verdict has a document too: its state and what it cost.
        if let Some(failure) = &shown.ended.failure
            && let Some(fields) = document.as_object_mut()
        {
            let failure = reply::visible_failure(site, failure);
            let error = to_json(&failure.document(&CommandLine).error)?;
            fields.insert("error".to_owned(), error);
        }
        return Ok(Rendered::Json(document));
    }
    let loaded = Loaded::read(&path, name, at)?;
    let (state, verdict) = (&loaded.state, loaded.verdict.as_ref());
    Ok(match form {
        Form::Markdown => {
            let transcript = transcript_md(state);
            let text = format!("{}\n{transcript}", readme_md(state, verdict, None));
            Rendered::Markdown(text)
        }
        Form::File => Rendered::File(name.to_owned(), report_html(state, verdict, None)),
        Form::Page | Form::Json => {
            let slots = slots::slots(site, &loaded);
            Rendered::Page(Box::new(loaded), slots)
        }
    })
}

fn page(site: &Arc<Site>, loaded: &Loaded, slots: &[Slot], done: Option<&str>) -> maud::Markup {
    let address = debate_address(&loaded.name);
    let title = head::title(loaded);
    let state = loaded.run_state.to_string();
    let head = PageHead {
        title: &title,
        place: "",
        live: Some(LivePage {
            address: &address,
            seq: loaded.last_seq,
            state: &state,
        }),
    };
    // The notes are for the person who steers.
    let notes = match site.is_watching() {
        true => Vec::new(),
        false => site.notices.take(&loaded.name),
    };
    let body = html! {
        @if let Some(done) = done { p.done role="status" { (done) } }
        @for note in notes { p.done role="status" dir="auto" { (plain_line(&note)) } }
        @for slot in slots.iter().filter(|slot| !slot.is_content) { (slot.markup()) }
        main { @for slot in slots.iter().filter(|slot| slot.is_content) { (slot.markup()) } }
        (head::footer(&address))
        (agon_report::point_panel())
    };
    frame::render(site, &head, &body)
}

/// Returns the report as a file to save, because its own policy allows only its own script.
fn file(name: &str, text: String) -> Reply {
    let mut reply = reply::page(maud::PreEscaped(text));
    let plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    let name = if plain { name } else { "debate" };
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}.html\""));
    if let Ok(disposition) = disposition {
        reply.headers_mut().insert(CONTENT_DISPOSITION, disposition);
    }
    reply
}
