//! Opens debates for writing: Agon's own debates, and debates that another tool keeps.

use std::path::Path;
use std::sync::Arc;

use agon_caller::{Code, Failure, Notes, system};
use agon_engine::host::FolderHost;
use agon_folder::{ImportError, ImportStepsError, OpenError, foreign};
use agon_report::text::count_with_noun;
use agon_store::journal::JournalFault;
use agon_store::{Disk, RealDisk};

/// Opens the debate in `path` for writing, and notes the problems found.
///
/// Imports the folder of another tool first. Adds what another tool wrote into Agon's folder since
/// the last write to the debate.
///
/// # Errors
///
/// If it is locked, corrupted, of a newer format, or edited in a way that is not a valid step.
/// Nothing is changed then.
pub(crate) fn open_for_writing(path: &Path, notes: &mut dyn Notes) -> Result<FolderHost, Failure> {
    let disk: Arc<dyn Disk> = Arc::new(RealDisk);
    let foreign = foreign::is_foreign_debate(&*disk, path)
        .map_err(|error| Failure::from_error(Code::Store, &error))?;
    if foreign {
        return import(disk, path, notes);
    }
    let opened = FolderHost::open(disk, path, system::now_ms);
    let (mut host, opening) = opened.map_err(|error| open_failure(&error))?;
    if let Some(torn) = &opening.torn {
        notes.note(&format!(
            "note: the last line of the journal is incomplete; its {} bytes were moved to {}",
            torn.bytes,
            torn.kept.display()
        ));
    }
    if let Some(taken) = host
        .import_external_changes()
        .map_err(|error| import_steps_failure(&error))?
    {
        notes.note(&format!(
            "note: another tool continued this debate; {} and {} were imported",
            count_with_noun(taken.arguments.len() as u64, "argument"),
            count_with_noun(taken.scored.len() as u64, "score"),
        ));
    }
    Ok(host)
}

fn import(disk: Arc<dyn Disk>, path: &Path, notes: &mut dyn Notes) -> Result<FolderHost, Failure> {
    let read = foreign::read(&*disk, path).map_err(|error| import_failure(&error.into()))?;
    let spec = agon_record::spec::Spec {
        ulid: system::new_ulid(),
        salt: system::new_salt()?,
        ..read.spec()
    };
    let host = FolderHost::import(disk, path, spec, system::now_ms);
    let host = host.map_err(|error| import_failure(&error))?;
    let arguments = count_with_noun(read.imported.arguments.len() as u64, "argument");
    notes.note(&format!(
        "note: imported {arguments} from another tool; they and their scores stay unchanged"
    ));
    Ok(host)
}

fn open_failure(error: &OpenError) -> Failure {
    let (code, hint) = match error {
        OpenError::Locked { .. } => (
            Code::Locked,
            "run `agon wait DEBATE` to wait until it ends, or `agon stop DEBATE` to stop it",
        ),
        OpenError::ReadOnly {
            fault: JournalFault::Newer { .. },
            ..
        } => (
            Code::NewerFormat,
            "a newer version of Agon wrote it: update Agon; `agon show` reads what it can",
        ),
        _ => (
            Code::Store,
            "read it with `agon show`, or run `agon check` to see what is wrong",
        ),
    };
    let failure = Failure::from_error(code, error).hint(hint);
    match error {
        OpenError::Locked { .. } => failure.retry_after(LOCKED_FOR_S),
        _ => failure,
    }
}

// Chosen, not measured: most calls take longer, so an earlier retry would find the same process.
/// Seconds to wait before retrying a locked debate.
const LOCKED_FOR_S: u64 = 30;

fn import_steps_failure(error: &ImportStepsError) -> Failure {
    match error {
        ImportStepsError::ForeignEdit { .. } => Failure::from_error(Code::ForeignEdit, error)
            .hint("undo the edit or move the files away; run `agon check` to list them"),
        ImportStepsError::Append(_) | ImportStepsError::Disk(_) => {
            Failure::from_error(Code::Store, error)
        }
    }
}

fn import_failure(error: &ImportError) -> Failure {
    let hint = match error {
        ImportError::Foreign(foreign) => foreign.hint(),
        ImportError::Ours { .. } | ImportError::Create { .. } | ImportError::Disk(_) => None,
    };
    let failure = Failure::from_error(Code::Import, error);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
