//! Takes secrets out of text.
//!
//! Every reply passes through here once, between the tool that gave it and
//! everything else: reply → **redact** → store → parse. What is stored, parsed,
//! shown and passed on to another model is the redacted text; the bytes as they
//! came are never written anywhere. The same scan runs over what is sent, where
//! a hit stops the sending.
//!
//! That is the whole seam: a [`Redactor`] takes text and gives text with each
//! secret replaced by a tag such as `[redacted:github-token]`, and the
//! [`Hit`]s. Redacting twice changes nothing, so a caller need not know whether
//! text went through before. Where the rules come from is this crate's affair:
//! a further rule is a line in `rules.rs`.
//!
//! A reply is redacted before it is parsed, so secrets are looked for in a view of the text in
//! which every escape is undone, however often it was quoted, and each find is a run of whole escapes
//! of the text. In JSON every string that is a value is searched by itself, with its key before it.
//! Keys and what holds JSON together are never replaced: what could be parsed before can be parsed
//! afterwards, and has the same keys.
//!
//! A find has a vendor's own form, is the value of a setting whose name says so, or stands where a
//! command, a header, an address or a sentence has a secret; nothing is taken out for being random
//! alone, since debates quote commit hashes, ids and encoded images. Values that stand for another
//! (variables, masks, documented examples) stay.
//!
//! This crate knows nothing of tools or debates, and reads no file.
//!
//! ```
//! use agon_redact::Redactor;
//!
//! let redactor = Redactor::new();
//! let redacted = redactor.redact("push with ghp_16C7e42F292c6912E7710c838347Ae178B4a");
//! assert_eq!(redacted.text, "push with [redacted:github-token]");
//! assert_eq!(redacted.hits[0].rule, "github-token");
//! assert_eq!(redactor.redact("at 3f1c9ae").hits, []);
//! ```

mod account;
mod command;
mod dsn;
mod escapes;
mod forms;
mod header;
mod hit;
mod json;
mod label;
mod letters;
mod marks;
mod name;
mod own;
mod pem;
mod phrase;
mod prose;
mod published;
mod putty;
mod recovery;
mod redactor;
mod rules;
mod seed;
mod setting;
mod span;
mod value;
mod vendor;
mod view;
mod wallet;
mod words;

pub use escapes::unescape_printable;
pub use hit::Hit;
pub use redactor::{Redacted, Redactor};
