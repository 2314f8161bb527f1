//! `agon roster matrix`: shows how each tool supports each role.

use std::collections::BTreeMap;

use agon_install::roster;
use agon_install::roster::{CellDoc, RosterMatrixDoc, RosterRequest};

use crate::args::{Global, MatrixArgs};
use crate::error::{Exit, Failure};
use crate::output::{Out, STRONG, align_columns, apply_style};
use crate::pager;
use crate::surroundings::Surroundings;

/// Runs `agon roster matrix`.
pub(super) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &MatrixArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = RosterRequest {
        team_profile: args.team_profile.clone(),
        waived: args.waive.clone(),
    };
    let matrix = roster::matrix(edge, &request)?;
    if global.json {
        out.write_json(&matrix)?;
        return Ok(Exit::Done);
    }
    pager::begin(edge, global, out);
    let head = std::iter::once("role").chain(matrix.hosts.iter().copied());
    let head: Vec<_> = head.map(str::to_owned).collect();
    let of_role = matrix.cells.chunk_by(|one, next| one.role == next.role);
    let of_role = of_role.map(|cells| matrix_row(cells, &matrix.hosts));
    let rows: Vec<_> = std::iter::once(head).chain(of_role).collect();
    out.write_stdout(&align_columns(&rows, edge.table_width))?;
    for host in &matrix.hosts {
        out.write_line(&format!("\n{}", apply_style(STRONG, host)))?;
        for line in explain_cells(&matrix, host) {
            out.write_line(&format!("  {line}"))?;
        }
    }
    Ok(Exit::Done)
}

/// Returns the row of one role, in the order of the tools.
fn matrix_row(cells: &[CellDoc], hosts: &[&str]) -> Vec<String> {
    let role = cells.first().map(|cell| cell.role.clone());
    let outcomes = hosts.iter().map(|host| {
        let cell = cells.iter().find(|cell| cell.host == *host);
        cell.map_or("", |cell| outcome_name(cell.outcome))
            .to_owned()
    });
    std::iter::once(role.unwrap_or_default())
        .chain(outcomes)
        .collect()
}

/// Returns an outcome in words.
pub(super) fn outcome_name(outcome: &'static str) -> &'static str {
    match outcome {
        "left_out" => "left out",
        outcome => outcome,
    }
}

/// Explains the cells of a host, one line per reason with its roles.
fn explain_cells(matrix: &RosterMatrixDoc, host: &str) -> Vec<String> {
    let cells: Vec<_> = matrix.cells.iter().filter(|it| it.host == host).collect();
    // Maps each reason (rank and text) to its fields, and each field to its roles.
    let mut said: BTreeMap<(usize, String), BTreeMap<&'static str, Vec<&str>>> = BTreeMap::new();
    let mut add = |rank: usize, words: String, field: &'static str, role| {
        let fields = said.entry((rank, words)).or_default();
        fields.entry(field).or_default().push(role);
    };
    for cell in &cells {
        let role = cell.role.as_str();
        for limit in &cell.left_out {
            let words = format!("left out, because {}", limit.reason);
            add(0, words, limit.field, role);
        }
        for power in &cell.lacks {
            add(
                1,
                "the tool lacks an ability that the role may use".to_owned(),
                power,
                role,
            );
        }
        for field in &cell.fields {
            let is_waived = cell.waived.contains(&field.field);
            let is_limit = cell.left_out.iter().any(|it| it.field == field.field);
            match (field.outcome, field.detail) {
                (_, Some(why)) if is_waived => {
                    add(1, format!("waived, although {why}"), field.field, role);
                }
                (_, _) if is_limit => {}
                ("translated", Some(into)) => {
                    add(3, format!("translated: {into}"), field.field, role);
                }
                ("not_enforced", Some(why)) => {
                    add(2, format!("not supported: {why}"), field.field, role);
                }
                ("kept", _) => add(4, "kept".to_owned(), field.field, role),
                (_, _) => {}
            }
        }
    }
    let mut lines = Vec::new();
    for ((_, words), fields) in &said {
        // Put the fields that have the same roles on one line.
        let mut by_roles: BTreeMap<&Vec<&str>, Vec<&str>> = BTreeMap::new();
        for (field, roles) in fields {
            by_roles.entry(roles).or_default().push(field);
        }
        for (roles, fields) in by_roles {
            let who = match roles.len() == cells.len() {
                true => "every role".to_owned(),
                false => roles.join(", "),
            };
            lines.push(format!("{words} ({}): {who}", fields.join(", ")));
        }
    }
    lines
}
