//! Many debates from one file: reads requests, estimates them, runs those that are not done yet and
//! appends a result for each.
//!
//! A batch is a folder. It has one debate folder for each request, named after the request's
//! [`identity`](identity::identity), and the results in `results.jsonl` and `results.csv`. Only
//! these results say which debates have ended, so a batch can be killed at any time and run again.
//!
//! This crate knows no terminal. It does not call tools itself: `debates` does.

mod answer;
pub mod columns;
pub mod detach;
pub mod document;
pub mod estimate;
pub mod folder;
mod front;
pub mod identity;
pub mod input;
pub mod junit;
pub mod request;
pub mod results;
mod row;
pub mod run;
mod seated;
pub mod select;
mod usage;
pub mod work;
