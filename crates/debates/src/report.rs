//! Renders a debate for people: one document, or the whole report.

mod after_verdict;
mod decision_record;
mod narrative;
pub mod page;
#[cfg(feature = "png")]
mod png;
#[cfg(not(feature = "png"))]
#[path = "report/no_png.rs"]
mod png;
mod whole;

use std::path::PathBuf;

use agon_caller::system::format_time;
use agon_caller::{Caller, Code, Failure, Notes, find};
use agon_folder::View;
use agon_record::spec::ToolName;
use agon_record::state::State;
use agon_report::{ReportContent, ReportKind, ReportSource};
use agon_verdict::verdict::Verdict;
use tokio_util::sync::CancellationToken;

pub(crate) use self::after_verdict::record_verdict;
pub use self::decision_record::write_decision_record;
pub use self::whole::ReportDoc;
use self::whole::WholeReport;
use crate::status::choose;
use crate::status::choose::LikelyDebate;

/// The name of the kind that is a decision record.
pub const DECISION_RECORD: &str = "adr";

/// A request to render a debate.
#[derive(Clone, Debug, Default)]
pub struct ReportRequest {
    /// The debate: a folder, a name or an id; `None` means the only one.
    pub debate: Option<String>,
    /// The kind of document; `None` writes the whole report into the debate's folder.
    pub kind: Option<&'static ReportKind>,
    /// The tool that writes an account of a formal debate.
    pub narrator: Option<ToolName>,
    /// The narrator's model.
    pub model: Option<String>,
    /// The folder for the whole report, instead of the debate's own; for a decision record, the
    /// folder of decision records, which names it.
    pub into: Option<PathBuf>,
    /// Whether to replace existing files.
    pub force: bool,
}

/// A rendered debate.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// The debate's name.
    pub debate: String,
    /// The result.
    pub report: Report,
}

/// The result of rendering a debate.
#[derive(Clone, Debug)]
pub enum Report {
    /// The whole report was written.
    Whole(ReportDoc),
    /// A text.
    Text(String),
    /// A picture.
    Picture(Vec<u8>),
    /// The verdict, for programs.
    Verdict(Box<Verdict>),
}

/// Renders one document of a debate, or writes the whole report.
///
/// Cancelling the token that `stop` returns stops the narrator.
///
/// # Errors
///
/// If there is no such debate, it has no verdict to render, the narrator writes no usable narrative,
/// or the folder cannot be written.
pub async fn report(
    caller: &Caller,
    request: &ReportRequest,
    stop: &dyn Fn() -> CancellationToken,
    notes: &mut dyn Notes,
) -> Result<Rendered, Failure> {
    let path = choose::find_or_choose(
        caller,
        request.debate.as_deref(),
        LikelyDebate::Latest,
        notes,
    )?;
    let view = find::read(&path)?;
    let state = &view.state;
    find::note_problems(caller, &path, &view, notes);
    let Some(kind) = request.kind else {
        let mut whole = WholeReport::prepare(caller, path, &view, request, notes)?;
        if let Some(account) = write_account(caller, state, request, stop, notes).await? {
            whole.add_account(&account);
        }
        return Ok(Rendered {
            debate: state.spec.slug.clone(),
            report: Report::Whole(whole.write(caller, notes)?),
        });
    };
    let name = find::typeable_debate_name(caller, &path);
    if let (DECISION_RECORD, Some(into)) = (kind.name, &request.into) {
        let dir = caller.resolve_path(into);
        let written = write_decision_record(&view, &dir, request.force, &name)?;
        let files = vec![caller.display_path(&written)];
        return Ok(Rendered {
            debate: state.spec.slug.clone(),
            report: Report::Whole(ReportDoc::new(&state.spec.slug, files)),
        });
    }
    let account = write_account(caller, state, request, stop, notes).await?;
    Ok(Rendered {
        debate: state.spec.slug.clone(),
        report: render(&view, kind, account.as_deref(), &name)?,
    })
}

/// Returns the narrator's account, if one is requested.
async fn write_account(
    caller: &Caller,
    state: &State,
    request: &ReportRequest,
    stop: &dyn Fn() -> CancellationToken,
    notes: &mut dyn Notes,
) -> Result<Option<String>, Failure> {
    let Some(tool) = &request.narrator else {
        return Ok(None);
    };
    let narrator = narrative::Narrator::detect(caller, state, tool, request).await?;
    narrator
        .write_account(caller, state, &stop(), notes)
        .await
        .map(Some)
}

fn render(
    view: &View,
    kind: &ReportKind,
    narrative: Option<&str>,
    name: &str,
) -> Result<Report, Failure> {
    let at = format_time(view.answered_at());
    let day = at.get(..10).unwrap_or_default();
    let source = ReportSource::new(&view.state, narrative, day);
    let rendered = (kind.render)(&source).ok_or_else(|| no_verdict_failure(name))?;
    Ok(match rendered {
        ReportContent::Text(text) => Report::Text(text),
        ReportContent::Verdict(verdict) => Report::Verdict(verdict),
        ReportContent::Pixels => Report::Picture(png::png(&view.state)?),
    })
}

fn no_verdict_failure(name: &str) -> Failure {
    Failure::new(Code::NoVerdict, format!("{name} has no verdict yet")).hint(format!(
        "run `agon show {name}` to see its state, or `agon resume {name}` to continue"
    ))
}
