//! What is told of an installation.

use agon_caller::Caller;
use agon_hosts::compile::{Compiled, FieldReport, Unenforceable};
use agon_hosts::content::ContentSet;
use agon_hosts::field::FieldOutcome;
use agon_hosts::install::{Action, Installation, InstalledPart, Refusal, Step};
use schemars::JsonSchema;
use serde::Serialize;

/// What an installation did, or would do: `agon.installation/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InstallationDoc {
    pub(super) schema: &'static str,
    /// Whether nothing was written, since it was only to be shown.
    pub dry_run: bool,
    /// Each host.
    pub hosts: Vec<HostDoc>,
}

impl InstallationDoc {
    /// Whether something was left as it is that should be otherwise.
    pub fn is_partial(&self) -> bool {
        let left = |step: &StepDoc| {
            [Action::Keep, Action::Refuse]
                .iter()
                .any(|action| action.name() == step.action)
        };
        self.hosts.iter().any(|host| host.steps.iter().any(left))
    }
}

/// One host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HostDoc {
    /// Its name.
    pub host: &'static str,
    /// Its name, as its maker writes it.
    pub title: &'static str,
    /// `user` or `project`.
    pub scope: &'static str,
    /// What was asked to be there: `debate`, `team` or `all`; left out where Agon was taken out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<ContentSet>,
    /// What happened to each part.
    pub steps: Vec<StepDoc>,
    /// Agents that the host cannot hold to their limits, and that are not there.
    pub left_out: Vec<LeftOutDoc>,
    /// What became of each field of skills, commands and agents.
    pub fields: Vec<FieldDoc>,
    /// What its user does next.
    pub next: Vec<String>,
}

/// What happened to a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StepDoc {
    /// What it is, such as `skill debate`.
    pub part: String,
    /// Its file.
    pub path: String,
    /// `add`, `update`, `same`, `remove`, `keep` or `refuse`.
    pub action: &'static str,
    /// Why it was kept or refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it was refused, if not because of its own file: `busy` if another program was writing to
    /// it, `needs_server` if it calls tools of the server and that is not installed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<&'static str>,
    /// What was put into a configuration, or taken out of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
}

/// An agent that is left out for one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOutDoc {
    /// The agent.
    pub agent: String,
    /// What it cannot be held to.
    pub field: &'static str,
    /// Why not.
    pub reason: &'static str,
    /// What waives it.
    pub waiver: String,
}

/// What became of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FieldDoc {
    /// What has the field, such as `agent judge`.
    pub part: String,
    /// The field.
    pub field: &'static str,
    /// `kept`, `translated` or `not_enforced`.
    pub outcome: &'static str,
    /// Into what, or why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<&'static str>,
}

/// What is told of one host.
pub(super) fn host_document(
    caller: &Caller,
    place: &Installation,
    steps: &[Step],
    put: Option<(ContentSet, &Compiled)>,
) -> HostDoc {
    let scope = match place.scope {
        agon_hosts::host::Scope::User => "user",
        agon_hosts::host::Scope::Project(_) => "project",
    };
    let has_changed = |step: &Step| matches!(step.action, Action::Add | Action::Update);
    let compiled = put.map(|(_, compiled)| compiled);
    let mut next = match compiled.is_some() && steps.iter().any(has_changed) {
        true => (place.host.next_steps)(&place.scope),
        false => Vec::new(),
    };
    let are_hooks_new = |step: &Step| step.part == InstalledPart::Hooks && has_changed(step);
    if steps.iter().any(are_hooks_new) {
        next.extend(place.host.hooks.next_step.map(str::to_owned));
    }
    let failed = compiled.map(|compiled| compiled.failed.as_slice());
    let fields = compiled.map(|compiled| compiled.fields.as_slice());
    HostDoc {
        host: place.host.name,
        title: place.host.title,
        scope,
        what: put.map(|(what, _)| what),
        steps: steps
            .iter()
            .map(|step| step_document(caller, step))
            .collect(),
        left_out: failed.unwrap_or_default().iter().map(left_out).collect(),
        fields: fields
            .unwrap_or_default()
            .iter()
            .map(field_document)
            .collect(),
        next,
    }
}

fn step_document(caller: &Caller, step: &Step) -> StepDoc {
    StepDoc {
        part: step.part.title(),
        path: short_path(caller, &step.path),
        action: step.action.name(),
        reason: step.reason.clone(),
        refusal: step.refusal.map(Refusal::name),
        change: step.change.clone(),
    }
}

/// A path below the home as a shell takes it.
pub(crate) fn short_path(caller: &Caller, path: &std::path::Path) -> String {
    let home = caller.vars.get("HOME").map(std::path::Path::new);
    match home.and_then(|home| path.strip_prefix(home).ok()) {
        Some(rest) => format!("~/{}", rest.display()),
        None => caller.display_path(path),
    }
}

fn left_out(failure: &Unenforceable) -> LeftOutDoc {
    LeftOutDoc {
        agent: failure.name.clone(),
        field: failure.field.name(),
        reason: failure.reason,
        waiver: failure.waiver(),
    }
}

fn field_document(report: &FieldReport) -> FieldDoc {
    let (outcome, detail) = match report.outcome {
        FieldOutcome::Kept => ("kept", None),
        FieldOutcome::Translated(into) => ("translated", Some(into)),
        FieldOutcome::NotEnforced(reason) => ("not_enforced", Some(reason)),
    };
    FieldDoc {
        part: format!("{} {}", report.kind.name(), report.name),
        field: report.field.name(),
        outcome,
        detail,
    }
}
