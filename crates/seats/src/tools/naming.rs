//! Names that start a program or send prompts to an address: who may give them.

use std::collections::BTreeSet;

use agon_agents::is_model_name;
use agon_agents::profile::explicit_model;
use agon_caller::{Caller, Code, Failure, settings};
use agon_config::Settings;
use agon_record::spec::ToolName;
use agon_record::text::sanitise_line;

/// Whether a name says by itself which program is started, or which address is asked.
pub(crate) fn names_program_or_address(name: &str) -> bool {
    agon_config::names_program_or_address(name)
}

/// The programs and addresses that these settings name: in a seat or as a table of a tool.
pub(crate) fn configured_names(settings: &Settings) -> BTreeSet<String> {
    let seats = [&settings.proposer, &settings.challenger, &settings.judge];
    let seats = seats.into_iter().flatten().cloned();
    let all = seats.chain(settings.tools.keys().cloned());
    all.filter(|name| names_program_or_address(name)).collect()
}

/// Refuses a program or address in `names` that the user's own configuration does not have, where
/// the request came over a protocol.
///
/// # Errors
///
/// If there is one, or the user's configuration is not valid.
pub fn refuse_unless_configured(caller: &Caller, names: &[ToolName]) -> Result<(), Failure> {
    let mut named = names
        .iter()
        .filter(|name| names_program_or_address(name.as_str()))
        .peekable();
    if !caller.is_relayed || named.peek().is_none() {
        return Ok(());
    }
    let configured = configured_names(&settings::read_user_settings(caller)?);
    match named.find(|name| !configured.contains(name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let message = format!(
                "`{name}` names a program or an address that your own configuration does not have"
            );
            Err(Failure::new(Code::ToolNotConfigured, message)
                .parameter("tool")
                .hint(format!(
                    "the user can put a table [tools.\"{name}\"] into their own configuration, \
                         or name it on the command line; `agon config edit` opens the file"
                )))
        }
    }
}

/// Those of `names` that a record may name: an address only where it is in `own` or `granted`.
pub(crate) fn without_foreign_addresses<'a>(
    names: &'a [ToolName],
    own: &'a [ToolName],
    granted: &'a [ToolName],
) -> impl Iterator<Item = &'a ToolName> {
    names.iter().filter(move |name| {
        !names_program_or_address(name.as_str()) || own.contains(name) || granted.contains(name)
    })
}

/// Refuses the name of a model that a tool could take for a switch, before anything is asked.
///
/// # Errors
///
/// If one cannot be the name of a model.
pub fn refuse_impossible_models<'a>(
    models: impl IntoIterator<Item = Option<&'a str>>,
) -> Result<(), Failure> {
    let mut named = models.into_iter().filter_map(explicit_model);
    match named.find(|name| !is_model_name(name)) {
        None => Ok(()),
        Some(name) => {
            let message = format!(
                "`{}` cannot be the name of a model",
                sanitise_line(name, 80)
            );
            Err(Failure::new(Code::InvalidParameter, message)
                .parameter("model")
                .hint(
                    "leave it out to use the tool's own; `agon tools` shows what each tool takes",
                ))
        }
    }
}
