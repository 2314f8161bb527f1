//! Suggestions of debates: when the user's prompt, or a plan, would change something that is costly
//! to undo, a hook adds one line, so that the user is offered a debate first.
//!
//! A host waits for the answer at every prompt. It therefore takes milliseconds, and every failure
//! means that nothing is suggested.

mod lexicon;
mod log;
mod phrase;
mod refusal;
mod sentence;
mod touched;
mod words;

use std::path::Path;

use agon_caller::{Caller, settings, settings::Settings, system};
use agon_config::costly_topics;
use agon_hosts::hook::{HookCall, HookEvent, HookOutput, HookReply};
use agon_hosts::host::{Host, is_edit_tool};
use agon_seats::consent::project_of;

use self::log::{FILE, FILE_FOR_REFUSAL, SuggestionLog, Topic};
use self::refusal::Answer;
use crate::hook_state::{hash_of, session_key};

/// The name of the event on the command line.
pub const EVENT: &str = HookEvent::Prompt.name();

// Gemini CLI appends the files that a prompt names.
/// The line after which a prompt has words of files.
const FILES_FOLLOW: &str = "--- Content from referenced files ---";

/// Answers the hook at a prompt of the user; `said` is what the host passed on stdin. `is_in_team`
/// returns whether the session in a folder is a member of a team, whose prompts the lead writes.
pub fn answer(
    caller: &Caller,
    host: &'static Host,
    said: &str,
    is_in_team: impl FnOnce(&Path) -> bool,
) -> HookOutput {
    // A tool that takes part in a debate must not start another one.
    let line = match caller.nesting_depth() {
        0 => line_for(caller, host, said, is_in_team),
        1.. => None,
    };
    let reply = line.map_or(HookReply::Pass, HookReply::Note);
    reply.into_output(&host.hooks, HookEvent::Prompt)
}

/// Returns the line for the model, if a debate is to be suggested.
fn line_for(
    caller: &Caller,
    host: &Host,
    said: &str,
    is_in_team: impl FnOnce(&Path) -> bool,
) -> Option<String> {
    let call = HookCall::read(said, is_edit_tool).ok()?;
    let prompt = call.prompt.as_deref()?;
    let prompt = prompt.split(FILES_FOLLOW).next()?;
    // A host passes reports of background work and its own commands as prompts too.
    if call.is_of_sub_agent || prompt.trim_start().starts_with(['/', '<', '!']) {
        return None;
    }
    let caller = &Caller {
        cwd: call.cwd.clone().unwrap_or_else(|| caller.cwd.clone()),
        is_watched: false,
        is_hosted: true,
        ..caller.clone()
    };
    let session = session_key(caller, host.name, call.session_id.as_deref());
    let log: SuggestionLog = FILE.read(caller).ok()?;
    if log.is_open(&session) {
        let answer = refusal::answer_of(prompt);
        let answered = |log: &mut SuggestionLog| log.answered(&session, answer);
        let file = match answer {
            Answer::Other => FILE,
            Answer::Doubtful | Answer::Refusal => FILE_FOR_REFUSAL,
        };
        file.change(caller, answered).ok()?;
        if answer != Answer::Other {
            return None;
        }
    }
    let settings = settings::read_settings(caller).ok()?;
    let suggested = Suggestion::find(caller, &settings, &session, prompt)?;
    if is_in_team(&caller.cwd) {
        return None;
    }
    let (name, about) = suggested.record(true)?;
    Some(words::for_model(&name, &about))
}

/// Returns the line for the person about a plan, if a debate on it is to be suggested.
pub(crate) fn line_for_plan(
    caller: &Caller,
    settings: &Settings,
    session: &str,
    plan: &str,
) -> Option<String> {
    // The user's next words are about the plan, and no answer to the line.
    let (name, about) = Suggestion::find(caller, settings, session, plan)?.record(false)?;
    Some(words::for_person(&name, &about))
}

/// Topics of a text, of which one may be suggested.
struct Suggestion<'a> {
    caller: &'a Caller,
    session: &'a str,
    /// Name and description of each topic.
    topics: Vec<(String, String)>,
    /// Each topic in the project, hashed.
    hashes: Vec<Topic>,
}

impl<'a> Suggestion<'a> {
    /// Returns the topics that a text would change, if one of them was not suggested before.
    fn find(caller: &'a Caller, settings: &Settings, session: &'a str, text: &str) -> Option<Self> {
        let topics = touched::touched_topics(&costly_topics(&settings.costly), text);
        if topics.is_empty() {
            return None;
        }
        let project = project_of(caller);
        let project = project.as_os_str().as_encoded_bytes();
        let hash = |(name, _): &(String, String)| Topic {
            hash: hash_of(&[project, name.as_bytes()]),
            is_of_project: settings.costly_of_project.contains(name),
        };
        let hashes: Vec<_> = topics.iter().map(hash).collect();
        let log: SuggestionLog = FILE.read(caller).ok()?;
        log.choose(session, &hashes, system::now_ms())?;
        Some(Self {
            caller,
            session,
            topics,
            hashes,
        })
    }

    /// Remembers the suggestion, and returns the name and the description of its topic. With
    /// `is_answered`, the user's next prompt answers it.
    fn record(mut self, is_answered: bool) -> Option<(String, String)> {
        let now = system::now_ms();
        let suggest =
            |log: &mut SuggestionLog| log.suggest(self.session, &self.hashes, now, is_answered);
        let chosen = FILE.change(self.caller, suggest).ok()??;
        (chosen < self.topics.len()).then(|| self.topics.swap_remove(chosen))
    }
}
