//! Tells whether the crate's own rules can find anything, without them.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// One of these is in every match of a rule, in upper or lower case.
const MARKS: &[&str] = &[
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
    "_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "GITHUB_TOKEN",
    "GH_TOKEN",
];

/// Whether a rule may match somewhere in `text`; never wrongly no.
pub(crate) fn may_match(text: &str) -> bool {
    static FINDER: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let finder = FINDER.get_or_init(|| {
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::NoncontiguousNFA))
            .build(MARKS)
            .ok()
    });
    finder.as_ref().is_none_or(|finder| finder.is_match(text))
}

#[cfg(test)]
mod tests {
    use regex_syntax::hir::literal::Extractor;
    use regex_syntax::parse;

    use super::may_match;
    use crate::rules::RULES;

    #[test]
    fn whatever_a_match_of_a_rule_starts_with_has_a_mark() {
        for rule in RULES {
            let hir = parse(&format!("(?-u:{})", rule.pattern)).unwrap();
            let mut extractor = Extractor::new();
            extractor.limit_total(5_000);
            let starts = extractor.extract(&hir);
            let starts = starts.literals().unwrap();
            assert_ne!(starts.len(), 0, "{}", rule.tag);
            for start in starts {
                let start = String::from_utf8_lossy(start.as_bytes());
                assert!(may_match(&start), "{}: {start}", rule.tag);
            }
        }
    }

    #[test]
    fn prose_has_no_mark() {
        assert!(!may_match(
            "The loop in src/scan.rs:7 reads the page twice."
        ));
    }
}
