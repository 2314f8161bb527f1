//! Selects the tools to check.

use agon_caller::{Caller, Code, Failure, settings, similar};
use agon_config::Settings;
use agon_record::spec::ToolName;
use tokio_util::sync::CancellationToken;

use crate::tools::{self, Tools};

/// Detects the named tools, or the installed ones.
pub(super) async fn detect_selected(caller: &Caller, names: &[ToolName]) -> Result<Tools, Failure> {
    let settings = settings::read_settings(caller)?;
    require_known(&settings, names)?;
    match names {
        [] => Tools::detect(caller, &settings, &[]).await,
        names => Tools::detect_recorded(caller, &settings, names, names).await,
    }
}

/// Fails if the checkup was cancelled.
pub(super) fn require_not_cancelled(cancel: &CancellationToken) -> Result<(), Failure> {
    match cancel.is_cancelled() {
        false => Ok(()),
        true => Err(Failure::new(Code::Cancelled, "cancelled")),
    }
}

/// Rejects unknown tool names.
fn require_known(settings: &Settings, names: &[ToolName]) -> Result<(), Failure> {
    let known = tools::profile_names(settings)?;
    let stranger = names
        .iter()
        .find(|name| !known.iter().any(|known| known == name.as_str()));
    match stranger {
        None => Ok(()),
        Some(name) => {
            let message = format!("unknown tool `{name}`");
            let all = known.iter().map(String::as_str);
            let others = format!("known tools: {}", known.join(", "));
            Err(Failure::new(Code::UnknownTool, message)
                .parameter("tool")
                .hint(similar::hint(name.as_str(), all, &others)))
        }
    }
}
