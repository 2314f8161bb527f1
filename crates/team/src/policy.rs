//! Policies: rules about what members may do; the strictest rule that applies wins.

mod file;
mod ruling;

pub use self::file::{MemberSpending, Policy, PolicyEffect, PolicyRule};
pub use self::ruling::{PolicyQuestion, RuleNote, Ruling};

#[cfg(test)]
mod tests;
