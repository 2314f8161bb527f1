//! Gates that a project proposes: shown, and added where a person says yes.

use std::collections::BTreeSet;

use agon_report::text::plain_line;
use agon_teamwork::gate::{ProposedGate, add_proposed, propose};
use agon_teamwork::{GateName, nothing_executed_reason};

use super::print;
use crate::args::Global;
use crate::asking::confirm_on_terminal;
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{Out, align_columns};

/// How the gates of a run are asked for.
pub(super) struct GatesOfRun<'a> {
    /// The gates that are named; all of the team's where it is null.
    pub(super) named: Option<&'a BTreeSet<GateName>>,
    /// Whether gates that the project proposes are added without a question.
    pub(super) yes: bool,
}

/// Shows the gates that the project's files propose.
pub(super) fn show(edge: &Surroundings, global: &Global, out: &mut Out) -> Result<Exit, Failure> {
    let document = propose(edge)?;
    let said = match document.proposed.is_empty() {
        true => "The files of this project propose no gate that the team lacks".to_owned(),
        false => format!(
            "{}\nadd one with `agon team gate add NAME -- COMMAND`",
            rows(&document.proposed, edge.table_width)
        ),
    };
    print(global, &document, &said, out)
}

/// Says before a run that nothing will be executed in it, and offers the gates that the project
/// proposes: they are added with `--yes` or after a yes on a terminal.
pub(super) async fn settle(
    edge: &Surroundings,
    global: &Global,
    gates: &GatesOfRun<'_>,
    out: &mut Out,
) -> Result<(), Failure> {
    let Some(why) = nothing_executed_reason(edge, gates.named)? else {
        return Ok(());
    };
    // Gates that were named, or refused by --no-gates, are the caller's choice.
    let proposed = match gates.named {
        Some(_) => Vec::new(),
        None => propose(edge)?.proposed,
    };
    if !proposed.is_empty() {
        let rows = rows(&proposed, edge.table_width);
        out.eprint_line(&format!("the files of this project propose:\n{rows}"));
        let is_agreed = gates.yes
            || (edge.terminal
                && !global.json
                && confirm_on_terminal("No gate is defined. Add these? [y/N] ").await);
        if is_agreed {
            add_proposed(edge, &proposed)?;
            let names: Vec<String> = proposed.iter().map(|it| it.name.to_string()).collect();
            out.eprint_line(&format!("added: {}", names.join(", ")));
            return Ok(());
        }
    }
    let hint = match (gates.named, proposed.is_empty()) {
        (Some(_), _) => "",
        (None, true) => "; add one with `agon team gate add NAME -- COMMAND`",
        (None, false) => "; --yes adds these",
    };
    out.eprint_line(&format!("nothing will be executed: {why}{hint}"));
    Ok(())
}

fn rows(proposed: &[ProposedGate], width: usize) -> String {
    let rows: Vec<[String; 3]> = proposed
        .iter()
        .map(|gate| {
            [
                format!("  {}", gate.name),
                plain_line(&gate.argv.join(" ")),
                plain_line(&gate.source),
            ]
        })
        .collect();
    align_columns(&rows, width).trim_end().to_owned()
}
