//! Explains the score of a skill for a request, part by part.

use agon_caller::{Caller, Failure};
use agon_selection::Sign;
use schemars::JsonSchema;
use serde::Serialize;

use super::choose::{MatchRequest, choose_from};
use super::library;
use super::score::ScoreDoc;

/// The name and version of the document.
pub const SKILL_SCORE_SCHEMA: &str = "agon.skill_score/1";

/// Score of a skill for a request: `agon.skill_score/1`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SkillScoreDoc {
    #[schemars(extend("const" = SKILL_SCORE_SCHEMA))]
    schema: &'static str,
    /// The skill.
    pub skill: String,
    /// The request.
    pub request: String,
    /// `given`, or the reason for leaving it out, as in `agon.skills_match/1`.
    pub outcome: &'static str,
    /// Minimum score of an included skill.
    pub threshold: f64,
    /// The score.
    pub score: ScoreDoc,
    /// The parts that add up to the total.
    pub parts: Vec<ScorePartDoc>,
    /// Stems of the request's words that the skill does not have.
    pub unknown: Vec<String>,
    /// Names of the included skills, best first.
    pub given: Vec<String>,
}

/// A part of a score.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ScorePartDoc {
    /// `word`, `coverage`, `phrase`, `name`, `examples`, `counter_phrase` or `errand`.
    pub sign: &'static str,
    /// The word's stem, or the phrase.
    pub text: Option<String>,
    /// The field that contains the word: `triggers`, `name`, `description`, `headings` or `body`.
    pub field: Option<&'static str>,
    /// Its contribution; negative if it lowers the score.
    pub value: f64,
}

/// Explains why `skill` is included for a request or not.
///
/// # Errors
///
/// If there is no skill of this name, and those of [`super::choose`].
pub fn explain(
    caller: &Caller,
    skill: &str,
    request: &MatchRequest,
) -> Result<SkillScoreDoc, Failure> {
    let library = library::load(caller, &request.from)?;
    let at = library.index_of(skill)?;
    let chosen = choose_from(&library, request)?;
    let name = library
        .set
        .skills()
        .get(at)
        .map(|skill| skill.name.clone())
        .unwrap_or_default();
    let left_out = chosen.left_out.iter().find(|it| it.name == name);
    let explained = library.set.index().explain(at, &request.request);
    let (score, parts, unknown) = match explained {
        Some(it) => (it.score, it.parts, it.unknown),
        None => Default::default(),
    };
    let parts = parts.into_iter().map(|part| {
        let (sign, text, field) = match part.sign {
            Sign::Word(stem, field) => ("word", Some(stem), Some(field.as_str())),
            Sign::Coverage => ("coverage", None, None),
            Sign::Phrase(text) => ("phrase", Some(text), None),
            Sign::Name => ("name", None, None),
            Sign::Examples => ("examples", None, None),
            Sign::CounterPhrase(text) => ("counter_phrase", Some(text), None),
            Sign::Errand => ("errand", None, None),
        };
        ScorePartDoc {
            sign,
            text,
            field,
            value: part.value,
        }
    });
    Ok(SkillScoreDoc {
        schema: SKILL_SCORE_SCHEMA,
        skill: name,
        request: request.request.clone(),
        outcome: left_out.map_or("given", |it| it.reason),
        threshold: chosen.threshold,
        score: ScoreDoc::of(&score),
        parts: parts.collect(),
        unknown,
        given: chosen.given.into_iter().map(|skill| skill.name).collect(),
    })
}
