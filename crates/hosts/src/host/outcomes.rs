//! What becomes of an agent's fields: what most hosts have in common, and what one has otherwise.

use super::powers::{LimitList, enforced_by};
use crate::content::Agent;
use crate::field::{FieldOutcome, SourceField};

/// What most hosts make of the fields that do not limit an agent.
const COMMON: [(SourceField, FieldOutcome); 8] = [
    (SourceField::Name, FieldOutcome::Kept),
    (SourceField::Description, FieldOutcome::Kept),
    (SourceField::Body, FieldOutcome::Kept),
    (
        SourceField::Version,
        FieldOutcome::NotEnforced("an agent has no version here"),
    ),
    (SourceField::Model, NO_CLASSES),
    (
        SourceField::Effort,
        FieldOutcome::NotEnforced("an agent has no effort here"),
    ),
    (
        SourceField::Temperature,
        FieldOutcome::NotEnforced("an agent has no temperature here"),
    ),
    (
        SourceField::Skills,
        FieldOutcome::NotEnforced("an agent is given no skills here"),
    ),
];

/// What becomes of the model of `agent`, in a host whose agents name one; `of_class` is what it makes
/// of a class.
pub(super) fn model_outcome(agent: &Agent, of_class: FieldOutcome) -> (SourceField, FieldOutcome) {
    let outcome = match (&agent.model_name, agent.named_model()) {
        (_, Some(_)) => FieldOutcome::Translated("a model by its name"),
        (Some(_), None) => FieldOutcome::Translated("the model of the session"),
        (None, None) => of_class,
    };
    (SourceField::Model, outcome)
}

/// What a host makes of a class where its models have names alone.
pub(super) const NO_CLASSES: FieldOutcome =
    FieldOutcome::NotEnforced("models have names here, no classes");

/// What becomes of the fields that do not limit an agent, in a host that has `own` otherwise.
pub(super) fn common_fields(
    own: &[(SourceField, FieldOutcome)],
) -> Vec<(SourceField, FieldOutcome)> {
    let outcome_of = |(field, common): (SourceField, FieldOutcome)| {
        let own = own.iter().find(|(of, _)| *of == field);
        (field, own.map_or(common, |(_, outcome)| *outcome))
    };
    COMMON.into_iter().map(outcome_of).collect()
}

/// What becomes of all fields of `agent`, in a host that holds it to its limits by the list `limits`.
pub(super) fn all_fields(
    agent: &Agent,
    own: &[(SourceField, FieldOutcome)],
    limits: LimitList,
) -> Vec<(SourceField, FieldOutcome)> {
    let mut fields = common_fields(own);
    fields.extend(enforced_by(limits, agent));
    fields
}
