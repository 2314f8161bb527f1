//! The whole report: the README, the page and the pictures of a debate.

use std::fs;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure, Hint, Notes, find};
use agon_engine::host::{FolderHost, Host};
use agon_folder::foreign::{Overwritten, overwritten_files};
use agon_folder::{View, published_files};
use agon_record::format::Judging;
use agon_record::state::State;
use agon_report::graph::svg;
use agon_report::markdown::link_points;
use agon_report::{debate_drawing, html, readme_md};
use agon_store::{Projection, RealDisk, RelPath};
use agon_verdict::verdict::{Verdict, verdict, verdict_without_graph};
use schemars::JsonSchema;
use serde::Serialize;

use super::{ReportRequest, no_verdict_failure, png};
use crate::failure::store_failure;
use crate::status::open;

/// The picture that the folder of a formal debate always contains.
const GRAPH: &str = "argument-graph.mmd";

/// The files of a whole report: `agon.report/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReportDoc {
    schema: &'static str,
    debate: String,
    /// The paths of the files, as printed.
    pub files: Vec<String>,
}

impl ReportDoc {
    /// Returns the document for a report of `debate`.
    pub fn new(debate: &str, files: Vec<String>) -> Self {
        Self {
            schema: "agon.report/1",
            debate: debate.to_owned(),
            files,
        }
    }
}

/// A whole report that can be written: no file is in the way, or replacing is allowed.
pub(super) struct WholeReport {
    /// The debate's folder.
    path: PathBuf,
    state: State,
    files: Vec<Projection>,
    /// The target folder, if it is not the debate's own.
    into: Option<PathBuf>,
    force: bool,
    /// The name of the debate that the user types in commands.
    name: String,
}

impl WholeReport {
    /// Prepares the report of a debate in `path`.
    ///
    /// # Errors
    ///
    /// If the debate has no verdict, or existing files may not be replaced.
    pub(super) fn prepare(
        caller: &Caller,
        path: PathBuf,
        view: &View,
        request: &ReportRequest,
        notes: &mut dyn Notes,
    ) -> Result<Self, Failure> {
        let state = view.state.clone();
        let name = find::typeable_debate_name(caller, &path);
        if verdict_without_graph(&state).is_none() {
            return Err(no_verdict_failure(&name));
        }
        let into = request.into.as_ref().map(|into| caller.resolve_path(into));
        let into = into.filter(|into| !is_same_folder(into, &path));
        let report = Self {
            files: report_files(&state, None, notes)?,
            force: request.force,
            path,
            state,
            into,
            name,
        };
        let in_the_way = match &report.into {
            Some(into) => differing_files(into, &report.all_files())?,
            None => report.overwritten(view.foreign)?,
        };
        report.refuse(caller, &in_the_way)?;
        Ok(report)
    }

    /// Adds a narrator's account.
    pub(super) fn add_account(&mut self, account: &str) {
        let verdict = verdict(&self.state);
        for (path, bytes) in &mut self.files {
            match path.as_str() {
                "README.md" => {
                    *bytes = linked_readme(&self.state, verdict.as_ref(), Some(account));
                }
                "report.html" => {
                    *bytes = html(&self.state, verdict.as_ref(), Some(account)).into_bytes();
                }
                _ => {}
            }
        }
    }

    /// Writes all files, or none if a file is in the way.
    ///
    /// # Errors
    ///
    /// If a folder cannot be written.
    pub(super) fn write(
        self,
        caller: &Caller,
        notes: &mut dyn Notes,
    ) -> Result<ReportDoc, Failure> {
        let folder = match &self.into {
            Some(into) => {
                write_all(into, &self.all_files())?;
                into.clone()
            }
            None => self.write_into_debate(caller, notes)?,
        };
        let folder = caller.display_path(&folder);
        let mut files: Vec<_> = self
            .files
            .iter()
            .map(|(path, _)| format!("{folder}/{path}"))
            .collect();
        if self.state.format_rules().judging == Judging::EachRound {
            files.push(format!("{folder}/{GRAPH}"));
        }
        Ok(ReportDoc::new(&self.state.spec.slug, files))
    }

    fn write_into_debate(
        &self,
        caller: &Caller,
        notes: &mut dyn Notes,
    ) -> Result<PathBuf, Failure> {
        let mut host = open::open_for_writing(&self.path, notes)?;
        let failed = |error| store_failure(&error);
        let all = self.all_files();
        let edited = host.folder().foreign_edits(&all);
        let edited = edited.map_err(|error| store_failure(&error))?;
        self.refuse(caller, &edited)?;
        if !edited.is_empty() {
            let aside = host.folder().move_foreign_edits_aside(&all);
            aside.map_err(|error| store_failure(&error))?;
            notes.note("note: the replaced files are saved in .agon/aside/");
        }
        host.publish_documents().map_err(failed)?;
        host.write_documents(&self.files).map_err(failed)?;
        Ok(folder_of(&host))
    }

    /// Returns the files in the debate's folder that the report would change and that others wrote.
    fn overwritten(&self, is_foreign: bool) -> Result<Vec<RelPath>, Failure> {
        let files = match is_foreign {
            // Check all files, because importing the debate rewrites its documents.
            true => self.all_files(),
            // Check only the report, because the documents are checked when the debate is opened.
            false => self.files.clone(),
        };
        let found = overwritten_files(&RealDisk, &self.path, &self.state, &files);
        let Overwritten {
            of_the_debate,
            in_the_way,
        } = found.map_err(|error| store_failure(&error))?;
        Ok(match is_foreign {
            true => [of_the_debate, in_the_way].concat(),
            false => in_the_way,
        })
    }

    fn refuse(&self, caller: &Caller, in_the_way: &[RelPath]) -> Result<(), Failure> {
        if in_the_way.is_empty() || self.force {
            return Ok(());
        }
        let names: Vec<_> = in_the_way.iter().map(RelPath::as_str).collect();
        let into = self.into.as_ref().unwrap_or(&self.path);
        let message = format!(
            "the report would replace files in {} that Agon did not write: {}",
            caller.display_path(into),
            names.join(", ")
        );
        let elsewhere = match self.into {
            Some(_) => "name another folder",
            None => "write it into another folder with -o DIR",
        };
        let replace = Hint::new("replace them: ").command(format!("report {} --force", self.name));
        let hint = Hint::new(elsewhere).then(replace);
        Err(Failure::new(Code::ForeignEdit, message).hint(hint))
    }

    /// Returns its own files, and all files of the debate that they link to.
    fn all_files(&self) -> Vec<Projection> {
        let mut files = published_files(&self.state);
        files.extend(self.files.clone());
        files
    }
}

fn folder_of(host: &FolderHost) -> PathBuf {
    host.folder().path().to_owned()
}

fn is_same_folder(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    real(one).is_some_and(|one| Some(one) == real(other))
}

/// Returns the README of a folder that has a file for each point.
fn linked_readme(state: &State, verdict: Option<&Verdict>, account: Option<&str>) -> Vec<u8> {
    link_points(state, &readme_md(state, verdict, account)).into_bytes()
}

/// Returns the README, the page and the pictures.
fn report_files(
    state: &State,
    account: Option<&str>,
    notes: &mut dyn Notes,
) -> Result<Vec<Projection>, Failure> {
    let verdict = verdict(state);
    let verdict = verdict.as_ref();
    let mut files = vec![
        ("README.md", linked_readme(state, verdict, account)),
        ("report.html", html(state, verdict, account).into_bytes()),
        (
            "argument-graph.svg",
            svg(&debate_drawing(state)).into_bytes(),
        ),
    ];
    if let Some(bytes) = png::report_png(state, notes)? {
        files.push(("argument-graph.png", bytes));
    }
    let named = files.into_iter().filter_map(|(name, bytes)| {
        let path = RelPath::new(name).ok()?;
        Some((path, bytes))
    });
    Ok(named.collect())
}

/// Returns the files in `folder` that differ from `files`.
fn differing_files(folder: &Path, files: &[Projection]) -> Result<Vec<RelPath>, Failure> {
    let mut found = Vec::new();
    for (path, bytes) in files {
        let at = path.under(folder);
        match fs::symlink_metadata(&at) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Ok(meta) if meta.is_file() && has_bytes(&at, bytes) => {}
            Ok(_) => found.push(path.clone()),
            Err(error) => return Err(unwritable_failure(&at, &error)),
        }
    }
    Ok(found)
}

/// Returns whether a file has exactly these bytes.
fn has_bytes(path: &Path, bytes: &[u8]) -> bool {
    agon_files::read_no_follow(path, bytes.len() as u64).is_ok_and(|there| there == bytes)
}

fn write_all(folder: &Path, files: &[Projection]) -> Result<(), Failure> {
    for (path, bytes) in files {
        let at = path.under(folder);
        let parent = at.parent().unwrap_or(folder);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&at, bytes))
            .map_err(|error| unwritable_failure(&at, &error))?;
    }
    Ok(())
}

fn unwritable_failure(at: &Path, error: &std::io::Error) -> Failure {
    let message = format!("cannot write {}: {error}", at.display());
    Failure::new(Code::Output, message)
}
