//! Chooses the next token of an answer.

use std::cmp::Ordering;

// The default of llama.cpp (`--top-k`). At the temperatures in use, tokens beyond these have almost
// no weight.
/// Number of likeliest tokens to sample from (top-k).
const CANDIDATES: usize = 40;

// llama.cpp calls it `--repeat-penalty`. Without it, the small model repeats itself endlessly; with
// this value, it answered four topics fluently. Tested by
// `a_token_that_was_just_used_is_less_likely`.
/// The repetition penalty: the positive logit of a recently used token is divided by it, a negative
/// one multiplied.
const REPETITION_PENALTY: f32 = 1.15;

// The default of llama.cpp (`--repeat-last-n`).
/// Number of latest tokens to which the penalty applies, including tokens of the prompt.
const PENALTY_WINDOW: usize = 64;

/// Chooses tokens, with the same result for the same seed.
pub(super) struct Choice {
    random: u64,
    temperature: f32,
    /// The tokens of the prompt and the answer so far.
    tokens: Vec<u32>,
}

impl Choice {
    /// Returns a sampler for the answer to a prompt.
    pub(super) fn new(seed: u64, temperature: f32, prompt: &[u32]) -> Self {
        Self {
            random: seed,
            temperature,
            tokens: prompt.to_vec(),
        }
    }

    /// Returns the next token; `None` if the model offers none.
    pub(super) fn pick(&mut self, logits: &[f32]) -> Option<u32> {
        let all = (0_u32..).zip(logits.iter().copied());
        let mut best: Vec<(f32, u32)> = all
            .filter(|(_, logit)| logit.is_finite())
            .map(|(token, logit)| (logit, token))
            .collect();
        let recent = self.tokens.len().saturating_sub(PENALTY_WINDOW);
        let recent = &self.tokens[recent..];
        for (logit, token) in &mut best {
            if recent.contains(token) {
                *logit = match *logit > 0.0 {
                    true => *logit / REPETITION_PENALTY,
                    false => *logit * REPETITION_PENALTY,
                };
            }
        }
        let kept = CANDIDATES.min(best.len());
        best.select_nth_unstable_by(kept.checked_sub(1)?, compare_likelihood);
        best.truncate(kept);
        best.sort_by(compare_likelihood);
        let top = best[0].0;
        let weight = |(logit, _): &(f32, u32)| ((logit - top) / self.temperature).exp();
        let weights: Vec<f32> = best.iter().map(weight).collect();
        let mut left = self.next_random() * weights.iter().sum::<f32>();
        let drawn = best.iter().zip(&weights).find(|(_, weight)| {
            left -= **weight;
            left <= 0.0
        });
        Some(drawn.map_or(best[0].1, |(candidate, _)| candidate.1))
    }

    /// Adds a token to the answer, which affects later samples.
    pub(super) fn add_token(&mut self, token: u32) {
        self.tokens.push(token);
    }

    /// Returns the next random number, from 0 to below 1 (SplitMix64).
    fn next_random(&mut self) -> f32 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z >> 40) as f32 / (1_u64 << 24) as f32
    }
}

/// Returns the likelier next token of an answer limited to `choices`, after the tokens `said`;
/// `None` if the answer is complete.
pub(super) fn pick_among_choices(
    choices: &[Vec<u32>],
    said: &[u32],
    logits: &[f32],
) -> Option<u32> {
    let begun = choices.iter().filter(|tokens| tokens.starts_with(said));
    // If the answer so far is one of the choices, it is complete, even if a longer choice begins
    // with it.
    let next: Option<Vec<u32>> = begun
        .map(|tokens| tokens.get(said.len()).copied())
        .collect();
    let logit = |token: &u32| {
        logits
            .get(*token as usize)
            .copied()
            .unwrap_or(f32::NEG_INFINITY)
    };
    let next = next?.into_iter();
    next.max_by(|one, other| logit(one).total_cmp(&logit(other)).then(other.cmp(one)))
}

/// Compares two tokens: the likelier one first, equally likely ones by their number.
fn compare_likelihood(a: &(f32, u32), b: &(f32, u32)) -> Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picks(choice: &mut Choice, logits: &[f32], times: usize) -> Vec<u32> {
        (0..times).filter_map(|_| choice.pick(logits)).collect()
    }

    #[test]
    fn the_same_seed_chooses_the_same_and_another_one_otherwise() {
        let chosen = |seed| picks(&mut Choice::new(seed, 0.5, &[]), &[1.0, 1.1, 0.9], 20);
        assert_eq!(chosen(1), chosen(1));
        assert_ne!(chosen(1), chosen(2));
    }

    #[test]
    fn a_lower_temperature_prefers_the_likeliest() {
        let likeliest = |temperature| {
            let picked = picks(&mut Choice::new(1, temperature, &[]), &[1.0, 1.5], 100);
            picked.iter().filter(|token| **token == 1).count()
        };
        assert!(likeliest(0.1) > 95);
        assert!(likeliest(2.0) < 80);
    }

    #[test]
    fn a_token_that_was_just_used_is_less_likely() {
        let mut fresh = Choice::new(1, 0.01, &[]);
        assert_eq!(fresh.pick(&[2.0, 2.1]), Some(1));
        let mut told = Choice::new(1, 0.01, &[1]);
        assert_eq!(told.pick(&[2.0, 2.1]), Some(0));
        (0..PENALTY_WINDOW).for_each(|_| told.add_token(2));
        assert_eq!(told.pick(&[2.0, 2.1]), Some(1));
        // A token that is already unlikely does not become likelier.
        let mut unlikely = Choice::new(1, 0.01, &[1]);
        assert_eq!(unlikely.pick(&[-2.2, -2.0]), Some(0));
    }

    #[test]
    fn of_several_answers_the_likelier_one_is_given_whole() {
        let choices = [vec![1, 2], vec![3], vec![1, 4, 5]];
        let pick = |said: &[u32], logits: &[f32]| pick_among_choices(&choices, said, logits);
        assert_eq!(pick(&[], &[9.0, 0.1, 0.0, 0.2, 0.0, 0.0]), Some(3));
        assert_eq!(pick(&[3], &[9.0; 6]), None);
        assert_eq!(pick(&[], &[9.0, 0.3, 0.0, 0.2, 0.0, 0.0]), Some(1));
        assert_eq!(pick(&[1], &[9.0, 9.0, 0.1, 9.0, 0.2, 9.0]), Some(4));
        assert_eq!(pick(&[1, 4], &[9.0, 9.0, 9.0, 9.0, 9.0, 0.0]), Some(5));
        assert_eq!(pick(&[1, 2], &[9.0; 6]), None);
        assert_eq!(pick(&[7], &[9.0; 6]), None);
    }

    #[test]
    fn without_a_number_there_is_no_token() {
        assert_eq!(Choice::new(1, 0.2, &[]).pick(&[]), None);
        assert_eq!(Choice::new(1, 0.2, &[]).pick(&[f32::NAN]), None);
        assert_eq!(Choice::new(1, 0.2, &[]).pick(&[f32::NAN, -9.0]), Some(1));
    }
}
