//! Models behind API keys: they debate once a person said yes to the price, or where they are named.

use std::path::Path;

use agon_testkit::{Sandbox, Terminal};

use crate::support::{Place, TOPIC};

/// A place without any tool, and with these keys.
fn place_with_keys(keys: &[&str]) -> Place {
    let sandbox = Sandbox::new();
    let mut env = sandbox.command_env();
    for key in keys {
        env.insert((*key).into(), "placeholder".into());
    }
    let mut place = Place::new(sandbox, env);
    place.env.remove("AGON_FALLBACK");
    place
}

const BOTH: [&str; 2] = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"];

/// What a terminal shows of a plan, asked `question` and given this answer.
fn planned(place: &Place, more: &[&str], question: &str, answer: &str) -> (Option<i32>, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_agon"));
    let args = [&["debate", TOPIC, "--slug", "s", "--dry-run"], more].concat();
    let mut terminal = Terminal::start(program, &args, &place.project(), &place.env);
    terminal.until(question);
    terminal.press(answer);
    terminal.end()
}

#[test]
fn a_person_is_told_the_price_and_their_yes_seats_the_models() {
    let place = place_with_keys(&BOTH);
    let question = "No AI tool is ready here, but OPENAI_API_KEY and ANTHROPIC_API_KEY are set. \
                    Let openai:gpt-6.2-sol and anthropic:claude-sonnet-5-5 debate, judged by \
                    openai:gpt-6.2-astra, for about $0.50? [Y/n] ";
    let (code, screen) = planned(&place, &[], question, "\n");
    assert_eq!(code, Some(0), "{screen}");
    for seat in [
        "proposer   openai:gpt-6.2-sol",
        "challenger anthropic:claude-sonnet-5-5",
        "judge      openai:gpt-6.2-astra",
        "context none (openai:gpt-6.2-sol cannot read a folder)",
    ] {
        assert!(screen.contains(seat), "no {seat}:\n{screen}");
    }

    let (_, screen) = planned(&place, &["--quick"], "for about $0.21? [Y/n] ", "y\n");
    assert!(screen.contains("3 calls"), "{screen}");
}

#[test]
fn a_no_seats_nobody() {
    let place = place_with_keys(&BOTH[..1]);
    let question = "No AI tool is ready here, but OPENAI_API_KEY is set. Let openai:gpt-6.2-astra";
    let (code, screen) = planned(&place, &["--context", "repo"], question, "n\n");
    assert_eq!(code, Some(4), "{screen}");
    assert!(screen.contains("no AI tool is installed"), "{screen}");
}

#[test]
fn without_a_terminal_they_sit_only_where_they_are_named_and_the_command_is_told() {
    let place = place_with_keys(&BOTH);
    let args = [
        "debate",
        TOPIC,
        "--slug",
        "s",
        "--json",
        "--context",
        "repo",
    ];
    let ran = place.run(&args);
    assert_eq!(
        ran.ended(),
        (Some(4), "too_few_tools".to_owned()),
        "{ran:#?}"
    );
    let hint = ran.json()["error"]["hint"].as_str().unwrap().to_owned();
    let flags = "--proposer openai:gpt-6.2-sol --challenger anthropic:claude-sonnet-5-5 \
                 --judge openai:gpt-6.2-astra";
    assert!(
        hint.starts_with(&format!("your API keys can debate: {flags}\n")),
        "{hint}"
    );
    let mut words = vec!["debate", TOPIC, "--json", "--dry-run"];
    words.extend(flags.split(' '));
    let named = place.run(&words);
    assert_eq!(named.code, Some(0), "{named:#?}");
    assert_eq!(
        named.json()["seats"]["judge"]["tool"],
        "openai:gpt-6.2-astra"
    );
}

#[test]
fn without_a_terminal_the_built_in_model_never_takes_their_place_unsaid() {
    if cfg!(not(feature = "local-model")) {
        return;
    }
    for keys in [&BOTH[..], &BOTH[..1], &["GEMINI_API_KEY", "OPENAI_API_KEY"]] {
        let mut place = place_with_keys(keys);
        place
            .env
            .insert("PIP_INDEX_URL".into(), agon_testkit::refused_url());
        let ran = place.run(&["debate", TOPIC, "--json"]);
        assert_eq!(
            ran.ended(),
            (Some(4), "keys_not_used".to_owned()),
            "{ran:#?}"
        );
        let error = ran.json()["error"].take();
        let message = error["message"].as_str().unwrap();
        assert!(keys.iter().all(|key| message.contains(key)), "{message}");
        let hint = error["hint"].as_str().unwrap();
        assert!(
            hint.contains("--proposer ") && hint.contains("for about $"),
            "{hint}"
        );
        // With leave to fetch the other one, they are named all the same.
        let ran = place.run(&["debate", TOPIC, "--json", "--allow-download"]);
        assert!(keys.iter().all(|key| ran.stderr.contains(key)), "{ran:#?}");
        assert!(ran.stderr.contains("--proposer "), "{ran:#?}");
    }
}
