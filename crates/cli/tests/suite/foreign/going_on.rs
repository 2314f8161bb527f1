//! Going on with a folder, and the other tool after us.

use std::collections::BTreeMap;

use serde_json::json;

use crate::foreign::moves::{anew, rebuttal, scores};
use crate::foreign::other;
use crate::foreign::world::{World, worlds};

type Files = BTreeMap<String, Vec<u8>>;

/// Takes the next exchange in, both steps, with `rescored` scored anew.
fn go_on(world: &World, rescored: &str) {
    let exchange = world.exchange();
    let (prop, opp) = (rebuttal(world, "prop"), rebuttal(world, "opp"));
    let said = world.argue(exchange, &prop, &opp);
    assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
    let ids = [format!("prop_{exchange:03}"), format!("opp_{exchange:03}")];
    let told = json!({ "proposition": ids[0], "opposition": ids[1] });
    assert_eq!(said.document()["argument_id"], told);
    let (before, wanted) = (world.read("scores.json"), anew(world, rescored));
    let said = world.judge(&scores(world, exchange, rescored));
    assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
    let told = said.document();
    assert_eq!(told["argument_id"], json!(ids));
    assert_eq!(told["rescored"], json!([rescored]));
    kept_scores(&before, &world.read("scores.json"), rescored);
    let entry = &world.scores()[rescored];
    assert_eq!(entry["current_score"], json!(wanted));
    let last = entry["history"].as_array().unwrap().last().unwrap();
    assert_eq!(last["triggered_by"], json!(ids[0]));
    assert_eq!(world.exchange(), exchange + 1);
    let totals = &world.front()["cumulative_scores"];
    assert_eq!(*totals, other::totals(&world.scores()));
}

/// The entries of `scores.json` as they are written.
fn entries(text: &str) -> BTreeMap<&str, &str> {
    let inner = text.strip_prefix("{\n").unwrap().trim_end();
    let inner = inner.strip_suffix("\n}").unwrap();
    let entries = inner.split(",\n  \"").map(|entry| {
        let entry = entry.strip_prefix("  \"").unwrap_or(entry);
        entry.split_once("\": ").unwrap()
    });
    entries.collect()
}

/// Every entry is as it was; the history of the rescored one begins as it was.
fn kept_scores(before: &str, after: &str, rescored: &str) {
    let (before, after) = (entries(before), entries(after));
    for (id, was) in before {
        let is = after[id];
        if id == rescored {
            let key = "\"history\": [";
            let from = |text: &str| text[text.find(key).unwrap()..].to_owned();
            let was = from(was);
            let items = was.strip_suffix("\n    ]\n  }").unwrap();
            assert!(from(is).starts_with(&format!("{items},\n      {{")), "{is}");
        } else {
            assert_eq!(was, is);
        }
    }
}

/// Earlier arguments are as they were, and so is what people wrote into `debate.md`.
fn kept_files(before: &Files, after: &Files) {
    for (path, was) in before {
        if path.starts_with("arguments/") {
            assert!(after[path] == *was, "{path}");
        }
    }
    let body = |files: &Files| {
        let text = String::from_utf8(files["debate.md"].clone()).unwrap();
        text.split_once("\n}").unwrap().1.to_owned()
    };
    assert_eq!(body(before), body(after));
}

fn is_sound(world: &World) {
    let said = world.run(&["check", "--json", &world.name]);
    assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
    let told = said.document();
    let sound = (&told["sound"], &told["folder"], &told["errors"]);
    assert_eq!(sound, (&json!(true), &json!([]), &json!(0)));
}

#[test]
fn a_folder_goes_on_with_every_earlier_byte_kept() {
    for world in worlds() {
        let before = world.files();
        go_on(&world, "prop_000a");
        kept_files(&before, &world.files());
        is_sound(&world);
        // Again, now that the folder is ours, with the same one and with one of our own.
        let (before, ours) = (world.files(), world.exchange() - 1);
        go_on(&world, "prop_000a");
        go_on(&world, &format!("opp_{ours:03}"));
        kept_files(&before, &world.files());
        is_sound(&world);
    }
}

#[test]
fn what_the_other_tool_writes_after_us_is_taken_in() {
    for world in worlds() {
        go_on(&world, "opp_000b");
        let theirs = world.exchange();
        let moves = ["prop", "opp"].map(|side| (side, rebuttal(&world, side)));
        other::argue(&world, &moves);
        // Their arguments, our judgment.
        let before = world.files();
        let said = world.judge(&scores(&world, theirs, "opp_000b"));
        assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
        let note =
            "note: another tool continued this debate; 2 arguments and 0 scores were imported\n";
        assert_eq!(said.stderr, note);
        kept_files(&before, &world.files());
        is_sound(&world);
        // A whole exchange of theirs, then our next.
        let theirs = world.exchange();
        let moves = ["prop", "opp"].map(|side| (side, rebuttal(&world, side)));
        other::argue(&world, &moves);
        other::judge(&world, &scores(&world, theirs, "prop_000b"));
        let (before, book) = (world.files(), world.read("scores.json"));
        let (prop, opp) = (rebuttal(&world, "prop"), rebuttal(&world, "opp"));
        let said = world.argue(theirs + 1, &prop, &opp);
        assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
        let note =
            "note: another tool continued this debate; 2 arguments and 3 scores were imported\n";
        assert_eq!(said.stderr, note);
        assert_eq!(world.read("scores.json"), book);
        let said = world.judge(&scores(&world, theirs + 1, "prop_000b"));
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""));
        kept_scores(&book, &world.read("scores.json"), "prop_000b");
        kept_files(&before, &world.files());
        is_sound(&world);
        let shown = world.run(&["show", "--json", &world.name]).document();
        assert_eq!(shown["totals"], other::totals(&world.scores()));
        let told = shown["arguments"].as_array().unwrap().len();
        assert_eq!(told, world.arguments().len());
    }
}
