//! Records of real tools: those that are kept beside this, and fresh ones.

mod damage;
mod fresh;
mod golden;
mod held;
mod scrub;
mod shapes;
