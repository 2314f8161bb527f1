//! Replaces the local model in a build without it.

use super::Missing;
use crate::environment::Environment;
use crate::profile::Profile;

/// Reports that this build has no local model.
pub(crate) fn missing_requirement(profile: &Profile, _here: &Environment) -> Option<Missing> {
    profile.weights.as_ref()?;
    Some(Missing {
        what: "this build does not include a local model".to_owned(),
        hint: format!(
            "{}, or choose an installed tool (agon tools)",
            agon_hint::full_build("local-model")
        ),
    })
}
