//! `agon roster`: shows the roles of a team, and how AI tools run them.

mod check;
mod matrix;
mod show;

use agon_install::roster;
use agon_install::roster::{RosterLine, RosterRequest};
use agon_report::text::plain_line;

use crate::args::{Global, RosterArgs, RosterCommand};
use crate::error::{Exit, Failure};
use crate::output::{Out, STRONG, align_columns, apply_style};
use crate::pager;
use crate::surroundings::Surroundings;

/// Runs `agon roster`.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &RosterArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match &args.command {
        None | Some(RosterCommand::List) => list(edge, global, out),
        Some(RosterCommand::Show(args)) => show::run(edge, global, args, out),
        Some(RosterCommand::Matrix(args)) => matrix::run(edge, global, args, out),
        Some(RosterCommand::Check) => check::run(edge, global, out),
    }
}

fn list(edge: &Surroundings, global: &Global, out: &mut Out) -> Result<Exit, Failure> {
    let document = roster::list(edge, &RosterRequest::default())?;
    if global.json {
        out.write_json(&document)?;
        return Ok(Exit::Done);
    }
    pager::begin(edge, global, out);
    let row = |line: &RosterLine| {
        [
            apply_style(STRONG, &line.role),
            powers(&line.may, &line.edit_only),
            plain_line(&line.purpose),
        ]
    };
    let rows: Vec<_> = document.roles.iter().map(row).collect();
    out.write_stdout(&align_columns(&rows, edge.table_width))?;
    out.eprint_line("\nto see how a role runs: agon roster show ROLE");
    Ok(Exit::Done)
}

/// Describes the permissions of a role.
fn powers(may: &[&str], edit_only: &[String]) -> String {
    let named = may.iter().map(|power| match *power {
        "edit" if !edit_only.is_empty() => format!("edit {}", plain_line(&edit_only.join(" "))),
        power => power.to_owned(),
    });
    named.collect::<Vec<_>>().join(", ")
}
