//! The settings in force, each with its source.

use std::sync::Arc;

use agon_install::configuration::{ConfigurationRequest, configuration};
use agon_report::text::plain_line;
use axum::extract::{Request, State};
use maud::{Markup, html};

use super::respond::respond;
use crate::reply::Reply;
use crate::site::Site;

/// `GET /settings`: the table. Values that are secrets are not in it.
pub(crate) async fn show(State(site): State<Arc<Site>>, request: Request) -> Reply {
    respond(&site, request, ("Settings", "/settings"), async |caller, _| {
        let wanted = ConfigurationRequest {
            with_sources: true,
            ..ConfigurationRequest::default()
        };
        let document = configuration(caller, &wanted)?;
        let rows = document.settings.iter();
        let rows = rows.map(|it| (&*it.key, &*it.value, it.source.as_deref()));
        Ok(html! {
            p.found.note { "To change a value, run " code { "agon config edit" } " in a terminal." }
            (table("Debates", rows.collect()))
            @if !document.unset.is_empty() { p.note { "Not set: " (document.unset.join(", ")) "." } }
            @for settings in document.team.chunk_by(|one, next| one.file == next.file) {
                @let rows = settings.iter().map(|it| (&*it.key, &*it.value, it.source.as_deref()));
                (table(settings[0].file, rows.collect()))
            }
        })
    })
    .await
}

fn table(title: &str, rows: Vec<(&str, &str, Option<&str>)>) -> Markup {
    html! {
        section.part {
            h2 { (title) }
            div.scroller tabindex="0" {
                table.settings {
                    thead { tr { @for name in ["Key", "Value", "Set in"] { th scope="col" { (name) } } } }
                    tbody {
                        @for (key, value, source) in rows {
                            tr { th scope="row" { code { (key) } } td { code { (plain_line(value)) } } td.faint { (plain_line(source.unwrap_or_default())) } }
                        }
                    }
                }
            }
        }
    }
}
