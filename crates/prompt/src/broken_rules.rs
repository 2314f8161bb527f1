//! Findings in prompts.
//!
//! The broken rules are described in fixed words. A finding's notes may contain the name of a file,
//! a document or a key from a reply, so they are fenced.

use agon_record::finding::Finding;
use agon_rules::rule;
use agon_wording::{OwnWords, Values, Wording, values};

use crate::request::PromptRequest;

/// The rule `reply-unusable`, which is not checked on replies.
const UNUSABLE: (&str, &str) = ("reply-unusable", "a call returns a readable reply");

/// Returns the code of the broken rule and its fixed description.
pub(super) fn rule_code_and_text(finding: &Finding) -> (&'static str, &'static str) {
    match rule::find_rule(&finding.code) {
        Some(rule) => (rule.code, rule.about),
        None if finding.code == UNUSABLE.0 => UNUSABLE,
        None => ("unknown", "a rule from a different version of this program"),
    }
}

/// The broken rules with their points or turns, and the notes.
#[derive(Default)]
pub(super) struct BrokenRules {
    rules: Vec<(&'static str, &'static str, Vec<Wording>)>,
    notes: Vec<String>,
}

impl BrokenRules {
    pub(super) fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    /// Adds a finding about `place`, if it has one; `note` is its complete description.
    pub(super) fn add_finding(
        &mut self,
        finding: &Finding,
        place: Option<&dyn OwnWords>,
        note: String,
    ) {
        let (code, about) = rule_code_and_text(finding);
        let place = place.map(OwnWords::wording);
        self.notes.push(note);
        match self.rules.iter_mut().find(|known| known.0 == code) {
            Some((_, _, places)) => {
                places.extend(place.filter(|place| !places.contains(place)));
            }
            None => self.rules.push((code, about, place.into_iter().collect())),
        }
    }

    /// Adds a line with the number of findings left out.
    pub(super) fn add_omitted_count(&mut self, more: usize) {
        if more > 0 {
            self.notes.push(format!("and {more} more"));
        }
    }

    /// Returns the notes in a fence under `key`.
    fn fenced_notes(&self, ask: &PromptRequest<'_>, key: &str) -> Wording {
        let notes: Vec<_> = self.notes.iter().map(|note| format!("- {note}")).collect();
        ask.fence_veiled(key, &"findings", &notes.join("\n"))
    }

    /// Returns the template values `rules`, `abouts` and `notes`; `None` without findings.
    pub(super) fn template_values(&self, ask: &PromptRequest<'_>, key: &str) -> Option<Values> {
        let rules = self.rules.iter().map(|(code, about, places)| {
            let rule = Wording::from_format("`{}`: {}", &[code, about]);
            match places.is_empty() {
                true => rule,
                false => {
                    let places = Wording::join(places.iter().cloned(), ", ");
                    Wording::from_format("{} ({})", &[&rule, &places])
                }
            }
        });
        let rules: Vec<_> = rules.collect();
        let abouts: Vec<_> = self.rules.iter().map(|(_, about, _)| *about).collect();
        (!self.is_empty()).then(|| values! { rules, abouts, notes => self.fenced_notes(ask, key) })
    }
}
