//! Edits by hand of what was there before.

use serde_json::json;

use crate::foreign::moves::{rebuttal, scores};
use crate::foreign::world::{World, worlds};

/// A folder that is ours, with the next exchange's number.
fn ours(world: &World) -> u64 {
    let exchange = world.exchange();
    let (prop, opp) = (rebuttal(world, "prop"), rebuttal(world, "opp"));
    assert_eq!(world.argue(exchange, &prop, &opp).code, Some(0));
    let said = world.judge(&scores(world, exchange, "opp_000a"));
    assert_eq!(said.code, Some(0), "{}", said.stdout);
    exchange + 1
}

#[test]
fn an_edit_of_an_old_argument_is_refused_and_kept() {
    let edit = |text: &str| text.replacen("## Warrant\n\n", "## Warrant\n\nIn truth, ", 1);
    for world in worlds() {
        let next = ours(&world);
        let path = "arguments/prop_000a.md";
        let text = edit(&world.read(path));
        world.write(path, text.as_bytes());
        let before = world.files();
        let (prop, opp) = (rebuttal(&world, "prop"), rebuttal(&world, "opp"));
        let said = world.argue(next, &prop, &opp);
        assert_eq!(said.code, Some(1), "{}", said.stdout);
        let told = said.document();
        assert_eq!(told["success"], json!(false));
        assert!(told["error"].as_str().unwrap().contains(path), "{told}");
        assert!(world.beside("prop.json").exists() && world.beside("opp.json").exists());
        let said = world.run(&["report", &world.name]);
        assert_eq!(said.code, Some(6), "{}", said.stderr);
        assert!(said.stderr.contains(path), "{}", said.stderr);
        let said = world.run(&["check", "--json", &world.name]);
        assert_eq!(said.code, Some(8), "{}", said.stdout);
        assert_eq!(said.document()["folder"][0]["path"], json!(path));
        assert!(before == world.files(), "{}", world.name);
        // Undone, it goes on.
        world.write(path, text.replacen("In truth, ", "", 1).as_bytes());
        let said = world.argue(next, &prop, &opp);
        assert_eq!(said.code, Some(0), "{}", said.stdout);
    }
}

#[test]
fn an_edit_of_the_reason_of_an_old_score_is_refused_and_kept() {
    for world in worlds() {
        let next = ours(&world);
        let text = world.read("scores.json");
        let reason = "\"reasoning\": \"";
        let edited = text.replacen(reason, &format!("{reason}In truth, "), 1);
        assert_ne!(text, edited);
        world.write("scores.json", edited.as_bytes());
        let before = world.files();
        let (prop, opp) = (rebuttal(&world, "prop"), rebuttal(&world, "opp"));
        let said = world.argue(next, &prop, &opp);
        assert_eq!(said.code, Some(1), "{}", said.stdout);
        let error = said.document()["error"].to_string();
        assert!(error.contains("scores.json"), "{error}");
        let said = world.run(&["report", &world.name]);
        assert_eq!(said.code, Some(6), "{}", said.stderr);
        assert!(before == world.files(), "{}", world.name);
    }
}
