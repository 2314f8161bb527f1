//! A team on one repository, through this crate alone.
#![expect(clippy::unwrap_used, reason = "tests")]

mod by_hand;
mod gates;
mod locks;
mod policy;
mod repository;
