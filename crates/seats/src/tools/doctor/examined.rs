//! The examination of one tool.

use std::path::PathBuf;

use agon_agents::probe::{
    HelpError, Offers, ProbeError, Switch, probe_offers, switches_missing_from_help,
};
use agon_agents::{DetectedTool, Environment, Login};
use agon_caller::error_chain;
use tokio_util::sync::CancellationToken;

/// The result of examining one tool.
pub(super) struct ExaminedTool<'a> {
    pub(super) found: &'a DetectedTool,
    /// The switches that its help does not list, or why they are unknown.
    pub(super) lacks: Result<Vec<Switch>, Unknown>,
    /// The tools that it offers to its model, or why they are unknown; empty if not checked.
    pub(super) offers: Result<Vec<Offers>, Unknown>,
}

/// Why something is unknown.
pub(super) struct Unknown {
    pub(super) why: String,
    /// Whether this counts as a fault of the tool; false if only its profile is incomplete.
    pub(super) against: bool,
}

impl ExaminedTool<'_> {
    /// Returns what is known of its session records; `None` if Agon does not read them.
    pub(super) fn sessions_profile(&self) -> Option<&'static agon_sessions::SessionProfile> {
        let host = self.found.profile.name.as_str().parse().ok()?;
        agon_sessions::SessionProfile::for_host(host)
    }

    /// Returns whether the tool or its adapter for the Agent Client Protocol is installed.
    pub(super) fn is_present(&self) -> bool {
        self.found.path.is_some() || self.found.acp.is_some()
    }

    /// Returns whether it can be used as it is; true if it is not installed.
    pub(super) fn is_usable(&self) -> bool {
        let listed = match &self.lacks {
            Ok(lacks) => lacks.is_empty(),
            Err(unknown) => !unknown.against,
        };
        let known = |offers: &Offers| offers.unlisted.is_empty() && offers.failed.is_none();
        let offers = match &self.offers {
            Ok(offers) => self.found.profile.unlisted || offers.iter().all(known),
            Err(unknown) => !unknown.against,
        };
        !self.is_present() || listed && offers
    }

    /// Returns `not_installed`, `logged_in`, `logged_out` or `unknown`.
    pub(super) fn login(&self) -> &'static str {
        match (self.program(), &self.found.login) {
            (None, _) => "not_installed",
            (Some(_), Login::LoggedIn) => "logged_in",
            (Some(_), Login::LoggedOut { .. }) => "logged_out",
            (Some(_), Login::Unknown) => "unknown",
        }
    }

    /// Returns its program, or else its adapter for the Agent Client Protocol.
    pub(super) fn program(&self) -> Option<&PathBuf> {
        self.found.path.as_ref().or(self.found.acp.as_ref())
    }
}

/// Examines a tool. If `deep`, also calls it to see which tools it offers.
pub(super) async fn examine_tool<'a>(
    found: &'a DetectedTool,
    here: &Environment,
    deep: bool,
    cancel: &CancellationToken,
) -> ExaminedTool<'a> {
    let lacks = match found.path.is_some() {
        true => switches_missing_from_help(found, here, cancel).await,
        false => Ok(Vec::new()),
    };
    let offers = match deep && (found.path.is_some() || found.acp.is_some()) {
        true => probe_offers(found, here, cancel).await,
        false => Ok(Vec::new()),
    };
    ExaminedTool {
        found,
        lacks: lacks.map_err(|error| Unknown {
            why: error_chain(&error),
            against: !matches!(error, HelpError::NotSaid),
        }),
        offers: offers.map_err(|error| Unknown {
            why: error_chain(&error),
            against: !matches!(error, ProbeError::NotSaid),
        }),
    }
}
