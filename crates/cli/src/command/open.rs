//! `agon open`: opens the report of a debate in a browser.

use agon_debates::report::page;
use agon_report::text::plain_line;

use crate::args::{Global, OpenArgs};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Writes the page, prints its path and, on a terminal, opens it.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &OpenArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let page = page::write_page(edge, args.debate.as_deref(), out).await?;
    let shown = edge.terminal && !global.json;
    if shown {
        page::show_page(edge, &page).await?;
    }
    match global.json {
        true => out.write_json(&page.document(shown))?,
        false => out.write_line(&plain_line(&page.path.display().to_string()))?,
    }
    Ok(Exit::Done)
}
