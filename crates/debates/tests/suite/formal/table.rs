//! A place with scripted tools, and a formal debate between them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agon_caller::Failure;
use agon_debates::request::{
    JudgesRequest, NewRequest, PlayRequest, ResumeRequest, SeatRequest, SeatsRequest,
};
use agon_debates::run::formal_run::{self, NewFormalDebate};
use agon_debates::run::resume::resume;
use agon_debates::status::outcome::Outcome;
use agon_testkit::{FakeTools, Script};
use serde_json::Value;
use tokio::task::LocalSet;

use crate::front::Recorder;
use crate::place::Place;
use crate::tree::tree;

/// The motion of the scripted debate.
pub(super) const MOTION: &str = "This house would read every change before it is merged";

/// A place with three scripted tools.
pub(super) struct Table {
    pub(super) place: Place,
}

impl Table {
    /// Returns a place without a debate.
    pub(super) fn bare() -> Self {
        let place = Place::scripted(&Script::formal());
        Self { place }
    }

    /// Returns a place with the open debate `s`.
    pub(super) async fn laid() -> Self {
        let table = Self::bare();
        table.open(&named("s")).await.unwrap();
        table
    }

    /// Returns a place in which the opening exchange of `s` was played.
    pub(super) async fn after_opening() -> Self {
        let table = Self::laid().await;
        let seats = seats("claude", "codex", "gemini");
        let opening = PlayRequest {
            seats,
            ..rebuttals(0)
        };
        table.play(&opening).await.unwrap();
        table
    }

    pub(super) fn tools(&self) -> &FakeTools {
        &self.place.tools
    }

    /// Opens a debate.
    pub(super) async fn open(&self, request: &NewRequest) -> Result<NewFormalDebate, Failure> {
        formal_run::open(&self.place.caller, request, &mut Recorder::default()).await
    }

    /// Plays exchanges; returns the failure if the run fails.
    pub(super) async fn play(&self, request: &PlayRequest) -> Result<(), Failure> {
        let mut front = Recorder::default();
        let played = formal_run::play(&self.place.caller, request, &mut front);
        ended(LocalSet::new().run_until(played).await?)
    }

    /// Resumes `s`.
    pub(super) async fn resume(&self) -> Result<(), Failure> {
        let request = ResumeRequest {
            debate: Some("s".to_owned()),
            ..ResumeRequest::default()
        };
        let mut front = Recorder::default();
        let resumed = resume(&self.place.caller, &request, &mut front);
        ended(LocalSet::new().run_until(resumed).await?)
    }

    /// Returns the turns that tools were asked for after the first `before`, sorted by name; `#1`
    /// marks a repeated one.
    pub(super) fn asks_since(&self, before: usize) -> Vec<String> {
        let asks = self.tools().asks().into_iter().skip(before);
        let turn = asks.map(|call| format!("{}#{}", call.turn.unwrap_or_default(), call.again));
        let mut turns: Vec<_> = turn.collect();
        turns.sort();
        turns
    }

    /// Returns the folder of debates.
    pub(super) fn debates(&self) -> PathBuf {
        self.place.caller.cwd.join("debates")
    }

    /// Returns everything in the folder of `s` except `.agon`.
    pub(super) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = tree(&self.debates().join("s"));
        files.retain(|name, _| !name.starts_with(".agon/"));
        files
    }

    /// Returns the front matter of `debate.md`.
    pub(super) fn front(&self) -> Value {
        let file = &self.files()["debate.md"];
        let mut values = serde_json::Deserializer::from_slice(file).into_iter::<Value>();
        values.next().unwrap().unwrap()
    }
}

fn ended(outcome: Outcome) -> Result<(), Failure> {
    match outcome {
        Outcome::Ended(ended) => ended.failure.map_or(Ok(()), Err),
        other => panic!("{other:?}"),
    }
}

/// Returns the request to open a debate of this name.
pub(super) fn named(slug: &str) -> NewRequest {
    NewRequest {
        slug: Some(slug.to_owned()),
        motion: Some(MOTION.to_owned()),
        ..NewRequest::default()
    }
}

/// Returns the request for this many rebuttals of `s` by its current tools.
pub(super) fn rebuttals(exchanges: u16) -> PlayRequest {
    PlayRequest {
        debate: Some("s".to_owned()),
        exchanges: Some(exchanges),
        ..PlayRequest::default()
    }
}

/// Returns these tools in the seats; an empty name keeps the previous tool.
pub(super) fn seats(proposition: &str, opposition: &str, judge: &str) -> SeatsRequest {
    let name = |tool: &str| (!tool.is_empty()).then(|| tool.to_owned());
    let seat = |tool: &str| SeatRequest {
        tool: name(tool),
        ..SeatRequest::default()
    };
    SeatsRequest {
        sides: [seat(proposition), seat(opposition)],
        judges: JudgesRequest {
            tools: name(judge).into_iter().collect(),
            ..JudgesRequest::default()
        },
        ..SeatsRequest::default()
    }
}
