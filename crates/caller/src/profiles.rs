//! The profiles of AI tools, with what the configuration says otherwise.

use agon_agents::Profiles;
use agon_config::Settings;

use crate::{Code, Failure};

/// The profiles that hold with these settings.
///
/// # Errors
///
/// If the configuration makes a profile unusable.
pub fn profiles(settings: &Settings) -> Result<Profiles, Failure> {
    Profiles::with_overrides(&settings.tools)
        .map_err(|error| Failure::from_error(Code::Profile, &error))
}
