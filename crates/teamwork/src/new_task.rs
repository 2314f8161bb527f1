//! Checks a task before the store accepts it.

use agon_caller::{Caller, Code, Failure, Hint};
use agon_team::id::GateName;
use agon_team::store::{NewTask, TeamLocation};

use super::open_team::failure;
use super::text::{clean, clean_line};

/// Refuses a task that requires an undefined gate.
pub(super) fn refuse_unknown_gates<'a>(
    caller: &Caller,
    gates: impl Iterator<Item = &'a GateName>,
) -> Result<(), Failure> {
    let mut gates = gates.peekable();
    if gates.peek().is_none() {
        return Ok(());
    }
    let location = TeamLocation::find(&caller.cwd).map_err(failure)?;
    let defined = super::gate::read(&location)?.gates;
    let Some(unknown) = gates.find(|gate| !defined.contains_key(*gate)) else {
        return Ok(());
    };
    let names: Vec<&str> = defined.keys().map(GateName::as_str).collect();
    let hint = match names.is_empty() {
        true => Hint::new("no gate is defined yet; the lead can add one with ")
            .quoted(format!("team gate add {unknown} -- COMMAND")),
        false => Hint::new(format!("name one of {}", names.join(", "))),
    };
    let message = format!("there is no gate {unknown}");
    Err(Failure::new(Code::Unknown, message)
        .parameter("gate")
        .hint(hint))
}

/// Cleans a new task's texts and checks that its gates are defined.
pub(super) fn checked(caller: &Caller, new: NewTask) -> Result<NewTask, Failure> {
    refuse_unknown_gates(caller, new.gates.iter())?;
    Ok(NewTask {
        title: clean_line(&new.title),
        spec: clean(&new.spec),
        ..new
    })
}
