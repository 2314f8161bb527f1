//! Formal debates that scripted tools argue.

mod lost;
mod malformed;
mod opening;
mod table;
