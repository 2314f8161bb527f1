//! Compiles agents. Each host enforces their limits in its own way, or cannot.

use super::{Compiled, Kind, Target, Unenforceable};
use crate::content::Agent;
use crate::field::{FieldOutcome, SourceField};
use crate::host::{self, EditBound};

/// Compiles `agent`, called `name` in the source, and removes used waivers from `idle`.
///
/// An agent without its limits is worse than none: a limit that the host cannot enforce is a failure
/// unless it is waived.
pub(super) fn compile(
    name: &str,
    agent: &Agent,
    target: &Target<'_>,
    idle: &mut Vec<String>,
    compiled: &mut Compiled,
) {
    let names = target.host.tool_names(target.server);
    let mut written = (target.host.write_agent)(agent, &names);
    let bound = (target.host.bound_edits)(agent, target.is_for_project);
    written
        .fields
        .push((SourceField::EditOnly, bound.outcome()));
    // Drops the outcomes of fields that the agent does not set.
    written.fields.retain(|(field, _)| match field {
        SourceField::Effort => agent.effort.is_some(),
        SourceField::EditOnly => !agent.edit_only.is_empty(),
        SourceField::Skills => !agent.skills.is_empty(),
        _ => true,
    });
    if agent.name != name {
        for (field, outcome) in &mut written.fields {
            if *field == SourceField::Name {
                *outcome = FieldOutcome::Translated(
                    "with the prefix agon-: the host has an agent of this name",
                );
            }
        }
    }
    compiled.report(Kind::Agent, name, &written.fields);
    let needed = host::limits_to_enforce(agent);
    let mut has_failed = false;
    for field in needed {
        let Some(reason) = not_enforced(&written.fields, field) else {
            continue;
        };
        let failure = Unenforceable {
            name: name.to_owned(),
            field,
            reason,
        };
        let waiver = failure.waiver();
        if target.waived.contains(&waiver) {
            idle.retain(|idle| *idle != waiver);
        } else {
            has_failed = true;
            compiled.failed.push(failure);
        }
    }
    if !has_failed {
        let needs_server = !agent.agon.is_empty();
        compiled.add(Kind::Agent, name, written.file, written.text, needs_server);
        match bound {
            EditBound::ByRules(rules) if !agent.edit_only.is_empty() => {
                compiled.agent_rules.push(rules);
            }
            _ => {}
        }
    }
}

/// Returns why the host does not enforce `field`, or `None` if it does. A field without an outcome is
/// not enforced.
fn not_enforced(
    fields: &[(SourceField, FieldOutcome)],
    field: SourceField,
) -> Option<&'static str> {
    match fields.iter().find(|(known, _)| *known == field) {
        Some((_, FieldOutcome::Kept | FieldOutcome::Translated(_))) => None,
        Some((_, FieldOutcome::NotEnforced(reason))) => Some(reason),
        None => Some("the host has no such setting"),
    }
}
