//! A debate rendered for people: one document, or the whole report in its folder.

mod narrative;
#[cfg(feature = "png")]
mod pixels;
#[cfg(not(feature = "png"))]
#[path = "report/no_pixels.rs"]
mod pixels;
mod whole;

use agon_folder::View;
use agon_record::spec::ToolName;
use agon_report::graph::{dot, mermaid, svg};
use agon_report::{
    debate_drawing, decision_record_md, html, pull_request_md, readme_md, transcript_md, verdict_md,
};
use agon_verdict::verdict::{Verdict, verdict};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

pub use self::whole::ReportDoc;
use crate::caller::Caller;
use crate::choose::{self, Likely};
use crate::failure::{Failure, FailureKind};
use crate::find;
use crate::notes::Notes;
use crate::system::format_time;

/// A debate is to be rendered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReportRequest {
    /// The debate: a folder, a name or an id; the only one where none is named.
    pub debate: Option<String>,
    /// What is rendered; the whole report, into the debate's folder, where nothing is set.
    pub kind: Option<ReportKind>,
    /// The tool that writes an account of a formal debate.
    pub narrator: Option<ToolName>,
    /// The narrator's model.
    pub model: Option<String>,
}

/// A document that a debate is rendered as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportKind {
    /// The verdict, as Markdown.
    Verdict,
    /// The verdict, as JSON.
    Json,
    /// The verdict, as a comment on a pull request.
    Pr,
    /// The verdict, as a decision record.
    Adr,
    /// What was said, as Markdown.
    Transcript,
    /// The report, as Markdown.
    Md,
    /// The report, as one page for a browser.
    Html,
    /// The argument graph, as a Mermaid flowchart.
    Mermaid,
    /// The argument graph, for Graphviz.
    Dot,
    /// The argument graph, as a picture.
    Svg,
    /// The argument graph, as a picture in pixels.
    Png,
}

/// A debate, rendered.
#[derive(Clone, Debug)]
pub enum Report {
    /// The whole report stands in the debate's folder.
    Whole(ReportDoc),
    /// A text.
    Text(String),
    /// A picture.
    Picture(Vec<u8>),
    /// The verdict, for programs.
    Verdict(Box<Verdict>),
}

/// Renders one document of a debate, or writes the whole report into its folder.
///
/// A narrator is asked until the token that `stop` gives then is cancelled.
///
/// # Errors
///
/// If there is no such debate, it has no verdict where one is rendered, the narrator writes no
/// usable account, or the folder cannot be written.
pub async fn report(
    caller: &Caller,
    request: &ReportRequest,
    stop: &dyn Fn() -> CancellationToken,
    notes: &mut dyn Notes,
) -> Result<Report, Failure> {
    let path = choose::find_or_choose(caller, request.debate.as_deref(), Likely::Latest, notes)?;
    let view = find::read(&path)?;
    let state = &view.state;
    find::note_problems(&view, &state.spec.slug, notes);
    let narrative = match &request.narrator {
        None => None,
        Some(tool) => {
            let narrator = narrative::Narrator::detect(caller, state, tool, request).await?;
            Some(narrator.write_account(state, &stop(), notes).await?)
        }
    };
    let narrative = narrative.as_deref();
    match request.kind {
        Some(kind) => render(&view, kind, narrative),
        None => whole::write(caller, &path, state, narrative, notes).map(Report::Whole),
    }
}

fn render(view: &View, kind: ReportKind, narrative: Option<&str>) -> Result<Report, Failure> {
    let state = &view.state;
    let required = || verdict(state).ok_or_else(|| no_verdict(&state.spec.slug));
    Ok(Report::Text(match kind {
        ReportKind::Json => return Ok(Report::Verdict(Box::new(required()?))),
        ReportKind::Png => return Ok(Report::Picture(pixels::png(state)?)),
        ReportKind::Verdict => verdict_md(state, &required()?),
        ReportKind::Pr => pull_request_md(state, &required()?),
        ReportKind::Adr => {
            let at = format_time(view.at_last);
            let day = at.get(..10).unwrap_or_default();
            decision_record_md(state, &required()?, day)
        }
        ReportKind::Transcript => transcript_md(state),
        ReportKind::Md => readme_md(state, verdict(state).as_ref(), narrative),
        ReportKind::Html => html(state, verdict(state).as_ref(), narrative),
        ReportKind::Mermaid => mermaid(&debate_drawing(state)),
        ReportKind::Dot => dot(&debate_drawing(state)),
        ReportKind::Svg => svg(&debate_drawing(state)),
    }))
}

fn no_verdict(name: &str) -> Failure {
    Failure::new(
        FailureKind::NoVerdict,
        "no_verdict",
        format!("{name} has no verdict yet"),
    )
    .hint(format!(
        "`agon show {name}` says where it stands, `agon resume {name}` goes on"
    ))
}
