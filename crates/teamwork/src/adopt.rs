//! Imports tasks from other tools' lists: Markdown checklists, Backlog.md, beads.

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

use self::map::{Mapped, find_cycle, to_task};
use self::source::{ForeignList, is_export, read_list};
use super::change::find_member_or_role;
use super::member::lead;
use super::open_team::{failure, open};
use super::record::{TeamImportedDoc, import_team};
use super::task::read_commit;

/// The name and version of the document about imported tasks.
pub const TEAM_ADOPTED_SCHEMA: &str = "agon.team_adopted/1";

/// Tasks that were imported from another list, or would be: `agon.team_adopted/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamAdoptedDoc {
    #[schemars(extend("const" = TEAM_ADOPTED_SCHEMA))]
    schema: &'static str,
    /// The imported list, as the user named it.
    pub source: String,
    /// Whether this was a trial run that changed nothing.
    pub dry_run: bool,
    /// The result of the import, or of the trial run.
    #[serde(flatten)]
    pub report: ImportReport,
}

/// The result of an import.
pub enum Imported {
    /// A team, read from an export.
    Team(TeamImportedDoc),
    /// Tasks, read from another tool's list.
    Tasks(TeamAdoptedDoc),
}

/// Imports a team from an export, or tasks from another tool's list, depending on the file's
/// content.
///
/// # Errors
///
/// Fails if the file cannot be read, is of an unknown kind, or contains an error. Nothing is
/// changed then.
pub async fn import(caller: &Caller, file: &Path, dry_run: bool) -> Result<Imported, Failure> {
    refuse_nested(caller)?;
    let path = caller.resolve_path(file);
    if is_export(&path) {
        if dry_run {
            let message = "an export cannot be imported as a trial run";
            return Err(Failure::new(Code::InvalidParameter, message)
                .parameter("dry-run")
                .hint(Hint::new("run the command again without ").flag("dry-run")));
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
    if let Some(cycle) = find_cycle(&list.items) {
        let message = format!(
            "{}: {} depend on each other in a cycle",
            list.named,
            cycle.join(", ")
        );
        return Err(Failure::new(Code::InvalidParameter, message)
            .parameter("file")
            .hint("remove one of these dependencies from the list, then import again"));
    }
    // Tasks that were done elsewhere have no change in this team, so the current tree serves as
    // their evidence.
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

/// Returns the assignee of an entry if the team knows the name; otherwise adds a note to `unknown`.
fn known_assignee(
    caller: &Caller,
    team: &mut Team,
    item: &Mapped,
    unknown: &mut Vec<String>,
) -> Result<Option<Assignee>, Failure> {
    let Some(name) = &item.assignee else {
        return Ok(None);
    };
    let found = find_member_or_role(caller, team, name)?;
    if found.is_none() {
        unknown.push(format!(
            "{}: this team has no member or role {name}, so any member can claim the task",
            item.id
        ));
    }
    Ok(found)
}

/// Returns the assignees of tasks imported earlier, by name, as far as the team knows them now.
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
        if let Some(assignee) = find_member_or_role(caller, team, &name)? {
            known.insert(name, assignee);
        }
    }
    Ok(known)
}
