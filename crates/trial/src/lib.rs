//! Trials: whether a debate is worth its price, compared with one answer and with votes.
//!
//! A trial is a batch whose rows are questions with known answers, each asked by several
//! [`Arm`](arm::Arm)s. Its folder has the questions, the plan and the results, so that everything is
//! computed again from it without a call.
//!
//! This crate knows no terminal and calls no tool: `batch` does.

pub mod arm;
pub mod compare;
pub mod dataset;
pub mod document;
pub mod folder;
pub mod generate;
pub mod grade;
pub mod inspect;
mod merge;
pub mod outcome;
pub mod page;
pub mod present;
pub mod question;
pub mod report;
pub mod request;
pub mod run;
pub mod stats;
pub mod stored;
pub mod table;
mod value;
pub mod votes;
