//! Model servers over HTTP: every dialect against the fake model server on the loopback.

mod answers;
mod common;
mod faults;
mod floods;
mod keys;
mod servers;
