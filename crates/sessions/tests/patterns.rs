//! Patterns and the hand-over over sessions whose tool output is real: files of this repository,
//! and what cargo and git printed.

#![expect(clippy::unwrap_used, reason = "a test fails where it goes wrong")]

#[path = "patterns/border.rs"]
mod border;
#[path = "patterns/brief.rs"]
mod brief;
#[path = "patterns/debate.rs"]
mod debate;
#[path = "patterns/false_success.rs"]
mod false_success;
#[path = "patterns/handover.rs"]
mod handover;
#[path = "patterns/healthy.rs"]
mod healthy;
#[path = "patterns/loaded.rs"]
mod loaded;
#[path = "patterns/prohibition.rs"]
mod prohibition;
#[path = "patterns/prohibition_classes.rs"]
mod prohibition_classes;
#[path = "patterns/reports.rs"]
mod reports;
#[path = "patterns/session.rs"]
mod session;
#[path = "patterns/window.rs"]
mod window;
