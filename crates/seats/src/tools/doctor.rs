//! Checks whether the installed tools match their profiles.

mod document;
mod examined;
mod lines;
mod models;
mod request;
mod selection;
mod suggestions;

use agon_agents::Environment;
use agon_caller::{CallFront, Caller, Failure, settings};
use agon_report::screen::Line;

pub use self::document::{DoctorDoc, SCHEMA};
use self::examined::ExaminedTool;
pub use self::request::DoctorRequest;
use self::selection::{detect_selected, require_not_cancelled};
use super::{Tools, offerings};

/// The result of a checkup.
#[derive(Clone, Debug)]
pub struct Checkup {
    /// The machine-readable document.
    pub document: DoctorDoc,
    /// The lines for a person.
    pub lines: Vec<Line>,
    /// Whether all tools can be used as they are.
    pub is_usable: bool,
    /// Whether a named tool is not installed.
    pub is_missing: bool,
}

/// Examines the tools one after the other and reports what does not match.
///
/// # Errors
///
/// If an unknown tool is named, the configuration is invalid, or the checkup is cancelled.
pub async fn examine_tools(
    caller: &Caller,
    request: &DoctorRequest,
    front: &mut dyn CallFront,
) -> Result<Checkup, Failure> {
    Tools::forget_answers(caller);
    let tools = detect_selected(caller, &request.tools).await?;
    let here = Environment::new(caller.vars_os.clone());
    let cancel = front.cancel_token();
    let mut all = Vec::new();
    for found in tools.detected() {
        if found.path.is_some() {
            let doing = match request.deep {
                true => "its help and the tools it offers",
                false => "its help",
            };
            front.note(&format!("checking {}: {doing}", found.profile.name));
        }
        let looked = examined::examine_tool(found, &here, request.deep, &cancel).await;
        require_not_cancelled(&cancel)?;
        if let Ok(offers) = &looked.offers
            && let Err(cause) = offerings::save_offers(caller, found, offers)
        {
            front.note(&format!(
                "note: the offered tools could not be saved: {cause}"
            ));
        }
        all.push(looked);
    }
    let file = caller.user_config_file().map_or_else(
        || "your configuration file".to_owned(),
        |path| path.display().to_string(),
    );
    let settings = settings::read_settings(caller)?;
    let without_limits = models::models_without_limits(caller, &settings, &all);
    Ok(Checkup {
        lines: lines::lines(&all, &without_limits, &file, request),
        document: DoctorDoc::new(&all, without_limits, &file),
        is_usable: all.iter().all(ExaminedTool::is_usable),
        is_missing: !request.tools.is_empty() && !all.iter().all(ExaminedTool::is_present),
    })
}
