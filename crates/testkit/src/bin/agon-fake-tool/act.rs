//! Carries out behaviours.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};
use std::thread::sleep;
use std::time::Duration;

use agon_testkit::Behaviour;
use agon_testkit::behaviour::{FAKE_ANTHROPIC_KEY, FAKE_GITHUB_TOKEN};

use crate::dialect::{Output, Tool};
use crate::record::files;

/// Longer than any test waits, but finite, so that an orphaned fake ends eventually.
const HANG_TIME: Duration = Duration::from_secs(300);

/// The data of a reply.
pub(crate) struct ReplyData<'a> {
    pub(crate) tool: Tool,
    pub(crate) prompt: &'a str,
    pub(crate) reply: &'a str,
    pub(crate) again: usize,
}

/// Carries out a behaviour of a version or login probe.
pub(crate) fn probe(behaviour: Behaviour, good: Output) -> ExitCode {
    match behaviour {
        Behaviour::Hang => hang(),
        Behaviour::Slow(ms) => {
            sleep(Duration::from_millis(ms));
            good.print()
        }
        Behaviour::Garbage => Output::stdout(GARBAGE).print(),
        Behaviour::Rc1 => Output::failed(1, "agon-fake-tool: failing as told").print(),
        Behaviour::Good
        | Behaviour::Half
        | Behaviour::WrongThenRight
        | Behaviour::WrongAlways
        | Behaviour::Empty
        | Behaviour::ErrorText
        | Behaviour::Auth
        | Behaviour::OwnModelOnly
        | Behaviour::RateLimit
        | Behaviour::Overloaded
        | Behaviour::Signal
        | Behaviour::Flood
        | Behaviour::Grandchild
        | Behaviour::IgnoreTerm
        | Behaviour::Secret
        | Behaviour::Ansi
        | Behaviour::PartialThenHang
        | Behaviour::DoneThenHang
        | Behaviour::FailFirst(_)
        | Behaviour::Meddle
        | Behaviour::Forgets
        | Behaviour::LoggedOut => good.print(),
    }
}

/// Carries out the behaviour of a turn that was called for `earlier` times before.
pub(crate) fn act(
    behaviour: Behaviour,
    earlier: usize,
    said: &ReplyData<'_>,
    json: bool,
) -> ExitCode {
    let speak = |reply: &str| {
        if json {
            said.tool.reply_output(said.prompt, reply)
        } else {
            Output::line(reply)
        }
    };
    let good = || speak(said.reply);
    match behaviour {
        Behaviour::Forgets if crate::conversation::resumed_session_id().is_some() => {
            said.tool.unknown_session_error().print()
        }
        Behaviour::Good | Behaviour::LoggedOut | Behaviour::Forgets => good().print(),
        Behaviour::Slow(ms) => {
            sleep(Duration::from_millis(ms));
            good().print()
        }
        Behaviour::Hang => hang(),
        Behaviour::Garbage => Output::stdout(GARBAGE).print(),
        Behaviour::Half => speak(first_half(said.reply)).print(),
        Behaviour::WrongThenRight if said.again > 0 => good().print(),
        Behaviour::WrongThenRight | Behaviour::WrongAlways => {
            speak(&invalid_reply(said.reply)).print()
        }
        Behaviour::Empty => speak("").print(),
        Behaviour::ErrorText => said
            .tool
            .error(500, "something went wrong")
            .with_code(0)
            .print(),
        Behaviour::Rc1 => Output::failed(1, "agon-fake-tool: failing as told").print(),
        Behaviour::Auth => said.tool.error(401, "invalid api key").print(),
        Behaviour::OwnModelOnly => {
            match std::env::args().any(|arg| arg == "--model" || arg == "-m") {
                true => said.tool.error(404, "model not found").print(),
                false => good().print(),
            }
        }
        Behaviour::RateLimit => said.tool.error(429, "rate limited").print(),
        Behaviour::Overloaded => said.tool.error(529, "overloaded").print(),
        Behaviour::Signal => {
            let cause = shell_command("kill -KILL $$").exec();
            Output::failed(1, &cause.to_string()).print()
        }
        Behaviour::Flood => flood(),
        Behaviour::Grandchild => {
            leave_child();
            good().print()
        }
        Behaviour::IgnoreTerm => {
            // A shell's `trap ''` also applies to its children and after exec.
            let cause = shell_command("trap '' TERM INT HUP; sleep 300 & wait; sleep 300").exec();
            Output::failed(1, &cause.to_string()).print()
        }
        Behaviour::Secret => speak(&with_secrets(said.reply)).print(),
        Behaviour::Ansi => speak(&with_escapes(said.reply)).print(),
        Behaviour::PartialThenHang => {
            let whole = good();
            Output::stdout(&whole.stdout[..whole.stdout.len() / 2]).print();
            hang()
        }
        Behaviour::DoneThenHang => {
            good().print();
            hang()
        }
        Behaviour::FailFirst(times) if earlier < times as usize => {
            Output::failed(1, "agon-fake-tool: failing the first times").print()
        }
        Behaviour::FailFirst(_) => good().print(),
        Behaviour::Meddle => {
            change_files();
            good().print()
        }
    }
}

const GARBAGE: &[u8] = b"<html>this is not what you asked for \xff\xfe {{{\n";

/// Replaces `{cwd}` in a reply with the working directory.
pub(crate) fn fill_working_directory(reply: &str) -> String {
    let folder = std::env::current_dir().unwrap_or_default();
    reply.replace("{cwd}", &folder.display().to_string())
}

fn shell_command(script: &str) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell.arg("-c").arg(script);
    shell
}

/// Leaves a child that keeps stdout open. The shell ends at once, but its own child stays.
pub(crate) fn leave_child() {
    shell_command("sleep 300 </dev/null &").status().unwrap();
}

/// The reply after two invented secrets.
pub(crate) fn with_secrets(reply: &str) -> String {
    format!("The keys are {FAKE_ANTHROPIC_KEY} and {FAKE_GITHUB_TOKEN}.\n\n{reply}")
}

fn hang() -> ExitCode {
    sleep(HANG_TIME);
    ExitCode::FAILURE
}

/// Writes 1 GiB to stdout; ends early only if the reader is gone.
fn flood() -> ExitCode {
    let block = [b'x'; 1 << 16];
    let mut stdout = std::io::stdout().lock();
    for _ in 0..(1_usize << 30) / block.len() {
        if stdout.write_all(&block).is_err() {
            return ExitCode::from(141);
        }
    }
    ExitCode::SUCCESS
}

/// The reply up to the middle of its block of moves, or of the text if it has none.
pub(crate) fn first_half(reply: &str) -> &str {
    let start = reply.rfind("```json").unwrap_or(0);
    let mut cut = start + (reply.len() - start) / 2;
    while !reply.is_char_boundary(cut) {
        cut -= 1;
    }
    &reply[..cut]
}

/// The reply's prose with a block that does not match any schema.
pub(crate) fn invalid_reply(reply: &str) -> String {
    let prose = &reply[..reply.rfind("```json").unwrap_or(reply.len())];
    format!("{prose}```json\n{{\n  \"thoughts\": \"I will come back to this.\"\n}}\n```\n")
}

/// The reply with colours, a title change, a screen clear and bidirectional overrides, in the prose
/// and (escaped, as JSON requires) inside the first string of the moves.
pub(crate) fn with_escapes(reply: &str) -> String {
    let prose = "\u{1b}[31mred\u{1b}[0m \u{1b}]0;owned\u{7}\u{1b}[2J \u{202e}desrever\u{202c} \u{2066}x\u{2069}\n\n";
    let moves = match reply.rfind("```json") {
        Some(start) => {
            let (before, block) = reply.split_at(start);
            let painted = block.replacen("\": \"", "\": \"\\u001b[31m\\u202e", 1);
            format!("{before}{painted}")
        }
        None => reply.to_owned(),
    };
    format!("{prose}{moves}")
}

/// Changes the working directory in ways that are forbidden to it, as far as possible.
pub(crate) fn change_files() {
    std::fs::write("planted.md", "Follow me.\n").unwrap();
    let found = files();
    let mut found = found.iter().filter(|path| *path != "planted.md");
    if let Some(first) = found.next() {
        std::fs::remove_file(first).unwrap();
        std::fs::write(first, "changed\n").unwrap();
    }
    if let Some(second) = found.next() {
        std::fs::remove_file(second).unwrap();
    }
}
