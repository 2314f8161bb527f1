//! What was found, for programs.

use agon_agents::probe::{Offers, Switch};
use schemars::JsonSchema;
use serde::Serialize;

use super::looked::ExaminedTool;
use super::to_do::to_do;

/// The name and version of the document.
pub const SCHEMA: &str = "agon.doctor/1";

/// Whether the tools here still are as their profiles say.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DoctorDoc {
    schema: &'static str,
    tools: Vec<ToolDoc>,
    /// The models that these tools are set to or offer and that have no row of their own in the
    /// table of context limits: their limits are a guess, which makes a context amber at most.
    models_without_limits: Vec<String>,
    /// The file in which a profile is changed.
    configuration: String,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct ToolDoc {
    tool: String,
    /// None when it is not installed.
    path: Option<String>,
    version: Option<String>,
    /// The version that its profile was measured with.
    measured: Option<String>,
    /// The version whose records of sessions were tried; none where they are not read.
    sessions_measured: Option<String>,
    login: &'static str,
    /// Whether nothing speaks against seating it as it is.
    fits: bool,
    /// The switches that its profile uses and its help does not list.
    lacks: Vec<LacksDoc>,
    /// Why its help could not be looked at.
    help_failed: Option<String>,
    /// Whether it reads in the folder it is given alone; none when its profile does not say.
    reads_confined: Option<bool>,
    confined_why: Option<String>,
    /// What it offers to its model, by kind of seat; empty when nobody looked.
    offers: Vec<OfferDoc>,
    /// Why what it offers could not be told.
    offers_failed: Option<String>,
    /// What can be set, and where.
    to_do: Vec<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct OfferDoc {
    /// How it was spoken to.
    transport: &'static str,
    /// Whether it had a folder to read in.
    reads: bool,
    tools: Vec<String>,
    /// The tools that stand on no list of its profile.
    unlisted: Vec<String>,
    /// Why nothing can be told.
    failed: Option<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct LacksDoc {
    switch: String,
    /// The keys of the profile it stands at.
    keys: Vec<String>,
}

impl DoctorDoc {
    /// What was found; `file` is where a profile is changed.
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
        fits: looked.is_fit(),
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
        to_do: to_do(looked, file),
    }
}
