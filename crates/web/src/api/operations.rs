//! The operations, one entry each.

use std::pin::Pin;

use agon_caller::usage::UsageGrouping;
use agon_caller::{Caller, Code, Failure, IgnoreNotes};
use agon_debates::past::{recall, search, usage};
use agon_debates::read::show;
use agon_debates::run::duel;
use agon_debates::status::outcome::Outcome;
use agon_debates::status::{inspect_debate, list};
use agon_seats::tools::overview;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::body::{self, EmptyBody, ExtendBody, NoteBody};
use crate::collected::Collected;
use crate::fields::Fields;
use crate::find::find_debate;
use crate::start::StartBody;
use crate::steering::{Steering, outcome, to_json as document};

/// Maximum number of debates or decisions in a reply.
const MAX_ENTRIES: usize = 1_000;

/// A request to an operation.
pub(super) struct OperationCall<'a> {
    pub(super) caller: &'a Caller,
    /// The debate in the address; empty if there is none.
    pub(super) name: String,
    pub(super) query: Fields,
    /// The body of a write.
    pub(super) body: Value,
}

type Answered<'a> = Pin<Box<dyn Future<Output = Result<Value, Failure>> + 'a>>;

/// A parameter of the address after `?`.
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) is_needed: bool,
}

/// An operation.
pub(crate) struct Operation {
    pub(super) id: &'static str,
    pub(super) path: &'static str,
    pub(super) about: &'static str,
    pub(super) parameters: &'static [Parameter],
    /// The schema of the body; `None` for an operation that only reads.
    pub(super) body: Option<fn() -> schemars::Schema>,
    /// The names of the documents, one of which it returns.
    pub(super) replies: &'static [&'static str],
    pub(super) run: for<'a> fn(OperationCall<'a>) -> Answered<'a>,
}

impl Operation {
    /// Returns whether people who may only watch have it.
    pub(crate) fn is_shared(&self) -> bool {
        // Asking for the tools starts them, to see who is logged in.
        self.body.is_none() && self.path != "/api/tools"
    }
}

/// Every operation, in the order of the OpenAPI document.
pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        id: "listDebates",
        path: "/api/debates",
        about: "List the debates of the project, the latest first",
        parameters: &[],
        body: None,
        replies: &["list"],
        run: |asked| {
            Box::pin(async move { document(&list::list(asked.caller, Some(MAX_ENTRIES))?) })
        },
    },
    Operation {
        id: "startDebate",
        path: "/api/debates",
        about: "Start a debate in the background, or return its plan",
        parameters: &[],
        body: Some(|| schemars::schema_for!(StartBody)),
        replies: &["started", "plan", "result"],
        run: |asked| Box::pin(start(asked)),
    },
    Operation {
        id: "readDebate",
        path: "/api/debates/{name}",
        about: "Read the result of a debate, or its state so far",
        parameters: &[],
        body: None,
        replies: &["result"],
        run: |asked| Box::pin(async move { read(&asked) }),
    },
    Operation {
        id: "readStatus",
        path: "/api/debates/{name}/status",
        about: "Read whether a debate runs, in about 100 tokens",
        parameters: &[],
        body: None,
        replies: &["status"],
        run: |asked| {
            Box::pin(async move {
                let path = find_debate(asked.caller, &asked.name)?;
                document(&inspect_debate(&path)?.document())
            })
        },
    },
    Operation {
        id: "addNote",
        path: "/api/debates/{name}/note",
        about: "Add a note that every seat sees from now on",
        parameters: &[],
        body: Some(|| schemars::schema_for!(NoteBody)),
        replies: &["said"],
        run: |asked| Box::pin(steer(asked, |note: NoteBody| Steering::Note(note.text))),
    },
    Operation {
        id: "judgeNow",
        path: "/api/debates/{name}/judge",
        about: "Send a debate to the judge now",
        parameters: &[],
        body: Some(|| schemars::schema_for!(EmptyBody)),
        replies: &["ordered"],
        run: |asked| Box::pin(steer(asked, |_: EmptyBody| Steering::Judge)),
    },
    Operation {
        id: "stopDebate",
        path: "/api/debates/{name}/stop",
        about: "Stop a running debate; nothing is lost",
        parameters: &[],
        body: Some(|| schemars::schema_for!(EmptyBody)),
        replies: &["stopped"],
        run: |asked| Box::pin(steer(asked, |_: EmptyBody| Steering::Stop)),
    },
    Operation {
        id: "resumeDebate",
        path: "/api/debates/{name}/resume",
        about: "Continue a debate that was stopped or halted, in the background",
        parameters: &[],
        body: Some(|| schemars::schema_for!(EmptyBody)),
        replies: &["started", "result"],
        run: |asked| Box::pin(steer(asked, |_: EmptyBody| Steering::Resume)),
    },
    Operation {
        id: "extendDebate",
        path: "/api/debates/{name}/extend",
        about: "Add rounds to a debate, in the background",
        parameters: &[],
        body: Some(|| schemars::schema_for!(ExtendBody)),
        replies: &["started", "ordered", "result"],
        run: |asked| {
            Box::pin(steer(asked, |more: ExtendBody| Steering::Extend {
                rounds: more.rounds,
                note: more.note,
            }))
        },
    },
    Operation {
        id: "searchDebates",
        path: "/api/search",
        about: "Find the debates that contain all words",
        parameters: &[Parameter {
            name: "q",
            about: "The words",
            is_needed: true,
        }],
        body: None,
        replies: &["search"],
        run: |asked| {
            Box::pin(async move {
                let words = needed(&asked.query, "q")?;
                let found = search::search(asked.caller, words, Some(100), &mut IgnoreNotes)?;
                document(&found)
            })
        },
    },
    Operation {
        id: "recallDecisions",
        path: "/api/recall",
        about: "Find earlier decisions near a topic",
        parameters: &[Parameter {
            name: "topic",
            about: "The topic",
            is_needed: true,
        }],
        body: None,
        replies: &["recall"],
        run: |asked| {
            Box::pin(async move {
                let topic = needed(&asked.query, "topic")?;
                document(&recall::recall(
                    asked.caller,
                    topic,
                    None,
                    &mut IgnoreNotes,
                )?)
            })
        },
    },
    Operation {
        id: "readUsage",
        path: "/api/usage",
        about: "Read what the debates of the project cost, by tool",
        parameters: &[],
        body: None,
        replies: &["usage"],
        run: |asked| {
            Box::pin(async move {
                let by = UsageGrouping::Tool;
                document(&usage::usage(asked.caller, None, by, &mut IgnoreNotes)?)
            })
        },
    },
    Operation {
        id: "listTools",
        path: "/api/tools",
        about: "List the AI tools of this computer and whether they can debate",
        parameters: &[],
        body: None,
        replies: &["tools"],
        run: |asked| Box::pin(async move { document(&overview::document(asked.caller).await?) }),
    },
];

fn needed<'a>(query: &'a Fields, name: &str) -> Result<&'a str, Failure> {
    query.text(name).ok_or_else(|| {
        let message = format!("missing parameter `{name}`");
        Failure::new(Code::MissingParameter, message).parameter(name)
    })
}

async fn start(asked: OperationCall<'_>) -> Result<Value, Failure> {
    let start: StartBody = body::read(asked.body)?;
    let mut front = Collected::new();
    let document = match duel::start(asked.caller, &start.into_request(), &mut front).await? {
        Outcome::Ended(ended) => document(&ended.started_document())?,
        other => outcome(&other)?,
    };
    Ok(with_notes(document, front.notes))
}

fn read(asked: &OperationCall<'_>) -> Result<Value, Failure> {
    let debate = find_debate(asked.caller, &asked.name)?;
    let debate = debate.display().to_string();
    let shown = show::show(asked.caller, Some(&debate), &mut IgnoreNotes)?;
    document(&shown.ended.document())
}

/// Does to the debate in the address what the body says.
async fn steer<T: DeserializeOwned>(
    asked: OperationCall<'_>,
    steering: impl FnOnce(T) -> Steering,
) -> Result<Value, Failure> {
    let path = find_debate(asked.caller, &asked.name)?;
    let steering = steering(body::read(asked.body)?);
    let steered = steering.run(asked.caller, &path).await?;
    Ok(with_notes(steered.document, steered.notes))
}

/// Adds the notes to a document; without any, it has no such field.
fn with_notes(mut document: Value, notes: Vec<String>) -> Value {
    if !notes.is_empty()
        && let Some(fields) = document.as_object_mut()
    {
        fields.insert("notes".to_owned(), notes.into());
    }
    document
}
