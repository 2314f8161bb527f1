//! Imitates the command lines of coding tools: one binary with five output formats, chosen by the
//! name under which it is called (or `AGON_FAKE_AS`). Its script and scenario are in the folder of
//! that name.
#![expect(
    clippy::unwrap_used,
    reason = "a fake that cannot work must fail loudly"
)]

mod acp;
mod act;
mod args;
mod conversation;
mod dialect;
mod record;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agon_testkit::{Behaviour, Cue, Script};

use crate::args::Request;
use crate::dialect::{Output, Tool};
use crate::record::Folder;

/// The exit code for a call that the real tool would misread.
const MISUSED: u8 = 97;

fn main() -> ExitCode {
    let called = program_path();
    let name = match std::env::var("AGON_FAKE_AS") {
        Ok(name) => name,
        Err(_) => called.file_name().unwrap().to_string_lossy().into_owned(),
    };
    let folder = Folder(called.parent().unwrap_or(Path::new(".")).to_owned());
    let args: Vec<String> = std::env::args().skip(1).collect();
    if acp::is_agent_call(&name, &args) {
        let first = name.split('-').next().unwrap_or_default();
        // An agent whose name is not a tool's counts as Claude in the call log.
        let tool = Tool::named(first).unwrap_or(Tool::Claude);
        return acp::Agent {
            folder,
            name,
            tool,
            args,
        }
        .serve();
    }
    let Some(tool) = Tool::named(&name) else {
        return refuse(&format!("no dialect is called `{name}`"));
    };
    match args::read(tool, &args) {
        Ok(Request::Version) => probe(&folder, tool, "version", &args),
        Ok(Request::Login) => probe(&folder, tool, "login", &args),
        Ok(Request::Prompt) => answer(&folder, tool, &args),
        Err(wrong) => {
            let cue = Cue {
                turn: Some("misused".into()),
                again: 0,
            };
            folder.record(tool, &cue, &args, None);
            refuse(&wrong)
        }
    }
}

/// The path under which it was called; a bare name is looked up on `PATH`, as the caller did.
fn program_path() -> PathBuf {
    let name = PathBuf::from(std::env::args_os().next().unwrap());
    if name.components().count() > 1 {
        return name;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .map(|dir| dir.join(&name))
        .find(|path| path.is_file());
    found.unwrap_or(name)
}

/// Refuses a call; reads all of stdin first, so that the caller sees this error and not a broken
/// pipe.
fn refuse(wrong: &str) -> ExitCode {
    std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink()).unwrap();
    Output::failed(MISUSED, &format!("agon-fake-tool: {wrong}")).print()
}

fn probe(folder: &Folder, tool: Tool, what: &str, args: &[String]) -> ExitCode {
    let cue = Cue {
        turn: Some(what.into()),
        again: 0,
    };
    let behaviour = folder.behaviour(tool, what, &Script::default());
    folder.record(tool, &cue, args, None);
    let good = match (what, behaviour) {
        ("version", _) => Output::line(tool.version()),
        (_, Behaviour::LoggedOut) => tool.login(false),
        _ => tool.login(true),
    };
    act::probe(behaviour, good)
}

fn answer(folder: &Folder, tool: Tool, args: &[String]) -> ExitCode {
    let mut prompt = Vec::new();
    std::io::stdin().lock().read_to_end(&mut prompt).unwrap();
    let text = String::from_utf8_lossy(&prompt);
    if text.trim().is_empty() {
        return refuse("nothing on stdin");
    }
    let script = folder.script();
    let cue = Cue::of(&text);
    let turn = cue.turn.clone().unwrap_or_default();
    let behaviour = folder.behaviour(tool, &turn, &script);
    let earlier = folder.count_calls(tool, &cue);
    folder.record(tool, &cue, args, Some(&prompt));
    let reply = act::fill_working_directory(&script.reply_to(&cue, &text));
    let said = act::ReplyData {
        tool,
        prompt: &text,
        reply: &reply,
        again: cue.again,
    };
    act::act(behaviour, earlier, &said, args::wants_json(args))
}
