//! Documents and screens of hand-written debates.

mod debates;
mod documents;
mod hostile;
#[path = "../../../debate/tests/job_store/mod.rs"]
mod job_store;
mod screens;
