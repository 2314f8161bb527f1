//! A context that is compacted, in the real tools: Agon writes the hand-over of the session first.

use std::fs;
use std::path::PathBuf;

use agon_testkit::Answer;
use agon_testkit::models::{CACHED_TOKENS, Counts, OUTPUT_TOKENS};

use super::desk::Desk;
use super::driver::{self, Act, Driver};

const RULE: &str = "Never add a dependency.";
const TURN: &str = "cell.kept";
/// The start of the line that names the file of the hand-over.
const LINE: &str = "agon: ";

/// The files of hand-overs that were written.
fn handovers(desk: &Desk) -> Vec<PathBuf> {
    let folder = desk.place.home().join(".local/state/agon/handovers");
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.map(|it| it.path()).collect()
}

/// Runs a session whose first answer reports `fill` input tokens, then the further `runs`; returns
/// the desk and what the tool printed.
fn compact(
    driver: &'static Driver,
    flags: &[&str],
    fill: Option<u64>,
    runs: &[&[&str]],
) -> Option<(Desk, String)> {
    let desk = Desk::new(driver, false)?;
    desk.allow_sessions();
    let create = |name: &str| driver.act(&Act::Create(desk.place.project().join(name)));
    let calls = ["one.txt", "two.txt"].map(create);
    desk.models.set(TURN, Answer::Calls(calls.to_vec()));
    // A request without tools is for a title or a summary.
    desk.models.set_responder(|request| {
        let is_plain = request.tools.is_empty();
        is_plain.then(|| (Answer::Ok, "The parser is to be fixed.".to_owned()))
    });
    if let Some(input) = fill {
        let counts = Counts {
            input,
            cached: CACHED_TOKENS,
            output: OUTPUT_TOKENS,
        };
        desk.models.set_counts_of(TURN, counts);
    }
    let prompt = format!("Fix the parser. {RULE}\nTurn: {TURN}\n");
    let mut args = driver.args_for(&prompt);
    let at = usize::from(driver.host == "codex" || driver.host == "opencode");
    args.splice(at..at, flags.iter().copied());
    let mut printed = desk.run(&args);
    for args in runs {
        printed.push_str(&desk.run(args));
    }
    Some((desk, printed))
}

/// Checks that one hand-over was written and has the user's words and the files changed.
fn assert_kept(desk: &Desk, printed: &str) -> PathBuf {
    let files = handovers(desk);
    let [file] = files.as_slice() else {
        panic!("{files:?}: {printed}");
    };
    let name = file.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(desk.driver.host), "{name}");
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(RULE), "{text}");
    file.clone()
}

/// Whether a request has a line that names the file.
fn is_told(desk: &Desk, file: &std::path::Path) -> bool {
    let file = file.to_str().unwrap();
    let requests = desk.models.requests();
    requests.iter().any(|it| {
        let body = it.body.to_string();
        body.contains(LINE) && body.contains(file)
    })
}

#[test]
fn claude_names_the_hand_over_to_the_model_that_summarises() {
    let compacting: &[&str] = &["-p", "--continue", "/compact"];
    let Some((desk, printed)) = compact(&driver::CLAUDE, &[], None, &[compacting]) else {
        return;
    };
    let file = assert_kept(&desk, &printed);
    assert!(is_told(&desk, &file), "{printed}");
}

#[test]
fn codex_writes_the_hand_over_before_it_compacts() {
    let flags = [
        "--dangerously-bypass-hook-trust",
        "-c",
        "model_auto_compact_token_limit=5000",
    ];
    let Some((desk, printed)) = compact(&driver::CODEX, &flags, Some(6_000), &[]) else {
        return;
    };
    assert_kept(&desk, &printed);
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn copilot_writes_the_hand_over_before_it_compacts() {
        let compacting: &[&str] = &["--continue", "-p", "/compact", "--no-auto-update"];
        let Some((desk, printed)) = compact(&driver::COPILOT, &[], None, &[compacting]) else {
            return;
        };
        assert_kept(&desk, &printed);
    }

    #[test]
    fn opencode_names_the_hand_over_to_the_model_that_summarises() {
        let Some((desk, printed)) = compact(&driver::OPENCODE, &[], Some(95_000), &[]) else {
            return;
        };
        let file = assert_kept(&desk, &printed);
        assert!(is_told(&desk, &file), "{printed}");
    }

    #[test]
    fn gemini_writes_the_hand_over_before_it_compacts() {
        let Some((desk, printed)) = compact(&driver::GEMINI, &[], Some(600_000), &[]) else {
            return;
        };
        assert_kept(&desk, &printed);
    }
}
