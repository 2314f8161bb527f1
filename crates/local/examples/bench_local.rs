//! Measures a model in this process: `bench_local MODEL REQUESTS`.
//!
//! Writes what it asks to the file `REQUESTS`, so that another engine can be asked the same, and
//! prints one line of JSON with what came of it.

use std::fs;
use std::time::{Duration, Instant};

use agon_local::engine::{CandleEngine, Engine, Finish, Message, Request, fitted};
use serde_json::{Value, json};

/// Tokens that prompt and answer have together.
const CONTEXT: usize = 3_072;

/// The most tokens of an answer.
const MOST: usize = 700;

#[expect(clippy::print_stdout, reason = "its output is its purpose")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(model), Some(requests)) = (args.next(), args.next()) else {
        return Err("bench_local MODEL REQUESTS".into());
    };
    let (prompt, schema) = (prompt(), fitted(&turn()));
    let asked = json!({ "prompt": prompt, "schema": schema, "most": MOST, "context": CONTEXT });
    fs::write(requests, asked.to_string())?;

    let begun = Instant::now();
    let mut engine = CandleEngine::load(model.as_ref(), CONTEXT)?;
    let load = begun.elapsed();
    let request = Request {
        messages: &[Message {
            role: "user",
            text: &prompt,
        }],
        schema: Some(&schema),
        max_tokens: MOST,
        seed: 1,
        stops: &[],
        said: &|_| {},
        halted: &|| false,
    };
    let begun = Instant::now();
    let answer = engine.generate(&request)?;
    let per = |tokens: usize, took: Duration| tokens as f64 / took.as_secs_f64();
    let figures = json!({
        "load_s": load.as_secs_f64(),
        "prompt_tokens": answer.prompt_tokens,
        "prompt_per_s": per(answer.prompt_tokens, answer.prompt_took),
        "answer_tokens": answer.generated_tokens,
        "answer_per_s": per(answer.generated_tokens, answer.generate_took),
        "turn_s": begun.elapsed().as_secs_f64(),
        "whole": answer.finish == Finish::Stop,
        "peak_mb": peak_mb(),
    });
    println!("{figures}");
    Ok(())
}

/// About as long as the compact prompt of a turn.
fn prompt() -> String {
    let point = "pro_001a: Claim and lease are two steps, and nothing locks them. Two workers can \
                 claim one job, because the rename that claims it and the file that leases it are \
                 not one step (src/store.rs:88). The other side says that a rename is atomic. ";
    format!(
        "You take part in a debate and answer with JSON. Your thesis: SQLite is the better job \
         store, not plain files.\n\nWhat was said so far:\n{}\nState your thesis in one sentence \
         and give arguments for it.",
        point.repeat(8)
    )
}

/// The schema of a proposer's first turn.
fn turn() -> Value {
    let text = |most: u64| json!({ "type": "string", "minLength": 1, "maxLength": most });
    let ground = json!({ "type": "object", "required": ["source", "content", "relevance"],
        "properties": { "source": text(60), "content": text(160), "relevance": text(80) } });
    let argument = json!({ "type": "object", "required": ["title", "claim", "grounds", "warrant"],
        "properties": { "title": text(60), "claim": text(160), "warrant": text(160),
            "grounds": { "type": "array", "minItems": 1, "maxItems": 1, "items": ground } } });
    json!({ "type": "object", "required": ["stance", "arguments"], "properties": {
        "stance": text(160),
        "arguments": { "type": "array", "minItems": 1, "maxItems": 1, "items": argument } } })
}

/// The most memory this process had, in millions of bytes.
fn peak_mb() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kib.unwrap_or(0.0) * 1.024 / 1_000.0
}
