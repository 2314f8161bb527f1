//! A step that is refused: the exit code, and where its callers find the reason.

use agon_samples::steps::good;

use crate::ops::world::{Said, World};

fn refused(said: &Said, says: &str) {
    assert_eq!(said.code, Some(1), "{}{}", said.stdout, said.stderr);
    assert!(said.errors().contains(says), "{says}: {}", said.stdout);
}

#[test]
fn a_refused_exchange_is_told_on_both_streams_and_a_judgment_on_stdout() {
    let world = World::before(1);
    let before = world.files();
    let said = world.exchange(1, "I would rather not.", &good("opp", 1));
    refused(&said, "JSON");
    assert_eq!(said.document()["side"], "proposition");
    assert_eq!(said.stderr, said.stdout);
    let said = world.judgment("{}");
    refused(&said, "arguments");
    assert_eq!(said.stderr, "");
    assert!(world.has_input("prop.json") && world.has_input("judge.json"));
    assert!(before == world.files());
}

#[test]
fn a_command_that_cannot_be_read_is_refused_as_a_step_is() {
    let world = World::before(1);
    let before = world.files();
    for exchange in ["-1", "65536", "x", "1.5", ""] {
        let (prop, opp) = (good("prop", 1), good("opp", 1));
        let said = world.exchange_bytes(exchange, prop.as_bytes(), opp.as_bytes(), None);
        refused(&said, "");
        assert_eq!(said.stderr, said.stdout, "{exchange}");
    }
    let run = |args: &[&str]| world.run(&[&["ops"], args].concat(), None);
    refused(&run(&["process-everything"]), "process-everything");
    refused(&run(&["process-exchange", "d", "1"]), "--prop-file");
    assert!(before == world.files());
}
