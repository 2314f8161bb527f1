//! Measures the model in this process: loading, prompt, answer, memory.

use std::time::Instant;

use agon_local::engine::{CandleEngine, Engine, Message, Request, fitted};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("a file")?;
    let begun = Instant::now();
    let mut engine = CandleEngine::load(path.as_ref(), 3072)?;
    eprintln!("load {:?}", begun.elapsed());
    let ground = json!({ "type": "object", "required": ["source", "content", "relevance"], "properties": {
        "source": { "type": "string", "maxLength": 60 }, "content": { "type": "string", "maxLength": 160 }, "relevance": { "type": "string", "maxLength": 80 } } });
    let schema = json!({ "type": "object", "required": ["stance", "arguments"], "properties": {
        "stance": { "type": "string", "maxLength": 160 },
        "arguments": { "type": "array", "minItems": 1, "maxItems": 2, "items": { "type": "object", "required": ["title", "claim", "grounds", "warrant"], "properties": {
            "title": { "type": "string", "maxLength": 60 }, "claim": { "type": "string", "maxLength": 160 },
            "grounds": { "type": "array", "minItems": 1, "maxItems": 1, "items": ground },
            "warrant": { "type": "string", "maxLength": 160 } } } } } });
    let schema = fitted(&schema);
    let long = "The job store keeps one file for each job in a folder; two writers rename files. "
        .repeat(30);
    for words in [
        "You debate. Thesis you must defend: SQLite is the better job store than plain files. Give your stance and arguments as JSON.",
        &long,
    ] {
        let said = |_: &str| {};
        let request = Request {
            messages: &[Message {
                role: "user",
                text: words,
            }],
            schema: Some(&schema),
            max_tokens: 700,
            seed: 1,
            stops: &[],
            said: &said,
            halted: &|| false,
        };
        let answer = engine.generate(&request)?;
        let per = |tokens: usize, took: std::time::Duration| tokens as f64 / took.as_secs_f64();
        eprintln!(
            "{}\n{:?} prompt {} {:.0} t/s, generated {} {:.0} t/s in {:?}",
            answer.text,
            answer.finish,
            answer.prompt_tokens,
            per(
                answer.prompt_tokens - answer.cached_tokens,
                answer.prompt_took
            ),
            answer.generated_tokens,
            per(answer.generated_tokens, answer.generate_took),
            answer.generate_took
        );
    }
    Ok(())
}
