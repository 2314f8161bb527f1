//! Which token comes next.

use std::collections::{BTreeSet, VecDeque};

use llguidance::toktrie::SimpleVob;

// Chosen, not measured: a higher one makes a small model stray from the topic, a lower one makes it
// say the same again. llama.cpp's default is 0.8.
/// The temperature of sampling: the lower, the more the likeliest token is preferred.
const TEMPERATURE: f32 = 0.22;

// llama.cpp looks at 40 (`--top-k`). At this temperature the ones beyond have next to no weight;
// fewer leave little once repeats are set aside.
/// How many tokens are drawn from, the likeliest (top-k).
const CANDIDATES: usize = 48;

// Held by `a_longer_word_that_was_just_used_is_less_likely`. At this temperature it makes a word ten times less likely (e to the power of
// 0.5/0.22). Too much keeps the topic's own words away; too little lets the model go round.
/// What the logit of a longer word loses that is in the `PENALTY_WINDOW`.
const REPETITION_PENALTY: f32 = 0.5;

// Chosen, not measured: only longer words count, each once, so it reaches farther back than the 64
// tokens of llama.cpp (`--repeat-last-n`). Too many, and the topic's own words stay away.
/// How many of the latest longer words have the penalty.
const PENALTY_WINDOW: usize = 96;

// Chosen, not measured: with fewer a sentence can end before it says anything; with more a small
// model runs on to the length of the schema, where the text is cut.
/// After so many tokens of a sentence or text its end becomes likelier.
const EOS_GRACE: usize = 10;

// At this temperature each token more makes an end twice as likely (e to the power of 0.15/0.22 is 2.0).
/// What the logit of an end gains with each token from there on.
const EOS_BIAS: f32 = 0.15;

// Runs of three are set phrases of any language. Held by
// `a_run_of_words_is_said_once_and_small_words_are_as_likely_again`.
/// The length of runs of tokens of which none comes twice in an answer.
const NO_REPEAT_NGRAM: usize = 4;

// Held by `what_was_told_is_not_copied`.
/// The length of runs of tokens of the prompt that are not copied: a question is named in fewer.
const NO_COPY_NGRAM: usize = 6;

/// The properties of a token that a choice depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TokenKind {
    /// It begins a word.
    word: bool,
    /// It begins a word with four letters or more.
    long: bool,
    /// It ends a sentence or a text.
    end: bool,
    /// It ends a text.
    quote: bool,
    /// It begins with a digit.
    digit: bool,
    /// A number may follow it.
    space: bool,
    /// It has a sign of code or of markup.
    code: bool,
}

impl TokenKind {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let word = bytes.first() == Some(&b' ') && bytes.len() > 1;
        let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic());
        let code = |byte: &u8| byte.is_ascii_control() || b"{}[]<>#/\\|=_*:".contains(byte);
        Self {
            word: word && !bytes[1].is_ascii_punctuation(),
            long: word && letters.count() >= 4,
            end: bytes.first().is_some_and(|byte| b".!?\"".contains(byte)),
            quote: bytes.contains(&b'"'),
            digit: bytes.first().is_some_and(u8::is_ascii_digit),
            space: bytes
                .last()
                .is_some_and(|byte| *byte == b' ' || byte.is_ascii_digit()),
            code: bytes.iter().any(code),
        }
    }
}

/// Chooses tokens, in the same way for the same seed.
pub(super) struct Choice<'a> {
    random: u64,
    /// What each token is.
    kinds: &'a [TokenKind],
    answer: Vec<u32>,
    runs: BTreeSet<[u32; NO_REPEAT_NGRAM]>,
    prompt_runs: BTreeSet<[u32; NO_COPY_NGRAM]>,
    recent: VecDeque<u32>,
    /// Tokens since the last quote.
    since: usize,
    /// Tokens since a sentence or a text began.
    sentence: usize,
}

impl<'a> Choice<'a> {
    /// Chooses an answer to a prompt.
    pub(super) fn new(seed: u64, kinds: &'a [TokenKind], prompt: &[u32]) -> Self {
        Self {
            random: seed,
            kinds,
            answer: Vec::new(),
            runs: BTreeSet::new(),
            prompt_runs: prompt.array_windows().copied().collect(),
            recent: VecDeque::new(),
            since: 0,
            sentence: 0,
        }
    }

    /// One of the tokens that are allowed; none where none is.
    pub(super) fn pick(&mut self, logits: &[f32], allowed: Option<&SimpleVob>) -> Option<u32> {
        // Where few are allowed, words are chosen from a list; else a text is written.
        let text = allowed.is_none_or(|allowed| allowed.num_set() * 4 > logits.len());
        let may = |token: u32| allowed.is_none_or(|allowed| allowed.is_allowed(token));
        let all = (0_u32..).zip(logits);
        let all = all.filter(|&(token, logit)| logit.is_finite() && may(token));
        let mut best: Vec<(f32, u32)> = all.map(|(token, &logit)| (logit, token)).collect();
        if text && allowed.is_some() {
            let number = self
                .answer
                .last()
                .is_some_and(|last| self.kind(*last).space);
            let plain = |kind: TokenKind| !kind.code && (number || !kind.digit);
            retain_preferred(&mut best, |token| plain(self.kind(token)));
        }
        let late = self.since.saturating_sub(EOS_GRACE);
        let long = self.sentence.saturating_sub(EOS_GRACE);
        for (logit, token) in &mut best {
            if self.kind(*token).long && self.recent.contains(token) {
                *logit -= REPETITION_PENALTY;
            }
            if text && allowed.is_some() && self.kind(*token).end {
                let over = if self.kind(*token).quote { late } else { long };
                *logit += over as f32 * EOS_BIAS;
            }
        }
        let kept = CANDIDATES.min(best.len());
        if kept == 0 {
            return None;
        }
        best.select_nth_unstable_by(kept - 1, |a, b| b.0.total_cmp(&a.0));
        best.truncate(kept);
        if text {
            retain_preferred(&mut best, |token| !self.is_repeat(token));
        }
        best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let top = best[0].0;
        let weights: Vec<f32> = best
            .iter()
            .map(|c| ((c.0 - top) / TEMPERATURE).exp())
            .collect();
        let mut left = self.next_random() * weights.iter().sum::<f32>();
        let drawn = best.iter().zip(&weights).find(|(_, weight)| {
            left -= **weight;
            left <= 0.0
        });
        Some(drawn.map_or(best[0].1, |(candidate, _)| candidate.1))
    }

    /// Adds a token to the answer, which later choices depend on.
    pub(super) fn add_token(&mut self, token: u32) {
        let TokenKind { end, quote, .. } = self.kind(token);
        self.since = if quote { 0 } else { self.since + 1 };
        self.sentence = if end || quote { 0 } else { self.sentence + 1 };
        self.answer.push(token);
        self.runs.extend(self.answer.last_chunk().copied());
        if self.kind(token).long {
            self.recent.retain(|&said| said != token);
            self.recent.push_back(token);
            if self.recent.len() > PENALTY_WINDOW {
                self.recent.pop_front();
            }
        }
    }

    fn kind(&self, token: u32) -> TokenKind {
        self.kinds.get(token as usize).copied().unwrap_or_default()
    }

    /// Whether a token would start a word and complete an n-gram that the answer already has, or
    /// that the prompt has. Words already begun are never blocked.
    fn is_repeat(&self, token: u32) -> bool {
        self.kind(token).word
            && (run_ending_in(&self.answer, token).is_some_and(|run| self.runs.contains(&run))
                || run_ending_in(&self.answer, token)
                    .is_some_and(|run| self.prompt_runs.contains(&run)))
    }

    /// A number from 0 up to 1: SplitMix64.
    fn next_random(&mut self) -> f32 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z >> 40) as f32 / (1_u64 << 24) as f32
    }
}

/// Leaves the tokens that are wanted, where there are any.
fn retain_preferred(tokens: &mut Vec<(f32, u32)>, wanted: impl Fn(u32) -> bool) {
    if tokens.iter().any(|(_, token)| wanted(*token)) {
        tokens.retain(|(_, token)| wanted(*token));
    }
}

/// The n-gram made of the last N-1 tokens and `token`; `None` if there are fewer tokens.
fn run_ending_in<const N: usize>(said: &[u32], token: u32) -> Option<[u32; N]> {
    let before = said.get(said.len().checked_sub(N - 1)?..)?;
    let mut run = [token; N];
    run[..N - 1].copy_from_slice(before);
    Some(run)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(words: &[&str]) -> Vec<TokenKind> {
        words
            .iter()
            .map(|word| TokenKind::of(word.as_bytes()))
            .collect()
    }

    #[test]
    fn only_what_is_allowed_is_chosen_and_the_same_seed_chooses_the_same() {
        let mut allowed = SimpleVob::alloc(4);
        allowed.allow_token(1);
        allowed.allow_token(2);
        let chosen = |seed| {
            let mut choice = Choice::new(seed, &[], &[]);
            let pick = |_| choice.pick(&[9.0, 0.1, 0.2, 9.0], Some(&allowed));
            (0..20).map(pick).collect::<Vec<_>>()
        };
        assert!(chosen(1).iter().all(|token| matches!(token, Some(1 | 2))));
        assert_eq!(chosen(1), chosen(1));
        assert_ne!(chosen(1), chosen(2));
        let none = SimpleVob::alloc(1);
        assert_eq!(Choice::new(1, &[], &[]).pick(&[1.0], Some(&none)), None);
    }

    #[test]
    fn a_run_of_words_is_said_once_and_small_words_are_as_likely_again() {
        let kinds = kinds(&[" the", " job", " store", " is", " late", "\""]);
        let mut choice = Choice::new(1, &kinds, &[0, 1, 2, 3, 4, 0, 5]);
        [0, 1, 2]
            .into_iter()
            .for_each(|token| choice.add_token(token));
        let likely = |token: usize| {
            let mut logits = [0.0; 6];
            logits[token] = 9.0;
            logits
        };
        assert_eq!(choice.pick(&likely(3), None), Some(3));
        [3, 0, 1, 2]
            .into_iter()
            .for_each(|token| choice.add_token(token));
        assert_ne!(choice.pick(&likely(3), None), Some(3));
        assert_eq!(choice.pick(&likely(5), None), Some(5));
        let mut even = likely(0);
        even[2] = 9.2;
        let picked: Vec<_> = (0..9).map(|_| choice.pick(&even, None)).collect();
        assert!(picked.contains(&Some(0)), "{picked:?}");
    }

    #[test]
    fn a_word_that_is_begun_goes_on_and_a_long_text_comes_to_an_end() {
        let kinds = kinds(&[" use", "r", " is", "ly", ".", "\""]);
        let mut choice = Choice::new(1, &kinds, &[]);
        [0, 1, 2, 3, 0, 1, 2]
            .into_iter()
            .for_each(|token| choice.add_token(token));
        assert_eq!(choice.pick(&[0.0, 0.0, 0.0, 9.0, 0.0, 0.0], None), Some(3));
        let all = SimpleVob::alloc_ones(6);
        let logits = [0.0, 2.0, 0.0, 0.0, 1.0, 0.0];
        assert_eq!(choice.pick(&logits, Some(&all)), Some(1));
        (0..20).for_each(|_| choice.add_token(3));
        assert_eq!(choice.pick(&logits, Some(&all)), Some(4));
        choice.add_token(5);
        assert_eq!(choice.pick(&logits, Some(&all)), Some(1));
    }

    #[test]
    fn a_longer_word_that_was_just_used_is_less_likely() {
        let kinds = kinds(&[" journal", " archive", " a", " b", "\""]);
        let mut choice = Choice::new(1, &kinds, &[]);
        [0, 4].into_iter().for_each(|token| choice.add_token(token));
        let drawn = |choice: &mut Choice<'_>, logits: &[f32]| {
            let pick = |_| choice.pick(logits, None);
            (0..100).map(pick).filter(|it| *it == Some(0)).count()
        };
        let even = [1.0, 1.0, 0.0, 0.0, 0.0];
        assert!(drawn(&mut choice, &even) < 25);
        assert!(drawn(&mut Choice::new(1, &kinds, &[]), &even) > 25);
    }

    #[test]
    fn what_was_told_is_not_copied() {
        let kinds = kinds(&[" a", " b", " c", " d", " e", " f", "\""]);
        let mut choice = Choice::new(1, &kinds, &[0, 1, 2, 3, 4, 5]);
        [0, 1, 2, 3, 4]
            .into_iter()
            .for_each(|token| choice.add_token(token));
        let logits = [0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 1.0];
        assert_ne!(choice.pick(&logits, None), Some(5));
    }

    #[test]
    fn a_text_has_no_signs_of_code_and_a_list_of_words_may() {
        let kinds = kinds(&["_", " word", "\\n", " {", "\"", "1", " "]);
        let mut some = SimpleVob::alloc_ones(7);
        let mut choice = Choice::new(1, &kinds, &[]);
        let logits = [9.0, 1.0, 9.0, 9.0, 0.0, 9.0, 0.0];
        assert_eq!(choice.pick(&logits, Some(&some)), Some(1));
        // A number stands by itself: a list of versions would have no end.
        choice.add_token(6);
        assert_eq!(choice.pick(&logits, Some(&some)), Some(5));
        [1, 2, 3, 4, 5, 6]
            .into_iter()
            .for_each(|token| some.disallow_token(token));
        assert_eq!(choice.pick(&logits, Some(&some)), Some(0));
    }
}
