//! Writes a decision record after a verdict, if the configuration asks for it.

use std::fs;
use std::path::{Component, Path, PathBuf};

use agon_caller::{Caller, Code, Failure, Hint, Notes, find, settings};
use agon_record::format::Judging;

use super::write_decision_record;

/// The value with which Agon finds the folder itself.
const AUTO: &str = "auto";
/// The file in which adr-tools keeps its folder.
const ADR_TOOLS: &str = ".adr-dir";
/// Maximum size of that file, in bytes.
const MAX_ADR_TOOLS: u64 = 4_096;
/// Where projects keep decision records; a project without any gets the first.
const USUAL: [&str; 6] = [
    "docs/adr",
    "docs/decisions",
    "docs/architecture/decisions",
    "doc/architecture/decisions",
    "doc/adr",
    "adr",
];

/// Writes the decision record of the duel in `path` if the configuration asks for one. Notes the
/// file, or why there is none: the verdict counts without it.
pub(crate) fn record_verdict(caller: &Caller, path: &Path, notes: &mut dyn Notes) {
    match try_record(caller, path) {
        Ok(None) => {}
        Ok(Some(file)) => notes.note(&format!("decision record: {file} (not committed)")),
        Err(failure) => {
            let note = Hint::new(format!("note: no decision record: {}", failure.message));
            caller.advise(&note.join("; ", failure.hint.unwrap_or_default()), notes);
        }
    }
}

fn try_record(caller: &Caller, path: &Path) -> Result<Option<String>, Failure> {
    let Some(configured) = settings::resolve(caller)?.settings.decision_records else {
        return Ok(None);
    };
    let view = find::read(path)?;
    // A formal debate can continue after each judgment, so it is never decided by itself.
    if view.state.format_rules().judging == Judging::EachRound {
        return Ok(None);
    }
    let project = caller.project();
    let folder = match configured == AUTO {
        true => find_folder(&project),
        false => PathBuf::from(configured),
    };
    let dir = folder_inside(&project, &folder)?;
    let name = find::typeable_debate_name(caller, path);
    let written = write_decision_record(&view, &dir, false, &name).map_err(|failure| {
        if failure.code != Code::Exists {
            return failure;
        }
        let message = format!("{}, and says what the earlier verdict was", failure.message);
        let again = Hint::new("to write it again: ")
            .command(format!("report {name}"))
            .text(" ")
            .flag_with("format", "adr")
            .text(" ")
            .flag_with("output", folder.display())
            .text(" ")
            .flag("force");
        Failure::new(Code::Exists, message).hint(again)
    })?;
    Ok(Some(caller.display_path(&written)))
}

/// Returns the project's folder of decision records: that of adr-tools, else the first usual one
/// that exists, else the first usual one.
fn find_folder(project: &Path) -> PathBuf {
    // Not through a link, which could lead to a private file outside the project.
    let named = agon_files::read_no_follow(&project.join(ADR_TOOLS), MAX_ADR_TOOLS);
    let named = named.ok().and_then(|bytes| {
        let text = String::from_utf8(bytes).ok()?;
        let line = text.lines().next()?.trim();
        (!line.is_empty()).then(|| PathBuf::from(line))
    });
    let usual = || USUAL.into_iter().find(|dir| project.join(dir).is_dir());
    named.unwrap_or_else(|| PathBuf::from(usual().unwrap_or(USUAL[0])))
}

/// Returns `folder` below `project`. A file of the project names it, so it must not lead out, not
/// even through a link.
fn folder_inside(project: &Path, folder: &Path) -> Result<PathBuf, Failure> {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let dir = project.join(folder);
    let existing = dir.ancestors().find(|dir| dir.exists());
    let real = existing.and_then(|dir| fs::canonicalize(dir).ok());
    let is_inside = fs::canonicalize(project)
        .ok()
        .zip(real)
        .is_some_and(|(project, real)| real.starts_with(project));
    match folder.components().all(is_plain) && is_inside {
        true => Ok(dir),
        false => {
            let message = format!("{} is not a folder inside the project", folder.display());
            Err(Failure::new(Code::Output, message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_records_is_found_and_never_outside_the_project() {
        let project = tempfile::tempdir().unwrap();
        let (project, elsewhere) = (project.path(), tempfile::tempdir().unwrap());
        assert_eq!(find_folder(project), Path::new("docs/adr"));
        fs::create_dir_all(project.join("doc/adr")).unwrap();
        assert_eq!(find_folder(project), Path::new("doc/adr"));
        fs::write(project.join(ADR_TOOLS), "notes/adr\n").unwrap();
        assert_eq!(find_folder(project), Path::new("notes/adr"));
        let inside = |folder: &str| folder_inside(project, Path::new(folder)).is_ok();
        assert!(inside("notes/adr") && inside("./docs"));
        std::os::unix::fs::symlink(elsewhere.path(), project.join("out")).unwrap();
        for outside in ["../adr", "docs/../../adr", "/tmp/adr", "out", "out/adr"] {
            assert!(!inside(outside), "{outside}");
        }
    }
}
