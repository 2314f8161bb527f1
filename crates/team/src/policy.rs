//! What members may do: rules of a file, of which the strictest that applies wins.

mod file;
mod ruling;

pub use self::file::{Effect, Policy, Rule, Spending};
pub use self::ruling::{Question, RuleNote, Ruling};

#[cfg(test)]
mod tests;
