//! Splits prose into sentences and words and matches phrases, without a model.

mod hash;
mod phrases;
mod quote;
mod sentence;
mod word;

pub(crate) use hash::SeededHash;
pub(crate) use phrases::phrases;
pub(crate) use quote::Quotes;
pub(crate) use sentence::{Sentence, sentences};
pub(crate) use word::{
    KeyMap, KeySet, content_stems, is_code_like, is_stop_word_in_any_case, key, parts, runs,
};
