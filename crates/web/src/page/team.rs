//! The team of the project: its board, its tasks and its mail.

mod board;
mod mail;
mod markdown;
mod task;

use std::sync::Arc;

use agon_caller::{Caller, Code, Failure};
use agon_report::text::plain_line;
use agon_teamwork::gate::{self, TeamGateState};
use agon_teamwork::{
    MailFilter, MailHeader, MessageId, TaskId, TeamStatusDoc, mail_list, mark_unmerged, status,
};
use axum::extract::{Path, Request, State};
use maud::{Markup, html};

use super::debate::actions::watched;
use super::respond::{Rendered, respond_in_form, unchanged, with_version};
use crate::form::{Form, without_ending};
use crate::reply::{self, Reply};
use crate::site::Site;
use crate::steering::to_json;
use crate::work;

/// The address of the board.
const TEAM: &str = "/team";
/// Maximum number of messages on the board.
const MAX_MAIL: usize = 30;

/// Everything on the board.
struct Board {
    status: TeamStatusDoc,
    gates: Vec<TeamGateState>,
    /// The latest messages; the earliest first.
    mail: Vec<MailHeader>,
}

impl Board {
    async fn read(caller: &Caller) -> Result<Self, Failure> {
        let mut status = status(caller)?;
        mark_unmerged(caller, &mut status).await;
        // An invalid gate file must not hide the board, and neither must mail that only a person
        // may list, if an AI tool started the server.
        let gates = gate::show(caller, None, None).await;
        let mail = mail_list(&watched(caller), &MailFilter::default(), Some(MAX_MAIL));
        Ok(Self {
            status,
            gates: gates.map(|found| found.gates).unwrap_or_default(),
            mail: mail.map(|found| found.messages).unwrap_or_default(),
        })
    }
}

/// `GET /team`: the board.
pub(crate) async fn show(State(site): State<Arc<Site>>, request: Request) -> Reply {
    respond_versioned(&site, request, async |caller, form| {
        let board = match Board::read(caller).await {
            Err(failure) if form == Form::Page && is_without_team(&failure) => {
                return Ok(Rendered::Page("Team".to_owned(), no_team(&failure)));
            }
            board => board?,
        };
        Ok(match form {
            Form::Json => Rendered::Json(to_json(&board.status)?),
            Form::Markdown => Rendered::Markdown(markdown::board(&board)),
            Form::Page | Form::File => Rendered::Wide("Team".to_owned(), board::board(&board)),
        })
    })
    .await
}

/// `GET /team/tasks/{id}`: a task in full.
pub(crate) async fn task(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    request: Request,
) -> Reply {
    respond_versioned(&site, request, async move |caller, form| {
        let id: TaskId = parse(&id)?;
        let task = agon_teamwork::show(caller, id)?;
        Ok(match form {
            Form::Json => Rendered::Json(to_json(&task)?),
            Form::Markdown => Rendered::Markdown(markdown::task(&task)),
            Form::Page | Form::File => {
                let title = format!("{id} {}", plain_line(&task.state.task.title));
                Rendered::Page(title, task::task(&task))
            }
        })
    })
    .await
}

/// `GET /team/mail/{thread}`: the messages of a thread.
pub(crate) async fn mail(
    State(site): State<Arc<Site>>,
    Path(thread): Path<String>,
    request: Request,
) -> Reply {
    respond_versioned(&site, request, async move |caller, form| {
        let id: MessageId = parse(&thread)?;
        let caller = &watched(caller);
        let thread = agon_teamwork::thread(caller, id, None, None)?;
        Ok(match form {
            Form::Json => Rendered::Json(to_json(&thread)?),
            Form::Markdown => Rendered::Markdown(markdown::thread(id, &thread)),
            Form::Page | Form::File => {
                let headers = mail_list(caller, &MailFilter::default(), None)?.messages;
                Rendered::Page(format!("Mail {id}"), mail::thread(id, &thread, &headers))
            }
        })
    })
    .await
}

/// As [`respond_in_form`], but a client that has the latest version gets only the news that it has.
async fn respond_versioned<W>(site: &Arc<Site>, request: Request, render: W) -> Reply
where
    W: AsyncFnOnce(&Caller, Form) -> Result<Rendered, Failure> + Send + 'static,
{
    // Taken before the team is read: a change in between leads to one more request, and none is
    // missed. It reads files, so it is not done on the server's only asynchronous thread.
    let version = work::run(site, async |caller| Ok(agon_teamwork::version(caller)));
    let version = version.await.ok().flatten().map(|it| format!("\"{it}\""));
    let version = version.as_deref();
    if let Some(reply) = unchanged(&request, version) {
        return reply;
    }
    let reply = respond_in_form(site, request, TEAM, render).await;
    with_version(reply, version)
}

/// Parses the id in an address, which may end like a form.
fn parse<T: std::str::FromStr>(segment: &str) -> Result<T, Failure> {
    let id = without_ending(segment).parse();
    id.map_err(|_| reply::unknown_page())
}

fn is_without_team(failure: &Failure) -> bool {
    matches!(failure.code, Code::NoTeam | Code::NoRepository)
}

fn no_team(failure: &Failure) -> Markup {
    html! {
        h1 { "Team" }
        section.part.empty {
            h2 { "No team yet" }
            @match failure.code {
                Code::NoRepository => p { "A team works in a git repository, and this folder is not in one." },
                _ => {
                    p { "A team is a group of AI tools that share the tasks of one repository. Each works in its own folder, and a task is done only with evidence." }
                    p { "Create one in a terminal: " code { "agon team init" } }
                }
            }
        }
    }
}
