//! The token formats of many vendors, from a maintained set of rules.

use std::ops::Range;
use std::sync::OnceLock;

use veloci::detect::{BETTERLEAKS_RULESET, Detector as _, LeafContext, RulesetDetector};

use crate::hit::Hit;
use crate::runs::LongRuns;

mod prefilter;
#[cfg(test)]
mod tests;

pub(crate) use prefilter::rare_keywords;

/// Excluded rules: they depend on a nearby word instead of a format, match something other than a
/// secret or a whole document, or have exact ranges in `rules.rs`.
const EXCLUDED: &[&str] = &[
    "generic-*",
    "curl-*",
    "kubernetes-*",
    "polymarket-*",
    "*-id",
    "*-id.1",
    "*-host.1",
    "gcp-service-account",
    "gcp-application-default-credentials",
    "gcp-api-key",
    "anthropic-*",
    "openai-*",
    "github-*",
    "private-key",
    "slack-webhook-*",
];

/// The prefix that the ruleset puts before each rule name.
const LABEL: &str = "ruleset:";

/// The rules, loaded when text is first scanned.
fn vendor_ruleset() -> &'static RulesetDetector {
    static RULES: OnceLock<RulesetDetector> = OnceLock::new();
    RULES.get_or_init(|| {
        BETTERLEAKS_RULESET
            .clone()
            .exclude_rules(EXCLUDED)
            .allow_signatures(None::<String>)
    })
}

/// Returns the vendor tokens in the text of a view, in order, with overlapping ones merged.
///
/// `long` are its runs of at least `LONG` bytes, and `has_rare_keyword` says whether it has one of
/// [`rare_keywords`] in any case.
pub(crate) fn find_vendor_tokens(text: &str, long: &LongRuns, has_rare_keyword: bool) -> Vec<Hit> {
    // Loading the rules is the slowest step of a short process, so a cheap check comes first.
    if prefilter::may_match(text, long, has_rare_keyword) {
        scan_with_ruleset(&blank_punctuation(text))
    } else {
        Vec::new()
    }
}

/// Returns the matches of the vendor rules in `plain`.
fn scan_with_ruleset(plain: &str) -> Vec<Hit> {
    let mut found = Vec::new();
    vendor_ruleset().detect(plain, &LeafContext::default(), &mut found);
    found.retain(|one| !one.range.is_empty() && !is_airtable_object_id(&plain[one.range.clone()]));
    found.sort_by_key(|one| (one.range.start, one.range.end));
    let mut hits: Vec<Hit> = Vec::new();
    for one in found {
        match hits.last_mut() {
            Some(last) if one.range.start < last.span.end => {
                last.span.end = last.span.end.max(one.range.end);
            }
            Some(_) | None => hits.push(Hit {
                rule: rule_name(&one.label),
                span: one.range,
            }),
        }
    }
    hits
}

/// Returns whether `found` is the id of an Airtable base, table or similar, which the rule for
/// Airtable keys matches too.
fn is_airtable_object_id(found: &str) -> bool {
    let kinds = ["app", "tbl", "viw", "rec", "fld", "wsp"];
    found.len() == 17
        && kinds.iter().any(|kind| found.starts_with(kind))
        && found.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns the ruleset's own copy of a rule name, which is static.
fn rule_name(label: &str) -> &'static str {
    let id = label.strip_prefix(LABEL).unwrap_or(label);
    BETTERLEAKS_RULESET
        .rule_ids()
        .find(|known| *known == id)
        .unwrap_or("vendor-token")
}

/// Returns `text` with the punctuation that may enclose a token in prose replaced by spaces,
/// because the rules know only quotes and white space. Offsets do not change.
fn blank_punctuation(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    let stops = |byte: &u8| STOPS[usize::from(*byte)];
    while let Some(at) = rest.as_bytes().iter().position(stops) {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        let inner = rest.as_bytes()[at] == b'.' && !is_sentence_end(after);
        plain.push_str(before);
        plain.push(if inner { '.' } else { ' ' });
        rest = after;
    }
    plain.push_str(rest);
    plain
}

/// Whether each byte value is punctuation that may enclose a token.
const STOPS: [bool; 256] = {
    let mut table = [false; 256];
    let mut signs: &[u8] = b",()[]<>&\\.";
    while let [sign, rest @ ..] = signs {
        table[*sign as usize] = true;
        signs = rest;
    }
    table
};

fn is_sentence_end(after: &str) -> bool {
    after.chars().next().is_none_or(char::is_whitespace)
}

/// Returns the ranges of the redaction tags already in `text`, in order.
pub(crate) fn find_redaction_tags(text: &str) -> Vec<Range<usize>> {
    let mut tags = Vec::new();
    for start in memchr::memmem::find_iter(text.as_bytes(), OPEN) {
        let name = &text[start + OPEN.len()..];
        let length = name
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
            .count();
        if length > 0 && name[length..].starts_with(']') {
            tags.push(start..start + OPEN.len() + length + 1);
        }
    }
    tags
}

const OPEN: &str = "[redacted:";
