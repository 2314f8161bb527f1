//! The versions that the profiles were measured with.

use agon_agents::Profiles;

#[test]
fn every_profile_says_what_it_was_measured_with_and_how_to_look_again() {
    for profile in Profiles::builtin().unwrap().iter() {
        if profile.cli.is_none() {
            continue;
        }
        let name = profile.name.as_str();
        assert!(
            profile.measured.is_some() && profile.confined.is_some(),
            "{name}"
        );
        assert!(!profile.probe.as_ref().unwrap().help.is_empty(), "{name}");
    }
}
