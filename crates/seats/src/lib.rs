//! Who can take a seat: the AI tools of this machine, the models that need none, and who sits where.

pub mod documents;
pub mod model;
pub mod seating;
pub mod single_tool;
pub mod tools;
