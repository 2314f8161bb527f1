//! Sentences, words and phrases of what people and models write, without a model.

mod phrases;
mod quote;
mod sentence;
mod word;

pub(crate) use phrases::english_and_others as phrases;
pub(crate) use quote::Quotes;
pub(crate) use sentence::{Sentence, sentences};
pub(crate) use word::{
    content_stems, is_code_like, is_stop_word, key, parts, runs, stem, strip_quotes,
};
