//! Chooses the skills for a request and the text that a model gets of them.

mod choose;
mod portion;

use agon_selection::{Asker, PortionForm, Score, SignWeights, SkillIndex};

use crate::content::Skill;
use crate::content::requests::requests_without_skill;

pub use self::portion::{TOKEN_MARGIN, tokens_with_margin};

/// Skills with an index to choose from.
#[derive(Clone, Debug)]
pub struct SkillSet {
    skills: Vec<Skill>,
    index: SkillIndex,
}

/// A request for skills: the task, who does it, and the budget.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChoiceRequest<'a> {
    /// The task, in a person's or a model's words.
    pub request: &'a str,
    /// The role and host that will do it.
    pub asker: Asker<'a>,
    /// Skills that are always included.
    pub pinned: &'a [String],
    /// Maximum tokens for all skills together.
    pub budget: u64,
}

/// The chosen skills.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkillChoice {
    /// Included skills: pinned ones first, then by descending score.
    pub given: Vec<GivenSkill>,
    /// Skills left out, each with the reason.
    pub left_out: Vec<LeftOutSkill>,
    /// Tokens of all included skills, with the margin.
    pub tokens: u64,
}

/// An included skill.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenSkill {
    /// Its name.
    pub name: String,
    /// Whether it is always included.
    pub is_pinned: bool,
    /// How much of it is included.
    pub form: PortionForm,
    /// Heading of the included section, if only one is.
    pub section: Option<String>,
    /// Tokens counted for it.
    pub tokens: u64,
    /// How well it matches the request.
    pub score: Option<Score>,
    /// Text for the model.
    pub text: String,
}

/// A skill that is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOutSkill {
    /// Its name.
    pub name: String,
    /// The reason.
    pub reason: LeftOutReason,
    /// How well it matches the request.
    pub score: Option<Score>,
}

/// Why a skill is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOutReason {
    /// It is for other roles.
    Role,
    /// It is for other hosts.
    Host,
    /// Its score is below the threshold.
    BelowThreshold,
    /// Another skill matches far better.
    FarBelowBest,
    /// Enough other skills match better.
    TooMany,
    /// The budget is used up, or other skills use it better.
    NoRoom,
}

impl SkillSet {
    /// Returns a set of these skills.
    pub fn new(skills: Vec<Skill>) -> Self {
        Self::with_weights(skills, SignWeights::default())
    }

    /// Returns a set of these skills with other weights, to measure the contribution of each sign.
    pub fn with_weights(skills: Vec<Skill>, weights: SignWeights) -> Self {
        let documents = skills.iter().map(Skill::document).collect();
        let index = SkillIndex::with_weights(documents, weights).learn(&requests_without_skill());
        Self { skills, index }
    }

    /// Returns the skills.
    pub fn skills(&self) -> &[Skill] {
        &self.skills
    }

    /// Returns the index that compares skills with requests.
    pub fn index(&self) -> &SkillIndex {
        &self.index
    }

    /// Returns the skill with this name or alias.
    pub fn find(&self, name: &str) -> Option<&Skill> {
        let by_name = self.skills.iter().find(|skill| skill.name == name);
        by_name.or_else(|| {
            let has = |skill: &&Skill| skill.aliases().iter().any(|alias| alias == name);
            self.skills.iter().find(has)
        })
    }
}
