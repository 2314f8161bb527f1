//! Measures a built-in model: `bench_local MODEL REQUESTS [TURN]`. `TURN` is a file with a prompt
//! [default: a judge's prompt in a debate].
//!
//! Writes the requests to the file `REQUESTS`, so that another engine can be compared, and prints
//! the results as one line of JSON.

use std::fs;
use std::time::{Duration, Instant};

use agon_local::engine::{CandleEngine, Engine, Finish, Message, Request};
use serde_json::json;

/// Tokens of prompt and answer together.
const CONTEXT: usize = 3_072;

/// Maximum number of tokens in an answer.
const MOST: usize = 700;

/// The prompt of a judge's turn.
const TURN: &str = include_str!("turn.txt");

#[expect(clippy::print_stdout, reason = "its output is its purpose")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(model), Some(requests)) = (args.next(), args.next()) else {
        return Err("bench_local MODEL REQUESTS [TURN]".into());
    };
    let given = args.next().map(fs::read_to_string).transpose()?;
    let prompt = given.as_deref().unwrap_or(TURN);
    let asked = json!({ "prompt": prompt, "most": MOST, "context": CONTEXT });
    fs::write(requests, asked.to_string())?;

    let begun = Instant::now();
    let mut engine = CandleEngine::load(model.as_ref(), CONTEXT)?;
    let load = begun.elapsed();
    let request = Request {
        messages: &[Message {
            role: "user",
            text: prompt,
        }],
        max_tokens: MOST,
        seed: 1,
        temperature: 0.4,
        choices: &[],
        is_enough: &|_| false,
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
        "text": answer.text,
    });
    println!("{figures}");
    Ok(())
}

/// Returns the peak memory of this process, in MB.
fn peak_mb() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kib.unwrap_or(0.0) * 1.024 / 1_000.0
}
