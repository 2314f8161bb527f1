//! Agon in other AI tools: what is put into them, the skills and roles of a team, and the files of the
//! configuration.

pub mod configuration;
pub mod documents;
pub mod hosts;
pub mod roster;
pub mod skills;
pub mod team_files;
pub mod team_policy;
pub mod team_roster;
