//! `agon config show`: the configuration that holds here, and where it comes from.

use agon_app::configuration::{SettingDoc, configuration};

use crate::args::{ConfigCommand, Global};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{Out, align_columns};

/// Prints every value that is set.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    command: &ConfigCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let ConfigCommand::Show { sources } = command;
    let document = configuration(edge, *sources)?;
    if global.json {
        out.write_json(&document)?;
        return Ok(Exit::Done);
    }
    let row = |setting: &SettingDoc| {
        let source = setting.source.as_ref().map(|from| format!("# {from}"));
        let set = format!("{} = {}", setting.key, setting.value);
        [set, source.unwrap_or_default()]
    };
    out.write_stdout(&align_columns(
        &document.settings.iter().map(row).collect::<Vec<_>>(),
    ))?;
    Ok(Exit::Done)
}
