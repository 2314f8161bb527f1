//! Gates proposed by a project's files: shows them, and adds them after a yes.

use std::collections::BTreeSet;

use agon_report::text::plain_line;
use agon_teamwork::gate::{ProposedGate, add_proposed, propose};
use agon_teamwork::{GateName, nothing_executed_reason};

use super::print;
use crate::args::Global;
use crate::asking::confirm_on_terminal;
use crate::error::{Exit, Failure};
use crate::output::{Out, align_columns};
use crate::surroundings::Surroundings;

/// The gates requested for a run.
pub(super) struct GatesOfRun<'a> {
    /// The named gates; `None` means all gates of the team.
    pub(super) named: Option<&'a BTreeSet<GateName>>,
    /// Whether to add proposed gates without asking.
    pub(super) yes: bool,
}

/// Shows the gates proposed by the project's files.
pub(super) fn show(edge: &Surroundings, global: &Global, out: &mut Out) -> Result<Exit, Failure> {
    let document = propose(edge)?;
    let said = match document.proposed.is_empty() {
        true => "the files of this project propose no further gates".to_owned(),
        false => format!(
            "{}\nto add one: agon team gate add NAME -- COMMAND",
            proposed_gate_rows(&document.proposed, edge.table_width)
        ),
    };
    print(global, &document, &said, out)
}

/// Warns before a run that no gate will run, and offers the gates proposed by the project: `--yes`
/// or a yes at the terminal adds them.
pub(super) async fn offer_gates(
    edge: &Surroundings,
    global: &Global,
    gates: &GatesOfRun<'_>,
    out: &mut Out,
) -> Result<(), Failure> {
    let Some(why) = nothing_executed_reason(edge, gates.named)? else {
        return Ok(());
    };
    // Offer no gates if the caller named some or passed --no-gates.
    let proposed = match gates.named {
        Some(_) => Vec::new(),
        None => propose(edge)?.proposed,
    };
    if !proposed.is_empty() {
        let rows = proposed_gate_rows(&proposed, edge.table_width);
        out.eprint_line(&format!(
            "gates proposed by the files of this project:\n{rows}"
        ));
        let is_agreed = gates.yes
            || (edge.terminal
                && !global.json
                && confirm_on_terminal("The team has no gates. Add these? [y/N] ").await);
        if is_agreed {
            add_proposed(edge, &proposed)?;
            let names: Vec<String> = proposed.iter().map(|it| it.name.to_string()).collect();
            out.eprint_line(&format!("added: {}", names.join(", ")));
            return Ok(());
        }
    }
    let hint = match (gates.named, proposed.is_empty()) {
        (Some(_), _) => "",
        (None, true) => "; add one: agon team gate add NAME -- COMMAND",
        (None, false) => "; add these: --yes",
    };
    out.eprint_line(&format!("nothing will be executed: {why}{hint}"));
    Ok(())
}

fn proposed_gate_rows(proposed: &[ProposedGate], width: usize) -> String {
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
