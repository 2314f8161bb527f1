//! What an agent may do, in the words of hosts that take a list of tools.

use std::collections::BTreeSet;

use super::ToolNames;
use crate::content::Agent;
use crate::content::agent::{Power, PowerTools};
use crate::field::{FieldOutcome, SourceField};

/// Stands for every tool of a server.
pub(super) const EVERY: &str = "*";

/// The tools that `agent` is given: those of its powers, its own of Agon's server, called `agon`, and
/// those of its other servers; `name_of` says what a server's tool is called.
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

/// The same, where its model sees a server's tool by the name that it is listed by.
pub(super) fn listed_tools(agent: &Agent, table: &[PowerTools], names: &ToolNames) -> Vec<String> {
    allowed_tools(agent, table, names.server(), |server, tool| {
        names.name_on(server, tool)
    })
}

/// The list of a host that holds an agent to its limits, in words.
#[derive(Clone, Copy, Debug)]
pub(super) struct LimitList {
    /// What it is called.
    pub(super) name: &'static str,
    /// The same, for what a command can do that the agent may run.
    pub(super) but_for_commands: &'static str,
}

/// A list of the tools that an agent is given.
pub(super) const BY_TOOLS: LimitList = LimitList {
    name: "tools",
    but_for_commands: "tools, but a command that it runs still can",
};

/// A list of what it is permitted.
pub(super) const BY_PERMISSION: LimitList = LimitList {
    name: "permission",
    but_for_commands: "permission, but a command that it runs still can",
};

/// What becomes of the safety fields of `agent` where a list holds it to all of them.
pub(super) fn enforced_by(list: LimitList, agent: &Agent) -> Vec<(SourceField, FieldOutcome)> {
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

/// The fields of `agent` that would do harm where they do not hold: a power that it is given needs
/// no enforcing.
pub(crate) fn needed(agent: &Agent) -> BTreeSet<SourceField> {
    let powers = Power::ALL.into_iter();
    let kept_from = powers.filter(|power| !agent.may.contains(power));
    let edit_only = (!agent.edit_only.is_empty()).then_some(SourceField::EditOnly);
    kept_from
        .map(SourceField::Power)
        .chain([SourceField::AgonTools])
        .chain(edit_only)
        .collect()
}
