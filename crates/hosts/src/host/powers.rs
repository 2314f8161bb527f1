//! Permissions of an agent as a list of tools.

use std::collections::BTreeSet;

use super::ToolNames;
use crate::content::Agent;
use crate::content::agent::{Power, PowerTools};
use crate::field::{FieldOutcome, SourceField};

/// Name for all tools of a server.
pub(super) const EVERY: &str = "*";

/// Returns the tools of `agent`: the tools for its permissions, the tools of Agon's server (called
/// `agon`), and the tools of its other servers. `name_of` returns the name of a server's tool.
pub(super) fn allowed_tools(
    agent: &Agent,
    table: &[PowerTools],
    agon: &str,
    name_of: impl Fn(&str, &str) -> String,
) -> Vec<String> {
    let powers = table.iter().filter(|(power, _)| agent.may.contains(power));
    let own = powers.flat_map(|(_, tools)| tools.iter().map(|tool| (*tool).to_owned()));
    let of_agon = agent.agon.iter().map(|tool| name_of(agon, tool));
    let others = agent.servers.iter().map(|server| name_of(server, EVERY));
    own.chain(of_agon).chain(others).collect()
}

/// Returns the same tools for a host whose model sees a server's tool by its listed name.
pub(super) fn listed_tools(agent: &Agent, table: &[PowerTools], names: &ToolNames) -> Vec<String> {
    allowed_tools(agent, table, names.server(), |server, tool| {
        names.tool_name_on(server, tool)
    })
}

/// Description of the list by which a host enforces limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct LimitList {
    /// Its name.
    pub(super) name: &'static str,
    /// Description if the agent may run commands, which can do more.
    pub(super) but_for_commands: &'static str,
}

/// A list of the agent's tools.
pub(super) const BY_TOOLS: LimitList = LimitList {
    name: "tools",
    but_for_commands: "its tools cannot, but its shell commands can",
};

/// A list of permissions.
pub(super) const BY_PERMISSION: LimitList = LimitList {
    name: "permission",
    but_for_commands: "its permissions forbid it, but its shell commands can",
};

/// Returns the outcomes of the limits of `agent` in a host whose list enforces all of them.
pub(super) fn limit_outcomes(list: LimitList, agent: &Agent) -> Vec<(SourceField, FieldOutcome)> {
    let outcome_of = |power: Power| match power {
        Power::Edit | Power::Network
            if agent.may.contains(&Power::Run) && !agent.may.contains(&power) =>
        {
            list.but_for_commands
        }
        _ => list.name,
    };
    let powers = Power::ALL.into_iter();
    powers
        .map(|power| (SourceField::Power(power), outcome_of(power)))
        .chain([(SourceField::AgonTools, list.name)])
        .map(|(field, words)| (field, FieldOutcome::Translated(words)))
        .collect()
}

/// Returns the limits of `agent` that must be enforced. A permission that it has needs none.
pub(crate) fn limits_to_enforce(agent: &Agent) -> BTreeSet<SourceField> {
    let powers = Power::ALL.into_iter();
    let kept_from = powers.filter(|power| !agent.may.contains(power));
    let edit_only = (!agent.edit_only.is_empty()).then_some(SourceField::EditOnly);
    kept_from
        .map(SourceField::Power)
        .chain([SourceField::AgonTools])
        .chain(edit_only)
        .collect()
}
