//! Agon in the AI tools that a person works in.

mod lint;

pub use agon_hosts::lint::Finding as LintFinding;

pub use self::lint::{LintDoc, lint};
