//! Applies the rules of this crate, as opposed to the vendors' rules.

use crate::command;
use crate::dsn;
use crate::forms;
use crate::header;
use crate::hit::Hit;
use crate::marks::{Marks, ScanMark};
use crate::password_hash;
use crate::pem;
use crate::phrase;
use crate::putty;
use crate::recovery;
use crate::rules::{Check, Lead, RULES, Rule};
use crate::runs::{LONG, LongRuns};
use crate::seed;
use crate::setting;
use crate::view::View;
use crate::wallet;

// Chosen, not measured: shorter runs are tried at every mark. A higher limit makes hostile text
// slow; a lower one misses a token inside a longer run.
/// Length above which a run of token characters is tried only once.
const LONG_RUN: usize = 512;
// The size of a cookie that every browser accepts (RFC 6265, 6.1). A longer token is still taken
// whole: the rest of its run is added after the window.
/// Maximum length of text that a rule examines, after the run of characters before its mark.
const MAX_WINDOW: usize = 4096;
// Enough for the gap of 160 bytes in `decoded-secret` and most of the 300 in `random_password`.
// Small, because the regex engine prepares for the whole window at every mark.
const WINDOW: usize = 256;
// The longest text that a rule allows before its mark has 77 characters (`azure-key`). If more than
// 96 token characters precede the mark, the rule finds nothing.
/// How far before its mark a match may begin.
const MAX_LEAD: usize = 96;

/// The secrets found in a view.
pub(crate) struct OwnFindings {
    /// The secrets, in order; overlapping ones are merged.
    pub(crate) hits: Vec<Hit>,
    /// Secrets found by rules that rank below the vendors' rules.
    pub(crate) late: Vec<Hit>,
    /// The runs of at least `LONG` bytes.
    pub(crate) runs: LongRuns,
    /// Whether the text has a rare keyword of the vendors' rules.
    pub(crate) has_vendor_word: bool,
}

/// Finds the secrets in `view`.
pub(crate) fn find_secrets(view: &View<'_>) -> OwnFindings {
    let text = view.text.as_ref();
    let mut hits = seed::find_seed_phrases(text);
    hits.extend(wallet::find_keys(text));
    let mut late = Vec::new();
    let mut has_vendor_word = false;
    let mut read = 0;
    let mut commanded = 0;
    let mut listed = 0;
    let mut prefixed = 0;
    let mut tried = [0; RULES.len()];
    let runs = LongRuns::of(text.as_bytes(), LONG);
    for (mark, place) in Marks::shared().find(text, &runs) {
        match mark {
            ScanMark::Rule(number) if place.start < tried[number] => {}
            ScanMark::Rule(number) => {
                let hit = match_rule(text, &RULES[number], place.start);
                tried[number] = match &hit {
                    Some(hit) => hit.span.end,
                    None => place.start + long_run_length(&text.as_bytes()[place.start..]),
                };
                match RULES[number].late {
                    true => late.extend(hit),
                    false => hits.extend(hit),
                }
            }
            ScanMark::Form(form) => late.extend(forms::find_secret(text, form, &place)),
            ScanMark::Prefix if place.start < prefixed => {}
            ScanMark::Prefix => {
                let (found, end) = forms::find_prefixed(text, &place);
                prefixed = end;
                late.extend(found);
            }
            ScanMark::Stem if place.end <= read => {}
            ScanMark::Stem => {
                let (found, end) = setting::find_secrets(view, &place);
                read = end;
                hits.extend(found);
            }
            ScanMark::PuttyKey => {
                let span = putty::private_key_span(text, place.end);
                let rule = "private-key";
                hits.extend(span.map(|span| Hit { rule, span }));
            }
            ScanMark::RecoveryCodes if place.start < listed => {}
            ScanMark::RecoveryCodes => {
                let (found, end) = recovery::find_codes(text, place.end);
                listed = end;
                hits.extend(found);
            }
            ScanMark::Hash => hits.extend(password_hash::find_hash(text, &place)),
            ScanMark::Host => hits.extend(dsn::find_dsn_password(text, &place)),
            ScanMark::Address => hits.extend(header::address_password(text, place.end)),
            ScanMark::Authorization => hits.extend(header::authorization_value(text, place.end)),
            ScanMark::Cookie => hits.extend(header::cookie_values(text, place.end)),
            ScanMark::Phrase(phrase) => hits.extend(phrase::find_secrets(view, &place, phrase)),
            ScanMark::VendorWord => has_vendor_word = true,
            ScanMark::Command(_) if place.start < commanded => {}
            ScanMark::Command(command) => {
                let (found, end) = command::find_passwords(view, &place, command);
                commanded = end;
                hits.extend(found);
            }
        }
    }
    let hits = merge_hits(hits);
    OwnFindings {
        hits,
        late,
        runs,
        has_vendor_word,
    }
}

/// Returns how many bytes before the mark at `at` belong to the match of a rule with this lead.
fn lead_length(lead: Lead, text: &[u8], at: usize) -> usize {
    let before = text[..at].iter().rev().take(MAX_LEAD);
    before
        .take_while(|byte| lead.accepts_lead_byte(**byte))
        .count()
}

/// Returns the length of the run of token characters at the start of `text` if it exceeds
/// `LONG_RUN`, else 0. A rule that failed in such a run is not tried again inside it, which keeps
/// the scan linear.
fn long_run_length(text: &[u8]) -> usize {
    // Nearly every run ends before one of these positions, so most are not counted.
    const PROBES: [usize; 4] = [LONG_RUN, LONG_RUN / 4, LONG_RUN / 16, LONG_RUN / 64];
    let is_part = |at: &usize| text.get(*at).is_some_and(|byte| is_token_byte(*byte));
    if !PROBES.iter().all(is_part) {
        return 0;
    }
    let run = token_run_length(text);
    if run > LONG_RUN { run } else { 0 }
}

fn token_run_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| is_token_byte(**byte)).count()
}

const fn is_token_byte(byte: u8) -> bool {
    TOKEN_BYTES[byte as usize]
}

/// Whether each byte value is a token character.
const TOKEN_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric()
            || matches!(byte as u8, b'_' | b'-' | b'.' | b'/' | b'+' | b'~' | b'=');
        byte += 1;
    }
    table
};

/// Matches `rule`, one of whose marks is at `at`.
fn match_rule(text: &str, rule: &'static Rule, at: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let start = at - lead_length(rule.lead, bytes, at);
    let before = start.checked_sub(1).and_then(|before| bytes.get(before));
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    if !rule.lead.accepts_lead_length(at - start) {
        return None;
    }
    if !matches!(rule.lead, Lead::Free | Lead::Digits) && before.is_some_and(is_word) {
        return None;
    }
    let rest = text.get(start..)?;
    // The regex engine prepares for its whole input, so pass only a small window.
    let window = &rest[..rest.floor_char_boundary(MAX_WINDOW)];
    let window =
        &window[..window.floor_char_boundary(token_run_length(window.as_bytes()) + WINDOW)];
    let mut group = rule.regex().captures(window)?.get(1)?.range();
    if group.end == window.len() {
        group.end += token_run_length(&rest.as_bytes()[group.end..]);
    }
    let dots = if rule.late {
        rest[group.clone()].len() - rest[group.clone()].trim_end_matches('.').len()
    } else {
        0
    };
    let group = group.start..group.end - dots;
    let secret = &rest[group.clone()];
    let length = match rule.check {
        Check::PrivateKey => {
            let key = pem::key_length(&rest[group.end..]);
            (key > 0).then_some(group.len() + key)?
        }
        Check::Nothing | Check::Digit | Check::Mixed | Check::Random | Check::Drawn => {
            rule.check.passes(secret).then_some(group.len())?
        }
    };
    let start = start + group.start;
    let (rule, span) = (rule.tag, start..start + length);
    Some(Hit { rule, span })
}

/// Sorts hits and merges overlapping ones; a value assigned to a setting keeps the setting's rule
/// name.
pub(crate) fn merge_hits(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.retain(|hit| !hit.span.is_empty());
    if hits.len() < 2 {
        return hits;
    }
    hits.sort_by_key(|hit| {
        (
            hit.span.start,
            hit_priority(hit),
            std::cmp::Reverse(hit.span.end),
        )
    });
    let mut joined: Vec<Hit> = Vec::new();
    for hit in hits {
        match joined.last_mut() {
            Some(last) if hit.span.start < last.span.end => {
                if hit_priority(&hit) < hit_priority(last) {
                    last.rule = hit.rule;
                }
                last.span.end = last.span.end.max(hit.span.end);
            }
            Some(_) | None => joined.push(hit),
        }
    }
    joined
}

fn hit_priority(hit: &Hit) -> u8 {
    match hit.rule {
        "private-key" | "seed-phrase" => 0,
        "key-setting" => 1,
        "vendor-token" | "slack-token" | "stripe-key" => 6,
        "sendgrid-key" | "age-key" | "square-token" => 6,
        "anthropic-key" | "openai-key" | "jwt" => 3,
        "secret-setting" | "authorization" | "cookie" => 5,
        _ => 4,
    }
}
