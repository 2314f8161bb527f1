//! `agon report`: writes the report of a debate, or prints it in a format.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use agon_debates::report;
use agon_debates::report::{DECISION_RECORD, Report, ReportDoc, ReportRequest};
use agon_report::ReportKind;

use crate::args::{Global, ReportArgs};
use crate::error::{Code, Exit, Failure, FailureKind};
use crate::output::{Out, pretty_json};
use crate::surroundings::Surroundings;
use crate::{pager, stop};

/// Renders one document, or writes the whole report into a folder.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &ReportArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let target = Target::of(args)?;
    if let Target::Stdout(kind) = &target
        && kind.for_programs.is_none()
    {
        global.refuse_json(
            "a report in that format",
            "leave out --json, or write it to a file with -o FILE",
        )?;
    }
    let request = ReportRequest {
        debate: args.debate.clone(),
        kind: target.kind().map(|kind| requested_kind(kind, global.json)),
        narrator: args.narrator.clone(),
        model: args.model.clone(),
        into: target.folder(),
        force: args.force,
    };
    if let Target::File(file, _) = &target {
        refuse_overwriting(file, args.force)?;
    }
    let rendered = report::report(edge, &request, &stop::signal_cancellation_token, out).await?;
    let bytes = match rendered.report {
        Report::Whole(document) => {
            print_written_files(global, &document, out)?;
            return Ok(Exit::Done);
        }
        Report::Text(text) => text.into_bytes(),
        Report::Picture(picture) => picture,
        Report::Verdict(verdict) => pretty_json(&verdict)?.into_bytes(),
    };
    if let Target::File(file, _) = &target {
        let failed = |error: std::io::Error| {
            let message = format!("cannot write {}: {error}", file.display());
            Failure::new(Code::Output, message)
        };
        let folder = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        folder.map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
        fs::write(file, bytes).map_err(failed)?;
        let written = ReportDoc::new(&rendered.debate, vec![file.display().to_string()]);
        print_written_files(global, &written, out)?;
        return Ok(Exit::Done);
    }
    match String::from_utf8(bytes) {
        Ok(text) => {
            pager::begin(edge, global, out);
            out.write_stdout(&text)?;
        }
        Err(picture) => write_picture_to_stdout(picture.as_bytes())?,
    }
    Ok(Exit::Done)
}

/// Where a report goes.
enum Target {
    /// The whole report, into the debate's folder.
    DebateFolder,
    /// The whole report, into this folder.
    Folder(PathBuf),
    /// A decision record, into this folder of them, which gives it its number.
    RecordFolder(PathBuf, &'static ReportKind),
    /// One document, into this file.
    File(PathBuf, &'static ReportKind),
    /// One document, to stdout.
    Stdout(&'static ReportKind),
}

impl Target {
    /// Returns the target that `args` ask for.
    ///
    /// # Errors
    ///
    /// Returns an error if the extension of the file belongs to no format.
    fn of(args: &ReportArgs) -> Result<Self, Failure> {
        let Some(path) = &args.output else {
            return Ok(args.format.map_or(Self::DebateFolder, Self::Stdout));
        };
        let is_folder = path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/");
        if let Some(format) = args.format {
            return Ok(match format.name == DECISION_RECORD && is_folder {
                true => Self::RecordFolder(path.clone(), format),
                false => Self::File(path.clone(), format),
            });
        }
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending {
            _ if is_folder => Ok(Self::Folder(path.clone())),
            None => Ok(Self::Folder(path.clone())),
            Some(ending) => match ReportKind::find_by_file_ending(ending) {
                Some(kind) => Ok(Self::File(path.clone(), kind)),
                None => {
                    let message = format!("no report format for the extension .{ending}");
                    Err(Failure::new(Code::UnknownEnding, message)
                        .parameter("output")
                        .hint("choose a --format, or end the path with / for a folder"))
                }
            },
        }
    }

    fn kind(&self) -> Option<&'static ReportKind> {
        match self {
            Self::DebateFolder | Self::Folder(_) => None,
            Self::RecordFolder(_, kind) | Self::File(_, kind) | Self::Stdout(kind) => Some(*kind),
        }
    }

    fn folder(&self) -> Option<PathBuf> {
        match self {
            Self::Folder(folder) | Self::RecordFolder(folder, _) => Some(folder.clone()),
            Self::DebateFolder | Self::File(..) | Self::Stdout(_) => None,
        }
    }
}

fn refuse_overwriting(file: &Path, force: bool) -> Result<(), Failure> {
    match force || !file.exists() {
        true => Ok(()),
        false => {
            let message = format!("{} exists already", file.display());
            Err(Failure::new(Code::Exists, message)
                .kind(FailureKind::Store)
                .parameter("output")
                .hint("to overwrite it, use --force"))
        }
    }
}

/// Returns the requested kind or, with `--json`, its variant for programs, if there is one.
fn requested_kind(kind: &'static ReportKind, json: bool) -> &'static ReportKind {
    let given = kind.for_programs.filter(|_| json);
    given.and_then(ReportKind::find).unwrap_or(kind)
}

/// Writes a picture to stdout, unless it is a terminal.
fn write_picture_to_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = std::io::stdout();
    if stdout.is_terminal() {
        let message = "PNG output would garble the terminal";
        return Err(Failure::new(Code::Terminal, message).hint("write it to a file: -o FILE"));
    }
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(cause) if cause.kind() != std::io::ErrorKind::BrokenPipe => {
            let message = format!("cannot write to stdout: {cause}");
            Err(Failure::new(Code::Stdout, message))
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
