//! Creates a tiny model of a few kilobytes, in the format of real ones.

use std::io;
use std::path::Path;

const WIDTH: usize = 64;
const INNER: usize = 96;
const HEADS: u32 = 4;
const SHARED: u32 = 2;
const LAYERS: usize = 2;

/// The context window of the model, in tokens.
pub const CONTEXT: u32 = 4_096;

/// Writes a model that produces random text: its weights are random, its tokens single bytes.
///
/// # Errors
///
/// If the file cannot be written.
pub fn tiny_model(path: &Path) -> io::Result<()> {
    let words = token_texts();
    let count = words.len();
    let mut file = Vec::from(*b"GGUF");
    file.extend(3_u32.to_le_bytes());
    let narrow = WIDTH * SHARED as usize / HEADS as usize;
    let mut tensors = vec![
        ("token_embd.weight".to_owned(), vec![count, WIDTH]),
        ("output_norm.weight".to_owned(), vec![WIDTH]),
    ];
    for layer in 0..LAYERS {
        let parts: [(&str, &[usize]); 9] = [
            ("attn_norm", &[WIDTH]),
            ("attn_q", &[WIDTH, WIDTH]),
            ("attn_k", &[narrow, WIDTH]),
            ("attn_v", &[narrow, WIDTH]),
            ("attn_output", &[WIDTH, WIDTH]),
            ("ffn_norm", &[WIDTH]),
            ("ffn_gate", &[INNER, WIDTH]),
            ("ffn_up", &[INNER, WIDTH]),
            ("ffn_down", &[WIDTH, INNER]),
        ];
        let named = |(part, shape): (&str, &[usize])| {
            (format!("blk.{layer}.{part}.weight"), shape.to_vec())
        };
        tensors.extend(parts.map(named));
    }
    let facts = metadata_entries(&words);
    file.extend((tensors.len() as u64).to_le_bytes());
    file.extend((facts.len() as u64).to_le_bytes());
    for (key, value) in facts {
        text(&mut file, key);
        file.extend(value);
    }
    let mut data: Vec<u8> = Vec::new();
    let mut random = 1_u64;
    for (name, shape) in &tensors {
        text(&mut file, name);
        file.extend((shape.len() as u32).to_le_bytes());
        for size in shape.iter().rev() {
            file.extend((*size as u64).to_le_bytes());
        }
        file.extend(0_u32.to_le_bytes());
        file.extend((data.len() as u64).to_le_bytes());
        for _ in 0..shape.iter().product::<usize>() {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let number = (random >> 40) as f32 / (1_u64 << 24) as f32 - 0.5;
            let number = if shape.len() == 1 { 1.0 } else { number };
            data.extend(number.to_le_bytes());
        }
        data.resize(data.len().next_multiple_of(32), 0);
    }
    file.resize(file.len().next_multiple_of(32), 0);
    file.extend(data);
    std::fs::write(path, file)
}

/// Every byte as a token, then the markers of a conversation.
fn token_texts() -> Vec<String> {
    let plain = |byte: u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    let mut moved = (0x100_u32..).filter_map(char::from_u32);
    let sign = |byte: u8| {
        if plain(byte) {
            Some(char::from(byte))
        } else {
            moved.next()
        }
    };
    let mut words: Vec<String> = (0..=u8::MAX).filter_map(sign).map(String::from).collect();
    words.extend(["<|im_start|>", "<|im_end|>"].map(str::to_owned));
    words
}

/// The metadata of the file: each value after the number of its type.
fn metadata_entries(words: &[String]) -> Vec<(&'static str, Vec<u8>)> {
    let number = |number: u32| [4_u32.to_le_bytes(), number.to_le_bytes()].concat();
    let real = |number: f32| [6_u32.to_le_bytes(), number.to_le_bytes()].concat();
    let name = |name: &str| {
        let mut value = 8_u32.to_le_bytes().to_vec();
        text(&mut value, name);
        value
    };
    let list = |kind: u32, length: usize| {
        let mut value = [9_u32.to_le_bytes(), kind.to_le_bytes()].concat();
        value.extend((length as u64).to_le_bytes());
        value
    };
    let mut tokens = list(8, words.len());
    words.iter().for_each(|word| text(&mut tokens, word));
    let mut kinds = list(5, words.len());
    for word in words {
        let kind: i32 = if word.len() > 4 { 3 } else { 1 };
        kinds.extend(kind.to_le_bytes());
    }
    let end = u32::try_from(words.len()).unwrap_or(1) - 1;
    vec![
        ("general.architecture", name("llama")),
        ("llama.embedding_length", number(WIDTH as u32)),
        ("llama.feed_forward_length", number(INNER as u32)),
        ("llama.block_count", number(LAYERS as u32)),
        ("llama.context_length", number(CONTEXT)),
        ("llama.attention.head_count", number(HEADS)),
        ("llama.attention.head_count_kv", number(SHARED)),
        ("llama.attention.layer_norm_rms_epsilon", real(1e-5)),
        ("tokenizer.ggml.model", name("gpt2")),
        ("tokenizer.ggml.pre", name("smollm")),
        ("tokenizer.ggml.tokens", tokens),
        ("tokenizer.ggml.token_type", kinds),
        ("tokenizer.ggml.merges", list(8, 0)),
        ("tokenizer.ggml.eos_token_id", number(end)),
    ]
}

fn text(into: &mut Vec<u8>, text: &str) {
    into.extend((text.len() as u64).to_le_bytes());
    into.extend(text.as_bytes());
}
