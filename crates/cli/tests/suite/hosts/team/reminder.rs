//! A context that gets worse, in the real tools: their models are told so once, after a tool.

use agon_testkit::Answer;

use super::desk::Desk;
use super::driver::{self, Act, Driver};

const LINE: &str = "agon: the context of this session is amber: ";

fn is_told_once(driver: &'static Driver, model: &str) {
    let Some(desk) = Desk::new(driver, false) else {
        return;
    };
    let config = desk.place.home().join(".config/agon/config.toml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    let limits = format!("limits = [{{ model = \"{model}\", onset = 10, severe = 9000000 }}]\n");
    std::fs::write(config, limits).unwrap();
    let write = |name: &str| driver.act(&Act::Create(desk.place.project().join(name)));
    let calls = ["one.txt", "two.txt", "three.txt"].map(write);
    desk.models.set("cell.told", Answer::Calls(calls.to_vec()));
    let mut args = driver.args_for("Do it.\nTurn: cell.told\n");
    if driver.host == "codex" {
        // It runs no hook of which its user has not said that it may.
        args.insert(1, "--dangerously-bypass-hook-trust");
    }
    desk.run(&args);
    let last = desk.requests("cell.told").pop().unwrap().body.to_string();
    let is_there = desk.place.project().join("three.txt").exists();
    assert!(is_there, "{}: {last}", driver.host);
    let told = last.matches(LINE).count();
    assert_eq!(told, 1, "{}: {last}", driver.host);
}

#[test]
fn claude_tells_its_model_once_that_its_context_gets_worse() {
    is_told_once(&driver::CLAUDE, "claude");
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn codex_tells_its_model_once_that_its_context_gets_worse() {
        is_told_once(&driver::CODEX, "gpt");
    }

    #[test]
    fn gemini_tells_its_model_once_that_its_context_gets_worse() {
        is_told_once(&driver::GEMINI, "gemini");
    }
}
