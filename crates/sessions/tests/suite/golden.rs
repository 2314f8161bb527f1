//! The records that are kept here, made with the real tools by `fresh` and scrubbed by `scrub`.

use std::fs;
use std::path::{Path, PathBuf};

use agon_sessions::{SessionHost, SessionProfile};
use serde_json::Value;

use crate::held::{assert_order, listing, read_all};
use crate::scrub;

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Puts the kept records of a host where it would have them.
pub(crate) fn home_of(host: SessionHost) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    scrub::unpack(&fixtures().join(host.as_str()), home.path());
    home
}

fn holds(host: SessionHost) {
    let home = home_of(host);
    let read = read_all(host, home.path());
    assert!(!read.is_empty());
    for session in &read {
        assert_order(session);
    }
    let text: Vec<String> = read.iter().map(listing).collect();
    insta::assert_snapshot!(host.as_str(), text.join("\n\n"));
    // What was served when they were made.
    let served = fs::read_to_string(fixtures().join(host.as_str()).join("served.json")).unwrap();
    let served: Vec<Value> = serde_json::from_str(&served).unwrap();
    let calls = read.iter().flat_map(|it| it.calls());
    let mut found = 0;
    for call in calls {
        let same = served.iter().filter(|it| {
            it["input"] == call.input && it["cached"] == call.cached && it["output"] == call.output
        });
        assert_eq!(same.count(), 1, "{call:?}");
        found += 1;
    }
    let unrecorded = served.iter().filter(|it| it["recorded"] == false).count();
    assert_eq!(found, served.len() - unrecorded);
}

#[test]
fn a_record_of_each_tool_is_read_as_it_was_when_it_was_made() {
    for host in SessionHost::ALL {
        if host != SessionHost::Agon {
            holds(host);
        }
    }
}

#[test]
fn the_records_are_of_the_versions_that_the_profiles_name() {
    for host in SessionHost::ALL {
        let Some(profile) = SessionProfile::for_host(host) else {
            continue;
        };
        let version = fs::read_to_string(fixtures().join(host.as_str()).join("version"));
        assert_eq!(version.unwrap().trim(), profile.measured, "{host}");
    }
}
