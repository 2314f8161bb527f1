//! What an agent may do, in the words of hosts that take a list of tools.

use std::collections::BTreeSet;

use crate::content::Agent;
use crate::content::agent::Power;
use crate::field::{FieldOutcome, SourceField};

/// A power, and the tools of a host that it takes; a tool of a power that is not given is not there.
pub(super) type PowerTools = (Power, &'static [&'static str]);

/// The tools that `agent` is given: those of its powers, and its own of Agon's server.
pub(super) fn allowed_tools(
    agent: &Agent,
    table: &[PowerTools],
    name_of: impl Fn(&str) -> String,
) -> Vec<String> {
    let powers = table.iter().filter(|(power, _)| agent.may.contains(power));
    let own = powers.flat_map(|(_, tools)| tools.iter().map(|tool| (*tool).to_owned()));
    let agon = agent.agon.iter().map(|tool| name_of(tool));
    own.chain(agon).collect()
}

/// The safety fields of an agent that a list of tools holds to all of them, in words.
pub(super) fn enforced_by(list: &'static str) -> Vec<(SourceField, FieldOutcome)> {
    let powers = Power::ALL.into_iter().map(SourceField::Power);
    powers
        .chain([SourceField::AgonTools])
        .map(|field| (field, FieldOutcome::Translated(list)))
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
