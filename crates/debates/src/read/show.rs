//! Shows a debate's verdict, or its progress.

use std::path::Path;

use agon_caller::{Caller, Code, Failure, Hint, Notes, find};
use agon_folder::{Writer, current_writer};
use agon_record::finding::Finding;
use agon_record::format::Judging;
use agon_record::id::{NodeId, Stage};
use agon_record::state::State;
use agon_report::screen::NextStep;
use agon_report::text::plain_line;
use agon_rules::format::{Phase, debate_phase, first_unjudged_exchange};
use agon_rules::plan;
use agon_store::RealDisk;

use crate::person;
use crate::read::findings::recorded_findings;
use crate::read::section::{PointDoc, Section, SectionDoc};
use crate::status::choose::LikelyDebate;
use crate::status::outcome::Ended;
use crate::status::{choose, ending};

/// A debate as stored in its folder.
#[derive(Clone, Debug)]
pub struct ShownDebate {
    /// Its result so far.
    pub ended: Ended,
    /// Whether it is closed.
    pub is_closed: bool,
    /// Whether it has a verdict and no further turn is pending.
    pub has_verdict: bool,
    /// Whether a process is running it.
    pub is_running: bool,
}

impl ShownDebate {
    /// Returns the first `limit` entries of a section, for programs.
    pub fn section(&self, section: Section, limit: Option<usize>) -> SectionDoc<'_> {
        SectionDoc::new(&self.ended.state, section, limit)
    }

    /// Returns the first `limit` recorded findings, turn by turn.
    pub fn findings(&self, limit: usize) -> Vec<Finding> {
        let mut findings = recorded_findings(&self.ended.state);
        findings.truncate(limit);
        findings
    }

    /// Returns the point `id`, for programs.
    ///
    /// # Errors
    ///
    /// If it does not exist.
    pub fn point(&self, id: NodeId) -> Result<PointDoc<'_>, Failure> {
        PointDoc::find(&self.ended.state, id).ok_or_else(|| self.no_such_point(id))
    }

    /// Returns the failure for a point that does not exist.
    pub fn no_such_point(&self, id: NodeId) -> Failure {
        let state = &self.ended.state;
        let (slug, name) = (plain_line(&state.spec.slug), state.command_name());
        let message = format!("{slug} has no point {id}");
        Failure::new(Code::UnknownPoint, message)
            .parameter("point")
            .hint(
                Hint::new("run ")
                    .command(format!("show {name} --section arguments"))
                    .text(" for a list"),
            )
    }

    /// Returns the next step for the user.
    pub fn next_step(&self) -> NextStep {
        let Ended { state, folder, .. } = &self.ended;
        if self.is_running {
            let name = state.command_name();
            return NextStep::Running(format!("agon watch {name} · agon stop {name}"));
        }
        match ending::verdict_authority(state) {
            Err(failure) if state.halted.is_some() => NextStep::Fix {
                because: failure.message,
                hint: failure.hint.map(|hint| hint.typed()),
            },
            Ok(_) | Err(_) if !plan::asks_awaiting_only_person(state).is_empty() => {
                NextStep::Answer(person::describe_awaited(state, folder))
            }
            ending => NextStep::Command(next_command(state, ending.is_ok())),
        }
    }
}

fn next_command(state: &State, is_at_rest: bool) -> String {
    let name = state.command_name();
    match state.format_rules().judging {
        Judging::EachRound if is_at_rest => format!("agon run {name} 3 · agon report {name}"),
        Judging::EachRound | Judging::AtTheEnd => format!("agon resume {name}"),
    }
}

/// Loads the debate `name`: a folder, a name or an id; `None` means the latest.
///
/// # Errors
///
/// If it does not exist, or nothing of it can be read.
pub fn show(
    caller: &Caller,
    name: Option<&str>,
    notes: &mut dyn Notes,
) -> Result<ShownDebate, Failure> {
    let path = choose::find_or_choose(caller, name, LikelyDebate::Latest, notes)?;
    let view = find::read_for(caller, &path)?;
    find::note_problems(caller, &path, &view, notes);
    let writer = current_writer(&RealDisk, &path);
    let is_running = matches!(writer, Ok(Writer::Process(_)));
    Ok(ShownDebate {
        is_running,
        is_closed: debate_phase(&view.state) == Phase::Closed,
        has_verdict: has_verdict(&view.state, is_running),
        ended: ending::ended_earlier(view.state, display_folder(caller, &path)),
    })
}

/// Returns whether a duel is closed, or the last exchange of a formal debate is judged and no other
/// has begun.
fn has_verdict(state: &State, is_running: bool) -> bool {
    if state.format_rules().judging == Judging::AtTheEnd {
        return debate_phase(state) == Phase::Closed;
    }
    let next = first_unjudged_exchange(state);
    let begun = state
        .turns
        .keys()
        .any(|turn| turn.stage == Stage::Round(next));
    let is_at_rest = ending::verdict_authority(state).is_ok();
    state.last_judged_exchange().is_some() && is_at_rest && !begun && !is_running
}

/// Parses `name` as a point, unless a debate has that name.
pub fn point_unless_debate_name(caller: &Caller, name: Option<&str>) -> Option<NodeId> {
    let name = name?;
    let point = name.parse().ok()?;
    find::find_debate_folder(caller, name)
        .is_err()
        .then_some(point)
}

/// Returns the folder as the user would type it.
fn display_folder(caller: &Caller, path: &Path) -> String {
    if path == caller.cwd {
        return ".".to_owned();
    }
    caller.display_path(path)
}
