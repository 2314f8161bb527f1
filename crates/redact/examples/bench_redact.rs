//! Measures the secrets and look-alikes found in a corpus, and the speed, compared with a common
//! method: fourteen patterns, and every token of high entropy.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark prints what it measured"
)]

#[path = "../tests/suite/corpus/mod.rs"]
mod corpus;

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Instant;

use agon_redact::Redactor;
use corpus::{Fill, LOOK_ALIKES, SECRETS, Sample};
use regex::Regex;

/// Patterns typical of such tools.
const PATTERNS: [&str; 14] = [
    r"sk-[A-Za-z0-9_-]{20,}",
    r"AIza[A-Za-z0-9_-]{35}",
    r"ya29\.[A-Za-z0-9_-]+",
    r"gh[pousr]_[A-Za-z0-9]{36}",
    r"github_pat_[A-Za-z0-9_]{22,}",
    r"glpat-[A-Za-z0-9_-]{20}",
    r"A(?:KI|SI)A[A-Z0-9]{16}",
    r"xox[abps]-[A-Za-z0-9-]{10,}",
    r"(?:sk|rk)_live_[A-Za-z0-9]{24}",
    r"npm_[A-Za-z0-9]{36}",
    r"eyJ[A-Za-z0-9_-]+\.eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+",
    r"Bearer [A-Za-z0-9._~+/-]{20,}",
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----",
    r#"(?i)(?:password|secret|token|api_?key)["']?\s*[:=]\s*["']?[^\s"']{8,}"#,
];

/// Entropy per character above which a long token counts as random, in bits.
const MAX_BITS: f64 = 4.0;

/// A method of finding secrets in a text.
type Way<'w> = &'w dyn Fn(&str) -> Vec<Range<usize>>;

fn main() {
    let (secrets, others) = (corpus::secrets(), corpus::look_alikes());
    let common = Common::new();
    let prose = prose();
    let ways: [(&str, Way<'_>); 3] = [
        ("ours", &|text| {
            let hits = Redactor::new().redact(text).hits;
            hits.into_iter().map(|hit| hit.span).collect()
        }),
        ("patterns", &|text| common.patterns(text)),
        ("patterns and entropy", &|text| common.both(text)),
    ];
    print(
        "secrets",
        secrets.len() as f64,
        "texts",
        &format!("{} kinds", SECRETS.len()),
    );
    print(
        "look-alikes",
        others.len() as f64,
        "texts",
        &format!("{} kinds", LOOK_ALIKES.len()),
    );
    for (name, find) in ways {
        let caught = secrets
            .iter()
            .filter(|sample| is_gone(sample, &find(&sample.text)))
            .count();
        let wrong: Vec<_> = others
            .iter()
            .filter(|sample| !find(&sample.text).is_empty())
            .collect();
        let recall = caught as f64 / secrets.len() as f64;
        let precision = caught as f64 / (caught + wrong.len()).max(1) as f64;
        print(
            &format!("{name}: recall"),
            recall * 100.0,
            "%",
            &kinds(
                secrets
                    .iter()
                    .filter(|sample| !is_gone(sample, &find(&sample.text))),
            ),
        );
        print(
            &format!("{name}: precision"),
            precision * 100.0,
            "%",
            &format!("{} texts wrongly", wrong.len()),
        );
    }
    // Alternates and takes the best of five, so that other load on the machine matters little.
    let mut best = [f64::MAX; 3];
    for _ in 0..5 {
        for (best, (_, find)) in best.iter_mut().zip(&ways) {
            let begun = Instant::now();
            std::hint::black_box(find(&prose));
            *best = best.min(begun.elapsed().as_secs_f64());
        }
    }
    for (took, (name, _)) in best.iter().zip(&ways) {
        print(
            &format!("{name}: speed"),
            prose.len() as f64 / took / 1e6,
            "MB/s",
            "prose, code and look-alikes",
        );
    }
}

/// Names of kinds, with the number of texts of each.
fn kinds<'s>(samples: impl Iterator<Item = &'s Sample>) -> String {
    let mut by_kind = BTreeMap::<_, usize>::new();
    samples.for_each(|sample| *by_kind.entry(sample.kind).or_default() += 1);
    let named: Vec<_> = by_kind
        .iter()
        .map(|(kind, count)| format!("{kind} {count}"))
        .collect();
    let kinds = named.len();
    match kinds {
        0 => "none missed".to_owned(),
        1..=4 => format!("missed: {}", named.join(", ")),
        _ => format!("missed: {kinds} kinds, such as {}", named[..4].join(", ")),
    }
}

fn is_gone(sample: &Sample, hits: &[Range<usize>]) -> bool {
    let secret = sample.secret.as_ref().unwrap();
    let start = sample.text.find(secret).unwrap();
    (start..start + secret.len()).all(|at| hits.iter().any(|hit| hit.contains(&at)))
}

fn print(name: &str, value: f64, unit: &str, note: &str) {
    let value = (value * 10.0).round() / 10.0;
    println!("{{\"name\":{name:?},\"value\":{value},\"unit\":{unit:?},\"note\":{note:?}}}");
}

/// Generates some megabytes of text typical of debates.
fn prose() -> String {
    let mut fill = Fill::new(3);
    let mut text = String::new();
    while text.len() < 4_000_000 {
        for _ in 0..40 {
            text.push_str(&fill.form("The {word:1} of the {word:2} reads each {word:1} twice, in src/{word:1}.rs:{d:2}. "));
        }
        let (_, form) = LOOK_ALIKES[fill.below(LOOK_ALIKES.len())];
        text.push_str(&fill.form(form));
        text.push('\n');
    }
    text
}

struct Common {
    patterns: Vec<Regex>,
    token: Regex,
}

impl Common {
    fn new() -> Self {
        Self {
            patterns: PATTERNS.iter().map(|it| Regex::new(it).unwrap()).collect(),
            token: Regex::new(r"[A-Za-z0-9+/=_-]{20,}").unwrap(),
        }
    }

    fn patterns(&self, text: &str) -> Vec<Range<usize>> {
        let hits = self.patterns.iter().flat_map(|it| it.find_iter(text));
        hits.map(|hit| hit.range()).collect()
    }

    fn both(&self, text: &str) -> Vec<Range<usize>> {
        let mut hits = self.patterns(text);
        let random = self
            .token
            .find_iter(text)
            .filter(|it| bits(it.as_str()) > MAX_BITS);
        hits.extend(random.map(|it| it.range()));
        hits
    }
}

/// Shannon entropy in bits per character.
fn bits(token: &str) -> f64 {
    let mut counts = [0_usize; 256];
    token
        .bytes()
        .for_each(|byte| counts[usize::from(byte)] += 1);
    let shares = counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| *count as f64 / token.len() as f64);
    -shares.map(|share| share * share.log2()).sum::<f64>()
}
