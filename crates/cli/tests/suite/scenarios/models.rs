//! Which model argued, as the record and the documents say.

use serde_json::{Value, json};

use crate::scenarios::place::Fakes;

#[test]
fn the_documents_say_which_model_argued_in_each_seat() {
    let fakes = Fakes::new();
    let ran = fakes.debate(&["--model-challenger", "gpt-5.5"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let events = fakes.events();
    let given = events.iter().filter(|event| event["event"] == "given");
    let models: Vec<&Value> = given.map(|given| &given["model"]).collect();
    assert!(models.contains(&&json!("claude-opus-4-6")), "{models:?}");
    let verdict = fakes.place.verdict().unwrap();
    let model = |seat: &str| verdict["seats"][seat]["model"].clone();
    // The challenger's tool does not say, and its model was named.
    assert_eq!(
        [model("proposer"), model("challenger"), model("judge")],
        [
            json!("claude-opus-4-6"),
            json!("gpt-5.5"),
            json!("gemini-3.1-pro-preview")
        ]
    );
    let shown = std::fs::read_to_string(fakes.place.folder().join("verdict.md")).unwrap();
    assert!(shown.contains("model claude-opus-4-6"), "{shown}");
}
