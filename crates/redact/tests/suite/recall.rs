//! Measures how much of the secrets is found, and how little of the look-alikes.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;

use crate::corpus::{self, LOOK_ALIKES, SECRETS};
use agon_redact::Redactor;

/// Whether the whole `secret` in `text` is redacted.
fn is_gone(text: &str, secret: &str) -> bool {
    let start = text.find(secret).unwrap();
    let hits = Redactor::new().redact(text).hits;
    (start..start + secret.len()).all(|at| hits.iter().any(|hit| hit.span.contains(&at)))
}

fn listed(by_kind: BTreeMap<&str, Vec<String>>) -> String {
    let lines = by_kind
        .into_iter()
        .map(|(kind, texts)| format!("{kind}: {} of it, such as {:?}", texts.len(), texts[0]));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_corpus_is_as_large_as_it_says() {
    let (secrets, others) = (corpus::secrets(), corpus::look_alikes());
    assert!(SECRETS.len() >= 40 && secrets.len() >= 200);
    assert!(LOOK_ALIKES.len() >= 40 && others.len() >= 500);
    for sample in &secrets {
        let secret = sample.secret.as_ref().unwrap();
        assert!(
            secret.len() >= 14 && sample.text.contains(secret),
            "{}",
            sample.text
        );
    }
}

#[test]
fn every_secret_of_the_corpus_is_taken_out() {
    let mut missed = BTreeMap::<_, Vec<_>>::new();
    for sample in corpus::secrets() {
        if !is_gone(&sample.text, &sample.secret.unwrap()) {
            missed.entry(sample.kind).or_default().push(sample.text);
        }
    }
    assert!(missed.is_empty(), "missed:\n{}", listed(missed));
}

#[test]
fn nothing_else_of_the_corpus_is() {
    let mut wrong = BTreeMap::<_, Vec<_>>::new();
    for sample in corpus::look_alikes() {
        let redacted = Redactor::new().redact(&sample.text).text;
        if redacted != sample.text {
            wrong
                .entry(sample.kind)
                .or_default()
                .push(redacted.into_owned());
        }
    }
    assert!(wrong.is_empty(), "taken out:\n{}", listed(wrong));
}
