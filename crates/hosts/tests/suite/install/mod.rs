//! Agon put into homes as people have them, and taken out again.

mod home;
mod hooks;
mod messy;
mod servers;
mod whole;
