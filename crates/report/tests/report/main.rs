//! Documents and screens of hand-written debates.

#![expect(clippy::unwrap_used, reason = "a helper may stop the test")]

mod browser;
mod debates;
mod demonstration;
mod documents;
mod exchanges;
mod extended;
mod formal;
mod golden;
mod hostile;
mod screens;
mod struck;
