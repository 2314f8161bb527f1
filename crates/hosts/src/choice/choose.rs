//! Chooses the skills to include.

use agon_selection::{Exclusion, Portion, Score, SkillOffer, pack};

use super::portion::Portions;
use super::{ChoiceRequest, GivenSkill, LeftOutReason, LeftOutSkill, SkillChoice, SkillSet};

// Kept small: the search tries all combinations, and a model that gets more skills follows none of
// them.
/// Maximum number of skills included for a request, besides pinned ones.
const MAX_CANDIDATES: usize = 6;

// Large enough that pinned skills come before all others.
/// Value of a pinned skill, as a multiple of the best score.
const PIN_WORTH: f64 = 100.0;

/// A skill that may be included.
struct SkillCandidate {
    /// Its index in the set.
    at: usize,
    is_pinned: bool,
    portions: Portions,
}

impl SkillSet {
    /// Chooses the skills to include.
    pub fn choose(&self, request: &ChoiceRequest<'_>) -> SkillChoice {
        let mut scores: Vec<Option<Score>> = vec![None; self.skills.len()];
        let ranked = self.index.scores(request.request);
        let order: Vec<usize> = ranked.iter().map(|score| score.document).collect();
        for score in ranked {
            if let Some(place) = scores.get_mut(score.document) {
                *place = Some(score);
            }
        }
        let score_of = |at: usize| scores.get(at).and_then(Option::as_ref);
        let pinned: Vec<usize> = (request.pinned.iter())
            .filter_map(|name| self.skills.iter().position(|skill| skill.name == *name))
            .collect();
        let is_free = |at: &usize| self.exclusion(*at, request).is_none() && !pinned.contains(at);
        let free = order.iter().copied().filter(is_free);
        let free: Vec<Score> = free.filter_map(|at| score_of(at).cloned()).collect();
        let good = self.index.candidates(&free);
        let (taken, too_many) = good.split_at(good.len().min(MAX_CANDIDATES));
        let candidates = self.candidates(request, &pinned, taken);

        let best = taken.first().map_or(1.0, |score| score.total);
        let offers: Vec<SkillOffer> = (candidates.iter())
            .map(|candidate| SkillOffer {
                value: match candidate.is_pinned {
                    true => PIN_WORTH * best,
                    false => score_of(candidate.at).map_or(0.0, |score| score.total),
                },
                portions: candidate.portions.offered().to_vec(),
            })
            .collect();
        let similarity =
            |one: usize, other: usize| match (candidates.get(one), candidates.get(other)) {
                (Some(one), Some(other)) => self.index.similarity(one.at, other.at),
                _ => 0.0,
            };
        let packed = pack(&offers, &similarity, request.budget);

        let mut choice = SkillChoice {
            tokens: packed.tokens,
            ..SkillChoice::default()
        };
        let mut is_offered = vec![false; self.skills.len()];
        for (candidate, portion) in candidates.iter().zip(packed.portions) {
            if let Some(offered) = is_offered.get_mut(candidate.at) {
                *offered = true;
            }
            let score = score_of(candidate.at).cloned();
            match portion {
                Some(portion) => choice.given.extend(self.give(candidate, portion, score)),
                None => choice.left_out.extend(self.leave_out(
                    candidate.at,
                    LeftOutReason::NoRoom,
                    score,
                )),
            }
        }
        let unscored = (0..self.skills.len()).filter(|at| score_of(*at).is_none());
        for at in order.iter().copied().chain(unscored) {
            if is_offered.get(at).copied().unwrap_or(true) {
                continue;
            }
            let score = score_of(at).cloned();
            let is_good = |score: &Score| score.total >= self.index.weights().threshold;
            let reason = match self.exclusion(at, request) {
                Some(Exclusion::Role) => LeftOutReason::Role,
                Some(Exclusion::Host) => LeftOutReason::Host,
                None if too_many.iter().any(|it| it.document == at) => LeftOutReason::TooMany,
                None if score.as_ref().is_some_and(is_good) => LeftOutReason::FarBelowBest,
                None => LeftOutReason::BelowThreshold,
            };
            choice.left_out.extend(self.leave_out(at, reason, score));
        }
        choice
    }

    fn exclusion(&self, at: usize, request: &ChoiceRequest<'_>) -> Option<Exclusion> {
        self.index.documents().get(at)?.exclusion(request.asker)
    }

    /// Returns the candidates: pinned skills, then skills that match the request.
    fn candidates(
        &self,
        request: &ChoiceRequest<'_>,
        pinned: &[usize],
        taken: &[Score],
    ) -> Vec<SkillCandidate> {
        let chosen = taken.iter().map(|score| (score.document, false));
        let all = pinned.iter().map(|at| (*at, true)).chain(chosen);
        all.filter_map(|(at, is_pinned)| {
            let share = |text: &str| self.index.share(request.request, at, text);
            Some(SkillCandidate {
                at,
                is_pinned,
                portions: Portions::new(self.skills.get(at)?, share),
            })
        })
        .collect()
    }

    fn give(
        &self,
        candidate: &SkillCandidate,
        portion: Portion,
        score: Option<Score>,
    ) -> Option<GivenSkill> {
        let skill = self.skills.get(candidate.at)?;
        Some(GivenSkill {
            name: skill.name.clone(),
            is_pinned: candidate.is_pinned,
            form: portion.form,
            section: candidate.portions.heading(portion.form),
            tokens: portion.tokens,
            score,
            text: candidate.portions.render(skill, portion.form),
        })
    }

    fn leave_out(
        &self,
        at: usize,
        reason: LeftOutReason,
        score: Option<Score>,
    ) -> Option<LeftOutSkill> {
        Some(LeftOutSkill {
            name: self.skills.get(at)?.name.clone(),
            reason,
            score,
        })
    }
}
