//! What a calling program gets: small, and as its schema says.

use agon_testkit::{FakeTools, Script};
use serde_json::Value;

use crate::scenarios::place::{Fakes, SEATED, debate};
use crate::support::Ran;

/// A script of five rounds: the third again, about what was said in the round before.
fn five_rounds() -> Script {
    let mut script = Script::job_store_three_rounds();
    for round in 4..=5 {
        for (seat, about, then) in [
            ("pro", "cha_002d", format!("cha_00{}b", round - 1)),
            ("cha", "pro_003", format!("pro_00{round}")),
        ] {
            let replies = script.turns[&format!("r3.{seat}")].iter();
            let replies: Vec<_> = replies.map(|text| text.replace(about, &then)).collect();
            script.turns.insert(format!("r{round}.{seat}"), replies);
        }
    }
    script
}

/// Checks `document` against the schema that is published under `name`.
fn fits(fakes: &Fakes, name: &str, ran: &Ran) -> Value {
    let schema = fakes.place.run(&["schema", name]).json();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let document = ran.json();
    let wrong: Vec<_> = validator
        .iter_errors(&document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(wrong, Vec::<String>::new(), "{name}: {document}");
    assert_eq!(document["schema"], schema["$id"], "{name}");
    document
}

fn tokens(ran: &Ran) -> usize {
    tiktoken_rs::o200k_base_singleton().count_ordinary(ran.stdout.trim_end())
}

#[test]
fn the_documents_of_a_debate_of_five_rounds_are_small_and_keep_their_schemas() {
    let tools = FakeTools::with(&SEATED).script(&five_rounds());
    let fakes = Fakes::with(tools);
    let args = ["--rounds", "5", "--detach", "--max-calls", "18"];
    let started = fakes.place.run(&debate(&args));
    assert_eq!(started.code, Some(0), "{started:#?}");
    fits(&fakes, "started", &started);
    let running = fakes.place.run(&["wait", "s", "--timeout", "0", "--json"]);
    fits(&fakes, "status", &running);
    let done = fakes
        .place
        .run(&["wait", "s", "--timeout", "120", "--json"]);
    let status = fits(&fakes, "status", &done);
    assert_eq!(
        (&status["state"], &status["round"]),
        (&"done".into(), &5.into()),
        "{status}"
    );
    let result = fakes.place.run(&["show", "s", "--json"]);
    let shown = fits(&fakes, "result", &result);
    assert!(shown["answer"].is_string(), "{shown}");
    let listed = fakes.place.run(&["list", "--json"]);
    fits(&fakes, "list", &listed);
    let refused = fakes.place.run(&["debate", "x", "--rounds", "9", "--json"]);
    let error = fits(&fakes, "error", &refused);
    assert_eq!(error["error"]["parameter"], "rounds");
    let sizes = [&started, &running, &done, &result].map(|ran| ran.stdout.trim_end().len());
    let [started, running, done, told] = sizes;
    eprintln!(
        "bytes: started {started}, status {running} and {done}, result {told}; result {} tokens",
        tokens(&result)
    );
    assert!(started <= 400 && running <= 400 && done <= 400 && tokens(&result) <= 1_500);
}
