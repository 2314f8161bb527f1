//! Replies that are longer than any model writes.

use agon_testkit::{FakeTools, Script};

use crate::scenarios::place::Fakes;
use crate::support::TOPIC;

/// A debate whose proposer gives `first` and, asked again, what it should have said. Its tool tells
/// no usage, so that the length is all there is to go by.
fn debate_with(first: String) -> (Fakes, Option<i32>, String) {
    let script = Script::job_store();
    let good = script.turns["r0.pro"][0].clone();
    let script = script.turn("r0.pro", [first, good]);
    let tools = FakeTools::with(&["copilot", "codex", "gemini"]).script(&script);
    let mut fakes = Fakes::with(tools);
    fakes
        .place
        .env
        .insert("GH_TOKEN".into(), "placeholder".into());
    let seats = [
        "--proposer",
        "copilot",
        "--challenger",
        "codex",
        "--judge",
        "gemini",
    ];
    let args = [&["debate", TOPIC, "--slug", "s", "--json"], &seats[..]].concat();
    let ran = fakes.place.run(&args);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    (fakes, ran.code, said)
}

#[test]
fn one_huge_reply_is_sent_back_and_does_not_cost_the_verdict() {
    let nested = format!("{}1{}", "[".repeat(250_000), "]".repeat(250_000));
    for first in ["x".repeat(10 << 20), nested] {
        let (fakes, code, said) = debate_with(first);
        assert_eq!(code, Some(0), "{said}");
        let asks = fakes.asks();
        let of = |turn: &str| asks.iter().filter(|ask| *ask == turn).count();
        assert_eq!((of("r0.pro#0"), of("r0.pro#1")), (1, 1), "{asks:?}");
        let lost = fakes
            .events()
            .into_iter()
            .find(|event| event["event"] == "lost");
        assert_eq!(lost.unwrap()["cause"]["code"], "too_large");
        assert_eq!(fakes.place.verdict().unwrap()["authority"], "full");
    }
}
