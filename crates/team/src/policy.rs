//! What members may do: rules of a file, of which the strictest that applies wins.

mod file;
mod ruling;

pub use self::file::{MemberSpending, Policy, PolicyEffect, PolicyRule};
pub use self::ruling::{PolicyQuestion, RuleNote, Ruling};

#[cfg(test)]
mod tests;
