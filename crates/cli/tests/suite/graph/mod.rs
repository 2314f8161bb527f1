//! Argument graphs of debates and of files, solved by the real program.

mod debates;
mod files;
