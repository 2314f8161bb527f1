//! Measures the speed of redaction on texts of different shapes: `bench_shapes [BYTES] [SHAPE] [FILE…] [all]`.
//!
//! The shapes are prose, code, a log and JSON, without secrets and with one in every kilobyte. With
//! `all`, every word that a rule looks for is also repeated in several ways, and the slowest are
//! printed.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark prints what it measured"
)]

#[path = "../tests/suite/corpus/fill.rs"]
mod fill;

use std::collections::BTreeSet;

use agon_redact::Redactor;
use fill::Fill;
use regex::Regex;

/// The sources of the rules, whose quoted words are repeated.
const RULES: [&str; 13] = [
    include_str!("../src/rules.rs"),
    include_str!("../src/marks.rs"),
    include_str!("../src/forms.rs"),
    include_str!("../src/command.rs"),
    include_str!("../src/phrase.rs"),
    include_str!("../src/header.rs"),
    include_str!("../src/dsn.rs"),
    include_str!("../src/wallet.rs"),
    include_str!("../src/seed.rs"),
    include_str!("../src/putty.rs"),
    include_str!("../src/recovery.rs"),
    include_str!("../src/password_hash.rs"),
    include_str!("../src/name.rs"),
];

/// What follows each repetition of a word.
const AFTER: [&str; 12] = [
    "",
    " ",
    "=",
    ": ",
    "\n",
    "\": \"",
    "=a ",
    "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0",
    "Q7r2K9z4M1x8W3v6P5t0N2b7C4d9F1g8H3j6\n",
    " is the one with a.b/c-d_e: ",
    "('\\n', \\\"x\\\") ",
    "                                ",
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let bytes = arguments.iter().find_map(|it| it.parse().ok());
    let bytes: usize = bytes.unwrap_or(10_000_000);
    speed(&repeat("password: q7r2K9z4M1x8 ghp_ ", 600_000));
    for file in arguments.iter().filter(|it| it.contains('/')) {
        print(file, &std::fs::read_to_string(file).unwrap());
    }
    let named = arguments
        .iter()
        .find(|it| it.parse::<usize>().is_err() && *it != "all");
    for (name, part) in shapes() {
        if named.is_some_and(|named| named != name) {
            continue;
        }
        let text = match name.starts_with("JSON") {
            true => format!("[{}{{}}]", repeat(&part, bytes)),
            false => repeat(&part, bytes),
        };
        print(name, &text);
    }
    if arguments.iter().any(|it| it == "all") {
        hostile(bytes / 20);
    }
}

#[inline(never)]
fn print(name: &str, text: &str) {
    let best = (0..3).map(|_| speed(text)).fold(0.0, f64::max);
    let name = format!("redaction, {name}");
    println!("{{\"name\":{name:?},\"value\":{best:.1},\"unit\":\"MB/s\"}}");
}

/// Returns the megabytes per second of processor time, so that load on the machine matters little.
fn speed(text: &str) -> f64 {
    let begun = cpu_nanoseconds();
    std::hint::black_box(Redactor::new().redact(text));
    text.len() as f64 * 1e3 / (cpu_nanoseconds() - begun) as f64
}

fn cpu_nanoseconds() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}

fn repeat(part: &str, bytes: usize) -> String {
    part.repeat(bytes / part.len() + 1)
}

/// Returns texts of about 256 KiB by their names.
fn shapes() -> Vec<(&'static str, String)> {
    let build = |piece: &dyn Fn(&mut Fill, usize) -> String| {
        let mut fill = Fill::new(3);
        let mut text = String::new();
        let mut number = 0;
        while text.len() < 256 * 1024 {
            number += 1;
            text.push_str(&piece(&mut fill, number));
        }
        text
    };
    let prose = |fill: &mut Fill| {
        fill.form("The {word:1} of the {word:2} reads each {word:1} twice; the second {word:2} is only needed when the first one was cut off, which happens to about {d:2} of them. ")
    };
    let code = |fill: &mut Fill| {
        fill.form("    let {word:1} = self.{word:2}.iter().map(|{word:1}| {word:1}.len()).sum::<usize>();\n    if {word:1} > {d:3} {\n        return Err(Error::new(\"{word:2} {word:1}\"));\n    }\n")
    };
    let json = |fill: &mut Fill| {
        fill.form("{\"id\": {d:4}, \"title\": \"the {word:1} of {word:2}\", \"tags\": [\"{word:1}\", \"{word:2}\"], \"text\": \"each {word:1} is read twice\\nby {word:2}\"},\n")
    };
    let secret = |fill: &mut Fill, number: usize| match number % 5 {
        0 => fill.form("password: {n:16}\n"),
        1 => fill.form("ghp_{n:36}\n"),
        2 => fill.form("https://admin:{n:14}@db.internal/x\n"),
        3 => fill.form("API_TOKEN={n:40}\n"),
        _ => fill.form("Authorization: Bearer {n:40}\n"),
    };
    // A sentence and a statement have about 170 bytes, so six of them are a kilobyte.
    let sixth_secret = |fill: &mut Fill, number: usize| match number % 6 {
        0 => secret(fill, number / 6),
        _ => String::new(),
    };
    let json_secret = |fill: &mut Fill, number: usize| match number % 6 {
        0 => fill.form("{\"password\": \"{n:16}\"},\n"),
        _ => String::new(),
    };
    vec![
        ("prose", build(&|fill, _| prose(fill))),
        ("code", build(&|fill, _| code(fill))),
        (
            "log",
            build(&|fill, _| {
                fill.form("2026-03-{d:2}T10:{d:2}:{d:2}.{d:3}Z INFO worker-{d:2} {word:1}.{word:2}: took {d:3} ms for /v1/{word:1}/{x:8}\n")
            }),
        ),
        ("JSON", build(&|fill, _| json(fill))),
        (
            "prose with secrets",
            build(&|fill, at| prose(fill) + &sixth_secret(fill, at)),
        ),
        (
            "code with secrets",
            build(&|fill, at| code(fill) + &sixth_secret(fill, at)),
        ),
        (
            "prose with a secret in each sentence",
            build(&|fill, at| prose(fill) + &secret(fill, at)),
        ),
        (
            "JSON with secrets",
            build(&|fill, at| json(fill) + &json_secret(fill, at)),
        ),
    ]
}

/// Prints the slowest repetitions of the rules' words.
fn hostile(bytes: usize) {
    let quoted = Regex::new(r#""([^"\\\n]{1,40})""#).unwrap();
    let words: BTreeSet<&str> = RULES
        .iter()
        .flat_map(|rules| quoted.captures_iter(rules))
        .filter_map(|word| word.get(1))
        .map(|word| word.as_str())
        .collect();
    let mut found = Vec::new();
    for word in &words {
        for after in AFTER {
            let text = repeat(&format!("{word}{after}"), bytes);
            found.push((speed(&text), format!("{word}{after}")));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!("{} words, {} texts", words.len(), found.len());
    for (_, part) in found.iter().take(60) {
        let [small, large] = [bytes, 8 * bytes].map(|bytes| speed(&repeat(part, bytes)));
        println!("{small:>8.1} {large:>8.1} MB/s  {part:?}");
    }
    let slow = found.iter().filter(|(speed, _)| *speed < 15.0).count();
    println!("{slow} below 15 MB/s");
}
