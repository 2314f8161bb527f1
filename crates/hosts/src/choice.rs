//! Which skills a request calls for, and the text that is given of them.

mod portion;

use std::collections::BTreeSet;

use agon_selection::{Asker, Exclusion, Form, Index, Offer, Portion, Score, pack};

use self::portion::Portions;
use crate::content::Skill;

pub use self::portion::{TOKEN_MARGIN, tokens_with_margin};

/// Skills, ready to be chosen from.
#[derive(Clone, Debug)]
pub struct SkillSet {
    skills: Vec<Skill>,
    index: Index,
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
    pub form: Form,
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

// Every choice among them is tried, and a model that is given more than this follows none.
/// The most skills of which something is given for a request.
const MAX_CANDIDATES: usize = 6;

impl SkillSet {
    /// A set of these skills.
    pub fn new(skills: Vec<Skill>) -> Self {
        let index = Index::new(skills.iter().map(Skill::document).collect());
        Self { skills, index }
    }

    /// The skills.
    pub fn skills(&self) -> &[Skill] {
        &self.skills
    }

    /// What they are compared with requests by.
    pub fn index(&self) -> &Index {
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

    /// Chooses what of them is given.
    pub fn choose(&self, request: &ChoiceRequest<'_>) -> SkillChoice {
        let scores = self.index.scores(request.request);
        let exclusion = |at: usize| self.index.documents().get(at).and_then(|it| it.exclusion(request.asker));
        let score_of = |at: usize| scores.iter().find(|score| score.document == at).cloned();
        let pinned: Vec<usize> = (request.pinned.iter())
            .filter_map(|name| self.skills.iter().position(|skill| skill.name == *name))
            .collect();
        let allowed: Vec<Score> = (scores.iter())
            .filter(|score| exclusion(score.document).is_none() && !pinned.contains(&score.document))
            .cloned()
            .collect();
        let candidates = self.index.candidates(&allowed);
        let (taken, too_many) = candidates.split_at(candidates.len().min(MAX_CANDIDATES));
        let offered: Vec<usize> = (pinned.iter().copied()).chain(taken.iter().map(|score| score.document)).collect();
        let portions: Vec<Portions> = (offered.iter())
            .filter_map(|at| Some(Portions::of(self.skills.get(*at)?, |text| self.index.share(request.request, *at, text))))
            .collect();
        let best = taken.first().map_or(1.0, |score| score.total);
        let offers: Vec<Offer> = (offered.iter().zip(&portions).enumerate())
            .map(|(place, (at, portions))| Offer {
                // One that is pinned goes before all that are chosen.
                value: match place < pinned.len() {
                    true => 100.0 * best,
                    false => score_of(*at).map_or(0.0, |score| score.total),
                },
                portions: portions.offered(),
            })
            .collect();
        let similarity = |one: usize, other: usize| match (offered.get(one), offered.get(other)) {
            (Some(one), Some(other)) => self.index.similarity(*one, *other),
            _ => 0.0,
        };
        let packed = pack(&offers, &similarity, request.budget);
        let mut choice = SkillChoice { tokens: packed.tokens, ..SkillChoice::default() };
        for (place, portion) in packed.portions.iter().enumerate() {
            let (Some(at), Some(portions)) = (offered.get(place), portions.get(place)) else { continue };
            let Some(skill) = self.skills.get(*at) else { continue };
            match portion {
                Some(portion) => choice.given.push(given(skill, portions, *portion, place < pinned.len(), score_of(*at))),
                None => choice.left_out.push(LeftOutSkill {
                    name: skill.name.clone(),
                    reason: LeftOutReason::NoRoom,
                    score: score_of(*at),
                }),
            }
        }
        let offered: BTreeSet<usize> = offered.into_iter().collect();
        for at in self.by_score(&scores).into_iter().filter(|at| !offered.contains(at)) {
            let Some(skill) = self.skills.get(at) else { continue };
            let score = score_of(at);
            let threshold = self.index.weights().threshold;
            let reason = match exclusion(at) {
                Some(Exclusion::Role) => LeftOutReason::Role,
                Some(Exclusion::Host) => LeftOutReason::Host,
                None if too_many.iter().any(|score| score.document == at) => LeftOutReason::TooMany,
                None if score.as_ref().is_some_and(|score| score.total >= threshold) => LeftOutReason::FarBelowBest,
                None => LeftOutReason::BelowThreshold,
            };
            choice.left_out.push(LeftOutSkill { name: skill.name.clone(), reason, score });
        }
        choice
    }

    /// All of them, those that fit better first.
    fn by_score(&self, scores: &[Score]) -> Vec<usize> {
        let scored: Vec<usize> = scores.iter().map(|score| score.document).collect();
        let known: BTreeSet<usize> = scored.iter().copied().collect();
        let others = (0..self.skills.len()).filter(|at| !known.contains(at));
        scored.iter().copied().chain(others).collect()
    }
}

fn given(skill: &Skill, portions: &Portions, portion: Portion, is_pinned: bool, score: Option<Score>) -> GivenSkill {
    let (section, text) = portions.text(skill, portion.form);
    GivenSkill {
        name: skill.name.clone(),
        is_pinned,
        form: portion.form,
        section,
        tokens: portion.tokens,
        score,
        text,
    }
}
