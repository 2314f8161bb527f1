//! The list of all debates, with their states, costs and a search.

use std::collections::BTreeMap;
use std::sync::Arc;

use agon_caller::usage::{Group, UsageGrouping};
use agon_caller::{Caller, Failure, IgnoreNotes};
use agon_debates::past::{search, usage};
use agon_debates::status::RunState;
use agon_debates::status::list::{self, ListRow};
use agon_report::text::{
    abbreviate_count, count_with_noun, format_dollars, plain_line, truncate_to_width,
};
use axum::extract::{Request, State};
use maud::{Markup, html};

use crate::fields::{Fields, debate_address};
use crate::frame::{self, PageHead};
use crate::reply::{self, Reply};
use crate::sent::error_form;
use crate::site::Site;
use crate::work;

/// Maximum width of a topic or an answer in the list, in columns.
const MAX_COLUMNS: usize = 260;
/// Maximum number of debates that a search lists.
const MAX_FOUND: usize = 100;

/// What the user wants to see of the list.
#[derive(Clone, Debug, Default)]
struct Wanted {
    /// Words that the debates contain.
    words: Option<String>,
    /// The name of a run state, such as `running`.
    state: Option<String>,
    /// Whether the user may start a debate.
    may_start: bool,
    /// Whether to say why a folder cannot be read.
    shows_errors: bool,
}

/// `GET /`: the list.
pub(crate) async fn show(State(site): State<Arc<Site>>, request: Request) -> Reply {
    let fields = Fields::of_query(request.uri());
    let wanted = Wanted {
        words: fields.text("q").map(str::to_owned),
        state: fields.text("state").map(str::to_owned),
        may_start: !site.is_read_only(),
        shows_errors: !site.is_watching(),
    };
    let form = error_form(&request);
    let asked = wanted.clone();
    let listed = work::run(&site, async move |caller| match &asked.words {
        Some(words) => found_entries(caller, words),
        None => all_entries(caller, &asked),
    });
    match listed.await {
        Ok(body) => {
            let head = PageHead {
                title: "Debates",
                place: "/",
                live: None,
            };
            let body = html! { (search_form(&wanted)) (body) };
            reply::page(frame::render(
                &site,
                &head,
                &html! { main.list #answer { (body) } },
            ))
        }
        Err(failure) => reply::failure(&site, &failure, form),
    }
}

fn search_form(wanted: &Wanted) -> Markup {
    html! {
        div.top {
            h1 { "Debates" }
            form.search role="search" action="/" {
                label.unseen for="q" { "Search the debates" }
                input #q type="search" name="q" value=[wanted.words.as_deref()] placeholder="Words in a debate" maxlength="200";
                button type="submit" { "Search" }
            }
        }
    }
}

/// Returns the debates of the folder, the latest first.
fn all_entries(caller: &Caller, wanted: &Wanted) -> Result<Markup, Failure> {
    let list = list::list(caller, None)?;
    let rows = list.rows();
    let costs = costs(caller, !rows.is_empty());
    let warnings: Vec<String> = match wanted.shows_errors {
        true => list.warnings().collect(),
        false => list.unreadable_names().collect(),
    };
    let state = wanted.state.as_deref();
    let shown = rows
        .iter()
        .filter(|row| state.is_none_or(|state| row.run.to_string() == state));
    Ok(html! {
        @if rows.is_empty() {
            (empty_list(wanted.may_start))
        } @else {
            (state_links(&rows, state))
            ol.debates data-refresh="list" { @for row in shown { (list_entry(row, &costs)) } }
        }
        @if !warnings.is_empty() {
            section.part.unreadable aria-labelledby="h-unreadable" {
                h2 id="h-unreadable" { "Folders that cannot be read" }
                ul { @for warning in &warnings { li { (plain_line(warning)) } } }
                @if wanted.shows_errors { p.note { "Run " code { "agon check" } " in the project to see what is wrong with them." } }
            }
        }
    })
}

fn empty_list(may_start: bool) -> Markup {
    html! {
        section.part.empty {
            h2 { "No debates yet" }
            @if may_start { p { a.button.main href="/new" { "Start a debate" } } }
            p.note { @if may_start { "Or watch" } @else { "Watch" } " a recorded one in a terminal, without any tool: " code { "agon demo" } }
        }
    }
}

/// Returns links to the debates of each state that occurs.
fn state_links(rows: &[ListRow<'_>], chosen: Option<&str>) -> Markup {
    let states = [
        (RunState::Running, "Running"),
        (RunState::WaitingForPerson, "Waiting for you"),
        (RunState::Done, "Done"),
        (RunState::Stopped, "Stopped"),
        (RunState::Failed, "Failed"),
    ];
    let count = |state: RunState| rows.iter().filter(|row| row.run == state).count();
    html! {
        nav.filters aria-label="States" {
            a href="/" aria-current=[chosen.is_none().then_some("true")] { "All " span.number { (rows.len()) } }
            @for (state, name) in states {
                @let (count, key) = (count(state), state.to_string());
                @if count > 0 {
                    a href={ "/?state=" (key) } aria-current=[(chosen == Some(&key)).then_some("true")] {
                        (name) " " span.number { (count) }
                    }
                }
            }
        }
    }
}

fn list_entry(row: &ListRow<'_>, costs: &BTreeMap<String, String>) -> Markup {
    let state = row.run.to_string();
    html! {
        li.entry data-state=(state) {
            p.state { span.dot aria-hidden="true" {} (row.stands) }
            div.what {
                h2 { a href=(debate_address(row.debate)) dir="auto" { (short(row.topic)) } }
                @if let Some(answer) = row.answer { p.reply dir="auto" { (short(answer)) } }
                p.meta {
                    span { (plain_line(row.debate)) }
                    span { (row.age) }
                    @if row.rounds > 0 { span { (row.rounds_completed) " of " (count_with_noun(row.rounds, "round")) } }
                    @if let Some(cost) = costs.get(row.debate) { span { (cost) } }
                }
            }
        }
    }
}

fn short(text: &str) -> String {
    truncate_to_width(&plain_line(text), MAX_COLUMNS)
}

/// Returns the tokens and the money of each debate by its name; empty if they cannot be read.
fn costs(caller: &Caller, is_wanted: bool) -> BTreeMap<String, String> {
    if !is_wanted {
        return BTreeMap::new();
    }
    let usage = usage::usage(caller, None, UsageGrouping::Debate, &mut IgnoreNotes);
    let groups = usage.map(|usage| usage.groups).unwrap_or_default();
    let groups = groups.into_iter();
    groups
        .map(|Group { name, sum }| {
            let tokens = sum.tokens.input.saturating_add(sum.tokens.output);
            let tokens = format!("{} tokens", abbreviate_count(tokens));
            let cost = match sum.cost {
                Some(dollars) => format!("{tokens} · {}", format_dollars(dollars)),
                None => tokens,
            };
            (name, cost)
        })
        .collect()
}

/// Returns the debates that contain `words`, the best match first.
fn found_entries(caller: &Caller, words: &str) -> Result<Markup, Failure> {
    let found = search::search(caller, words, Some(MAX_FOUND), &mut IgnoreNotes)?;
    Ok(html! {
        p.note.found {
            @match found.debates.len() {
                0 => { "No debate contains all of these words. " (found.searched) " debates were searched." }
                1 => "1 debate contains these words.",
                more => { (more) " debates contain these words." }
            }
            " " a href="/" { "Show all debates" }
        }
        ol.debates {
            @for debate in &found.debates {
                li.entry {
                    p.state { (debate.state_in_words()) }
                    div.what {
                        h2 { a href=(debate_address(&debate.debate)) dir="auto" { (short(&debate.topic)) } }
                        p.reply dir="auto" {
                            @for piece in &debate.pieces {
                                @if piece.found { mark { (plain_line(&piece.text)) } } @else { (piece.text) }
                            }
                        }
                        p.meta { span { (plain_line(&debate.debate)) } span { (debate.last_at.get(..10).unwrap_or_default()) } }
                    }
                }
            }
        }
    })
}
