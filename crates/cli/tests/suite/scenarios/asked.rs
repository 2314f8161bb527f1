//! A question about a debate: answered from its record, held to it, and not kept.

use agon_testkit::{Behaviour, Script};
use serde_json::json;

use crate::scenarios::place::Fakes;
use crate::scenarios::tree::Tree;
use crate::support::Ran;

/// A debate that has its answer, and fakes that answer what is no turn with `reply`.
fn over(reply: &str) -> Fakes {
    let fakes = Fakes::new();
    assert_eq!(fakes.debate(&[]).code, Some(0));
    let mut script = Script::job_store();
    script.default = reply.to_owned();
    fakes.tools.set_script(&script);
    fakes
}

fn ask(fakes: &Fakes, more: &[&str]) -> Ran {
    let args = ["ask", "s", "Why", "not", "plain files?"];
    fakes.place.run(&[&args[..], more].concat())
}

/// The tool of the last call, and its prompt.
fn last(fakes: &Fakes) -> (String, String) {
    let asks = fakes.tools.asks();
    let last = asks.last().unwrap();
    (last.tool.clone(), fakes.tools.prompt(last.prompt.unwrap()))
}

#[test]
fn a_question_alone_is_of_the_latest_debate() {
    let fakes = over("Two writers can claim one job [pro_001a].");
    let ran = fakes.place.run(&["ask", "Why not plain files?"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.contains("pro_001a"), "{ran:#?}");
    let demo = fakes.place.run(&["demo", "--keep", "--speed", "0"]);
    assert_eq!(demo.code, Some(0), "{demo:#?}");
    // Nobody here opened the debate of the demo: it is not taken by itself.
    let again = fakes.place.run(&["ask", "Why not plain files?"]);
    assert_eq!(again.code, Some(0), "{again:#?}");
    assert!(again.stdout.contains("pro_001a"), "{again:#?}");
    let untold = fakes.place.run(&["ask", "s"]);
    assert_eq!(untold.code, Some(2), "{untold:#?}");
    assert!(
        untold.stderr.contains("missing question about s"),
        "{untold:#?}"
    );
}

#[test]
fn an_answer_names_points_of_the_record_and_changes_nothing() {
    let fakes = over("Two writers can claim one job [pro_001a], as [cha_002a] grants.");
    let before = Tree::of(&fakes.place.project());
    let ran = ask(&fakes, &["--json"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let answer = ran.json();
    let said = fakes.place.run(&["schema", "answer"]).json();
    let validator = jsonschema::validator_for(&said).unwrap();
    assert!(validator.is_valid(&answer), "{answer}");
    let ids: Vec<_> = answer["cited"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cited| cited["id"].clone())
        .collect();
    assert_eq!(ids, [json!("pro_001a"), json!("cha_002a")]);
    assert_eq!(
        (
            &answer["tool"],
            &answer["unknown"],
            &answer["usage"]["calls"],
            &answer["whole_record"]
        ),
        (&json!("gemini"), &json!([]), &json!(1), &json!(true))
    );
    let (tool, prompt) = last(&fakes);
    assert_eq!(tool, "gemini", "the judge answers");
    assert!(
        prompt.contains("Why not plain files?") && prompt.contains("cha_001a"),
        "{prompt}"
    );
    assert!(prompt.contains("<<<data "), "what was said is fenced");
    assert!(
        ran.stderr.contains("asking gemini once, about "),
        "{}",
        ran.stderr
    );

    let ran = ask(&fakes, &["--seat", "proposer"]);
    assert!(
        ran.stdout.starts_with("Two writers") && ran.stdout.contains("  pro_001a   proposer"),
        "{}",
        ran.stdout
    );
    assert_eq!(last(&fakes).0, "claude");
    assert_eq!(ask(&fakes, &["--tool", "codex"]).code, Some(0));
    assert_eq!(last(&fakes).0, "codex");
    assert!(
        before == Tree::of(&fakes.place.project()),
        "the debate is as it was"
    );
}

#[test]
fn an_answer_that_names_what_nobody_said_is_sent_back_once_and_says_so() {
    let fakes = over("See pro_077a and pro_001a.");
    let asked = fakes.tools.asks().len();
    let ran = ask(&fakes, &["--json"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(ran.json()["unknown"], json!(["pro_077a"]));
    assert_eq!(ran.json()["usage"]["calls"], 2);
    assert_eq!(fakes.tools.asks().len(), asked + 2);
    let (_, prompt) = last(&fakes);
    assert!(
        prompt.contains("It names points that do not exist: pro_077a."),
        "{prompt}"
    );
    let ran = ask(&fakes, &[]);
    assert!(
        ran.stderr
            .contains("the answer names pro_077a, which is not in the record"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_an_answer_says_is_redacted_and_shown_as_text() {
    let secret = agon_testkit::behaviour::FAKE_GITHUB_TOKEN;
    let fakes = over(&format!(
        "The key is {secret}.\n\u{1b}[2JIt is \u{202e}so [pro_001a]."
    ));
    for more in [&[][..], &["--json"]] {
        let ran = ask(&fakes, more);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        let said = ran.stdout + &ran.stderr;
        assert!(
            !said.contains(secret) && !said.contains('\u{1b}') && !said.contains('\u{202e}'),
            "{said}"
        );
    }
}

#[test]
fn a_person_is_asked_nothing_and_a_side_answers_in_place_of_a_judge_that_is_one() {
    let fakes = Fakes::new();
    let form = fakes.place.project().join("verdict.json");
    let seats = [
        "--proposer",
        "claude",
        "--challenger",
        "codex",
        "--judge",
        "human",
    ];
    let opened = ["debate", "Plain files?", "--slug", "s"];
    let debated = fakes.place.run(&[&opened[..], &seats].concat());
    assert_eq!(debated.code, Some(0), "{debated:#?}");
    let ruling = &Script::job_store().turns["verdict.judge"][0];
    std::fs::write(&form, ruling).unwrap();
    let judged = ["resume", "s", "--answer", form.to_str().unwrap()];
    let judged = fakes.place.run(&judged);
    assert_eq!(judged.code, Some(0), "{judged:#?}");
    let mut script = Script::job_store();
    script.default = "Two writers [pro_001a].".to_owned();
    fakes.tools.set_script(&script);
    let answered = ask(&fakes, &[]);
    assert_eq!(answered.code, Some(0), "{answered:#?}");
    assert_eq!(last(&fakes).0, "claude");
    let refused = ask(&fakes, &["--seat", "judge", "--json"]);
    assert_eq!(refused.ended(), (Some(2), "cannot_answer".to_owned()));
    let usage = fakes.place.run(&["usage"]);
    assert!(!usage.stdout.contains("human"), "{usage:#?}");
}

#[test]
fn who_cannot_answer_ends_as_always() {
    let fakes = over("yes");
    for (behaviour, expected) in [
        (Behaviour::Auth, (Some(4), "logged_out")),
        (Behaviour::RateLimit, (Some(1), "rate_limited")),
        (Behaviour::Empty, (Some(1), "empty")),
        (Behaviour::Rc1, (Some(1), "failed")),
    ] {
        fakes.tools.set_scenario("gemini", "*", behaviour);
        let ended = ask(&fakes, &["--json"]).ended();
        assert_eq!((ended.0, ended.1.as_str()), expected, "{behaviour:?}");
    }
    fakes.tools.clear_scenario();
    let nobody = ask(&fakes, &["--seat", "opposition", "--json"]);
    assert_eq!(nobody.ended(), (Some(2), "empty_seat".to_owned()));
    let missing = fakes.place.run(&["ask", "s", "--json"]);
    assert_eq!(missing.ended(), (Some(2), "missing_parameter".to_owned()));
    assert_eq!(missing.json()["error"]["parameter"], "question");
    let blank = fakes.place.run(&["ask", "s", " ", "--json"]);
    assert_eq!(blank.ended(), (Some(2), "missing_parameter".to_owned()));
}
