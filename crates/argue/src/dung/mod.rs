mod answer;
mod batsat;
mod component;
mod encoding;
mod product;
mod reasoner;
mod sat;
mod search;
mod semantics;

pub use answer::{Acceptance, Answer, LimitHit, SearchLimits};
pub use batsat::Batsat;
pub use product::Extensions;
pub use reasoner::Reasoner;
pub use sat::{Lit, Sat, Var};
pub use semantics::{Mode, NoSuchSemantics, Semantics};
