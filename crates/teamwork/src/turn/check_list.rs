//! Checks as a member reads them: their names and commands.

use std::fmt::Write as _;

use agon_team::gate::CommandGate;
use agon_team::id::GateName;

/// Checks, one a line.
pub(super) fn list_checks(checks: &[(GateName, CommandGate)]) -> String {
    let mut list = String::new();
    for (name, gate) in checks {
        // Fails for no `String`.
        writeln!(list, "{}", describe(name, gate)).ok();
    }
    list.truncate(list.trim_end().len());
    list
}

pub(super) fn describe(name: &GateName, gate: &CommandGate) -> String {
    format!("{name}: {}", gate.argv.join(" "))
}
