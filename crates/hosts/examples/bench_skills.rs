//! Skills for a request: precision, recall, abstention and tokens beside two simple ways to choose,
//! what each sign brings, and how long a match takes among 10,000 skills.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints what it measured"
)]

#[path = "../tests/suite/choice/measure.rs"]
mod measure;

use std::collections::BTreeMap;
use std::time::Instant;

use agon_hosts::choice::{ChoiceRequest, SkillSet};
use agon_hosts::content::Skill;
use agon_selection::SignWeights;
use serde_json::json;

use measure::{BUDGET, Baseline, Figures, at_tokens, figures, labelled, ours, skills};

/// How many skills the match is timed among.
const MANY: usize = 10_000;

fn main() {
    for file in ["dev", "held", "languages"] {
        quality(file, &labelled(file));
    }
    speed();
}

fn quality(file: &str, requests: &[measure::LabelledRequest]) {
    let set = SkillSet::new(skills());
    let own = figures(requests, |request| ours(&set, request));
    let count = requests.len();
    print_figures(
        &format!("skills.{file}.ours"),
        &own,
        &format!("of {count} requests"),
    );
    let baselines = [
        ("substrings", Baseline::substring_triggers(&set)),
        ("descriptions", Baseline::descriptions(&set)),
    ];
    for (name, baseline) in baselines {
        let curve = baseline.curve(requests);
        let name = format!("skills.{file}.{name}");
        print_figures(
            &name,
            &at_tokens(&curve, own.tokens),
            "at the tokens nearest to ours",
        );
        let best = at_best(&curve);
        print_figure(
            &format!("{name}.best_f1"),
            best.f1(),
            "",
            "at its best threshold",
        );
    }
    for (name, change) in ABLATIONS {
        let set = set_with(change);
        let without = figures(requests, |request| ours(&set, request));
        let note = format!(
            "precision {:.3}, recall {:.3}, abstains {:.3}",
            without.precision(),
            without.recall(),
            without.abstention()
        );
        print_figure(
            &format!("skills.{file}.without.{name}.f1"),
            without.f1(),
            "",
            &note,
        );
    }
}

fn print_figures(name: &str, figures: &Figures, note: &str) {
    print_figure(&format!("{name}.precision"), figures.precision(), "", note);
    print_figure(&format!("{name}.recall"), figures.recall(), "", "");
    print_figure(&format!("{name}.f1"), figures.f1(), "", "");
    print_figure(
        &format!("{name}.abstention"),
        figures.abstention(),
        "",
        "of the requests that call for none",
    );
    print_figure(
        &format!("{name}.tokens"),
        figures.tokens as f64,
        "",
        "with the margin",
    );
}

fn speed() {
    let set = SkillSet::new(skills());
    let started = Instant::now();
    set.index().scores("review my changes");
    print_figure(
        "skills.learn",
        milliseconds(started),
        "ms",
        "the first match of our skills, which learns from their example requests",
    );
    let started = Instant::now();
    let set = SkillSet::new(generated(MANY));
    print_figure(
        "skills.index",
        milliseconds(started),
        "ms",
        "of 10,000 skills, once",
    );
    let mut times = Vec::new();
    let mut given = 0;
    for request in labelled("dev") {
        let started = Instant::now();
        let choice = set.choose(&ChoiceRequest {
            request: &request.request,
            budget: BUDGET,
            ..ChoiceRequest::default()
        });
        times.push(milliseconds(started));
        given += choice.given.len();
    }
    times.sort_by(f64::total_cmp);
    let note = format!(
        "limit 20 ms; {given} skills given for {} requests",
        times.len()
    );
    print_figure("skills.match.median", times[times.len() / 2], "ms", &note);
    print_figure(
        "skills.match.slowest",
        times[times.len() - 1],
        "ms",
        "limit 20 ms",
    );
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// Skills with the words and phrases of ours, each in another mixture and with words of its own.
fn generated(count: usize) -> Vec<Skill> {
    let ours = skills();
    let phrases: Vec<String> = ours
        .iter()
        .flat_map(|skill| skill.list("agon-triggers"))
        .collect();
    let sentences: Vec<&str> = ours
        .iter()
        .flat_map(|skill| skill.body().split(". "))
        .collect();
    // A fixed generator of numbers, so that each run has the same skills.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    let generate = |at: usize| {
        let mut mixture =
            |of: &dyn Fn(usize) -> String, count: usize, all: usize, between: &str| {
                let picked: Vec<String> = (0..count).map(|_| of(next(all))).collect();
                picked.join(between)
            };
        let triggers = mixture(
            &|it| match it % 8 {
                // Some have a phrase as it is, so that requests find candidates to pack.
                0 => phrases[it].clone(),
                _ => format!("{} {}", phrases[it], word(at)),
            },
            8,
            phrases.len(),
            "; ",
        );
        let description = mixture(&|it| sentences[it].to_owned(), 2, sentences.len(), ". ");
        let body = mixture(
            &|it| format!("{} {}", sentences[it], word(it * 31 + at)),
            25,
            sentences.len(),
            ".\n",
        );
        let metadata = BTreeMap::from([("agon-triggers".to_owned(), triggers)]);
        Skill {
            name: format!("skill-{at}"),
            description,
            metadata,
            origin: None,
            text: format!("---\n---\n# Skill {at}\n\n{body}\n"),
        }
    };
    (0..count).map(generate).collect()
}

/// A word by its number.
fn word(number: usize) -> String {
    let letter =
        |at: usize| char::from(b'a' + u8::try_from(number / 26_usize.pow(at as u32) % 26).unwrap());
    (0..4).map(letter).collect()
}

fn print_figure(name: &str, value: f64, unit: &str, note: &str) {
    println!(
        "{}",
        json!({ "name": name, "value": value, "unit": unit, "note": note })
    );
}

/// Skills with signs that count otherwise.
fn set_with(change: impl FnOnce(&mut SignWeights)) -> SkillSet {
    let mut weights = SignWeights::default();
    change(&mut weights);
    SkillSet::with_weights(skills(), weights)
}

/// The figures of a curve whose F1 is the best.
fn at_best(curve: &[Figures]) -> Figures {
    curve
        .iter()
        .copied()
        .max_by(|a, b| a.f1().total_cmp(&b.f1()))
        .unwrap_or_default()
}

/// Makes a sign count otherwise.
type Change = fn(&mut SignWeights);

/// A sign that is left out, by the name of what it brings.
const ABLATIONS: &[(&str, Change)] = &[
    ("triggers", |weights| weights.fields[0] = 0.0),
    ("name", |weights| weights.fields[1] = 0.0),
    ("description", |weights| weights.fields[2] = 0.0),
    ("headings", |weights| weights.fields[3] = 0.0),
    ("body", |weights| weights.fields[4] = 0.0),
    ("words", |weights| weights.fields = [0.0; 5]),
    ("phrases", |weights| weights.phrase = 0.0),
    ("loose_phrases", |weights| weights.loose_phrase = 0.0),
    ("second_phrase", |weights| weights.second_phrase = 0.0),
    ("less_for_one_word", |weights| weights.single_word = 1.0),
    ("name_in_request", |weights| weights.name = 0.0),
    ("examples", |weights| {
        weights.examples = 0.0;
        weights.ordinary = 0.0;
        weights.beside_examples = 1.0;
    }),
    ("counter_phrases", |weights| weights.counter_phrase = 0.0),
    ("errands", |weights| weights.errand = 0.0),
    ("coverage", |weights| weights.coverage = 0.0),
    ("nearness", |weights| weights.nearness = 0.0),
    ("threshold", |weights| weights.threshold = 0.01),
];
