//! Which token comes next.

use std::collections::VecDeque;

use llguidance::toktrie::SimpleVob;

/// How far the likeliest token is preferred: low is far.
const WARMTH: f32 = 0.4;

/// So many tokens are looked at, the likeliest.
const CANDIDATES: usize = 32;

/// What a word loses that was said a short while ago.
const STALE: f32 = 1.15;

/// So many tokens ago is a short while.
const LATELY: usize = 96;

/// Chooses tokens, in the same way for the same seed.
pub(super) struct Choice {
    random: u64,
    lately: VecDeque<u32>,
}

impl Choice {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            random: seed,
            lately: VecDeque::new(),
        }
    }

    /// One of the tokens that are allowed; none where none is.
    pub(super) fn pick(&mut self, logits: &mut [f32], allowed: Option<&SimpleVob>) -> Option<u32> {
        for &token in &self.lately {
            if let Some(logit) = logits.get_mut(token as usize) {
                *logit = if *logit > 0.0 {
                    *logit / STALE
                } else {
                    *logit * STALE
                };
            }
        }
        let may = |token: u32| allowed.is_none_or(|allowed| allowed.is_allowed(token));
        let mut best: Vec<(f32, u32)> = (0_u32..)
            .zip(logits.iter())
            .filter(|&(token, logit)| logit.is_finite() && may(token))
            .map(|(token, &logit)| (logit, token))
            .collect();
        let kept = CANDIDATES.min(best.len());
        if kept == 0 {
            return None;
        }
        best.select_nth_unstable_by(kept - 1, |a, b| b.0.total_cmp(&a.0));
        best.truncate(kept);
        best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let top = best[0].0;
        let weights: Vec<f32> = best.iter().map(|c| ((c.0 - top) / WARMTH).exp()).collect();
        let mut left = self.next() * weights.iter().sum::<f32>();
        let drawn = best.iter().zip(&weights).find(|(_, weight)| {
            left -= **weight;
            left <= 0.0
        });
        Some(drawn.map_or(best[0].1, |(candidate, _)| candidate.1))
    }

    /// Keeps a token in mind that was said, where it is a word: quotes and brackets come again.
    pub(super) fn said(&mut self, token: u32, bytes: &[u8]) {
        if !bytes.iter().any(u8::is_ascii_alphanumeric) {
            return;
        }
        if self.lately.contains(&token) {
            self.lately.retain(|&said| said != token);
        }
        self.lately.push_back(token);
        if self.lately.len() > LATELY {
            self.lately.pop_front();
        }
    }

    /// A number from 0 up to 1: SplitMix64.
    fn next(&mut self) -> f32 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z >> 40) as f32 / (1_u64 << 24) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_allowed_is_chosen_and_the_same_seed_chooses_the_same() {
        let mut allowed = SimpleVob::alloc(4);
        allowed.allow_token(1);
        allowed.allow_token(2);
        let chosen = |seed| {
            let mut choice = Choice::new(seed);
            let pick = |_| choice.pick(&mut [9.0, 0.1, 0.2, 9.0], Some(&allowed));
            (0..20).map(pick).collect::<Vec<_>>()
        };
        assert!(chosen(1).iter().all(|token| matches!(token, Some(1 | 2))));
        assert_eq!(chosen(1), chosen(1));
        assert_ne!(chosen(1), chosen(2));
        assert_eq!(
            Choice::new(1).pick(&mut [1.0], Some(&SimpleVob::alloc(1))),
            None
        );
    }

    #[test]
    fn a_word_that_was_just_said_is_less_likely_and_a_bracket_is_not() {
        let pick = |bytes: &[u8]| {
            let mut choice = Choice::new(7);
            choice.said(0, bytes);
            let mut logits = [8.0, 7.9];
            choice.pick(&mut logits, None);
            logits[0] < logits[1]
        };
        assert!(pick(b" because"));
        assert!(!pick(b"\"}"));
    }
}
