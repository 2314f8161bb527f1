//! Tells whether the crate's own rules can find anything, without them.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// One of these is in every token that the rules know by its beginning, in upper or lower case.
const TOKENS: &[&str] = &[
    "sk-",
    "AIza",
    "GOCSPX-",
    "ya29.",
    "github_pat_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "AKIA",
    "ASIA",
    "-----BEGIN ",
    "bearer",
    "cio",
    "fo1_",
    "fm2_",
    "NRAK-",
    "pscale_",
    "tskey-",
    "discord",
];

/// One of these begins every match of a rule for settings, in upper or lower case.
const SETTINGS: &[&str] = &[
    "api_key",
    "api-key",
    "apikey",
    "access_key",
    "accesskey",
    "private_key",
    "secret",
    "token",
    "password",
    "passwd",
    "authorization",
    "://",
];

/// How far behind its name a value is given: quotes, brackets, blanks and one more word, as in
/// `SECRET_ACCESS_KEY`.
const NEAR: usize = 24;

/// How far behind `://` the host stands at the most.
const FAR: usize = 330;

/// Whether a token may stand somewhere in `text`; never wrongly no.
pub(crate) fn may_hold_token(text: &str) -> bool {
    static FINDER: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let finder = FINDER.get_or_init(|| finder(TOKENS));
    finder.as_ref().is_none_or(|finder| finder.is_match(text))
}

/// Whether a setting or an address with a password may stand somewhere in `text`; never wrongly no.
pub(crate) fn may_hold_setting(text: &str) -> bool {
    static FINDER: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let Some(finder) = FINDER.get_or_init(|| finder(SETTINGS)) else {
        return true;
    };
    let follows = |at: usize, within: usize, signs: [u8; 2]| {
        let rest = &text.as_bytes()[at..];
        rest[..rest.len().min(within)]
            .iter()
            .any(|byte| signs.contains(byte))
    };
    finder
        .find_iter(text)
        .any(|found| match &text[found.range()] {
            "://" => follows(found.end(), FAR, [b'@'; 2]),
            _ => follows(found.end(), NEAR, [b'=', b':']),
        })
}

fn finder(marks: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .kind(Some(AhoCorasickKind::NoncontiguousNFA))
        .build(marks)
        .ok()
}

#[cfg(test)]
mod tests {
    use regex_syntax::hir::literal::Extractor;
    use regex_syntax::parse;

    use super::{SETTINGS, finder, may_hold_setting, may_hold_token};
    use crate::rules::{self, Rule};

    /// What a match of each rule may start with.
    fn starts(of: &[Rule]) -> Vec<String> {
        let mut all = Vec::new();
        for rule in of {
            let hir = parse(&format!("(?-u:{})", rule.pattern)).unwrap();
            let mut extractor = Extractor::new();
            extractor.limit_total(50_000);
            let starts = extractor.extract(&hir);
            let starts = starts.literals().unwrap();
            assert_ne!(starts.len(), 0, "{}", rule.tag);
            all.extend(
                starts
                    .iter()
                    .map(|it| String::from_utf8_lossy(it.as_bytes()).into_owned()),
            );
        }
        all
    }

    #[test]
    fn whatever_a_match_of_a_rule_starts_with_has_a_mark() {
        for start in starts(rules::TOKENS) {
            assert!(may_hold_token(&start), "{start}");
        }
        let finder = finder(SETTINGS).unwrap();
        for start in starts(rules::SETTINGS) {
            assert!(finder.is_match(&start), "{start}");
        }
    }

    #[test]
    fn prose_has_no_mark() {
        let prose = "The loop in src/scan.rs reads the page twice; see https://example.org/a.";
        assert!(!may_hold_token(prose) && !may_hold_setting(prose));
        assert!(!may_hold_setting(
            "the token that a worker holds until its lease is over"
        ));
    }
}
