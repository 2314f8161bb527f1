//! What becomes of each role in a host.

use crate::compile::{Compiled, Kind, Target, Unenforceable, compile_with};
use crate::content::agent::Power;
use crate::content::{Content, Role};
use crate::field::{FieldOutcome, SourceField};
use crate::roster::{RoleSettings, Roster};

/// What becomes of a role in a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RosterCell {
    /// The role.
    pub role: String,
    /// The host.
    pub host: &'static str,
    /// What becomes of it, in a word.
    pub outcome: CellOutcome,
    /// What becomes of each of its fields.
    pub fields: Vec<(SourceField, FieldOutcome)>,
    /// The limits that it is not held to, since that was waived.
    pub waived: Vec<SourceField>,
    /// The limits that it would not be held to, so that it is not there.
    pub left_out: Vec<Unenforceable>,
    /// What it may do, and has no tool for there.
    pub lacks: Vec<Power>,
    /// The tools that its model is offered, by the names that it sees; none where it is left out.
    pub tools: Vec<String>,
    /// Those that it is offered besides where a team was joined.
    pub team_tools: Vec<String>,
}

/// What becomes of a role in a host, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellOutcome {
    /// The host has every field of it.
    Kept,
    /// It is held to its limits; something is said in another way, or not had.
    Translated,
    /// It is there without a limit that was waived by name.
    Waived,
    /// It is not there: the host cannot hold it to its limits.
    LeftOut,
}

impl CellOutcome {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Translated => "translated",
            Self::Waived => "waived",
            Self::LeftOut => "left_out",
        }
    }
}

/// What becomes of each of `roles` in a host, as `roster` has them.
pub fn roster_cells(roles: &[Role], roster: &Roster, target: &Target<'_>) -> Vec<RosterCell> {
    let content = Content {
        roles: roles.to_vec(),
        ..Content::default()
    };
    let compiled = compile_with(&content, roster, target);
    let cell = |role: &Role| {
        let cell = cell_of(&role.name, roster.role(&role.name), target, &compiled);
        let agent = target.agent_of(role, roster);
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
    // What it may do needs no limit, and what it does not set is neither kept nor lost.
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
