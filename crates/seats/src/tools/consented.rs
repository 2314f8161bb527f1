//! Which tools may be sent the material of a project.

use std::collections::BTreeSet;

use agon_caller::{Caller, Failure, settings};
use agon_record::spec::{Seating, ToolName};

use super::Tools;
use crate::consent::MissingConsent;
use crate::seating::{Candidate, Ready};

impl Tools {
    /// Returns the tools as candidates for seats. A tool that the user has not allowed is not ready,
    /// unless a person can be asked.
    pub fn seat_candidates(&self, can_ask: bool) -> Vec<Candidate> {
        let mut candidates = self.candidates.clone();
        if can_ask {
            return candidates;
        }
        for one in candidates.iter_mut().filter(|one| one.ready == Ready::Yes) {
            if let Some(vendor) = self.missing_consent(&one.tool) {
                one.ready = Ready::NotAllowed(vendor);
            }
        }
        candidates
    }

    /// Counts these tools as named by the user.
    #[must_use]
    pub fn with_named(mut self, tools: impl IntoIterator<Item = ToolName>) -> Self {
        self.consent.name(tools);
        self
    }

    /// Returns the vendor that must be allowed before a tool is asked; `None` if it may be asked.
    pub fn missing_consent(&self, tool: &ToolName) -> Option<String> {
        let profile = &self.toolbox.tool(tool)?.profile;
        self.consent.missing(profile, &self.here)
    }

    /// Returns the tools in these seats that may not be asked yet, each once.
    pub fn missing_consents<'a>(
        &self,
        seatings: impl IntoIterator<Item = &'a Seating>,
    ) -> Vec<MissingConsent> {
        let tools: BTreeSet<_> = seatings.into_iter().map(|it| &it.tool).collect();
        let missing = |tool: &ToolName| Some((tool.clone(), self.missing_consent(tool)?));
        tools.into_iter().filter_map(missing).collect()
    }

    /// Returns the failure for tools that may not be asked.
    pub fn consent_failure(&self, missing: &[MissingConsent]) -> Failure {
        self.consent.failure(missing)
    }

    /// Refuses a tool that may not be asked.
    ///
    /// # Errors
    ///
    /// If the user has not allowed its vendor in this project.
    pub fn require_consent(&self, tool: &ToolName) -> Result<(), Failure> {
        match self.missing_consent(tool) {
            None => Ok(()),
            Some(vendor) => Err(self.consent_failure(&[(tool.clone(), vendor)])),
        }
    }
}

/// Refuses the tools of a team's members whose vendors the user has not allowed. The user named the
/// tools in `named`.
///
/// # Errors
///
/// If a vendor is not allowed, or the configuration is invalid.
pub async fn require_members(
    caller: &Caller,
    named: &BTreeSet<ToolName>,
    members: &BTreeSet<ToolName>,
) -> Result<(), Failure> {
    let others: Vec<_> = members.difference(named).cloned().collect();
    if others.is_empty() {
        return Ok(());
    }
    let settings = settings::read_settings(caller)?;
    let tools = Tools::detect_recorded(caller, &settings, &others, &[]).await?;
    let missing = |tool: ToolName| tools.missing_consent(&tool).map(|vendor| (tool, vendor));
    let missing: Vec<_> = others.into_iter().filter_map(missing).collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(tools.consent_failure(&missing)),
    }
}

/// Refuses a debate of a background process that would find too few tools that the user allowed.
///
/// # Errors
///
/// If fewer than two ready tools may be asked and others could be, or the configuration is invalid.
pub async fn require_debaters(caller: &Caller) -> Result<(), Failure> {
    let settings = settings::read_settings(caller)?;
    let tools = Tools::detect(caller, &settings, &[]).await?;
    let candidates = tools.seat_candidates(false);
    let programs = candidates.into_iter().filter(|one| one.is_tool);
    let (allowed, others): (Vec<_>, Vec<_>) = programs.partition(|one| one.ready == Ready::Yes);
    let missing = others.into_iter().filter_map(|one| match one.ready {
        Ready::NotAllowed(vendor) => Some((one.tool, vendor)),
        _ => None,
    });
    let missing: Vec<_> = missing.collect();
    match allowed.len() < 2 && !missing.is_empty() {
        true => Err(tools.consent_failure(&missing)),
        false => Ok(()),
    }
}
