//! Prints the duration of a process's first scan, and of later ones.

#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "measures time"
)]

use std::time::Instant;

use agon_redact::Redactor;

fn main() {
    let mut prose = String::from("{\"verdict\":\"agree\",\"claims\":[");
    for number in 0..20 {
        prose.push_str(&format!(
            "{{\"id\":\"c-{number}\",\"text\":\"The loop in src/scan.rs:{number} reads the page \
             twice; the second read is only needed when the first one was cut off.\"}},"
        ));
    }
    prose.push_str("{}]}");
    let own = "the task-runner";
    let vendor = "npm_q7r2k9z4m1x8w3v6p5t0n2b7c4d9f1g8h3j6";
    for (what, text) in [
        ("first prose", prose.as_str()),
        ("next prose", &prose),
        ("first for the own rules", own),
        ("next for the own rules", own),
        ("first for the vendors' rules", vendor),
        ("next for the vendors' rules", vendor),
    ] {
        let begun = Instant::now();
        let hits = Redactor::new().redact(text).hits.len();
        let took = begun.elapsed().as_micros();
        println!("{took:>7} µs  {what}: {} bytes, {hits} hits", text.len());
    }
}
