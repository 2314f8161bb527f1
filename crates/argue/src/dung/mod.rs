mod batsat;
mod component;
mod encoding;
mod product;
mod reasoner;
mod sat;
mod search;
mod semantics;

pub use batsat::Batsat;
pub use product::Extensions;
pub use reasoner::{Acceptance, Answer, LimitHit, Limits, Reasoner};
pub use sat::{Lit, Sat, Var};
pub use semantics::{Mode, NoSuchSemantics, Semantics};
