//! Tasks of other tools' lists, imported into the team: Markdown checklists, Backlog.md, beads.

mod backlog;
mod beads;
mod map;
mod markdown;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use agon_caller::depth::refuse_nested;
use agon_caller::{Caller, Code, Failure, Hint};
use agon_team::id::{IdError, TreeHash};
use agon_team::store::{ImportReport, TaskImport, Team};
use agon_team::task::{Assignee, TaskOrigin};
use schemars::JsonSchema;
use serde::Serialize;

use self::map::{Mapped, find_circle, to_task};
use self::source::{ForeignList, is_export, read_list};
use super::change::assignee_called;
use super::door::{failure, open};
use super::member::lead;
use super::record::{TeamImportedDoc, import_team};
use super::task::read_commit;

/// The name and version of the document of tasks that were imported.
pub const TEAM_ADOPTED_SCHEMA: &str = "agon.team_adopted/1";

/// Tasks of another list that were imported, or would be: `agon.team_adopted/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamAdoptedDoc {
    #[schemars(extend("const" = TEAM_ADOPTED_SCHEMA))]
    schema: &'static str,
    /// The list.
    pub source: String,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// What was done, or would be.
    #[serde(flatten)]
    pub report: ImportReport,
}

/// What an import came to.
pub enum Imported {
    /// A team, from an export.
    Team(TeamImportedDoc),
    /// Tasks, from a list of another tool.
    Tasks(TeamAdoptedDoc),
}

/// Imports a team from an export, or tasks from a list of another tool, by what is in the file.
///
/// # Errors
///
/// If the file cannot be read, is of no known kind, or has something wrong in it; nothing is changed
/// then.
pub async fn import(caller: &Caller, file: &Path, dry_run: bool) -> Result<Imported, Failure> {
    refuse_nested(caller)?;
    let path = caller.resolve_path(file);
    if is_export(&path) {
        if dry_run {
            let message = "an export is imported whole or not at all: it has no trial run";
            return Err(Failure::new(Code::InvalidParameter, message)
                .parameter("dry-run")
                .hint(Hint::new("leave out ").flag("dry-run")));
        }
        return import_team(caller, file).map(Imported::Team);
    }
    let list = read_list(caller, &path, file)?;
    adopt(caller, list, dry_run).await.map(Imported::Tasks)
}

async fn adopt(
    caller: &Caller,
    list: ForeignList,
    dry_run: bool,
) -> Result<TeamAdoptedDoc, Failure> {
    let (mut team, location) = open(caller)?;
    let actor = lead(caller, &team, &location, "import tasks")?;
    if let Some(circle) = find_circle(&list.items) {
        let message = format!("{}: {} wait for each other", list.named, circle.join(", "));
        return Err(Failure::new(Code::InvalidParameter, message)
            .parameter("file")
            .hint("take one of these dependencies out of the list, then import again"));
    }
    // What was done before has no change here: the files as they are now are its evidence.
    let tree: TreeHash = match read_commit(caller, "HEAD").await {
        Ok((_, tree)) => tree,
        Err(_) => "0"
            .repeat(40)
            .parse()
            .map_err(|error: IdError| Failure::from_error(Code::Bug, &error))?,
    };
    let mut unknown = Vec::new();
    let mut tasks = Vec::new();
    for item in list.items {
        let assignee = known_assignee(caller, &mut team, &item, &mut unknown)?;
        tasks.push(to_task(&list.source, item, assignee));
    }
    let known = earlier_assignees(caller, &mut team)?;
    let earlier = |origin: &TaskOrigin| {
        let mapped = source::map(origin)?;
        let assignee = mapped.assignee.as_ref().and_then(|name| known.get(name));
        let assignee = assignee.cloned();
        Some(to_task(&origin.source, mapped, assignee))
    };
    let import = TaskImport {
        source: &list.source,
        tasks: &tasks,
        earlier: &earlier,
        tree: &tree,
        dry_run,
    };
    let mut report = team.import_tasks(&actor, &import).map_err(failure)?;
    report.kept.extend(unknown);
    Ok(TeamAdoptedDoc {
        schema: TEAM_ADOPTED_SCHEMA,
        source: list.source,
        dry_run,
        report,
    })
}

/// Whom the list names, if the team knows that name; else it is said, and kept with the task alone.
fn known_assignee(
    caller: &Caller,
    team: &mut Team,
    item: &Mapped,
    unknown: &mut Vec<String>,
) -> Result<Option<Assignee>, Failure> {
    let Some(name) = &item.assignee else {
        return Ok(None);
    };
    let found = assignee_called(caller, team, name)?;
    if found.is_none() {
        unknown.push(format!(
            "{}: {name} is not a member or role of this team, so any member can claim it",
            item.id
        ));
    }
    Ok(found)
}

/// Those whom imported tasks named when they were imported, as far as the team knows them now.
fn earlier_assignees(
    caller: &Caller,
    team: &mut Team,
) -> Result<BTreeMap<String, Assignee>, Failure> {
    let origins = team.tasks().map_err(failure)?.into_iter();
    let origins: Vec<TaskOrigin> = origins.filter_map(|task| task.origin).collect();
    let names: BTreeSet<String> = origins
        .iter()
        .filter_map(|origin| source::map(origin)?.assignee)
        .collect();
    let mut known = BTreeMap::new();
    for name in names {
        if let Some(assignee) = assignee_called(caller, team, &name)? {
            known.insert(name, assignee);
        }
    }
    Ok(known)
}
