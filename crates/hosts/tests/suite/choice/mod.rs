//! Skills that are chosen for a request.

mod leak;
mod measure;
mod named;
mod packed;
mod short;

use std::collections::{BTreeMap, BTreeSet};

use agon_hosts::choice::SkillSet;

use measure::{Baseline, Figures, at_tokens, figures, labelled, ours, skills};

/// The labelled requests by the name of their file. Those of `held` and `languages` were not looked at
/// while the rules and the example requests were written.
fn requests() -> [(&'static str, Vec<measure::LabelledRequest>); 3] {
    ["dev", "held", "languages"].map(|file| (file, labelled(file)))
}

#[test]
fn every_label_names_a_skill_that_is_there() {
    let names: BTreeSet<String> = skills().into_iter().map(|skill| skill.name).collect();
    for (file, requests) in requests() {
        assert!(requests.len() >= 100, "{file}: {}", requests.len());
        for request in &requests {
            assert!(request.skills.is_subset(&names), "{file}: {request:?}");
        }
        // What is said of abstaining and of near ones rests on enough of both.
        let part = |count: usize| count as f64 / requests.len() as f64;
        let none = requests.iter().filter(|it| it.skills.is_empty()).count();
        let near = requests
            .iter()
            .filter(|it| it.kind == measure::RequestKind::Near)
            .count();
        assert!(
            part(none) >= 0.3 && part(near) >= 0.15,
            "{file}: {none} {near}"
        );
    }
}

#[test]
fn the_requests_are_in_five_languages() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for request in labelled("languages") {
        let language = request.language.unwrap();
        *counts.entry(language).or_default() += 1;
    }
    let languages: Vec<&str> = counts.keys().map(String::as_str).collect();
    assert_eq!(languages, ["de", "en", "es", "fr", "zh"]);
    assert!(counts.values().all(|count| *count >= 15), "{counts:?}");
}

#[test]
fn precision_and_recall_are_above_triggers_as_substrings_and_bm25_of_descriptions() {
    let set = SkillSet::new(skills());
    for (file, requests) in requests() {
        let own = figures(&requests, |request| ours(&set, request));
        print(file, "ours", &own);
        let baselines = [
            ("triggers as substrings", Baseline::substring_triggers(&set)),
            ("BM25 of descriptions", Baseline::descriptions(&set)),
        ];
        for (name, baseline) in baselines {
            let other = at_tokens(&baseline.curve(&requests), own.tokens);
            print(file, name, &other);
            assert!(own.precision() > other.precision(), "{file}: {name}");
            assert!(own.recall() > other.recall(), "{file}: {name}");
        }
    }
}

// Counted over all requests together: each skill of each request is one label, a skill that is given
// in addition is one mistake, and a pointer is not a given skill.
#[test]
fn recall_is_at_least_six_tenths_at_a_precision_of_seven_tenths() {
    let set = SkillSet::new(skills());
    for (file, requests) in requests() {
        let own = figures(&requests, |request| ours(&set, request));
        print(file, "ours", &own);
        assert!(own.precision() >= 0.7, "{file}: {}", own.precision());
        assert!(own.recall() >= 0.6, "{file}: {}", own.recall());
    }
}

// The floor is one for all languages together: a single one has too few requests for that.
#[test]
fn every_measured_language_has_figures_and_finds_skills() {
    let set = SkillSet::new(skills());
    let mut languages: BTreeMap<String, Vec<measure::LabelledRequest>> = BTreeMap::new();
    for request in labelled("languages") {
        let language = request.language.clone().unwrap();
        languages.entry(language).or_default().push(request);
    }
    for (language, requests) in &languages {
        let own = figures(requests, |request| ours(&set, request));
        print("languages", language, &own);
        assert!(own.recall() > 0.0, "{language}");
    }
}

#[expect(
    clippy::print_stderr,
    reason = "the figures are what a failed test is read with"
)]
fn print(file: &str, name: &str, figures: &Figures) {
    eprintln!(
        "{file}: {name}: precision {:.3}, recall {:.3}, F1 {:.3}, abstains {:.3}, {} tokens",
        figures.precision(),
        figures.recall(),
        figures.f1(),
        figures.abstention(),
        figures.tokens
    );
}
