//! Chooses skills for a request, within a budget.

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
use crate::hosts::require_host;
use crate::team_files::team_content;
use crate::team_roster::find_role;

/// The name and version of the document.
pub const SKILLS_MATCH_SCHEMA: &str = "agon.skills_match/1";

// Enough for about three of our skills, with the margin. With more text, models stop following the
// task.
/// Default maximum tokens of the skills for a request.
pub const DEFAULT_SKILL_BUDGET: u64 = 2_000;

/// A request for skills.
#[derive(Clone, Debug, Default)]
pub struct MatchRequest {
    /// The task.
    pub request: String,
    /// The role that will do it: its own skills come first, and skills for other roles are excluded.
    pub role: Option<String>,
    /// Skills to list first; `None` uses those of the role's file.
    pub pinned: Option<Vec<String>>,
    /// The host in which the model runs.
    pub host: Option<String>,
    /// Maximum tokens of the skills; if `None`, [`DEFAULT_SKILL_BUDGET`].
    pub budget: Option<u64>,
    /// Tokens left before the model's quality degrades.
    pub room: Option<u64>,
    /// Folders with more skills; they are only read.
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
    /// Maximum tokens of all skills: the lesser of the requested budget and the room.
    pub budget: u64,
    /// Tokens of the included skills, with the margin.
    pub tokens: u64,
    /// Tokens counted per 100 tokens of o200k.
    pub token_margin: u64,
    /// Minimum score of an included skill.
    pub threshold: f64,
    /// Included skills, in the order for the model.
    pub given: Vec<GivenSkillDoc>,
    /// Skills left out, each with the reason.
    pub left_out: Vec<LeftOutSkillDoc>,
    /// Skills of the given folders that were skipped, and why.
    pub findings: Vec<Finding>,
}

/// An included skill.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GivenSkillDoc {
    /// Its name.
    pub name: String,
    /// `role` if the role always has it, else `request`.
    pub because: &'static str,
    /// `whole`, `section` or `pointer`.
    pub form: &'static str,
    /// Heading of the included section, if only one is.
    pub section: Option<String>,
    /// Tokens counted for it.
    pub tokens: u64,
    /// Its score; null if it shares no word with the request.
    pub score: Option<ScoreDoc>,
    /// Text for the model.
    pub text: String,
}

/// A skill that is left out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LeftOutSkillDoc {
    /// Its name.
    pub name: String,
    /// `role` or `host` if it is for other roles or hosts, `no_match`, `below_threshold`,
    /// `far_below_best`, `too_many` or `no_room`.
    pub reason: &'static str,
    /// Its score; null if it shares no word with the request.
    pub score: Option<ScoreDoc>,
}

impl SkillsMatchDoc {
    /// Returns the text of all included skills, to put before the task in a prompt.
    pub fn prompt_text(&self) -> String {
        let texts = self.given.iter().map(|skill| skill.text.as_str());
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// Chooses skills for a request, within the budget; none if none matches.
///
/// # Errors
///
/// If the role or the host is unknown, or a folder cannot be read.
pub fn choose(caller: &Caller, request: &MatchRequest) -> Result<SkillsMatchDoc, Failure> {
    choose_from(&library::load(caller, &request.from)?, request)
}

/// Chooses from a loaded library.
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
        require_host(host)?;
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
        given: given.into_iter().map(given_skill_doc).collect(),
        left_out: left_out.into_iter().map(left_out_doc).collect(),
        findings: library.findings.clone(),
    })
}

fn given_skill_doc(skill: GivenSkill) -> GivenSkillDoc {
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
