//! How well skills are chosen, by requests that people have labelled, beside two simple ways to do it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use agon_hosts::choice::{ChoiceRequest, SkillSet};
use agon_hosts::content::{self, Skill};
use agon_selection::{Asker, PortionForm};
use serde::Deserialize;

/// A request, and the skills that it should be given.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LabelledRequest {
    pub(crate) request: String,
    #[serde(default)]
    pub(crate) role: Option<String>,
    pub(crate) skills: BTreeSet<String>,
    pub(crate) kind: RequestKind,
    /// The language it is written in, if it was recorded: `languages` has it for every request.
    #[serde(default)]
    pub(crate) language: Option<String>,
}

/// What kind of request it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RequestKind {
    /// It calls for a skill, in a person's own words.
    Plain,
    /// It calls for no skill.
    None,
    /// It has words of a skill that it does not call for.
    Near,
}

/// The folder of labelled requests.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/requests")
}

/// The labelled requests of `NAME.jsonl`.
pub(crate) fn labelled(name: &str) -> Vec<LabelledRequest> {
    let path = folder().join(format!("{name}.jsonl"));
    let text = std::fs::read_to_string(&path);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

/// Every skill of ours.
pub(crate) fn skills() -> Vec<Skill> {
    let all = [content::embedded().unwrap(), content::team().unwrap()];
    all.into_iter().flat_map(|content| content.skills).collect()
}

/// The budget that every way has for a request.
pub(crate) const BUDGET: u64 = 2_000;

/// What a way of choosing comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Figures {
    right: usize,
    wrong: usize,
    missed: usize,
    /// Requests that call for none, and those of them that were given none.
    none: usize,
    abstained: usize,
    /// All tokens that were given.
    pub(crate) tokens: u64,
}

impl Figures {
    /// The part of what is given that should be.
    pub(crate) fn precision(&self) -> f64 {
        ratio(self.right, self.right + self.wrong)
    }

    /// The part of what should be given that is.
    pub(crate) fn recall(&self) -> f64 {
        ratio(self.right, self.right + self.missed)
    }

    /// Both in one figure: their harmonic mean.
    pub(crate) fn f1(&self) -> f64 {
        ratio(2 * self.right, 2 * self.right + self.wrong + self.missed)
    }

    /// The part of the requests that call for none that are given none.
    pub(crate) fn abstention(&self) -> f64 {
        ratio(self.abstained, self.none)
    }
}

fn ratio(part: usize, all: usize) -> f64 {
    if all == 0 {
        0.0
    } else {
        part as f64 / all as f64
    }
}

/// A skill that a way of choosing gives, and its tokens.
pub(crate) type Gift = (String, u64);

/// What `choose` comes to on `requests`.
pub(crate) fn figures(
    requests: &[LabelledRequest],
    mut choose: impl FnMut(&LabelledRequest) -> Vec<Gift>,
) -> Figures {
    let mut figures = Figures::default();
    for request in requests {
        let gifts = choose(request);
        figures.tokens += gifts.iter().map(|(_, tokens)| tokens).sum::<u64>();
        let names: BTreeSet<String> = gifts.into_iter().map(|(name, _)| name).collect();
        let right = names.intersection(&request.skills).count();
        figures.right += right;
        figures.wrong += names.len() - right;
        figures.missed += request.skills.len() - right;
        if request.skills.is_empty() {
            figures.none += 1;
            figures.abstained += usize::from(names.is_empty());
        }
    }
    figures
}

/// Our choice: what is given as a text, so that a pointer does not count.
pub(crate) fn ours(set: &SkillSet, request: &LabelledRequest) -> Vec<Gift> {
    let choice = set.choose(&ChoiceRequest {
        request: &request.request,
        asker: asker(request),
        pinned: &[],
        budget: BUDGET,
    });
    let given = choice
        .given
        .into_iter()
        .filter(|skill| skill.form != PortionForm::Pointer);
    given.map(|skill| (skill.name, skill.tokens)).collect()
}

fn asker(request: &LabelledRequest) -> Asker<'_> {
    Asker {
        role: request.role.as_deref(),
        host: None,
    }
}

/// What gives each skill a score for a request.
type ScoreAll<'a> = Box<dyn Fn(&str) -> Vec<f64> + 'a>;

/// A simple way to choose: what gives each skill a score.
pub(crate) struct Baseline<'a> {
    set: &'a SkillSet,
    tokens: Vec<u64>,
    score: ScoreAll<'a>,
}

impl<'a> Baseline<'a> {
    /// The number of triggers of each skill that stand in the request, letter by letter.
    pub(crate) fn substring_triggers(set: &'a SkillSet) -> Self {
        let score = |request: &str| {
            let request = request.to_lowercase();
            let documents = set.index().documents().iter();
            let matches = documents.map(|it| {
                it.triggers
                    .iter()
                    .filter(|trigger| request.contains(*trigger))
                    .count()
            });
            matches.map(|count| count as f64).collect()
        };
        Self::new(set, Box::new(score))
    }

    /// BM25 over descriptions, with the constants that most programs have.
    pub(crate) fn descriptions(set: &'a SkillSet) -> Self {
        let descriptions: Vec<Vec<String>> = set
            .skills()
            .iter()
            .map(|skill| split(&skill.description))
            .collect();
        let average =
            descriptions.iter().map(Vec::len).sum::<usize>() as f64 / descriptions.len() as f64;
        let score = move |request: &str| {
            let terms: BTreeSet<String> = split(request).into_iter().collect();
            let count = descriptions.len() as f64;
            let score = |words: &Vec<String>| {
                let of_term = |term: &String| {
                    let having = descriptions.iter().filter(|it| it.contains(term)).count() as f64;
                    let rarity = (1.0 + (count - having + 0.5) / (having + 0.5)).ln();
                    let frequency = words.iter().filter(|word| *word == term).count() as f64;
                    let length = words.len() as f64 / average;
                    rarity * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length))
                };
                terms.iter().map(of_term).sum()
            };
            descriptions.iter().map(score).collect()
        };
        Self::new(set, Box::new(score))
    }

    fn new(set: &'a SkillSet, score: ScoreAll<'a>) -> Self {
        // What the whole skill takes with us as well.
        let whole = |skill: &Skill| {
            let pinned = [skill.name.clone()];
            let choice = set.choose(&ChoiceRequest {
                pinned: &pinned,
                budget: u64::MAX,
                ..ChoiceRequest::default()
            });
            choice.tokens
        };
        let tokens = set.skills().iter().map(whole).collect();
        Self { set, tokens, score }
    }

    /// Its figures at every threshold that makes a difference: skills whose score is above it, the
    /// best first, as many as the budget has room for.
    pub(crate) fn curve(&self, requests: &[LabelledRequest]) -> Vec<Figures> {
        let ranked: Vec<Vec<(usize, f64)>> =
            requests.iter().map(|request| self.rank(request)).collect();
        // Scores are compared as whole hundredths: nearer ones tell no two skills apart.
        let all = ranked
            .iter()
            .flatten()
            .map(|(_, score)| (score * 100.0) as u64);
        let thresholds: BTreeSet<u64> = all.collect();
        let at = |threshold: &u64| {
            let mut ranked = ranked.iter();
            let threshold = *threshold as f64 / 100.0;
            figures(requests, |_| self.pack(ranked.next().unwrap(), threshold))
        };
        thresholds.iter().map(at).collect()
    }

    /// The skills that the asker may get and that have a score, the best first.
    fn rank(&self, request: &LabelledRequest) -> Vec<(usize, f64)> {
        let documents = self.set.index().documents();
        let scores = (self.score)(&request.request).into_iter().enumerate();
        let mut ranked: Vec<(usize, f64)> = scores
            .filter(|(at, score)| {
                *score > 0.0 && documents[*at].exclusion(asker(request)).is_none()
            })
            .collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked
    }

    fn pack(&self, ranked: &[(usize, f64)], threshold: f64) -> Vec<Gift> {
        let mut room = BUDGET;
        let mut gifts = Vec::new();
        for (at, _) in ranked.iter().filter(|(_, score)| *score >= threshold) {
            if self.tokens[*at] <= room {
                room -= self.tokens[*at];
                gifts.push((self.set.skills()[*at].name.clone(), self.tokens[*at]));
            }
        }
        gifts
    }
}

/// The figures of a curve whose tokens are nearest to `tokens`.
pub(crate) fn at_tokens(curve: &[Figures], tokens: u64) -> Figures {
    let nearest = curve
        .iter()
        .min_by_key(|figures| figures.tokens.abs_diff(tokens));
    nearest.copied().unwrap_or_default()
}

fn split(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}
