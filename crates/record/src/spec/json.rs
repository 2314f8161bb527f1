//! The journal's form of a spec: flat, with the fields of each format beside the common ones.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    Caps, Context, DefaultContext, Definition, DuelSpec, FormalSpec, FormatName, Kind, Seating,
    Spec, Standby,
};
use crate::finding::Severity;
use crate::ground::Pinned;
use crate::id::Seat;
use crate::moves::Theses;
use crate::options::Options;
use crate::precedent::Precedent;
use crate::weights::EdgeWeights;

// Do not reorder: every existing journal has the fields in this order.
#[derive(Serialize, Deserialize)]
pub(super) struct SpecJson {
    ulid: ulid::Ulid,
    slug: String,
    format: FormatName,
    topic: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    definitions: Vec<Definition>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    theses: Option<Theses>,
    seats: BTreeMap<Seat, Seating>,
    substitutes: Vec<Seating>,
    #[serde(default, skip_serializing_if = "Standby::is_empty")]
    standby: Standby,
    rounds: u16,
    blind: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    swap: bool,
    ask_on_agreement: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    options: Option<Options>,
    context: Context,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default_context: Option<DefaultContext>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    precedents: Vec<Precedent>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<Pinned>,
    caps: Caps,
    ask_timeout_ms: u64,
    severities: BTreeMap<String, Severity>,
    #[serde(default, skip_serializing_if = "EdgeWeights::is_default")]
    weights: EdgeWeights,
    same_tool: bool,
    salt: String,
    agon: String,
    ruleset: String,
}

// The longest name that Agon creates has 40 bytes; a folder from another tool may have a longer
// one.
/// Maximum length of a debate's name, in bytes.
const MAX_NAME: usize = 100;

/// Returns the name of a debate if it is a plain word; otherwise its letters and digits, joined by
/// hyphens. Every screen prints it, and it appears in commands to copy.
pub fn plain_name(name: String) -> String {
    if is_plain_name(&name) {
        return name;
    }
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let mut plain = words.join("-").to_ascii_lowercase();
    plain.truncate(MAX_NAME);
    match plain.trim_end_matches('-') {
        "" => "debate".to_owned(),
        plain => plain.to_owned(),
    }
}

/// Returns whether `name` has no special meaning for a shell and cannot be a flag: it contains only
/// letters, digits, `.`, `_` and `-`.
pub fn is_plain_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    name.len() <= MAX_NAME
        && name.chars().all(is_plain)
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
}

impl From<SpecJson> for Spec {
    fn from(json: SpecJson) -> Self {
        let duel = DuelSpec {
            substitutes: json.substitutes,
            rounds: json.rounds,
            blind: json.blind,
            swap: json.swap,
            ask_on_agreement: json.ask_on_agreement,
            options: json.options,
        };
        let formal = FormalSpec {
            definitions: json.definitions,
            scope: json.scope,
            theses: json.theses,
        };
        Self {
            ulid: json.ulid,
            slug: plain_name(json.slug),
            kind: Kind::select(json.format, duel, formal),
            topic: json.topic,
            seats: json.seats,
            standby: json.standby,
            context: json.context,
            default_context: json.default_context,
            precedents: json.precedents,
            source: json.source,
            caps: json.caps,
            ask_timeout_ms: json.ask_timeout_ms,
            severities: json.severities,
            weights: json.weights,
            same_tool: json.same_tool,
            salt: json.salt,
            agon: json.agon,
            ruleset: json.ruleset,
        }
    }
}

impl From<Spec> for SpecJson {
    fn from(spec: Spec) -> Self {
        let format = spec.format();
        let (duel, formal) = spec.kind.into_parts();
        let (duel, formal) = (duel.unwrap_or_default(), formal.unwrap_or_default());
        Self {
            ulid: spec.ulid,
            slug: spec.slug,
            format,
            topic: spec.topic,
            definitions: formal.definitions,
            scope: formal.scope,
            theses: formal.theses,
            seats: spec.seats,
            substitutes: duel.substitutes,
            standby: spec.standby,
            rounds: duel.rounds,
            blind: duel.blind,
            swap: duel.swap,
            ask_on_agreement: duel.ask_on_agreement,
            options: duel.options,
            context: spec.context,
            default_context: spec.default_context,
            precedents: spec.precedents,
            source: spec.source,
            caps: spec.caps,
            ask_timeout_ms: spec.ask_timeout_ms,
            severities: spec.severities,
            weights: spec.weights,
            same_tool: spec.same_tool,
            salt: spec.salt,
            agon: spec.agon,
            ruleset: spec.ruleset,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_a_record_is_a_word_that_a_shell_leaves_alone() {
        for plain in ["job-store", "3", "My_Debate.1"] {
            assert_eq!(plain_name(plain.to_owned()), plain);
        }
        for (name, left) in [
            ("x$(touch y)", "x-touch-y"),
            ("a;b|c>d`e`", "a-b-c-d-e"),
            ("\u{1b}[31mred", "31mred"),
            ("a\u{202e}b\u{200b}c\u{2028}d\u{9b}e", "a-b-c-d-e"),
            ("--help", "help"),
            ("../up", "up"),
            ("$", "debate"),
            ("", "debate"),
            ("two words", "two-words"),
        ] {
            let shown = plain_name(name.to_owned());
            assert_eq!(shown, left, "{name:?}");
            assert!(is_plain_name(&shown));
        }
        assert!(plain_name("a ".repeat(500)).len() <= MAX_NAME);
    }
}
