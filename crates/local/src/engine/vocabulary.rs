//! The vocabulary of a model: converts text to tokens and back.

use std::collections::BTreeMap;

use candle_core::quantized::gguf_file::Content;
use candle_core::quantized::tokenizer::TokenizerFromGguf;
use candle_core::{Result, bail};
use tokenizers::Tokenizer;
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits;
use tokenizers::pre_tokenizers::sequence::Sequence;

use super::llama::{metadata_number, metadata_text};

// `tokenizer.ggml.token_type` of the GGUF format: 1 is text, 2 unknown, 3 control, 4 user-defined,
// 5 unused, 6 a byte.
/// The token types that have no text: control and unused.
const NO_TEXT: [u32; 2] = [3, 5];

/// The supported pre-tokenizers.
const CUTS: [&str; 3] = ["smollm", "qwen2", "gpt-2"];

/// The tokens that mark the beginning and end of a message in ChatML.
const MARKS: [&str; 2] = ["<|im_start|>", "<|im_end|>"];

// The longest token of SmolLM2 has 31 bytes; that of Qwen 2.5 is 128 spaces. Tested by
// `what_is_no_model_is_refused_and_never_a_panic`.
/// Maximum length of a token in bytes. A file with a longer one is corrupted.
const MAX_TOKEN_BYTES: usize = 1_000;

/// The vocabulary of a model.
pub(super) struct Vocabulary {
    tokenizer: Tokenizer,
    /// The bytes of each token; empty for tokens without text.
    pieces: Vec<Vec<u8>>,
    end: u32,
}

impl Vocabulary {
    /// Reads the vocabulary of a file.
    pub(super) fn read(content: &Content) -> Result<Self> {
        let mut tokenizer = Tokenizer::from_gguf(content)?;
        let kind = metadata_text(content, "tokenizer.ggml.pre").unwrap_or("gpt-2");
        if !CUTS.contains(&kind) {
            bail!(
                "unsupported pre-tokenizer `{kind}`; supported are {}",
                CUTS.join(", ")
            );
        }
        if kind != "qwen2" {
            tokenizer.with_pre_tokenizer(Some(pre_tokenizer_without_space(kind)));
        }
        let Some(tokens) = content.metadata.get("tokenizer.ggml.tokens") else {
            bail!("the file has no vocabulary");
        };
        let kinds = content.metadata.get("tokenizer.ggml.token_type");
        let kinds = kinds.and_then(|kinds| kinds.to_vec().ok());
        let kind = |at: usize| {
            let kind = kinds?.get(at)?;
            kind.to_i32().ok()?.try_into().ok()
        };
        let of_byte = bytes_by_character();
        let mut pieces = Vec::new();
        let mut marks = MARKS.to_vec();
        for (at, token) in tokens.to_vec()?.iter().enumerate() {
            let token = token.to_string()?;
            if token.len() > MAX_TOKEN_BYTES {
                bail!("one of its tokens has {} bytes", token.len());
            }
            marks.retain(|mark| mark != token);
            let text = kind(at).is_none_or(|kind: u32| !NO_TEXT.contains(&kind));
            let spelled: Option<Vec<u8>> =
                token.chars().map(|c| of_byte.get(&c).copied()).collect();
            pieces.push(spelled.filter(|_| text).unwrap_or_default());
        }
        if let Some(mark) = marks.first() {
            bail!("it does not use ChatML: it has no token {mark}");
        }
        let end = metadata_number(content, "tokenizer.ggml.eos_token_id")?;
        let (Ok(count), Ok(end)) = (u32::try_from(pieces.len()), u32::try_from(end)) else {
            bail!("too many tokens");
        };
        if end >= count {
            bail!("the end token is not one of its {count} tokens");
        }
        Ok(Self {
            tokenizer,
            pieces,
            end,
        })
    }

    /// Converts a text to tokens. The model's own special tokens in the text count as such.
    pub(super) fn tokenize(&self, text: &str) -> Result<Vec<u32>> {
        match self.tokenizer.encode_fast(text, false) {
            Ok(tokens) => Ok(tokens.get_ids().to_vec()),
            Err(error) => bail!("cannot tokenize the text: {error}"),
        }
    }

    /// Returns the bytes of a token; empty for tokens without text.
    pub(super) fn token_bytes(&self, token: u32) -> &[u8] {
        let piece = self.pieces.get(token as usize);
        piece.map_or(&[], Vec::as_slice)
    }

    /// Returns the number of tokens in the vocabulary.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Returns the token that ends an answer.
    pub(super) fn end_token(&self) -> u32 {
        self.end
    }
}

/// Returns a pre-tokenizer of this kind that does not add a space before the text.
fn pre_tokenizer_without_space(kind: &str) -> PreTokenizerWrapper {
    let by_bytes = ByteLevel::new(false, true, true);
    if kind == "smollm" {
        let digits = Digits::new(true);
        return Sequence::new(vec![digits.into(), by_bytes.into()]).into();
    }
    by_bytes.into()
}

/// Returns the byte that each character stands for in a byte-level BPE vocabulary.
fn bytes_by_character() -> BTreeMap<char, u8> {
    let plain = |byte: u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    let mut moved = (0x100_u32..).filter_map(char::from_u32);
    let sign = |byte: u8| {
        if plain(byte) {
            Some((char::from(byte), byte))
        } else {
            moved.next().map(|sign| (sign, byte))
        }
    };
    (0..=u8::MAX).filter_map(sign).collect()
}
