//! Lists checks for a member: their names and commands.

use std::fmt::Write as _;

use agon_team::gate::CommandGate;
use agon_team::id::GateName;

/// Lists checks, one per line.
pub(super) fn list_checks(checks: &[(GateName, CommandGate)]) -> String {
    let mut list = String::new();
    for (name, gate) in checks {
        // Writing to a `String` cannot fail.
        writeln!(list, "{}", describe(name, gate)).ok();
    }
    list.truncate(list.trim_end().len());
    list
}

pub(super) fn describe(name: &GateName, gate: &CommandGate) -> String {
    format!("{name}: {}", gate.argv.join(" "))
}
