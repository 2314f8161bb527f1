//! Rules for tool names that contain a program or a URL.

use std::collections::BTreeSet;

use agon_agents::is_model_name;
use agon_agents::profile::explicit_model;
use agon_caller::{Caller, Code, Failure, settings};
use agon_config::Settings;
use agon_record::spec::ToolName;
use agon_record::text::sanitise_line;

/// Returns whether a name contains the program to start or the URL to call.
pub(crate) fn names_program_or_address(name: &str) -> bool {
    agon_config::names_program_or_address(name)
}

/// Returns the programs and URLs named in these settings, as a seat or as a tool's table.
pub(crate) fn configured_names(settings: &Settings) -> BTreeSet<String> {
    let seats = [&settings.proposer, &settings.challenger, &settings.judge];
    let seats = seats.into_iter().flatten().cloned();
    let all = seats.chain(settings.tools.keys().cloned());
    all.filter(|name| names_program_or_address(name)).collect()
}

/// Rejects a program or URL in `names` that is not in the user's own configuration, if the request
/// came over a protocol.
///
/// # Errors
///
/// If there is one, or the user's configuration is invalid.
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
                "`{name}` contains a program or a URL that is not in your own configuration"
            );
            Err(Failure::new(Code::ToolNotConfigured, message)
                .parameter("tool")
                .hint(format!(
                    "the user can add a table [tools.\"{name}\"] to their own configuration \
                         (`agon config edit`), or name it on the command line"
                )))
        }
    }
}

/// Returns the `names` that a record may use: URLs only if they are in `own` or `granted`.
pub(crate) fn names_allowed_in_record<'a>(
    names: &'a [ToolName],
    own: &'a [ToolName],
    granted: &'a [ToolName],
) -> impl Iterator<Item = &'a ToolName> {
    names.iter().filter(move |name| {
        !names_program_or_address(name.as_str()) || own.contains(name) || granted.contains(name)
    })
}

/// Rejects a model name that a tool could take for a switch, before anything is called.
///
/// # Errors
///
/// If a model name is invalid.
pub fn refuse_invalid_model_names<'a>(
    models: impl IntoIterator<Item = Option<&'a str>>,
) -> Result<(), Failure> {
    let mut named = models.into_iter().filter_map(explicit_model);
    match named.find(|name| !is_model_name(name)) {
        None => Ok(()),
        Some(name) => {
            let message = format!("invalid model name `{}`", sanitise_line(name, 80));
            Err(Failure::new(Code::InvalidParameter, message)
                .parameter("model")
                .hint(
                    "leave it out for the tool's default; `agon tools` lists the models of each tool",
                ))
        }
    }
}
