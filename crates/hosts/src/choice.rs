//! Which skills a request calls for, and the text that is given of them.

mod choose;
mod portion;

use agon_selection::{Asker, PortionForm, Score, SignWeights, SkillIndex};

use crate::content::Skill;
use crate::content::requests::ordinary_requests;

pub use self::portion::{TOKEN_MARGIN, tokens_with_margin};

/// Skills, ready to be chosen from.
#[derive(Clone, Debug)]
pub struct SkillSet {
    skills: Vec<Skill>,
    index: SkillIndex,
}

/// For what, for whom and within which budget skills are chosen.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChoiceRequest<'a> {
    /// What is to be done, in a person's or a model's words.
    pub request: &'a str,
    /// Who is to do it.
    pub asker: Asker<'a>,
    /// Skills that are given whatever the request is.
    pub pinned: &'a [String],
    /// The most tokens that all of them may take.
    pub budget: u64,
}

/// What was chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkillChoice {
    /// What is given, pinned skills first, then the better one first.
    pub given: Vec<GivenSkill>,
    /// What is not, and why.
    pub left_out: Vec<LeftOutSkill>,
    /// The tokens that all of it may take, with the margin.
    pub tokens: u64,
}

/// A skill that is given.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenSkill {
    /// Its name.
    pub name: String,
    /// Whether it is given whatever the request is.
    pub is_pinned: bool,
    /// How much of it.
    pub form: PortionForm,
    /// The heading of the section that is given of it.
    pub section: Option<String>,
    /// The tokens that are counted for it.
    pub tokens: u64,
    /// How well it fits.
    pub score: Option<Score>,
    /// What a model is given of it.
    pub text: String,
}

/// A skill that is not given.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOutSkill {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: LeftOutReason,
    /// How well it fits.
    pub score: Option<Score>,
}

/// Why a skill is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOutReason {
    /// It is for other roles.
    Role,
    /// It is for other hosts.
    Host,
    /// It has no word of the request, or too little in common with it.
    BelowThreshold,
    /// Another one fits far better.
    FarBelowBest,
    /// Enough others fit better.
    TooMany,
    /// There is no room for it, or what there is is worth more with others.
    NoRoom,
}

impl SkillSet {
    /// A set of these skills.
    pub fn new(skills: Vec<Skill>) -> Self {
        Self::with_weights(skills, SignWeights::default())
    }

    /// A set of these skills, with signs that count otherwise: for measuring what a sign brings.
    pub fn with_weights(skills: Vec<Skill>, weights: SignWeights) -> Self {
        let documents = skills.iter().map(Skill::document).collect();
        let index = SkillIndex::with_weights(documents, weights).learn(&ordinary_requests());
        Self { skills, index }
    }

    /// The skills.
    pub fn skills(&self) -> &[Skill] {
        &self.skills
    }

    /// What they are compared with requests by.
    pub fn index(&self) -> &SkillIndex {
        &self.index
    }

    /// The skill of this name, or of this name elsewhere.
    pub fn find(&self, name: &str) -> Option<&Skill> {
        let by_name = self.skills.iter().find(|skill| skill.name == name);
        by_name.or_else(|| {
            let has = |skill: &&Skill| skill.aliases().iter().any(|alias| alias == name);
            self.skills.iter().find(has)
        })
    }
}
