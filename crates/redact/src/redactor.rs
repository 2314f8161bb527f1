//! Finding and replacing.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::pem;
use crate::rules::{Check, RULES, Rule};

/// Takes secrets out of text.
///
/// Making and sharing one costs nothing: the rules are compiled once per
/// process.
#[derive(Clone, Copy, Debug)]
pub struct Redactor {
    patterns: &'static Regex,
}

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

/// All rules in one pattern; rule `n` has the group `n + 1`.
#[expect(
    clippy::expect_used,
    reason = "a pattern that does not compile must not leave secrets in; a test compiles it"
)]
static PATTERNS: LazyLock<Regex> = LazyLock::new(|| {
    let alternatives: Vec<_> = RULES.iter().map(|rule| rule.pattern).collect();
    // Without Unicode tables, word boundaries stay fast on any text.
    Regex::new(&format!("(?-u:{})", alternatives.join("|"))).expect("the rules are valid patterns")
});

impl Redactor {
    /// A redactor with every rule.
    pub fn new() -> Self {
        Self {
            patterns: &PATTERNS,
        }
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

    fn hits(&self, text: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        let mut at = 0;
        while let Some(found) = self.patterns.captures_at(text, at) {
            let Some((rule, group)) = rule_of(&found) else {
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
}

impl Default for Redactor {
    fn default() -> Self {
        Self::new()
    }
}

/// Which rule matched, and where its secret is.
fn rule_of(found: &Captures<'_>) -> Option<(&'static Rule, Range<usize>)> {
    RULES
        .iter()
        .zip(found.iter().skip(1))
        .find_map(|(rule, group)| Some((rule, group?.range())))
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
