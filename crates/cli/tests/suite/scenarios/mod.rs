//! Everything that a tool, a caller, a folder or a disk can do wrong, against the real program
//! and fake tools that are real processes.

mod again;
mod asked;
mod caller;
mod consulted;
mod detached;
mod disk;
mod doctor;
mod evidence;
mod fallback;
mod folder;
mod hostile;
mod huge;
mod human;
mod killed;
mod models;
mod older;
mod paths;
pub(crate) mod place;
mod recalled;
mod replayed;
mod repo;
mod rewritten;
mod seen;
mod served;
mod sizes;
mod steer;
mod stop;
mod swap;
mod table;
mod tools;
mod traced;
mod tree;
mod unavailable;
mod unchanged;
mod warm;
