//! Outcomes of an agent's fields: common ones, and exceptions of a host.

use super::powers::{LimitList, limit_outcomes};
use crate::content::Agent;
use crate::field::{FieldOutcome, SourceField};

/// Usual outcomes of the fields that do not limit an agent.
const COMMON: [(SourceField, FieldOutcome); 8] = [
    (SourceField::Name, FieldOutcome::Kept),
    (SourceField::Description, FieldOutcome::Kept),
    (SourceField::Body, FieldOutcome::Kept),
    (
        SourceField::Version,
        FieldOutcome::NotEnforced("the host has no agent versions"),
    ),
    (SourceField::Model, NO_CLASSES),
    (
        SourceField::Effort,
        FieldOutcome::NotEnforced("the host has no effort per agent"),
    ),
    (
        SourceField::Temperature,
        FieldOutcome::NotEnforced("the host has no temperature per agent"),
    ),
    (
        SourceField::Skills,
        FieldOutcome::NotEnforced("the host has no skills per agent"),
    ),
];

/// Returns the outcome of the model of `agent` in a host whose agents can name one; `of_class` is the
/// outcome of a class.
pub(super) fn model_outcome(agent: &Agent, of_class: FieldOutcome) -> (SourceField, FieldOutcome) {
    let outcome = match (&agent.model_name, agent.named_model()) {
        (_, Some(_)) => FieldOutcome::Translated("a named model"),
        (Some(_), None) => FieldOutcome::Translated("the model of the session"),
        (None, None) => of_class,
    };
    (SourceField::Model, outcome)
}

/// Outcome of a model class in a host without classes.
pub(super) const NO_CLASSES: FieldOutcome =
    FieldOutcome::NotEnforced("the host chooses models by name, not by class");

/// Returns the outcomes of the fields that do not limit an agent, with the host's exceptions `own`.
pub(super) fn common_fields(
    own: &[(SourceField, FieldOutcome)],
) -> Vec<(SourceField, FieldOutcome)> {
    let outcome_of = |(field, common): (SourceField, FieldOutcome)| {
        let own = own.iter().find(|(of, _)| *of == field);
        (field, own.map_or(common, |(_, outcome)| *outcome))
    };
    COMMON.into_iter().map(outcome_of).collect()
}

/// Returns the outcomes of all fields of `agent` in a host that enforces limits with the list `limits`.
pub(super) fn all_fields(
    agent: &Agent,
    own: &[(SourceField, FieldOutcome)],
    limits: LimitList,
) -> Vec<(SourceField, FieldOutcome)> {
    let mut fields = common_fields(own);
    fields.extend(limit_outcomes(limits, agent));
    fields
}
