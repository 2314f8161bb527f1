//! Who can take a seat: AI tools on this machine, built-in models and people, and who gets which
//! seat.

pub mod consent;
pub mod documents;
pub mod model;
pub mod seating;
pub mod single_tool;
pub mod tools;
