//! `agon config consent`: which vendors may be sent material of a project.

use std::collections::BTreeSet;

use agon_caller::host_ancestry::is_started_by_host;
use agon_caller::host_sign::is_in_host;
use agon_report::text::plain_line;
use agon_seats::consent::{ConsentDoc, allow_vendors, withdraw_vendors};

use crate::args::{ConsentArgs, ConsentChange, Global};
use crate::error::{Code, Exit, Failure};
use crate::output::{Out, align_columns};
use crate::surroundings::Surroundings;

/// Runs `agon config consent`.
pub(super) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &ConsentArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let document = match &args.change {
        None => ConsentDoc::read(edge, BTreeSet::new())?,
        Some(ConsentChange::Allow { vendors }) => {
            let is_tool = is_in_host(edge) || is_started_by_host();
            if !edge.terminal || is_tool {
                let message = "only a person at a terminal can allow a vendor";
                return Err(Failure::new(Code::NoTerminal, message).hint(
                    "or list the vendor in the key `vendors` of your own configuration, which \
                     `agon config path` names",
                ));
            }
            allow_vendors(edge, vendors)?
        }
        Some(ConsentChange::Withdraw {
            vendors,
            everywhere,
        }) => withdraw_vendors(edge, vendors, *everywhere)?,
    };
    if global.json {
        out.write_json(&document)?;
        return Ok(Exit::Done);
    }
    if matches!(args.change, Some(ConsentChange::Withdraw { .. })) {
        out.eprint_line(&match document.withdrawn.is_empty() {
            true => "nothing to withdraw".to_owned(),
            false => format!("withdrawn: {}", list(&document.withdrawn)),
        });
    }
    print(&document, edge, out)?;
    Ok(Exit::Done)
}

fn print(document: &ConsentDoc, edge: &Surroundings, out: &mut Out) -> Result<(), Failure> {
    let row = |place: &str, vendors| [plain_line(place), list(vendors)];
    let mut rows = Vec::new();
    if !document.everywhere.is_empty() {
        rows.push(row("every project", &document.everywhere));
    }
    for (project, vendors) in &document.projects {
        let mark = match *project == document.project {
            true => format!("{project} (this project)"),
            false => project.clone(),
        };
        rows.push(row(&mark, vendors));
    }
    if rows.is_empty() {
        return out
            .write_line("no vendor is allowed here; Agon asks before it first sends one material");
    }
    out.write_stdout(&align_columns(&rows, edge.table_width))
}

fn list(vendors: &BTreeSet<String>) -> String {
    let vendors = vendors.iter().map(|vendor| plain_line(vendor));
    vendors.collect::<Vec<_>>().join(", ")
}
