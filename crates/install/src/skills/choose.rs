//! Skills for a request, within a budget.

use std::path::PathBuf;

use agon_caller::{Caller, Failure};
use agon_hosts::choice::{
    ChoiceRequest, GivenSkill, LeftOutReason, LeftOutSkill, SkillChoice, TOKEN_MARGIN,
};
use agon_hosts::lint::Finding;
use agon_selection::{Asker, PortionForm};
use schemars::JsonSchema;
use serde::Serialize;

use super::library::{self, Library};
use super::score::ScoreDoc;
use crate::hosts::host_called;
use crate::team_files::team_content;
use crate::team_roster::find_role;

/// The name and version of the document.
pub const SKILLS_MATCH_SCHEMA: &str = "agon.skills_match/1";

// Three of ours with the margin: what a model still follows beside the task itself.
/// The most tokens that the skills for a request take where nothing is said.
pub const DEFAULT_SKILL_BUDGET: u64 = 2_000;

/// For what, for whom and within which bounds skills are wanted.
#[derive(Clone, Debug, Default)]
pub struct MatchRequest {
    /// What is to be done.
    pub request: String,
    /// The role of who is to do it: its own skills are given first, and none that is for others.
    pub role: Option<String>,
    /// The skills that it is given first; without it those of its role's file.
    pub pinned: Option<Vec<String>>,
    /// The host that its model runs in.
    pub host: Option<String>,
    /// The most tokens that the skills may take; without it [`DEFAULT_SKILL_BUDGET`].
    pub budget: Option<u64>,
    /// The tokens that are left before the model begins to read worse.
    pub room: Option<u64>,
    /// Folders of further skills, which are read only.
    pub from: Vec<PathBuf>,
}

/// The skills for a request: `agon.skills_match/1`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SkillsMatchDoc {
    #[schemars(extend("const" = SKILLS_MATCH_SCHEMA))]
    schema: &'static str,
    /// The request.
    pub request: String,
    /// The role it is for.
    pub role: Option<String>,
    /// The host it is for.
    pub host: Option<String>,
    /// The most tokens that all of it may take: the lesser of what was asked for and the room.
    pub budget: u64,
    /// The tokens that it takes, with the margin.
    pub tokens: u64,
    /// How many tokens are counted for a hundred that o200k has.
    pub token_margin: u64,
    /// The least score of a skill that is given.
    pub threshold: f64,
    /// What is given, in the order in which a model gets it.
    pub given: Vec<GivenSkillDoc>,
    /// What is not, and why.
    pub left_out: Vec<LeftOutSkillDoc>,
    /// Skills of the named folders that were passed over, and why.
    pub findings: Vec<Finding>,
}

/// A skill that is given.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GivenSkillDoc {
    /// Its name.
    pub name: String,
    /// `role` where the role has it whatever the request is, else `request`.
    pub because: &'static str,
    /// `whole`, `section` or `pointer`.
    pub form: &'static str,
    /// The heading of the section that is given.
    pub section: Option<String>,
    /// The tokens that are counted for it.
    pub tokens: u64,
    /// How well it fits; null where it has no word of the request.
    pub score: Option<ScoreDoc>,
    /// What a model is given.
    pub text: String,
}

/// A skill that is not given.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LeftOutSkillDoc {
    /// Its name.
    pub name: String,
    /// `role` or `host` where it is for others, `no_match`, `below_threshold`, `far_below_best`,
    /// `too_many` or `no_room`.
    pub reason: &'static str,
    /// How well it fits; null where it has no word of the request.
    pub score: Option<ScoreDoc>,
}

impl SkillsMatchDoc {
    /// What is put before the task in a prompt: all that is given, one below the other.
    pub fn prompt_part(&self) -> String {
        let texts = self.given.iter().map(|skill| skill.text.as_str());
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// Chooses skills for a request: nothing where none fits, and never more than the budget.
///
/// # Errors
///
/// If the role or the host is unknown, or a folder cannot be read.
pub fn choose(caller: &Caller, request: &MatchRequest) -> Result<SkillsMatchDoc, Failure> {
    choose_from(&library::load(caller, &request.from)?, request)
}

/// Chooses from skills that were read.
///
/// # Errors
///
/// If the role or the host is unknown.
pub(super) fn choose_from(
    library: &Library,
    request: &MatchRequest,
) -> Result<SkillsMatchDoc, Failure> {
    let roles = team_content()?.roles;
    let role = request.role.as_deref();
    let role = role.map(|name| find_role(&roles, name)).transpose()?;
    if let Some(host) = &request.host {
        host_called(host)?;
    }
    let asked = request.budget.unwrap_or(DEFAULT_SKILL_BUDGET);
    let budget = asked.min(request.room.unwrap_or(asked));
    let choice = library.set.choose(&ChoiceRequest {
        request: &request.request,
        asker: Asker {
            role: request.role.as_deref(),
            host: request.host.as_deref(),
        },
        pinned: match (&request.pinned, role) {
            (Some(pinned), _) => pinned,
            (None, Some(role)) => &role.skills,
            (None, None) => &[],
        },
        budget,
    });
    let threshold = library.set.index().weights().threshold;
    let SkillChoice {
        given,
        left_out,
        tokens,
    } = choice;
    Ok(SkillsMatchDoc {
        schema: SKILLS_MATCH_SCHEMA,
        request: request.request.clone(),
        role: request.role.clone(),
        host: request.host.clone(),
        budget,
        tokens,
        token_margin: TOKEN_MARGIN,
        threshold,
        given: given.into_iter().map(given_doc).collect(),
        left_out: left_out.into_iter().map(left_out_doc).collect(),
        findings: library.findings.clone(),
    })
}

fn given_doc(skill: GivenSkill) -> GivenSkillDoc {
    GivenSkillDoc {
        name: skill.name,
        because: if skill.is_pinned { "role" } else { "request" },
        form: match skill.form {
            PortionForm::Whole => "whole",
            PortionForm::Section(_) => "section",
            PortionForm::Pointer => "pointer",
        },
        section: skill.section,
        tokens: skill.tokens,
        score: skill.score.as_ref().map(ScoreDoc::of),
        text: skill.text,
    }
}

fn left_out_doc(skill: LeftOutSkill) -> LeftOutSkillDoc {
    LeftOutSkillDoc {
        name: skill.name,
        reason: match skill.reason {
            LeftOutReason::Role => "role",
            LeftOutReason::Host => "host",
            LeftOutReason::BelowThreshold if skill.score.is_none() => "no_match",
            LeftOutReason::BelowThreshold => "below_threshold",
            LeftOutReason::FarBelowBest => "far_below_best",
            LeftOutReason::TooMany => "too_many",
            LeftOutReason::NoRoom => "no_room",
        },
        score: skill.score.as_ref().map(ScoreDoc::of),
    }
}
