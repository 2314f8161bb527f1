//! Patterns and the hand-over over sessions whose tool output is real: files of this repository,
//! and what cargo and git printed.

#![expect(clippy::unwrap_used, reason = "a test fails where it goes wrong")]

#[path = "patterns/agreed.rs"]
mod agreed;
#[path = "patterns/clash.rs"]
mod clash;
#[path = "patterns/confusion.rs"]
mod confusion;
#[path = "patterns/debate.rs"]
mod debate;
#[path = "patterns/distraction.rs"]
mod distraction;
#[path = "patterns/elsewhere.rs"]
mod elsewhere;
#[path = "patterns/handover.rs"]
mod handover;
#[path = "patterns/healthy.rs"]
mod healthy;
#[path = "patterns/keyed.rs"]
mod keyed;
#[path = "patterns/lost.rs"]
mod lost;
#[path = "patterns/poisoning.rs"]
mod poisoning;
#[path = "patterns/session.rs"]
mod session;
#[path = "patterns/sources.rs"]
mod sources;
#[path = "patterns/told.rs"]
mod told;
#[path = "patterns/window.rs"]
mod window;
