//! Detects installed permissions that differ from the current policies.

use agon_caller::{Caller, Failure};
use agon_hosts::content::ContentSet;
use agon_hosts::host::HOSTS;
use agon_hosts::install::{Action, InstalledPart};
use agon_hosts::receipt::Receipt;
use schemars::JsonSchema;
use serde::Serialize;

use super::document::short_path;
use super::install::{InstallWishes, plan_for, receipt_failure};
use super::place::installation;

/// Permissions in an AI tool that differ from the policies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PermissionDrift {
    /// The tool.
    pub host: String,
    /// `user` or `project`.
    pub scope: &'static str,
    /// The file.
    pub path: String,
    /// The difference.
    pub found: String,
    /// The command that brings it up to date.
    pub next: String,
}

/// Returns the differences in every tool in which a team was installed.
///
/// # Errors
///
/// If a receipt cannot be read.
pub fn permission_drift(caller: &Caller) -> Result<Vec<PermissionDrift>, Failure> {
    let mut drift = Vec::new();
    for host in HOSTS {
        for (is_for_project, scope) in [(true, "project"), (false, "user")] {
            let Ok(place) = installation(caller, host, is_for_project) else {
                continue;
            };
            let receipt = Receipt::read(&place.receipt).map_err(|error| receipt_failure(&error))?;
            if receipt.is_none_or(|receipt| receipt.what == ContentSet::Debate) {
                continue;
            }
            let plan = plan_for(caller, &place, &InstallWishes::default())?.plan;
            let of_permissions = plan.steps.iter().filter(|step| {
                matches!(
                    step.part,
                    InstalledPart::Permissions | InstalledPart::Permission(_)
                )
            });
            let differing = of_permissions.filter(|step| step.action != Action::Same);
            drift.extend(differing.map(|step| {
                let wanted = match is_for_project {
                    true => " --scope project",
                    false => "",
                };
                PermissionDrift {
                    host: host.name.to_owned(),
                    scope,
                    path: short_path(caller, &step.path),
                    found: match &step.reason {
                        Some(reason) => reason.clone(),
                        None => "the policy has changed since then".to_owned(),
                    },
                    next: format!("agon install {}{wanted}", host.name),
                }
            }));
        }
    }
    Ok(drift)
}
