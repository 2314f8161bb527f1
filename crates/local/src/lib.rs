//! A model in the process itself: where it comes from, and how it answers.
//!
//! This crate knows nothing of debates or tools: text and a JSON Schema in, text out.
