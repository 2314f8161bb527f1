//! Configuration in layers, resolved once, with the source of every value.
//!
//! The layers are the defaults, the user's file, the project's file, a profile, the environment
//! (`AGON_*`) and the flags. Each layer overrides the earlier ones. A project's file may set only
//! keys that cannot harm the user, unless the user's file trusts its folder.
//!
//! This crate reads only the files that the caller passes. The caller also passes the environment.

mod amount;
mod costly;
pub mod default;
mod duration;
mod edit;
mod env;
mod keys;
mod layer;
mod layers;
mod model_table;
mod project;
mod settings;

pub use amount::{parse_dollars, parse_number};
pub use costly::{BUILT_IN_TEXT, CostlyTopic, built_in_topics, costly_topics};
pub use duration::parse_seconds;
pub use edit::{normalize_model, set_top_level_keys};
pub use env::unknown_vars;
pub use keys::{KEYS, Key, commented_file};
pub use layer::{ContextLimit, Fallback, Layer, PlanReview};
pub use layers::{
    ConfigError, Files, Resolved, Sourced, check_file, is_trusted, require_trust, resolve,
    resolve_sound_layers,
};
pub use model_table::{ModelFamily, ModelRow, ModelTable, UnknownModel, window_in_name};
pub use project::names_program_or_address;
pub use settings::Settings;
