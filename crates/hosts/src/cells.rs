//! Outcome of each role in a host.

use crate::compile::{Compiled, Kind, Target, Unenforceable, compile_with};
use crate::content::agent::Power;
use crate::content::{Content, Role};
use crate::field::{FieldOutcome, SourceField};
use crate::roster::{RoleSettings, Roster};

/// Outcome of a role in a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RosterCell {
    /// The role.
    pub role: String,
    /// The host.
    pub host: &'static str,
    /// The outcome in one word.
    pub outcome: CellOutcome,
    /// The outcome of each field.
    pub fields: Vec<(SourceField, FieldOutcome)>,
    /// Limits that are not enforced because they were waived.
    pub waived: Vec<SourceField>,
    /// Limits that the host cannot enforce, because of which the role is left out.
    pub left_out: Vec<Unenforceable>,
    /// Permissions for which the host has no tool.
    pub lacks: Vec<Power>,
    /// Tools offered to its model, by the names it sees; empty if the role is left out.
    pub tools: Vec<String>,
    /// Additional tools once a team was joined.
    pub team_tools: Vec<String>,
}

/// Outcome of a role in a host, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellOutcome {
    /// The host supports every field.
    Kept,
    /// All limits are enforced; some fields are expressed differently or are missing.
    Translated,
    /// It is installed without a limit that was waived by name.
    Waived,
    /// It is left out: the host cannot enforce its limits.
    LeftOut,
}

impl CellOutcome {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Translated => "translated",
            Self::Waived => "waived",
            Self::LeftOut => "left_out",
        }
    }
}

/// Returns the outcome of each of `roles` in a host, with the settings of `roster`.
pub fn roster_cells(roles: &[Role], roster: &Roster, target: &Target<'_>) -> Vec<RosterCell> {
    let content = Content {
        roles: roles.to_vec(),
        ..Content::default()
    };
    let compiled = compile_with(&content, roster, target);
    let cell = |role: &Role| {
        let cell = cell_of(&role.name, roster.role(&role.name), target, &compiled);
        let agent = target.agent_from_role(role, roster);
        if cell.outcome == CellOutcome::LeftOut {
            return cell;
        }
        RosterCell {
            lacks: target.lacks(&agent),
            tools: target.offered_tools(&agent),
            team_tools: target.team_tools(&agent),
            ..cell
        }
    };
    roles.iter().map(cell).collect()
}

fn cell_of(
    role: &str,
    settings: Option<&RoleSettings>,
    target: &Target<'_>,
    compiled: &Compiled,
) -> RosterCell {
    // Ignores permissions that the role has, because they need no limit, and settings that the role
    // leaves unset.
    let concerns_it = |field: &SourceField| match (field, settings) {
        (SourceField::Power(power), Some(settings)) => !settings.may.value.contains(power),
        (SourceField::Temperature, Some(settings)) => settings.temperature.value.is_some(),
        (_, _) => true,
    };
    let of_it = compiled
        .fields
        .iter()
        .filter(|report| report.kind == Kind::Agent && report.name == role);
    let fields = of_it.map(|report| (report.field, report.outcome));
    let fields: Vec<_> = fields.filter(|(field, _)| concerns_it(field)).collect();
    let failed = compiled.failed.iter().filter(|failed| failed.name == role);
    let left_out: Vec<_> = failed.cloned().collect();
    let is_waived = |field: &SourceField| {
        let waiver = format!("{role}.{}", field.name());
        target.waived.contains(&waiver) && !compiled.idle_waivers.contains(&waiver)
    };
    let all = fields.iter().map(|(field, _)| *field);
    let waived: Vec<_> = all.filter(is_waived).collect();
    let outcome = if !left_out.is_empty() {
        CellOutcome::LeftOut
    } else if !waived.is_empty() {
        CellOutcome::Waived
    } else if fields
        .iter()
        .all(|(_, outcome)| *outcome == FieldOutcome::Kept)
    {
        CellOutcome::Kept
    } else {
        CellOutcome::Translated
    };
    RosterCell {
        role: role.to_owned(),
        host: target.host.name,
        outcome,
        fields,
        waived,
        left_out,
        lacks: Vec::new(),
        tools: Vec::new(),
        team_tools: Vec::new(),
    }
}
