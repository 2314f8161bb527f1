//! Records of real tools, read.

mod probe;
