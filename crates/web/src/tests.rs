//! Raw requests to a server.

mod api;
mod attacks;
mod browser;
mod debate;
mod events;
mod list;
mod raw;
mod sessions;
mod shared;
mod steer;
mod tables;
mod team;
