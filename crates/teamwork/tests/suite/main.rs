//! A team in one repository, used only through this crate.
#![expect(clippy::unwrap_used, reason = "tests")]

mod by_hand;
mod gates;
mod locks;
mod policy;
mod repository;
