//! A debate that an earlier version of the prompts began.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::json;

use crate::scenarios::again::copy;
use crate::scenarios::place::Fakes;

/// A debate of prompts of version 3, killed when the reply to `r2.pro` was in its record and
/// nothing was decided about it.
const KILLED: &str = "tests/fixtures/prompts-3/s";

#[test]
fn a_debate_that_older_prompts_began_goes_on_without_a_second_call_for_what_was_answered() {
    let fakes = Fakes::new();
    copy(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join(KILLED),
        &fakes.place.folder(),
    );
    let given = |fakes: &Fakes| -> BTreeSet<String> {
        let events = fakes.events().into_iter();
        let given = events.filter(|event| event["event"] == "given");
        given
            .map(|event| event["key"].as_str().unwrap().to_owned())
            .collect()
    };
    let answered = given(&fakes);
    let before: BTreeSet<_> = ["r0.pro#0", "r0.cha#0", "r1.pro#0", "r1.cha#0", "r2.pro#0"]
        .map(str::to_owned)
        .into();
    assert_eq!(answered, before);

    let replayed = |fakes: &Fakes| fakes.place.run(&["replay", "s", "--json"]);
    let halfway = replayed(&fakes);
    assert_eq!(
        halfway.json()["prompt_versions"],
        json!([3]),
        "{halfway:#?}"
    );

    let ran = fakes.resume();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(ran.json()["authority"], "full");
    let mut asks = fakes.asks();
    asks[1..].sort();
    assert_eq!(asks, ["r2.cha#0", "verdict.judge#0", "verdict.swap#0"]);
    assert!(answered.is_subset(&given(&fakes)));
    assert_eq!(fakes.place.run(&["check", "s"]).code, Some(0));

    let whole = replayed(&fakes);
    assert_eq!(whole.code, Some(0), "{whole:#?}");
    let document = whole.json();
    let schema = fakes.place.run(&["schema", "replay"]).json();
    assert!(jsonschema::is_valid(&schema, &document), "{document}");
    assert_eq!(
        (
            &document["same"],
            &document["prompts"],
            &document["prompt_versions"]
        ),
        (&json!(true), &json!(8), &json!([3, 5]))
    );
    let texts = "the text of 5 prompts of version 3, and what was set aside for them; prompts are \
                 version 5 now";
    assert_eq!(document["not_compared"], json!([texts]));
    let shown = fakes.place.run(&["replay", "s"]);
    assert!(
        shown.stdout.contains(&format!("not compared: {texts}")),
        "{shown:#?}"
    );
    assert!(!shown.stdout.contains("byte for byte"), "{shown:#?}");
    assert_eq!(fakes.place.left(), Vec::<String>::new());
}
