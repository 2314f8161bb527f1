//! What the debates of the project cost.

use std::sync::Arc;

use agon_caller::IgnoreNotes;
use agon_caller::usage::{UsageGrouping, UsageSum};
use agon_debates::past::usage;
use agon_report::text::{abbreviate_count, format_dollars, format_duration, plain_line};
use axum::extract::{Request, State};
use maud::{Markup, html};

use super::respond::respond;
use crate::fields::debate_address;
use crate::reply::Reply;
use crate::site::Site;

/// The groupings: value, name and grouping.
const GROUPINGS: [(&str, &str, UsageGrouping); 4] = [
    ("tool", "By tool", UsageGrouping::Tool),
    ("model", "By model", UsageGrouping::Model),
    ("debate", "By debate", UsageGrouping::Debate),
    ("day", "By day", UsageGrouping::Day),
];

/// `GET /usage`: the table; `?by=` groups it.
pub(crate) async fn show(State(site): State<Arc<Site>>, request: Request) -> Reply {
    let is_watching = site.is_watching();
    respond(&site, request, ("Usage", "/usage"), async move |caller, fields| {
        let wanted = fields.get("by").unwrap_or_default();
        let chosen = GROUPINGS.iter().find(|(value, ..)| *value == wanted);
        let (value, _, by) = *chosen.unwrap_or(&GROUPINGS[0]);
        let usage = usage::usage(caller, None, by, &mut IgnoreNotes)?;
        Ok(html! {
            nav.filters aria-label="Grouping" {
                @for (other, name, _) in GROUPINGS {
                    a href={ "/usage?by=" (other) } aria-current=[(other == value).then_some("true")] { (name) }
                }
            }
            @if usage.groups.is_empty() {
                p.found.note { "No calls yet in this project." }
            } @else {
                div.scroller tabindex="0" {
                    table.cost {
                        thead { tr {
                            th scope="col" { (agon_report::text::capitalize(usage.by)) }
                            @for name in ["Calls", "Failed", "Tokens in", "Tokens out", "Cost", "Time"] { th.number scope="col" { (name) } }
                        } }
                        tbody {
                            @for group in &usage.groups {
                                tr {
                                    th scope="row" dir="auto" {
                                        @if by == UsageGrouping::Debate { a href=(debate_address(&group.name)) { (group.name) } }
                                        @else { (plain_line(&group.name)) }
                                    }
                                    (cells(&group.sum))
                                }
                            }
                        }
                        tfoot { tr { th scope="row" { "Total" } (cells(&usage.total)) } }
                    }
                }
            }
            // The other projects do not concern people who only watch.
            @if !is_watching {
                @let today = &usage.unattended;
                p.note { "Runs without a person today, in all projects: " (abbreviate_count(today.used)) " of " (abbreviate_count(today.limit)) " tokens used." }
                @if let Some(month) = &usage.month {
                    p.note { "This month, in all projects: " (abbreviate_count(month.used)) " of " (abbreviate_count(month.limit)) " tokens used." }
                }
            }
        })
    })
    .await
}

fn cells(sum: &UsageSum) -> Markup {
    let cost = match (sum.cost, sum.cost_unknown) {
        (Some(dollars), 0) => format_dollars(dollars),
        (Some(dollars), _) => format!("{} and more", format_dollars(dollars)),
        (None, _) => "not reported".to_owned(),
    };
    html! {
        td.number { (sum.calls) }
        td.number { (sum.lost) }
        td.number { @if sum.tokens.estimated { "~" } (abbreviate_count(sum.tokens.input)) }
        td.number { @if sum.tokens.estimated { "~" } (abbreviate_count(sum.tokens.output)) }
        td.number { (cost) }
        td.number { (format_duration(sum.time_ms)) }
    }
}
