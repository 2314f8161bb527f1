//! Installs Agon in other AI tools, and manages skills, a team's roles, and configuration files.

pub mod configuration;
pub mod documents;
pub mod hosts;
pub mod roster;
pub mod skills;
pub mod team_files;
pub mod team_policy;
pub mod team_roster;
