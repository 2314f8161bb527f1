//! Earlier decisions near a topic.

use std::sync::Arc;

use agon_caller::IgnoreNotes;
use agon_caller::system::{describe_age, now_ms};
use agon_debates::past::recall::{self, Decision};
use agon_report::text::{plain_line, truncate_to_width};
use axum::extract::{Request, State};
use maud::{Markup, html};

use super::respond::respond;
use crate::fields::debate_address;
use crate::reply::Reply;
use crate::site::Site;

/// Maximum width of a text, in columns.
const MAX_COLUMNS: usize = 400;

/// `GET /recall?topic=`: the decisions.
pub(crate) async fn show(State(site): State<Arc<Site>>, request: Request) -> Reply {
    respond(&site, request, ("Decisions", "/recall"), async |caller, fields| {
        let topic = fields.text("topic");
        let found = topic
            .map(|topic| recall::recall(caller, topic, None, &mut IgnoreNotes))
            .transpose()?;
        Ok(html! {
            form.search.found role="search" action="/recall" {
                label.unseen for="topic" { "Topic" }
                input #topic type="search" name="topic" value=[topic] placeholder="A topic, such as “job store”" maxlength="400";
                button type="submit" { "Find" }
            }
            @match &found {
                None => p.found.note { "Finds earlier verdicts on a similar topic, and says whether the sources that they cite have changed since." },
                Some(found) if found.decisions.is_empty() => p.found.note { "No earlier decision is near this topic. " (found.looked_at) " debates were compared." },
                Some(found) => ol.debates { @for decision in &found.decisions { (entry(decision)) } },
            }
        })
    })
    .await
}

fn entry(decision: &Decision) -> Markup {
    let short = |text: &str| truncate_to_width(&plain_line(text), MAX_COLUMNS);
    let decided = now_ms().saturating_sub(decision.age_s.saturating_mul(1_000));
    html! {
        li.entry {
            p.state { (decision.near) " % similar" br; (decision.stands) }
            div.what {
                h2 { a href=(debate_address(&decision.debate)) dir="auto" { (short(&decision.topic)) } }
                p.reply dir="auto" { (short(&decision.answer)) }
                @if let Some(why) = &decision.why { p.reply dir="auto" { span.label { "Why " } (short(why)) } }
                @if let Some(unless) = &decision.unless { p.reply dir="auto" { span.label { "Unless " } (short(unless)) } }
                p.meta { span { (plain_line(&decision.debate)) } span { "decided " (describe_age(decided, now_ms())) } span { "sources: " (plain_line(&decision.source.said)) } }
            }
        }
    }
}
