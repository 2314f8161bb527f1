//! The document about an installation.

use agon_caller::Caller;
use agon_hosts::compile::{Compiled, FieldReport, Unenforceable};
use agon_hosts::content::ContentSet;
use agon_hosts::field::FieldOutcome;
use agon_hosts::install::{Action, Installation, InstalledPart, Refusal, Step};
use schemars::JsonSchema;
use serde::Serialize;

/// Result of an installation or a dry run: `agon.installation/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InstallationDoc {
    pub(super) schema: &'static str,
    /// Whether this was a dry run, which writes nothing.
    pub dry_run: bool,
    /// The hosts.
    pub hosts: Vec<HostDoc>,
}

impl InstallationDoc {
    /// Returns whether a part that should change was kept or refused.
    pub fn is_partial(&self) -> bool {
        let left = |step: &StepDoc| {
            [Action::Keep, Action::Refuse]
                .iter()
                .any(|action| action.name() == step.action)
        };
        self.hosts.iter().any(|host| host.steps.iter().any(left))
    }
}

/// Result for one host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HostDoc {
    /// Its name.
    pub host: &'static str,
    /// Its name as its vendor writes it.
    pub title: &'static str,
    /// `user` or `project`.
    pub scope: &'static str,
    /// The installed content: `debate`, `team` or `all`; missing after an uninstall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<ContentSet>,
    /// The action on each part.
    pub steps: Vec<StepDoc>,
    /// Agents that are left out because the host cannot enforce their limits.
    pub left_out: Vec<LeftOutDoc>,
    /// Outcome of each field of skills, commands and agents.
    pub fields: Vec<FieldDoc>,
    /// What the user must do next.
    pub next: Vec<String>,
}

/// An action on a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StepDoc {
    /// The part, such as `skill debate`.
    pub part: String,
    /// Its file.
    pub path: String,
    /// `add`, `update`, `same`, `remove`, `keep` or `refuse`.
    pub action: &'static str,
    /// Why it was kept or refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it was refused, if the reason is not its own file: `busy` if another program was writing to
    /// it, `needs_server` if it needs Agon's server, which is not installed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<&'static str>,
    /// The text inserted into a configuration, or removed from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
}

/// A limit because of which an agent is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOutDoc {
    /// The agent.
    pub agent: String,
    /// The limit that cannot be enforced.
    pub field: &'static str,
    /// Why not.
    pub reason: &'static str,
    /// The waiver that allows it.
    pub waiver: String,
}

/// How one field was compiled for the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FieldDoc {
    /// The part with the field, such as `agent judge`.
    pub part: String,
    /// The field.
    pub field: &'static str,
    /// `kept`, `translated` or `not_enforced`.
    pub outcome: &'static str,
    /// How it is expressed, or why it is not enforced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<&'static str>,
}

/// Returns the document about one host.
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

/// Returns a path with `~` for the home folder.
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
