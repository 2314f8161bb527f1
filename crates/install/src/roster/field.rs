//! Outcomes of a role's fields in a host.

use agon_caller::{Caller, Failure};
use agon_hosts::compile::Unenforceable;
use agon_hosts::field::{FieldOutcome, SourceField};
use agon_hosts::install::Installation;
use agon_hosts::receipt::Receipt;
use schemars::JsonSchema;
use serde::Serialize;

use super::RosterRequest;
use crate::hosts::{installation, receipt_failure};

/// Outcome of a role's field in a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RoleFieldDoc {
    /// The field.
    pub field: &'static str,
    /// `kept`, `translated` or `not_enforced`.
    pub outcome: &'static str,
    /// How it is expressed, or why it is not enforced; null if it is kept.
    pub detail: Option<&'static str>,
}

/// A limit because of which a role is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LimitDoc {
    /// The field.
    pub field: &'static str,
    /// Why the host cannot enforce it.
    pub reason: &'static str,
    /// The waiver that allows it.
    pub waiver: String,
}

pub(super) fn field_documents(fields: &[(SourceField, FieldOutcome)]) -> Vec<RoleFieldDoc> {
    let document = |(field, outcome): &(SourceField, FieldOutcome)| {
        let (outcome, detail) = match *outcome {
            FieldOutcome::Kept => ("kept", None),
            FieldOutcome::Translated(into) => ("translated", Some(into)),
            FieldOutcome::NotEnforced(reason) => ("not_enforced", Some(reason)),
        };
        RoleFieldDoc {
            field: field.name(),
            outcome,
            detail,
        }
    };
    fields.iter().map(document).collect()
}

pub(super) fn limit_documents(limits: &[Unenforceable]) -> Vec<LimitDoc> {
    let document = |limit: &Unenforceable| LimitDoc {
        field: limit.field.name(),
        reason: limit.reason,
        waiver: limit.waiver(),
    };
    limits.iter().map(document).collect()
}

/// Returns the installations in a host for the caller's project and for all projects.
pub(super) fn receipts(
    caller: &Caller,
    host: &'static agon_hosts::host::Host,
) -> Result<Vec<(Installation, Receipt)>, Failure> {
    let mut found = Vec::new();
    for is_for_project in [true, false] {
        let place = installation(caller, host, is_for_project)?;
        let receipt = Receipt::read(&place.receipt).map_err(|error| receipt_failure(&error))?;
        found.extend(receipt.map(|receipt| (place, receipt)));
    }
    Ok(found)
}

/// Returns the waivers for a host, from the request and from earlier installations.
pub(super) fn waivers(
    caller: &Caller,
    host: &'static agon_hosts::host::Host,
    request: &RosterRequest,
) -> Result<Vec<String>, Failure> {
    let mut waived = request.waived.clone();
    // Without HOME there are no receipts to read, but the roster can still be shown.
    if caller.vars.get("HOME").is_some_and(|home| !home.is_empty()) {
        let receipts = receipts(caller, host)?.into_iter();
        waived.extend(receipts.flat_map(|(_, receipt)| receipt.waived));
    }
    Ok(waived)
}
