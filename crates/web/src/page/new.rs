//! The form for a new debate: first what it will take, then the start.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agon_caller::{Caller, Failure, settings};
use agon_debates::request::StartRequest;
use agon_debates::run::duel;
use agon_debates::status::outcome::{Outcome, Planned};
use agon_report::text::plain_line;
use agon_seats::tools::overview::ToolEntry;
use agon_seats::tools::{Tools, overview};
use axum::extract::{Request, State};
use maud::{Markup, html};

use super::debate::actions::watched;
use crate::collected::Collected;
use crate::fields::{Fields, debate_address};
use crate::frame::{self, PageHead};
use crate::gate::PROOF_FIELD;
use crate::reply::{self, Reply};
use crate::sent::{Sent, error_form};
use crate::site::Site;
use crate::start::StartBody;
use crate::work;

// If a tool is slower, its login is shown as unknown; the start looks again.
/// Time for a tool to report whether its user is logged in.
const PROBE_TIMEOUT: Duration = Duration::from_millis(900);

/// The name by which a person takes a seat.
const HUMAN: &str = "human";

/// The depths: value, name and description.
const DEPTHS: [(&str, &str, &str); 3] = [
    ("quick", "Quick", "One round and one ruling, little effort"),
    (
        "default",
        "Default",
        "Rounds and a judge that is asked twice",
    ),
    ("deep", "Deep", "Three rounds, high effort, three judges"),
];

/// The contexts: value and name.
const CONTEXTS: [(&str, &str); 4] = [
    ("", "Agon decides"),
    ("none", "Nothing but the topic"),
    ("repo", "This project"),
    ("diff", "The uncommitted changes"),
];

/// The seats: field and name.
const SEATS: [(&str, &str); 3] = [
    ("proposer", "Proposer"),
    ("challenger", "Challenger"),
    ("judge", "Judge"),
];

/// `GET /new`: the empty form; `?topic=` fills in a topic.
pub(crate) async fn show(State(site): State<Arc<Site>>, request: Request) -> Reply {
    let error = error_form(&request);
    let fields = Fields::of_query(request.uri());
    match work::run(&site, async move |caller| find_tools(caller).await).await {
        Ok(tools) => reply::page(page(&site, &fields, &tools, None)),
        Err(failure) => reply::failure(&site, &failure, error),
    }
}

/// What a form led to.
enum Done {
    /// What the debate will take, with the tools for the form.
    Planned(Plan, Vec<ToolEntry>),
    /// The name of the debate's folder, with notes.
    Started(String, Vec<String>),
}

/// What a debate will take.
struct Plan {
    /// Who sits where: seat, tool and model.
    seats: Vec<[String; 2]>,
    calls: u32,
    /// Time, tokens and money, in words.
    expected: Option<String>,
    max_tokens: u64,
    notes: Vec<String>,
}

/// `POST /new`: plans the debate; with the field `start`, starts it.
pub(crate) async fn submit(State(site): State<Arc<Site>>, request: Request) -> Reply {
    let error = error_form(&request);
    let fields = Sent::of(&request).fields;
    let asked = fields.clone();
    let done = work::run(&site, async move |caller| {
        let is_start = asked.get("start").is_some();
        let request = StartBody::of_form(&asked).into_request();
        // A debate that is started from a page reads only the project, even with a stolen key.
        let caller = &Caller {
            is_relayed: true,
            ..watched(caller)
        };
        let mut front = Collected::new();
        match is_start {
            true => {
                let name = start(caller, &request, &mut front).await?;
                Ok(Done::Started(name, front.notes))
            }
            false => {
                let planned = duel::plan(caller, &request, &mut front).await?;
                let plan = planned.map(|planned| Plan::new(&planned, front.notes));
                let plan = plan.unwrap_or_else(Plan::unknown);
                Ok(Done::Planned(plan, find_tools(caller).await?))
            }
        }
    });
    match done.await {
        Ok(Done::Planned(plan, tools)) => reply::page(page(&site, &fields, &tools, Some(&plan))),
        Ok(Done::Started(name, notes)) => {
            site.notices.keep(&name, notes);
            reply::see_other(&debate_address(&name))
        }
        Err(failure) => reply::failure(&site, &failure, error),
    }
}

async fn start(
    caller: &Caller,
    request: &StartRequest,
    front: &mut Collected,
) -> Result<String, Failure> {
    let folder = match duel::start(caller, request, front).await? {
        Outcome::Started(started) => started.folder,
        Outcome::Ended(ended) => ended.folder,
        Outcome::Planned(planned) => planned.folder,
    };
    let name = Path::new(&folder).file_name().unwrap_or_default();
    Ok(name.to_string_lossy().into_owned())
}

async fn find_tools(caller: &Caller) -> Result<Vec<ToolEntry>, Failure> {
    let hurried = Caller {
        probe_timeout: Some(PROBE_TIMEOUT),
        ..caller.clone()
    };
    let settings = settings::read_settings(&hurried)?;
    let tools = Tools::detect(&hurried, &settings, &[]).await?;
    Ok(overview::entries(&tools))
}

impl Plan {
    fn new(planned: &Planned, notes: Vec<String>) -> Self {
        let state = &planned.state;
        let seats = state.seats.iter().map(|(seat, seating)| {
            let tool = match state.model(*seat) {
                Some(model) => format!("{} {model}", seating.tool),
                None => seating.tool.to_string(),
            };
            [
                agon_report::text::capitalize(&seat.to_string()),
                plain_line(&tool),
            ]
        });
        Self {
            seats: seats.collect(),
            calls: state.spec.planned_calls(),
            expected: planned.expected.describe(),
            max_tokens: state.caps.tokens,
            notes,
        }
    }

    fn unknown() -> Self {
        Self {
            seats: Vec::new(),
            calls: 0,
            expected: None,
            max_tokens: 0,
            notes: vec!["the same debate was started within the last hour".to_owned()],
        }
    }
}

fn page(site: &Arc<Site>, fields: &Fields, tools: &[ToolEntry], plan: Option<&Plan>) -> Markup {
    let is_read_only = site.is_read_only();
    let topic = fields.get("topic").unwrap_or_default();
    let body = html! {
        main.form #answer {
            h1 { "New debate" }
            @if is_read_only {
                p.problem { "This server only shows debates. Start " code { "agon web" } " without --read-only to start one here." }
            }
            form method="post" action="/new" {
                input type="hidden" name=(PROOF_FIELD) value=(site.gate.form_proof());
                div.field.topic {
                    label for="topic" { "What is to be decided?" }
                    p.note id="topic-help" { "A question with its options and constraints, such as “SQLite or plain files for the job store of one process?”" }
                    textarea #topic name="topic" rows="3" required aria-describedby="topic-help" maxlength="20000" dir="auto" autofocus[topic.is_empty()] { (topic) }
                }
                fieldset.depths {
                    legend { "Depth" }
                    @let chosen = fields.get("depth").unwrap_or("default");
                    @for (value, name, about) in DEPTHS {
                        label.choice {
                            input type="radio" name="depth" value=(value) checked[value == chosen];
                            span { strong { (name) } span.note { (about) } }
                        }
                    }
                }
                fieldset {
                    legend { "Who sits where" }
                    div.seats { @for (field, name) in SEATS { (seat_field(fields, tools, field, name)) } }
                    (tools_to_fix(tools))
                }
                fieldset {
                    legend { "What every seat may read and cite" }
                    div.field {
                        label for="context" { "Context" }
                        select #context name="context" {
                            @let chosen = fields.get("context").unwrap_or_default();
                            @for (value, name) in CONTEXTS { option value=(value) selected[value == chosen] { (name) } }
                        }
                    }
                    label.choice {
                        input type="checkbox" name="precedents" value="yes" checked[fields.get("precedents").is_some()];
                        span { "Show every seat similar earlier verdicts of this project" }
                    }
                }
                @if let Some(plan) = plan { (plan_table(plan)) }
                div.acts {
                    @match plan {
                        Some(_) => {
                            button.main type="submit" name="start" value="yes" disabled[is_read_only] { "Start the debate" }
                            button type="submit" { "Plan again" }
                        }
                        None => button.main type="submit" disabled[is_read_only] { "See what it takes" },
                    }
                }
                @if plan.is_none() { p.note { "Nothing runs yet: the next page shows the seats, the expected time, tokens and cost." } }
            }
        }
    };
    let head = PageHead {
        title: "New debate",
        place: "/new",
        live: None,
    };
    frame::render(site, &head, &body)
}

fn seat_field(fields: &Fields, tools: &[ToolEntry], field: &str, name: &str) -> Markup {
    let chosen = fields.get(field).unwrap_or_default();
    let model = format!("model-{field}");
    let usable = tools.iter().filter(|tool| tool.usable && tool.installed);
    html! {
        div.field {
            label for=(field) { (name) }
            select id=(field) name=(field) {
                option value="" { "Agon decides" }
                @for tool in usable { option value=(tool.tool) selected[tool.tool == chosen] { (tool.tool) } }
                option value=(HUMAN) selected[chosen == HUMAN] { "I do" }
            }
            label.unseen for=(model) { "Model of the " (name.to_lowercase()) }
            input type="text" id=(model) name=(model) value=[fields.text(&model)] placeholder="Model (optional)" maxlength="120";
        }
    }
}

/// Returns what to do about the tools that cannot debate now.
fn tools_to_fix(tools: &[ToolEntry]) -> Markup {
    let unusable: Vec<_> = tools
        .iter()
        .filter(|tool| tool.is_program && tool.installed && !tool.usable)
        .collect();
    let is_none = !tools.iter().any(|tool| tool.usable && tool.installed);
    html! {
        @if is_none { p.problem { "No AI tool on this computer is ready. " code { "agon tools" } " in a terminal says what each needs." } }
        @if !unusable.is_empty() {
            ul.fixes {
                @for tool in unusable {
                    li { strong { (tool.tool) } ": " (plain_line(tool.to_do.as_deref().unwrap_or("not ready"))) }
                }
            }
        }
    }
}

fn plan_table(plan: &Plan) -> Markup {
    html! {
        section.plan role="status" aria-label="What the debate takes" {
            h2 { "What it takes" }
            dl.facts {
                @for [seat, tool] in &plan.seats { div { dt { (seat) } dd { (tool) } } }
                @if plan.calls > 0 { div { dt { "Calls" } dd.number { "at most " (plan.calls) " as planned" } } }
                div { dt { "Expected" } dd { (plan.expected.as_deref().unwrap_or("unknown: too few debates were held here")) } }
                @if plan.max_tokens > 0 { div { dt { "Limit" } dd { (agon_report::text::abbreviate_count(plan.max_tokens)) " tokens" } } }
            }
            @for note in &plan.notes { p.note { (plain_line(note)) } }
        }
    }
}
