//! The real tools against a fake model server, over the loopback only: each in every seat, and
//! what they do when the service refuses them.
//!
//! Skipped, and said so, unless `AGON_TEST_CLIS` names the folder they are installed in.

mod asked;
mod consulted;
mod continued;
mod doctor;
mod efforts;
mod evidence;
mod faults;
mod formal;
mod host_text;
mod keys;
mod planted;
mod seats;
mod swap;
pub(crate) mod table;
mod warm;
mod ways_to_fail;
