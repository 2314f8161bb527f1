//! The profiles of AI tools, with overrides of the configuration.

use agon_agents::Profiles;
use agon_config::Settings;

use crate::{Code, Failure};

/// Returns the profiles with the overrides of these settings.
///
/// # Errors
///
/// Returns an error if the configuration makes a profile unusable.
pub fn profiles(settings: &Settings) -> Result<Profiles, Failure> {
    Profiles::with_overrides(&settings.tools)
        .map_err(|error| Failure::from_error(Code::Profile, &error))
}
