//! A prompt that would change something that is costly to undo, in the real tools: their models get
//! one line that suggests a debate.

use agon_testkit::Answer;

use super::desk::Desk;
use super::driver::{self, Driver};

const LINE: &str = "agon: this request touches ";

/// Installs the hook at prompts in a tool.
fn desk(driver: &'static Driver) -> Option<Desk> {
    let desk = Desk::new(driver, false)?;
    let ran = desk
        .place
        .run(&["install", driver.host, "--what", "suggest"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    Some(desk)
}

/// Sends a prompt, and returns the last request of its turn; `before` are arguments of the tool.
fn send(desk: &Desk, prompt: &str, turn: &str, before: &[&str]) -> String {
    let prompt = format!("{prompt}\nTurn: {turn}\n");
    let mut args = desk.driver.args_for(&prompt);
    let at = usize::from(desk.driver.host == "codex");
    args.splice(at..at, before.iter().copied());
    let printed = desk.run(&args);
    let last = desk.requests(turn).pop();
    last.unwrap_or_else(|| panic!("{printed}")).body.to_string()
}

fn is_told_once(driver: &'static Driver, before: &[&str]) {
    let Some(desk) = desk(driver) else {
        return;
    };
    let asked = send(&desk, "What does a table do?", "cell.asked", before);
    assert!(!asked.contains(LINE), "{asked}");
    let first = send(&desk, "Drop the table users_old.", "cell.first", before);
    assert_eq!(first.matches(LINE).count(), 1, "{first}");
    assert!(first.contains("the schema of a database"), "{first}");
    // A new session within a week.
    let again = send(&desk, "Drop the table users_old.", "cell.again", before);
    assert!(!again.contains(LINE), "{again}");
}

/// The prompt of a sub-agent, which a model writes, gets no line.
fn sub_agent_is_not_told(driver: &'static Driver, role: &str, before: &[&str]) {
    let Some(desk) = desk(driver) else {
        return;
    };
    let prompt = "Drop the table users_old.\nTurn: cell.sub\n";
    let call = driver.delegate_with(role, prompt);
    desk.models.set("cell.lead", Answer::Calls(vec![call]));
    desk.allow_sessions();
    send(&desk, "Ask your helper.", "cell.lead", before);
    let requests = desk.requests("cell.sub");
    assert!(!requests.is_empty(), "{}", driver.host);
    for request in requests {
        let body = request.body.to_string();
        assert!(!body.contains(LINE), "{body}");
    }
}

#[test]
fn claude_offers_a_debate_once_and_is_silent_after_a_no() {
    let Some(desk) = desk(&driver::CLAUDE) else {
        return;
    };
    let (port, language) = ("Rewrite the backend in Rust.", "a rewrite in another");
    let first = send(&desk, "Drop the table users_old.", "cell.first", &[]);
    assert_eq!(first.matches(LINE).count(), 1, "{first}");
    let refused = send(&desk, "No, just do it.", "cell.no", &["--continue"]);
    assert!(refused.matches(LINE).count() <= 1, "{refused}");
    let silent = send(&desk, port, "cell.silent", &["--continue"]);
    assert!(!silent.contains(language), "{silent}");
    let other = send(&desk, port, "cell.other", &[]);
    assert!(other.contains(language), "{other}");
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[test]
    fn gemini_gets_one_line_about_a_costly_prompt() {
        is_told_once(&driver::GEMINI, &[]);
    }

    #[test]
    fn codex_gets_one_line_about_a_costly_prompt() {
        // It runs no hook of which its user has not said that it may.
        is_told_once(&driver::CODEX, &["--dangerously-bypass-hook-trust"]);
    }

    #[test]
    fn opencode_gets_one_line_about_a_costly_prompt() {
        is_told_once(&driver::OPENCODE, &[]);
    }

    #[test]
    fn sub_agents_are_not_told() {
        sub_agent_is_not_told(&driver::CLAUDE, "general-purpose", &[]);
        sub_agent_is_not_told(&driver::OPENCODE, "general", &[]);
        sub_agent_is_not_told(&driver::COPILOT, "general-purpose", &[]);
    }

    #[test]
    fn copilot_gets_one_line_about_a_costly_prompt() {
        is_told_once(&driver::COPILOT, &[]);
    }
}
