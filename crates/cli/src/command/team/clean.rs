//! `agon team clean`: removes work trees and branches of finished members.

use agon_report::text::{count_with_noun, plain_line};
use agon_teamwork::{CleanRequest, Leftover, TeamCleanDoc, clean, plan_clean};

use super::print;
use crate::args::{CleanArgs, Global};
use crate::asking::confirm_on_terminal;
use crate::error::{Code, Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// The maximum number of changed files listed per work tree.
const MAX_NAMED: usize = 5;

/// Asks for confirmation on a terminal, then removes them.
pub(super) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &CleanArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = CleanRequest {
        names: args.names.iter().cloned().collect(),
        force: args.force,
    };
    let mut confirmed = None;
    if args.dry_run || !args.yes {
        let plan = plan_clean(edge, &request).await?;
        if args.dry_run || plan.removed.is_empty() {
            return print(global, &plan, &describe_cleanup(&plan), out);
        }
        if !edge.terminal || global.json {
            let message = "this deletes work trees and branches for good";
            return Err(Failure::new(Code::NotConfirmed, message)
                .parameter("yes")
                .hint("check with --dry-run, then confirm with --yes"));
        }
        out.eprint_line(&describe_cleanup(&plan));
        if !confirm_on_terminal("Remove these for good? [y/N] ").await {
            out.eprint_line("nothing was removed");
            return Ok(Exit::Done);
        }
        confirmed = Some(plan);
    }
    let document = clean(edge, &request, confirmed.as_ref()).await?;
    print(global, &document, &describe_cleanup(&document), out)
}

fn describe_cleanup(document: &TeamCleanDoc) -> String {
    let verb = match document.dry_run {
        true => "would be removed",
        false => "removed",
    };
    let mut lines = Vec::new();
    if document.removed.is_empty() {
        lines.push("nothing to remove".to_owned());
    }
    for leftover in &document.removed {
        let parts = [
            leftover.tree.is_some().then_some("work tree"),
            leftover.branch.as_ref().map(|_| "branch"),
        ];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        let parts = match parts.is_empty() {
            true => "member".to_owned(),
            false => parts.join(" and "),
        };
        lines.push(format!("{verb}: {} ({parts})", plain_line(&leftover.name)));
        lines.extend(list_unmerged_work(leftover, "lost"));
    }
    for leftover in &document.kept {
        let why = leftover.why.as_deref().unwrap_or_default();
        lines.push(format!(
            "kept: {}: {}",
            plain_line(&leftover.name),
            plain_line(why)
        ));
        lines.extend(list_unmerged_work(leftover, "contains"));
    }
    let forceable = document.kept.iter().find(|it| it.is_forceable);
    if let Some(leftover) = forceable {
        let name = plain_line(&leftover.name);
        lines.push(format!(
            "to remove one anyway, name it: agon team clean {name} --force"
        ));
    }
    lines.join("\n")
}

/// Lists the work that exists only here, one line for commits and one for files.
fn list_unmerged_work(leftover: &Leftover, word: &str) -> Vec<String> {
    let mut lines = Vec::new();
    if leftover.unmerged > 0 {
        let commits = count_with_noun(leftover.unmerged, "unmerged commit");
        let branch = leftover.branch.as_deref().unwrap_or_default();
        lines.push(format!("  {word}: {commits} on {}", plain_line(branch)));
    }
    if !leftover.uncommitted.is_empty() {
        let named = leftover.uncommitted.iter().take(MAX_NAMED);
        let named: Vec<_> = named.map(|path| plain_line(path)).collect();
        let more = match leftover.uncommitted.len().saturating_sub(MAX_NAMED) {
            0 => "",
            _ => " and more",
        };
        lines.push(format!("  {word}: uncommitted {}{more}", named.join(", ")));
    }
    lines
}
