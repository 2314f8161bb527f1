//! Model servers over HTTP: every dialect against the fake model server on the loopback interface.
#![expect(clippy::unwrap_used, reason = "tests")]

mod along;
mod answers;
mod common;
mod faults;
mod floods;
mod keys;
mod limits;
mod odd;
mod servers;
