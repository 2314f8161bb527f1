//! Formal debates between scripted tools.

mod lost;
mod malformed;
mod opening;
mod table;
