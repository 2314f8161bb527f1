//! Agon put into homes as people have them, and taken out again.

mod busy;
mod home;
mod hooks;
mod links;
mod messy;
mod permissions;
mod servers;
mod whole;
