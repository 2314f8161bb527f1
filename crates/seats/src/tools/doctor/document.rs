//! The machine-readable result of a checkup.

use agon_agents::probe::{Offers, Switch};
use schemars::JsonSchema;
use serde::Serialize;

use super::examined::ExaminedTool;
use super::suggestions::suggested_settings;

/// The schema id of the document.
pub const SCHEMA: &str = "agon.doctor/1";

/// Whether the installed tools match their profiles.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DoctorDoc {
    schema: &'static str,
    tools: Vec<ToolDoc>,
    /// Models that these tools use or offer and that are not in the table of context limits. Their
    /// limits are estimates, which can turn a context amber at most.
    models_without_limits: Vec<String>,
    /// The configuration file in which profiles can be changed.
    configuration: String,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct ToolDoc {
    tool: String,
    /// Its path; null if it is not installed.
    path: Option<String>,
    version: Option<String>,
    /// The version that its profile was measured with.
    measured: Option<String>,
    /// The version whose session records were tested; null if Agon does not read them.
    sessions_measured: Option<String>,
    login: &'static str,
    /// Whether it can be used as it is.
    fits: bool,
    /// The switches in its profile that its help does not list.
    lacks: Vec<LacksDoc>,
    /// Why its help was not checked.
    help_failed: Option<String>,
    /// Whether it reads only its own folder; null if its profile does not say.
    reads_confined: Option<bool>,
    confined_why: Option<String>,
    /// The tools that it offers to its model, by kind of seat; empty if not checked.
    offers: Vec<OfferDoc>,
    /// Why the offered tools are unknown.
    offers_failed: Option<String>,
    /// Settings that can be changed, and where.
    to_do: Vec<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct OfferDoc {
    /// Its transport.
    transport: &'static str,
    /// Whether it could read a folder.
    reads: bool,
    tools: Vec<String>,
    /// The offered tools that its profile does not list.
    unlisted: Vec<String>,
    /// Why the offered tools are unknown.
    failed: Option<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct LacksDoc {
    switch: String,
    /// The profile keys that use the switch.
    keys: Vec<String>,
}

impl DoctorDoc {
    /// Returns the document; `file` is the configuration file in which profiles can be changed.
    pub(super) fn new(
        all: &[ExaminedTool<'_>],
        models_without_limits: Vec<String>,
        file: &str,
    ) -> Self {
        Self {
            schema: SCHEMA,
            tools: all.iter().map(|looked| document(looked, file)).collect(),
            models_without_limits,
            configuration: file.to_owned(),
        }
    }
}

fn document(looked: &ExaminedTool<'_>, file: &str) -> ToolDoc {
    let profile = &looked.found.profile;
    let lacks = |switch: &Switch| LacksDoc {
        switch: switch.name.clone(),
        keys: switch.keys.clone(),
    };
    let offer = |offers: &Offers| OfferDoc {
        transport: offers.way.name(),
        reads: offers.reads,
        tools: offers.names.iter().cloned().collect(),
        unlisted: offers.unlisted.clone(),
        failed: offers.failed.clone(),
    };
    ToolDoc {
        tool: profile.name.to_string(),
        path: looked.program().map(|path| path.display().to_string()),
        version: looked.found.version.clone(),
        measured: profile.measured.clone(),
        sessions_measured: looked.sessions_profile().map(|it| it.measured.clone()),
        login: looked.login(),
        fits: looked.is_usable(),
        lacks: looked.lacks.iter().flatten().map(lacks).collect(),
        help_failed: looked
            .lacks
            .as_ref()
            .err()
            .map(|unknown| unknown.why.clone()),
        reads_confined: profile.confined.as_ref().map(|confined| confined.reads),
        confined_why: profile
            .confined
            .as_ref()
            .map(|confined| confined.why.clone()),
        offers: looked.offers.iter().flatten().map(offer).collect(),
        offers_failed: looked
            .offers
            .as_ref()
            .err()
            .map(|unknown| unknown.why.clone()),
        to_do: suggested_settings(looked, file),
    }
}
