//! Questions to single tools: without a debate, or about one.

pub mod consult;
pub mod examine;
pub mod inquiry;
