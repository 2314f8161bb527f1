//! Chooses portions of the candidates within a budget.

/// A skill that can be included in part or as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillOffer {
    /// The value of its whole text, in points of its score, at least 0.
    pub value: f64,
    /// The portions, of which one can be included.
    pub portions: Vec<Portion>,
}

/// A portion of a skill.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portion {
    /// Its form.
    pub form: PortionForm,
    /// Its tokens.
    pub tokens: u64,
    /// Its share of the skill's value, from 0 to 1.
    pub share: f64,
}

/// Form of a portion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PortionForm {
    /// The whole skill.
    Whole,
    /// One of its sections, by index from 0.
    Section(usize),
    /// One line with its name and how to load it.
    Pointer,
}

/// The chosen portions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Packed {
    /// The portion of each offer, in order; `None` if it is left out.
    pub portions: Vec<Option<Portion>>,
    /// The sum of their tokens, at most the budget.
    pub tokens: u64,
    /// The sum of their values, minus overlaps.
    pub value: f64,
}

// Half: next to the better skill, the model reads the overlap for nothing.
/// Share of the lesser of two similar skills that is worthless next to the other.
const REDUNDANCY: f64 = 0.5;

/// Chooses at most one portion of each offer, with the highest total value within `budget` tokens and,
/// among equal choices, the fewest tokens. It is a branch-and-bound search: quick for a handful of
/// offers, slow for many.
///
/// `similarity` returns the similarity of two offers, from 0 to 1, by their indices.
pub fn pack(
    offers: &[SkillOffer],
    similarity: &dyn Fn(usize, usize) -> f64,
    budget: u64,
) -> Packed {
    let mut similarities = Vec::new();
    for at in 0..offers.len() {
        similarities.push((0..at).map(|before| similarity(before, at)).collect());
    }
    // `bounds[at]` is an upper bound on the value of the offers from index `at` on.
    let mut bounds = vec![0.0; offers.len() + 1];
    for (at, offer) in offers.iter().enumerate().rev() {
        let fitting = offer
            .portions
            .iter()
            .filter(|portion| portion.tokens <= budget);
        let best = fitting
            .map(|portion| offer.value * portion.share)
            .fold(0.0, f64::max);
        let after = bounds.get(at + 1).copied().unwrap_or_default();
        if let Some(bound) = bounds.get_mut(at) {
            *bound = best + after;
        }
    }
    let mut search = Search {
        offers,
        similarities,
        bounds,
        budget,
        best: Packed {
            portions: vec![None; offers.len()],
            ..Packed::default()
        },
    };
    search.extend(&mut Packed::default());
    search.best
}

struct Search<'a> {
    offers: &'a [SkillOffer],
    /// Similarities of each offer with the earlier ones.
    similarities: Vec<Vec<f64>>,
    bounds: Vec<f64>,
    budget: u64,
    best: Packed,
}

impl Search<'_> {
    fn extend(&mut self, so_far: &mut Packed) {
        let at = so_far.portions.len();
        let Some(offer) = self.offers.get(at) else {
            let is_better = so_far.value > self.best.value
                || (so_far.value == self.best.value && so_far.tokens < self.best.tokens);
            if is_better {
                self.best = so_far.clone();
            }
            return;
        };
        if so_far.value + self.bounds.get(at).copied().unwrap_or_default() < self.best.value {
            return;
        }
        let choices = offer.portions.iter().copied().map(Some).chain([None]);
        for choice in choices {
            let tokens = so_far.tokens + choice.map_or(0, |portion| portion.tokens);
            if tokens > self.budget {
                continue;
            }
            let before = (so_far.tokens, so_far.value);
            so_far.value += choice.map_or(0.0, |portion| self.worth(so_far, at, portion));
            so_far.tokens = tokens;
            so_far.portions.push(choice);
            self.extend(so_far);
            so_far.portions.pop();
            (so_far.tokens, so_far.value) = before;
        }
    }

    /// Returns the value that `portion` of the offer at `at` adds to the earlier choices.
    fn worth(&self, so_far: &Packed, at: usize, portion: Portion) -> f64 {
        let worth = |at: usize, portion: Portion| {
            let value = self.offers.get(at).map_or(0.0, |offer| offer.value);
            value * portion.share
        };
        let own = worth(at, portion);
        let similarities = self.similarities.get(at).into_iter().flatten();
        let twice = so_far.portions.iter().zip(similarities).enumerate().map(
            |(before, (other, similarity))| match other {
                Some(other) if has_text(*other) && has_text(portion) => {
                    REDUNDANCY * similarity * own.min(worth(before, *other))
                }
                Some(_) | None => 0.0,
            },
        );
        own - twice.sum::<f64>()
    }
}

/// Returns whether the portion has text of the skill.
fn has_text(portion: Portion) -> bool {
    portion.form != PortionForm::Pointer
}

#[cfg(test)]
mod tests;
