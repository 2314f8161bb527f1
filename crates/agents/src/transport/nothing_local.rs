//! What stands in the place of a model in this process where the program was built without.

use super::Missing;
use crate::environment::Environment;
use crate::profile::Profile;

/// There is no model in this program.
pub(crate) fn missing_requirement(profile: &Profile, _here: &Environment) -> Option<Missing> {
    profile.weights.as_ref()?;
    Some(Missing {
        what: "this build has no model in itself".to_owned(),
        hint: "released builds have one, and so does the one of `cargo install --path crates/cli \
               --features local-model`; or name a tool that is here (agon tools)"
            .to_owned(),
    })
}
