//! Redacts secrets in text.
//!
//! Every reply passes through this crate once, between the tool and everything else: reply →
//! **redact** → store → parse. Agon stores, parses, shows and forwards only the redacted text; the
//! original bytes are never written anywhere. Text to be sent is scanned in the same way, and a hit
//! stops the sending.
//!
//! A [`Redactor`] takes text and returns it with each secret replaced by a tag such as
//! `[redacted:github-token]`, together with the [`Hit`]s. Redaction is idempotent, so a caller need
//! not know whether a text was redacted before. To add a rule, add a line to `rules.rs`.
//!
//! A reply is redacted before it is parsed. The search therefore uses a view of the text with all
//! escapes undone, at any quoting depth, and each hit covers whole escapes of the text. Every JSON
//! string value is searched separately, together with its key. Keys and JSON syntax are never
//! replaced, so JSON stays valid and keeps its keys.
//!
//! A hit has a vendor's token format, is the value of a setting whose name marks it as secret, or
//! is at a position where a command, a header, an address or a sentence has a secret. Random text
//! alone is not redacted, because debates quote commit hashes, ids and encoded images. Placeholders
//! (variables, masks, documented examples) stay.
//!
//! This crate knows nothing about tools or debates, and reads no files.
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

mod command;
mod dsn;
mod escapes;
mod forms;
mod header;
mod hit;
mod json;
mod line_label;
mod marks;
mod name;
mod own_rules;
mod password_hash;
mod pem;
mod phrase;
mod prose;
mod published_examples;
mod putty;
mod randomness;
mod recovery;
mod redactor;
mod rules;
mod runs;
mod seed;
mod setting;
mod span;
mod value;
mod vendor;
mod view;
mod wallet;
mod word_search;

pub use escapes::unescape_printable;
pub use hit::Hit;
pub use redactor::{Redacted, Redactor};

/// The version of the rules: 16 hexadecimal digits that differ when this crate or its rules change.
///
/// A result that was stored with another version may no longer be right.
pub const RULES_VERSION: &str = env!("RULES_VERSION");
