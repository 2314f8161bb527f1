//! The AI tools of this computer, and what each needs.

use std::sync::Arc;
use std::time::Duration;

use agon_caller::Caller;
use agon_report::text::plain_line;
use agon_seats::tools::overview;
use axum::extract::{Request, State};
use maud::html;

use super::respond::respond;
use crate::reply::Reply;
use crate::site::Site;

/// Time for a tool to report whether its user is logged in.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// `GET /tools`: the table.
pub(crate) async fn show(State(site): State<Arc<Site>>, request: Request) -> Reply {
    respond(&site, request, ("Tools", "/tools"), async |caller, _| {
        let hurried = Caller {
            probe_timeout: Some(PROBE_TIMEOUT),
            ..caller.clone()
        };
        let seen = overview::overview(&hurried).await?;
        Ok(html! {
            div.scroller tabindex="0" {
                table {
                    thead { tr { @for name in ["Tool", "Version", "Login", "Next"] { th scope="col" { (name) } } } }
                    tbody {
                        @for tool in &seen.tools {
                            tr {
                                th scope="row" { (tool.tool) }
                                td { (plain_line(tool.version.as_deref().unwrap_or("–"))) }
                                td {
                                    @match tool.login {
                                        "logged_in" => span.good { "logged in" },
                                        "logged_out" => span.warn { "logged out" },
                                        "not_installed" => span.faint { "not installed" },
                                        _ => span.caution { "unknown" },
                                    }
                                }
                                td { (plain_line(tool.to_do.as_deref().unwrap_or(if tool.usable { "ready" } else { "–" }))) }
                            }
                        }
                    }
                }
            }
            @if !seen.apis.is_empty() {
                p.note { "Keys are set for: " @for (nth, api) in seen.apis.iter().enumerate() { @if nth > 0 { ", " } (api.name) " (" code { (api.key_env) } ")" } "." }
            }
            @for server in &seen.servers {
                p.note { (plain_line(&server.name)) " on this computer has: " (plain_line(&server.models.join(", "))) "." }
            }
        })
    })
    .await
}
