//! Debates of another tool, where `AGON_FOREIGN_DEBATES` names a directory of them:
//! the real program reads them, goes on with them, and hands them back and forth.

mod edited;
mod going_on;
mod moves;
mod other;
mod reading;
pub(crate) mod world;
