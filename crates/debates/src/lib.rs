//! The use cases of debates: each function takes a typed request and returns a typed document.
//!
//! A [`front::FrontEnd`] is told what happens while a debate runs, and answers for the user. This
//! crate knows no terminal and no command line.

pub mod documents;
mod failure;
pub mod front;
mod hook_state;
pub mod limits;
pub mod live;
pub mod past;
mod person;
pub mod plan_review;
pub mod questions;
pub mod read;
pub mod report;
pub mod request;
pub mod review;
pub mod run;
pub mod seat;
pub mod sources;
pub mod status;
pub mod steer;
pub mod suggest;
