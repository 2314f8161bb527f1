//! The entries of a seat's session.

use agon_record::event::{Asked, Lost, Usage};
use agon_record::ground::GroundStamp;
use agon_record::id::AskKey;
use agon_record::spec::ToolName;
use agon_record::user::UserInput;
use agon_sessions::{
    CITATION, CallUsage, Entry, EntryKind, Failure, Loaded, LoadedKind, Location, Purpose, Renewal,
    Tokens, ToolCall, ToolKind, ToolResult,
};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::ASK;
use super::session_texts::{LookUp, reply_words};

/// The entries of one seat, with the context for the next ones.
#[derive(Debug, Default)]
pub(super) struct SeatStream {
    /// Entries that the reader has not passed on yet.
    pub(super) entries: Vec<Entry>,
    /// The time of the entries that are being added.
    pub(super) time: Option<Timestamp>,
    index: u64,
    turn: u32,
    call: u32,
    /// The number of the user's messages that the seat has received.
    heard: usize,
    /// The tool of the last call, and the name of its conversation if that continues.
    context: Option<(ToolName, Option<String>)>,
    /// Entries that every later context receives too.
    kept: Vec<u64>,
    /// The bytes in the context that Agon put there.
    bytes: u64,
}

/// A text that was given to the seat.
#[derive(Debug)]
pub(super) struct ToldText {
    pub(super) kind: LoadedKind,
    pub(super) text: String,
}

/// The tokens and time of a call.
#[derive(Debug)]
pub(super) struct CallTokens<'a> {
    pub(super) usage: &'a Usage,
    pub(super) model: Option<&'a str>,
    /// Whether the tool makes one model call per answer, so that its count is the size of the
    /// context.
    pub(super) is_one_call: bool,
}

impl SeatStream {
    fn push(&mut self, location: Location, kind: EntryKind) -> u64 {
        let index = self.index;
        self.index += 1;
        self.entries.push(Entry {
            index,
            turn: self.turn,
            call: self.call,
            agent: None,
            copied: false,
            location,
            time: self.time,
            kind,
        });
        index
    }

    /// Adds a call of the seat, in the previous context or a new one.
    pub(super) fn add_call(&mut self, asked: &Asked, words: &[UserInput], told: Vec<ToldText>) {
        let context = (asked.tool.clone(), asked.session.clone());
        let goes_on = asked.session.is_some() && self.context.as_ref() == Some(&context);
        if !goes_on && self.context.is_some() {
            let kept = self.kept.clone();
            self.push(
                call_location(asked.key),
                EntryKind::Renewed(Renewal { kept }),
            );
            self.bytes = 0;
        }
        self.context = Some(context);
        self.bytes += told.iter().map(|it| it.text.len() as u64).sum::<u64>();
        let heard = usize::try_from(asked.user_inputs).unwrap_or(usize::MAX);
        let heard = words.get(..heard).unwrap_or(words);
        let new = heard.get(self.heard..).unwrap_or_default();
        self.heard = self.heard.max(heard.len());
        let notes = new.iter().filter_map(|word| match word {
            UserInput::Note(note) => Some(note.text.as_str()),
            UserInput::Ran(_) => None,
        });
        let notes: Vec<_> = notes.collect();
        self.turn = self.turn.saturating_add(1);
        let said = EntryKind::Prompt(notes.join("\n\n").into());
        let prompt = self.push(call_location(asked.key), said);
        self.kept.push(prompt);
        for text in told {
            self.add_loaded_text(asked.key, text);
        }
        for word in new {
            if let UserInput::Ran(ran) = word {
                let failure = (ran.run.exit != Some(0)).then_some(Failure {
                    recorded: true,
                    exit: ran.run.exit.map(i64::from),
                });
                let (name, text) = (ran.id.to_string(), ran.run.output.clone());
                let arguments = json!({ "command": ran.run.command });
                self.add_tool_call(asked.key, &name, (ToolKind::Run, arguments), text, failure);
            }
        }
    }

    /// Adds a text that is neither the seat's own nor the user's.
    pub(super) fn add_loaded_text(&mut self, key: AskKey, told: ToldText) {
        let loaded = Loaded {
            kind: told.kind,
            text: told.text.into(),
        };
        self.push(call_location(key), EntryKind::Loaded(loaded));
    }

    /// Adds the seat's reply.
    pub(super) fn add_reply(&mut self, key: AskKey, text: &str, took: &CallTokens<'_>) {
        self.bytes += text.len() as u64;
        self.push(
            call_location(key),
            EntryKind::Text(reply_words(text).into()),
        );
        self.add_usage(key, took);
    }

    /// Adds a call without a reply.
    pub(super) fn add_lost_call(&mut self, lost: &Lost, took: Option<&CallTokens<'_>>) {
        if let Some(took) = took {
            self.add_usage(lost.key, took);
        }
        self.push(call_location(lost.key), EntryKind::Aborted);
    }

    fn add_usage(&mut self, key: AskKey, took: &CallTokens<'_>) {
        let usage = took.usage;
        let known = took.is_one_call && !usage.estimated;
        self.call = self.call.saturating_add(1);
        let counted = CallUsage {
            key: format!("{key}/{}", self.call),
            model: took.model.map(str::to_owned),
            tokens: Tokens {
                input: usage.input,
                cached: usage.cached,
                output: usage.output,
                ..Tokens::default()
            },
            fill: match known {
                true => usage.total_tokens(),
                false => agon_prompt::estimate_tokens(self.bytes),
            },
            purpose: Purpose::Work,
            replaces: None,
        };
        self.push(call_location(key), EntryKind::Usage(counted));
    }

    /// Adds files that the tool changed in its working copy.
    pub(super) fn add_changed_files(&mut self, key: AskKey, files: &[String]) {
        for file in files {
            let call = (ToolKind::Edit, json!({ "path": file }));
            self.add_tool_call(key, "changed file", call, String::new(), None);
        }
    }

    /// Adds the check results of the citations in the reply.
    pub(super) fn add_citation_checks(&mut self, key: AskKey, stamps: &[GroundStamp]) {
        for found in stamps.iter().filter_map(LookUp::from_stamp) {
            let call = (found.kind, found.arguments);
            self.add_tool_call(key, CITATION, call, found.text, found.failure);
        }
    }

    fn add_tool_call(
        &mut self,
        key: AskKey,
        name: &str,
        (kind, arguments): (ToolKind, Value),
        text: String,
        failure: Option<Failure>,
    ) {
        let id = format!("{key}/{}", self.index);
        let call = ToolCall {
            id: id.clone(),
            name: name.to_owned(),
            kind,
            arguments,
        };
        let result = ToolResult {
            call: id,
            text: text.into(),
            whole: None,
            failure,
        };
        let call = self.push(call_location(key), EntryKind::Call(call));
        let result = self.push(call_location(key), EntryKind::Result(result));
        self.kept.extend([call, result]);
    }
}

fn call_location(key: AskKey) -> Location {
    Location::Row {
        table: ASK.to_owned(),
        id: key.to_string(),
    }
}
