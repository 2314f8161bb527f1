//! Reads the session of a seat from the folder of its debate.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use agon_folder::{Problem, Recorded, View, ViewError};
use agon_prompt::{Part, prompt_with_user_words};
use agon_record::event::{Asked, Event, Given, Reply};
use agon_record::id::{AskKey, Seat};
use agon_record::state::State;
use agon_sessions::{
    Entry, LoadedKind, ProblemKind, ReadError, ReadProgress, RecordProblem, RecordedSession,
    SessionHost, SessionReader,
};
use agon_store::{Layout, RealDisk};
use jiff::Timestamp;

use super::stream::{CallTokens, SeatStream, ToldText};

/// The transport with which a tool makes one model call per answer.
const ONE_CALL: &str = "http";

/// Returns the seats that have a session, which are those whose tools were called.
pub fn seats_with_sessions(state: &State) -> Vec<Seat> {
    let is_tool = |seat: &Seat| state.seats.get(seat).is_some_and(|it| !it.is_human());
    let is_asked = |seat: &Seat| {
        let mut turns = state.turns.iter().filter(|(turn, _)| turn.seat == *seat);
        turns.any(|(_, turn)| turn.asks.iter().any(|ask| ask.asked.is_some()))
    };
    let seats = state.seats.keys().copied();
    seats.filter(|it| is_tool(it) && is_asked(it)).collect()
}

/// Reads the session of a seat, and continues where it stopped when the debate has grown.
///
/// Prompts are rebuilt from the record. Those of another version are rebuilt with the current
/// wording, which is reported as a problem.
#[derive(Debug)]
pub struct SeatReader {
    folder: PathBuf,
    seat: Seat,
    session: RecordedSession,
    state: Option<State>,
    /// The number of events that were read.
    events: usize,
    stream: SeatStream,
    calls: BTreeMap<AskKey, OpenCall>,
    notes: Notes,
    problems: Vec<RecordProblem>,
}

/// A call without an outcome.
#[derive(Debug)]
struct OpenCall {
    asked: Asked,
    told: Vec<ToldText>,
    changed: Vec<String>,
}

/// The parts of the session that differ from what really happened.
#[derive(Clone, Copy, Debug, Default)]
struct Notes {
    /// Texts in the wording of another version of Agon.
    reworded: u64,
    /// The calls for which the tool did not report tokens.
    estimated: u64,
    /// Replies that are missing.
    missing: u64,
}

impl SeatReader {
    /// Returns a reader for the session of `seat` in the debate folder `folder`.
    pub fn new(folder: &Path, seat: Seat, id: &str) -> Self {
        let journal = Layout::new(folder).journal();
        Self {
            folder: folder.to_owned(),
            seat,
            session: RecordedSession::new(SessionHost::Agon, id, journal),
            state: None,
            events: 0,
            stream: SeatStream::default(),
            calls: BTreeMap::new(),
            notes: Notes::default(),
            problems: Vec::new(),
        }
    }

    fn read_event(&mut self, recorded: &Recorded) -> io::Result<()> {
        let event = &recorded.event;
        self.stream.time = i64::try_from(recorded.at_ms)
            .ok()
            .and_then(|at| Timestamp::from_millisecond(at).ok());
        let Some(mut state) = self.state.take() else {
            let state = State::replay([event]).map_err(io::Error::other)?;
            self.session.started = self.stream.time;
            self.state = Some(state);
            return Ok(());
        };
        self.add_event(&state, event);
        let applied = state.apply(event).map_err(io::Error::other);
        self.state = Some(state);
        applied
    }

    /// Adds an event that follows `state`.
    fn add_event(&mut self, state: &State, event: &Event) {
        match event {
            Event::Asked(asked) if asked.key.turn.seat == self.seat => {
                self.session.title = Some(format!("{}: {}", asked.tool, state.spec.topic));
                let told = self.collect_told_texts(state, asked);
                let call = OpenCall {
                    asked: asked.clone(),
                    told,
                    changed: Vec::new(),
                };
                self.calls.insert(asked.key, call);
            }
            Event::Touched { key, changed } => {
                if let Some(call) = self.calls.get_mut(key) {
                    call.changed.extend(changed.iter().cloned());
                }
            }
            Event::Given(given) if given.key.turn.seat == self.seat => self.add_reply(state, given),
            Event::Lost(lost) if lost.key.turn.seat == self.seat => {
                let Some(model) = self.add_call(state, lost.key) else {
                    return;
                };
                let took = lost.usage.as_ref().map(|usage| CallTokens {
                    usage,
                    model: model.as_deref(),
                    is_one_call: false,
                });
                self.stream.add_lost_call(lost, took.as_ref());
            }
            Event::Stamped { key, stamps, .. } if key.turn.seat == self.seat => {
                self.stream.add_citation_checks(*key, stamps);
            }
            _ => {}
        }
    }

    fn add_reply(&mut self, state: &State, given: &Given) {
        let Some(asked_model) = self.add_call(state, given.key) else {
            return;
        };
        let model = given.model.clone().or(asked_model);
        if let Some(model) = &model {
            self.session.add_model(model);
        }
        self.notes.estimated += u64::from(given.usage.estimated);
        let text = match &given.reply {
            Reply::Text(text) => text.as_str(),
            Reply::Blob { .. } => {
                self.notes.missing += 1;
                ""
            }
        };
        let seating = state.seats.get(&self.seat);
        let took = CallTokens {
            usage: &given.usage,
            model: model.as_deref(),
            is_one_call: seating.is_some_and(|it| it.transport == ONE_CALL),
        };
        self.stream.add_reply(given.key, text, &took);
    }

    /// Adds the texts that the seat received in a call that now has an outcome. Returns the
    /// requested model.
    fn add_call(&mut self, state: &State, key: AskKey) -> Option<Option<String>> {
        let call = self.calls.remove(&key)?;
        self.stream.add_call(&call.asked, &state.words, call.told);
        self.stream.add_changed_files(key, &call.changed);
        Some(call.asked.model)
    }

    /// Returns the texts that a call gives its seat, except the user's own.
    fn collect_told_texts(&mut self, state: &State, asked: &Asked) -> Vec<ToldText> {
        let prompt = prompt_with_user_words(state, asked.key, asked.user_inputs);
        let is_same_length = prompt.parts.len() == asked.parts.len();
        let told = asked.sent_parts.as_ref().filter(|_| is_same_length);
        let mut texts = Vec::new();
        for (at, part) in (0_u32..).zip(&prompt.parts) {
            if told.is_some_and(|told| !told.contains(&at)) {
                continue;
            }
            let was = asked.parts.get(usize::try_from(at).unwrap_or(usize::MAX));
            self.notes.reworded += u64::from(was.is_none_or(|it| it.hash != part.hash()));
            if let Some(kind) = loaded_kind(part) {
                let brief = part.brief.as_ref().filter(|_| told.is_some());
                let text = brief.unwrap_or(&part.text).as_str().to_owned();
                texts.push(ToldText { kind, text });
            }
        }
        texts
    }

    fn find_problems(&self, view: &View) -> Vec<RecordProblem> {
        let problem = |kind, detail: String, count| RecordProblem {
            kind,
            location: None,
            detail: Some(detail),
            count,
        };
        let of_folder = view.problems.iter().filter_map(|it| match it {
            // Not a problem: `read` reports the length of an unfinished line.
            Problem::Torn { .. } => None,
            Problem::BlobMissing { .. } => {
                Some(problem(ProblemKind::MissingFile, it.to_string(), 1))
            }
            _ => Some(problem(ProblemKind::Damaged, it.to_string(), 1)),
        });
        let notes = [
            (
                ProblemKind::UnknownKind,
                "prompts of another version, rebuilt with the current wording",
                self.notes.reworded,
            ),
            (
                ProblemKind::Tokens,
                "calls whose tokens are estimated by Agon",
                self.notes.estimated,
            ),
            (
                ProblemKind::MissingFile,
                "replies that are missing",
                self.notes.missing,
            ),
        ];
        let notes = notes.into_iter().filter(|(_, _, count)| *count > 0);
        let notes = notes.map(|(kind, detail, count)| problem(kind, detail.to_owned(), count));
        of_folder.chain(notes).collect()
    }
}

/// Returns the kind of a prompt's part in a session; `None` for the user's own words, which are
/// separate entries.
fn loaded_kind(part: &Part) -> Option<LoadedKind> {
    match part.kind {
        "note" | "run" => None,
        "role" | "rules" | "open" | "challenge" | "again" | "contract" | "question" => {
            Some(LoadedKind::System)
        }
        "motion" | "thesis" => Some(LoadedKind::Instructions),
        _ => Some(LoadedKind::Surroundings),
    }
}

impl SessionReader for SeatReader {
    fn session(&self) -> &RecordedSession {
        &self.session
    }

    fn read(&mut self, give: &mut dyn FnMut(Entry)) -> Result<ReadProgress, ReadError> {
        let journal = self.session.file.clone();
        let unreadable = |source| ReadError::File {
            path: journal.clone(),
            source,
        };
        let view = View::read(&RealDisk, &self.folder).map_err(|error| {
            unreadable(match error {
                ViewError::Unreadable { fault, .. } => io::Error::other(fault),
                other => io::Error::other(other),
            })
        })?;
        let Some(new) = view.events.get(self.events..) else {
            return Err(ReadError::Replaced { path: journal });
        };
        for recorded in new {
            self.read_event(recorded).map_err(unreadable)?;
        }
        self.events = view.events.len();
        self.problems = self.find_problems(&view);
        let entries = std::mem::take(&mut self.stream.entries);
        let unfinished = view.problems.iter().find_map(|it| match it {
            Problem::Torn { bytes } => Some(*bytes),
            _ => None,
        });
        let progress = ReadProgress {
            entries: entries.len() as u64,
            bytes: std::fs::metadata(&journal).map_or(0, |it| it.len()),
            unfinished: unfinished.unwrap_or(0),
        };
        entries.into_iter().for_each(give);
        Ok(progress)
    }

    fn problems(&self) -> &[RecordProblem] {
        &self.problems
    }
}
