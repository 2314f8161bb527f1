//! `agon report`: a debate rendered for people.

use std::fs;
use std::io::{IsTerminal, Write};

use agon_app::report::{self, Report, ReportDoc, ReportRequest};

use crate::args::{Global, ReportArgs, ReportKind};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure, FailureKind};
use crate::output::{Out, escape_json_controls};
use crate::stop;

/// Renders one document, or writes the whole report into the debate's folder.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &ReportArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    // A file takes one document.
    let kind = args.format.or(args.output.as_ref().map(|_| ReportKind::Md));
    let request = ReportRequest {
        debate: args.debate.clone(),
        kind: kind.map(|kind| resolve_report_kind(kind, global.json)),
        narrator: args.narrator.clone(),
        model: args.model.clone(),
    };
    let bytes = match report::report(edge, &request, &stop::signal_cancellation_token, out).await? {
        Report::Whole(document) => {
            print_written_files(global, &document, out)?;
            return Ok(Exit::Done);
        }
        Report::Text(text) => text.into_bytes(),
        Report::Picture(picture) => picture,
        Report::Verdict(verdict) => {
            let text = serde_json::to_string_pretty(&verdict)
                .map_err(|cause| Failure::from_error(FailureKind::Bug, "json", &cause))?;
            (escape_json_controls(&text) + "\n").into_bytes()
        }
    };
    if let Some(file) = &args.output {
        let failed = |error: std::io::Error| {
            let message = format!("cannot write {}: {error}", file.display());
            Failure::new(FailureKind::Store, "output", message)
        };
        fs::write(file, bytes).map_err(failed)?;
        return Ok(Exit::Done);
    }
    match String::from_utf8(bytes) {
        Ok(text) => out.write_stdout(&text)?,
        Err(picture) => write_picture_to_stdout(picture.as_bytes())?,
    }
    Ok(Exit::Done)
}

/// The document that is asked for; a program is given the verdict as JSON.
fn resolve_report_kind(kind: ReportKind, json: bool) -> report::ReportKind {
    match kind {
        ReportKind::Verdict if json => report::ReportKind::Json,
        ReportKind::Verdict => report::ReportKind::Verdict,
        ReportKind::Json => report::ReportKind::Json,
        ReportKind::Pr => report::ReportKind::Pr,
        ReportKind::Adr => report::ReportKind::Adr,
        ReportKind::Transcript => report::ReportKind::Transcript,
        ReportKind::Md => report::ReportKind::Md,
        ReportKind::Html => report::ReportKind::Html,
        ReportKind::Mermaid => report::ReportKind::Mermaid,
        ReportKind::Dot => report::ReportKind::Dot,
        ReportKind::Svg => report::ReportKind::Svg,
        ReportKind::Png => report::ReportKind::Png,
    }
}

/// A picture to stdout, which must not be a terminal.
fn write_picture_to_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = std::io::stdout();
    if stdout.is_terminal() {
        let message = "PNG output would garble the terminal";
        return Err(Failure::new(FailureKind::Usage, "terminal", message)
            .hint("-o FILE writes it to a file"));
    }
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(cause) if cause.kind() != std::io::ErrorKind::BrokenPipe => {
            let message = format!("cannot write to stdout: {cause}");
            Err(Failure::new(FailureKind::Store, "stdout", message))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

fn print_written_files(
    global: &Global,
    document: &ReportDoc,
    out: &mut Out,
) -> Result<(), Failure> {
    if global.json {
        return out.write_json(document);
    }
    document
        .files
        .iter()
        .try_for_each(|path| out.write_line(path))
}
