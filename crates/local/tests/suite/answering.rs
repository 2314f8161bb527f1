//! A tiny model with random weights answers requests; a real one, if available, knows English.
#![expect(clippy::unwrap_used, reason = "a helper fails the test by panicking")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use agon_local::engine::{
    CandleEngine, Engine, EngineError, Finish, Generated, Message, Request, shared_model,
};
use tempfile::TempDir;

fn tiny() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.gguf");
    agon_testkit::gguf::tiny_model(&path).unwrap();
    (folder, path)
}

fn load(path: &Path) -> CandleEngine {
    CandleEngine::load(path, 4_096).unwrap()
}

struct Told<'a> {
    prompt: &'a str,
    most: usize,
    seed: u64,
}

fn ask(engine: &mut CandleEngine, told: &Told<'_>) -> Generated {
    let request = Request {
        messages: &[Message {
            role: "user",
            text: told.prompt,
        }],
        max_tokens: told.most,
        seed: told.seed,
        temperature: 0.2,
        choices: &[],
        is_enough: &|_| false,
        said: &|_| {},
        halted: &|| false,
    };
    engine.generate(&request).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_answer_and_what_is_in_mind_does_not_change_it() {
    let (_folder, path) = tiny();
    let mut engine = load(&path);
    let told = |seed| Told {
        prompt: "A question that is longer than a few words.",
        most: 40,
        seed,
    };
    let first = ask(&mut engine, &told(1));
    let second = ask(&mut engine, &told(1));
    assert_eq!(first.text, second.text);
    assert_eq!(first.cached_tokens, 0);
    assert_eq!(second.cached_tokens, second.prompt_tokens - 1);
    assert_ne!(ask(&mut engine, &told(2)).text, first.text);
    assert_eq!(ask(&mut load(&path), &told(1)).text, first.text);
}

#[test]
fn an_answer_ends_where_it_says_enough_and_where_it_has_no_room() {
    let (_folder, path) = tiny();
    let whole = ask(
        &mut load(&path),
        &Told {
            prompt: "Answer.",
            most: 50,
            seed: 1,
        },
    );
    assert_eq!((whole.finish, whole.generated_tokens), (Finish::Length, 50));
    let request = Request {
        messages: &[Message {
            role: "user",
            text: "Answer.",
        }],
        max_tokens: 50,
        seed: 1,
        temperature: 0.2,
        choices: &[],
        is_enough: &|text| text.chars().count() >= 12,
        said: &|_| {},
        halted: &|| false,
    };
    let short = load(&path).generate(&request).unwrap();
    assert_eq!(short.finish, Finish::Stop);
    assert!(
        short.generated_tokens < 50 && short.text.chars().count() >= 12,
        "{short:?}"
    );
    assert!(whole.text.starts_with(&short.text), "{whole:?} {short:?}");
}

#[test]
fn of_two_answers_one_is_given_and_nothing_else() {
    let (_folder, path) = tiny();
    let request = Request {
        messages: &[Message {
            role: "user",
            text: "Yes or no?",
        }],
        max_tokens: 50,
        seed: 1,
        temperature: 0.2,
        choices: &["yes it is", "no"],
        is_enough: &|_| false,
        said: &|_| {},
        halted: &|| false,
    };
    let answer = load(&path).generate(&request).unwrap();
    assert_eq!(answer.finish, Finish::Stop);
    assert!(
        request.choices.contains(&answer.text.as_str()),
        "{answer:?}"
    );
}

#[test]
fn an_answer_that_is_not_wanted_any_more_ends_at_once() {
    let (_folder, path) = tiny();
    let shared = shared_model(&path, 4_096);
    let pieces = AtomicUsize::new(0);
    let begun = Instant::now();
    let request = Request {
        messages: &[Message {
            role: "user",
            text: "Speak.",
        }],
        max_tokens: usize::MAX,
        seed: 1,
        temperature: 0.2,
        choices: &[],
        is_enough: &|_| false,
        said: &|_| {
            pieces.fetch_add(1, Ordering::Relaxed);
        },
        halted: &|| pieces.load(Ordering::Relaxed) >= 5,
    };
    let answer = shared.generate(&request).unwrap();
    // Incomplete characters wait, so the fifth piece may arrive some tokens later.
    assert_eq!(answer.finish, Finish::Halted);
    assert_eq!(pieces.load(Ordering::Relaxed), 5);
    assert!(begun.elapsed() < Duration::from_secs(20));
    let again = Request {
        max_tokens: 3,
        halted: &|| false,
        ..request
    };
    assert_eq!(shared.generate(&again).unwrap().finish, Finish::Length);
}

#[test]
fn a_prompt_without_room_for_an_answer_is_refused() {
    let (_folder, path) = tiny();
    let mut engine = CandleEngine::load(&path, 64).unwrap();
    let prompt = "word ".repeat(40);
    let request = Request {
        messages: &[Message {
            role: "user",
            text: &prompt,
        }],
        max_tokens: 10,
        seed: 1,
        temperature: 0.2,
        choices: &[],
        is_enough: &|_| false,
        said: &|_| {},
        halted: &|| false,
    };
    let error = engine.generate(&request).unwrap_err();
    assert!(
        matches!(error, EngineError::TooLong { most: 64, .. }),
        "{error}"
    );
}

#[test]
fn what_is_no_model_is_refused_and_never_a_panic() {
    let (folder, path) = tiny();
    let whole = std::fs::read(&path).unwrap();
    let other = folder.path().join("other.gguf");
    let refused = |bytes: &[u8], what: &str| {
        std::fs::write(&other, bytes).unwrap();
        let error = CandleEngine::load(&other, 512).err();
        assert!(
            matches!(error, Some(EngineError::Model(_))),
            "{what}: {error:?}"
        );
        error.unwrap().to_string()
    };
    for bytes in [
        &b"no model"[..],
        &whole[..whole.len() / 2],
        &whole[..100],
        &[],
    ] {
        refused(bytes, "a piece");
    }
    let missing = CandleEngine::load(&folder.path().join("none"), 512);
    assert!(matches!(missing, Err(EngineError::File { .. })));

    refused(&set(&whole, "llama.context_length", 0), "no context");
    for field in [
        "llama.embedding_length",
        "llama.feed_forward_length",
        "llama.block_count",
        "llama.attention.head_count",
        "llama.attention.head_count_kv",
    ] {
        for value in [0, 3, u32::MAX] {
            refused(&set(&whole, field, value), field);
        }
    }
    // No test file has an alignment key, so it replaces a key that the library does not read.
    let aligned = replaced(&whole, b"llama.block_count", b"general.alignment");
    refused(&set(&aligned, "general.alignment", 0), "no alignment");
    let marks = refused(&replaced(&whole, b"<|im_start|>", b"<|in_start|>"), "marks");
    assert!(marks.contains("ChatML"), "{marks}");
    let cut = refused(&replaced(&whole, b"smollm", b"llama3"), "cuts");
    assert!(cut.contains("llama3"), "{cut}");
    let long = refused(&with_a_long_word(&whole), "a long word");
    assert!(long.contains("2000 bytes"), "{long}");
}

#[test]
fn a_byte_that_flipped_is_never_a_panic() {
    let (folder, path) = tiny();
    let whole = std::fs::read(&path).unwrap();
    let other = folder.path().join("other.gguf");
    let said = at(&whole, b"blk.0.attn_norm");
    let mut bytes = whole.clone();
    let weights = (said..whole.len()).step_by(9_973);
    for place in (0..said).chain(weights) {
        // The vocabulary is large, and all tokens are the same.
        if (1_000..said - 300).contains(&place) && !place.is_multiple_of(61) {
            continue;
        }
        bytes[place] ^= [0xFF, 0x01, 0x80][place % 3];
        std::fs::write(&other, &bytes).unwrap();
        if let Err(error) = CandleEngine::load(&other, 64) {
            assert!(matches!(error, EngineError::Model(_)), "{place}: {error:?}");
        }
        bytes[place] = whole[place];
    }
}

fn at(bytes: &[u8], what: &[u8]) -> usize {
    let found = bytes.windows(what.len()).position(|window| window == what);
    found.unwrap()
}

/// Returns the file with one text replaced by another of the same length.
fn replaced(whole: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let (mut bytes, at) = (whole.to_vec(), at(whole, old));
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

/// Returns the file with another number in a field, which follows its name and type.
fn set(whole: &[u8], field: &str, value: u32) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    let at = at(whole, field.as_bytes()) + field.len() + 4;
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    bytes
}

/// Returns the file with two thousand bytes in its first token.
fn with_a_long_word(whole: &[u8]) -> Vec<u8> {
    let name = b"tokenizer.ggml.tokens";
    // After the name come the types of the list and of its items, and the number of items.
    let at = at(whole, name) + name.len() + 4 + 4 + 8;
    let length = u64::from_le_bytes(whole[at..at + 8].try_into().unwrap());
    let rest = at + 8 + usize::try_from(length).unwrap();
    let mut bytes = whole[..at].to_vec();
    bytes.extend(2_000_u64.to_le_bytes());
    bytes.extend([b'a'; 2_000]);
    bytes.extend(&whole[rest..]);
    bytes
}

/// Returns the folder of real models, laid out like the program's.
const MODELS_VARIABLE: &str = "AGON_TEST_MODELS";

#[test]
fn the_real_small_model_knows_english() {
    let file = "SmolLM2-135M-Instruct.Q4_1.gguf";
    let folder = std::env::var_os(MODELS_VARIABLE).map(PathBuf::from);
    let Some(path) = folder
        .map(|folder| folder.join(file))
        .filter(|path| path.exists())
    else {
        eprintln!("skipped: {MODELS_VARIABLE} names no folder with {file}");
        return;
    };
    let mut engine = CandleEngine::load(&path, 2_048).unwrap();
    // A model with wrong weights, tokens or turns does not.
    let told = Told {
        prompt: "What is the capital of France? Answer in one short sentence.",
        most: 30,
        seed: 1,
    };
    let said = ask(&mut engine, &told).text;
    assert!(said.contains("Paris"), "{said}");
}
