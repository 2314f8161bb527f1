//! Removes debates.

use std::fs;
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure, depth, error_chain, find, system};
use agon_folder::{Writer, current_writer, remove_debate};
use agon_store::RealDisk;
use schemars::JsonSchema;
use serde::Serialize;

/// A debate that can be removed.
#[derive(Clone, Debug)]
pub struct Removable {
    path: PathBuf,
    /// The debate's name.
    pub debate: String,
    /// The debate's folder, as the user would type it.
    pub folder: String,
    /// The topic.
    pub topic: String,
    /// The number of calls made for it.
    pub calls: u32,
}

/// The debates that were removed: `agon.removed/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RemovedDoc {
    schema: &'static str,
    /// The removed folders.
    pub removed: Vec<String>,
}

/// Returns the debate `name` if it may be removed.
///
/// # Errors
///
/// If it does not exist or is running, or its folder is a link or contains the current folder.
pub fn find_removable(caller: &Caller, name: &str) -> Result<Removable, Failure> {
    depth::refuse_nested(caller)?;
    let path = find::find_debate_folder(caller, name)?;
    refuse_link_or_current(caller, &path)?;
    let view = find::read_for(caller, &path)?;
    let name = view.state.command_name().to_owned();
    let slug = view.state.spec.slug;
    let writer = current_writer(&RealDisk, &path)
        .map_err(|error| Failure::from_error(Code::Store, &error))?;
    if writer != Writer::Nobody {
        return Err(Failure::new(Code::Locked, format!("{slug} is running"))
            .parameter("debate")
            .hint(format!("run `agon stop {name}` first")));
    }
    Ok(Removable {
        folder: caller.display_path(&path),
        topic: view.state.spec.topic,
        calls: view.state.spent.calls,
        debate: slug,
        path,
    })
}

fn refuse_link_or_current(caller: &Caller, path: &Path) -> Result<(), Failure> {
    let refuse = |message: String| {
        let failure = Failure::new(Code::NotRemovable, message);
        Err(failure.parameter("debate"))
    };
    if fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink()) {
        return refuse(format!("{} is a link to another folder", path.display()));
    }
    let inside = fs::canonicalize(path)
        .ok()
        .zip(fs::canonicalize(&caller.cwd).ok())
        .is_some_and(|(debate, here)| here.starts_with(debate));
    match inside {
        true => refuse("the current folder is inside it".to_owned()),
        false => Ok(()),
    }
}

/// Removes debates one after the other.
///
/// Each disappears in one step, so that no half-removed debate keeps its name.
///
/// # Errors
///
/// If one cannot be removed; those before it are already gone.
pub fn remove(debates: &[Removable]) -> Result<RemovedDoc, Failure> {
    for debate in debates {
        let removed = remove_debate(&RealDisk, &debate.path, system::new_ulid());
        removed.map_err(|error| {
            let message = format!("cannot remove {}: {}", debate.folder, error_chain(&error));
            let list = "run `agon list` to see what is left of it";
            Failure::new(Code::Store, message).hint(list)
        })?;
    }
    Ok(RemovedDoc {
        schema: "agon.removed/1",
        removed: debates.iter().map(|debate| debate.folder.clone()).collect(),
    })
}
