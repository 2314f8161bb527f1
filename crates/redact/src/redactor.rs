//! Finding and replacing.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::marks;
use crate::pem;
use crate::rules::{Check, Rule, SETTINGS, TOKENS};
use crate::vendor;

/// How often what is left is looked through again.
const DEEPEST: u8 = 8;

/// Takes secrets out of text.
///
/// Making and sharing one costs nothing: the rules are compiled once per
/// process, when a text comes that they may match.
#[derive(Clone, Copy, Debug)]
pub struct Redactor;

/// Text without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted<'t> {
    /// The text; borrowed if nothing was found.
    pub text: Cow<'t, str>,
    /// What was taken out, in the order of the text; never overlapping.
    pub hits: Vec<Hit>,
}

/// A secret that was taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// What kind it was; the text has `[redacted:RULE]` in its place.
    pub rule: &'static str,
    /// Where it was in the original text, in bytes.
    pub span: Range<usize>,
}

/// Rules of one kind, in one pattern; rule `n` has the group `n + 1`.
struct Set {
    rules: &'static [Rule],
    patterns: LazyLock<Regex>,
    may_match: fn(&str) -> bool,
}

/// In the order in which they are looked for: a setting is taken out as one, whatever its value is.
static SETS: [Set; 2] = [
    Set {
        rules: SETTINGS,
        patterns: LazyLock::new(|| compiled(SETTINGS)),
        may_match: marks::may_hold_setting,
    },
    Set {
        rules: TOKENS,
        patterns: LazyLock::new(|| compiled(TOKENS)),
        may_match: marks::may_hold_token,
    },
];

#[expect(
    clippy::expect_used,
    reason = "a pattern that does not compile must not leave secrets in; a test compiles it"
)]
fn compiled(rules: &[Rule]) -> Regex {
    let alternatives: Vec<_> = rules.iter().map(|rule| rule.pattern).collect();
    // Without Unicode tables, word boundaries stay fast on any text.
    Regex::new(&format!("(?-u:{})", alternatives.join("|"))).expect("the rules are valid patterns")
}

impl Redactor {
    /// A redactor with every rule.
    pub fn new() -> Self {
        Self
    }

    /// Replaces each secret in `text` by a tag naming its kind.
    ///
    /// Redacting the result again changes nothing. Takes time linear in the
    /// length of the text.
    pub fn redact<'t>(&self, text: &'t str) -> Redacted<'t> {
        let hits = self.hits(text);
        if hits.is_empty() {
            let text = Cow::Borrowed(text);
            return Redacted { text, hits };
        }
        let mut redacted = String::with_capacity(text.len());
        let mut kept = 0;
        for hit in &hits {
            redacted.push_str(&text[kept..hit.span.start]);
            redacted.push_str("[redacted:");
            redacted.push_str(hit.rule);
            redacted.push(']');
            kept = hit.span.end;
        }
        redacted.push_str(&text[kept..]);
        Redacted {
            text: Cow::Owned(redacted),
            hits,
        }
    }

    /// Whether there seems to be a secret in a file with these bytes.
    pub fn finds_in(&self, bytes: &[u8]) -> bool {
        !self.hits(&String::from_utf8_lossy(bytes)).is_empty()
    }

    fn hits(&self, text: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        for part in vendor::untagged(text) {
            self.hits_within(text, part, 0, &mut hits);
        }
        hits.sort_by_key(|hit| hit.span.start);
        hits
    }

    /// Finds until nothing is found in what is left, as a token may come to
    /// stand free where another was.
    fn hits_within(&self, text: &str, part: Range<usize>, depth: u8, hits: &mut Vec<Hit>) {
        let slice = &text[part.clone()];
        if slice.trim().is_empty() {
            return;
        }
        let mut own = SETS.iter().map(|set| set.hits(slice));
        let found = own.find(|hits| !hits.is_empty());
        let found = found.unwrap_or_else(|| vendor::hits(slice));
        if found.is_empty() {
            return;
        }
        if depth == DEEPEST {
            // Tokens strung together like this are no text.
            let (rule, span) = (found[0].rule, part);
            hits.push(Hit { rule, span });
            return;
        }
        let mut kept = part.start;
        for Hit { rule, span } in found {
            let span = part.start + span.start..part.start + span.end;
            self.hits_within(text, kept..span.start, depth + 1, hits);
            kept = span.end;
            hits.push(Hit { rule, span });
        }
        self.hits_within(text, kept..part.end, depth + 1, hits);
    }
}

impl Set {
    /// What these rules find.
    fn hits(&self, text: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        if !(self.may_match)(text) {
            return hits;
        }
        let mut at = 0;
        while let Some(found) = self.patterns.captures_at(text, at) {
            let Some((rule, group)) = self.rule_of(&found) else {
                break;
            };
            at = group.end;
            if let Some(length) = secret_length(rule, &text[group.start..], group.len()) {
                at = group.start + length;
                let (rule, span) = (rule.tag, group.start..at);
                hits.push(Hit { rule, span });
            }
        }
        hits
    }

    /// Which rule matched, and where its secret is.
    fn rule_of(&self, found: &Captures<'_>) -> Option<(&'static Rule, Range<usize>)> {
        self.rules
            .iter()
            .zip(found.iter().skip(1))
            .find_map(|(rule, group)| Some((rule, group?.range())))
    }
}

impl Default for Redactor {
    fn default() -> Self {
        Self::new()
    }
}

/// How long the secret at the start of `text` is, if it is one.
fn secret_length(rule: &Rule, text: &str, matched: usize) -> Option<usize> {
    let (secret, rest) = text.split_at(matched);
    if rule.check == Check::PrivateKey {
        let key = pem::key_length(rest);
        return (key > 0).then_some(matched + key);
    }
    rule.check.passes(secret).then_some(matched)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::SETS;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_marks_of_a_set_hide_no_match(parts in prop::collection::vec(prop_oneof![
            prop::sample::select(vec![
                "AWS_SECRET_ACCESS_KEY", "aws_session_token", "SECRET_KEY", "password", "api-key", "API_KEY", "token",
                "Authorization", "Basic ", "redis", "https", "://", "app:", "hunter2x", "@db", "=", ": ", " := ", "'] = \\\"", "\\\": \\\"",
                "\"", "'", "    ", "aB3dE5fG7hI9jK1lM3nO", "discordapp.com/api/webhooks/", "125407977801855982/", "sk-", "fo1_", "tskey-auth-",
            ]).prop_map(str::to_owned),
            "[A-Za-z0-9+/=_-]{0,64}",
        ], 0..9)) {
            let text = parts.concat();
            for set in &SETS {
                prop_assert!((set.may_match)(&text) || !set.patterns.is_match(&text));
            }
        }
    }
}
