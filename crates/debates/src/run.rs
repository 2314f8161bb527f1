//! Runs a debate from opening to end.

pub(crate) mod detach;
pub mod duel;
pub mod extend;
pub mod formal_run;
pub(crate) mod last_debate;
mod opening;
pub mod resume;
pub(crate) mod reuse;
mod spec;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_caller::environments::background_program;
use agon_caller::guard::with_guard;
use agon_caller::{Caller, Failure, find};
use agon_engine::host::{FolderHost, Host};
use agon_engine::run::{RunEnd, run_debate};
use agon_engine::run_context::RunContext;
use agon_record::format::Judging;
use agon_record::spec::{Context, Seating, Spec};
use agon_record::state::State;
use agon_redact::Redactor;
use agon_seats::tools::Tools;
use agon_verdict::fixed_line::fixed_line;

use crate::failure::{run_failure, stopped_failure, store_failure};
use crate::front::{Beginning, FrontEnd};
use crate::limits::expectation::Expectation;
use crate::limits::{grants, spending};
use crate::live::{LiveFeed, LiveObserver};
use crate::person::{self, Person};
use crate::report::record_verdict;
use crate::request::options::RunOptions;
use crate::run::opening::{EarlierStart, StartResult, open_unless_started};
use crate::run::reuse::{EarlierDebate, EarlierStarts};
use crate::seat::lost_seat;
use crate::sources::untracked;
use crate::sources::{self, PinnedWithFiles};
use crate::status::ending;
use crate::status::outcome::{Ended, Outcome};

/// A debate to open.
pub(crate) struct NewDebate {
    /// The fixed properties of the debate.
    pub spec: Spec,
    /// The source that its citations are checked against.
    pub pin: Option<PinnedWithFiles>,
    /// Whether to open it even if an identical one was started before.
    pub again: bool,
    /// Whether to return an identical earlier debate instead.
    pub reuse: bool,
}

/// Opens and runs a debate, or returns an identical earlier one.
///
/// # Errors
///
/// If it cannot be opened or continued, or ends without a verdict.
pub(crate) async fn start(
    caller: &Caller,
    options: &RunOptions,
    new: NewDebate,
    tools: &Tools,
    front: &mut dyn FrontEnd,
) -> Result<Outcome, Failure> {
    let NewDebate {
        spec,
        pin,
        again,
        reuse,
    } = new;
    // Fail before anything is written if a seat has no usable tool.
    let seated = spec.seats.values().chain(spec.substitutes());
    tools.agents(seated.clone())?;
    if options.detach {
        background_program(caller)?;
        tools.require_configured(seated.clone())?;
    }
    if matches!(spec.context, Context::Repo(_)) {
        tools.require_folder_access(seated)?;
    }
    let parent = caller.cwd.join(&options.debates_dir);
    untracked::announce_debates(caller, &parent, front).await;
    let treatment = match (again, options.detach || reuse) {
        (true, _) => EarlierStart::Ignored,
        (false, true) => EarlierStart::Returned,
        (false, false) => EarlierStart::Noted,
    };
    // Before the lock, because a first look reads every journal of the last hour, and a first list
    // reads every debate.
    let mut starts = EarlierStarts::new(&parent);
    let mut same_question = None;
    if treatment != EarlierStart::Ignored {
        match starts.find(&spec)? {
            Some(earlier) if treatment == EarlierStart::Returned => {
                return reuse::earlier_outcome(caller, options, earlier.clone(), front);
            }
            None if caller.is_watched => {
                same_question = reuse::same_question_note(caller, &parent, &spec, front)?;
            }
            _ => {}
        }
    }
    let (id, wanted, tokens) = (spec.ulid, spec.slug.clone(), spec.caps.tokens);
    let before_naming = |earlier: Option<&EarlierDebate>| {
        if let Some(earlier) = earlier {
            front.note(&format!(
                "note: the same debate was started {} min ago: agon show {}",
                earlier.minutes,
                find::typeable_debate_name(caller, earlier.path())
            ));
        } else if let Some(note) = same_question {
            front.note(&note);
        }
        spending::reserve(caller, id, 0, tokens, front)
    };
    let kept = pin.map_or_else(Vec::new, |pin| pin.kept);
    let kept: Vec<&[u8]> = kept.iter().map(|bytes| &**bytes).collect();
    grants::record_intent(caller, &spec);
    let opened = open_unless_started(starts, spec, &kept, treatment, before_naming);
    let opened = opened.inspect_err(|_| {
        spending::settle(caller, id, 0);
        grants::forget_intent(caller, id);
    });
    let host = match opened? {
        StartResult::New(host) => *host,
        StartResult::Earlier(earlier) => {
            grants::forget_intent(caller, id);
            return reuse::earlier_outcome(caller, options, *earlier, front);
        }
    };
    grants::record_opening(caller, host.folder().path(), host.state());
    let wanted = (!wanted.is_empty()).then_some(wanted);
    find::note_changed_name(wanted.as_deref(), &host.state().spec.slug, front);
    let run = DebateRun {
        caller,
        options,
        tools,
    };
    run.run_or_detach(host, Person::default(), front).await
}

/// A run of a debate.
pub(crate) struct DebateRun<'a> {
    /// The caller.
    pub caller: &'a Caller,
    /// The options.
    pub options: &'a RunOptions,
    /// The tools that it calls.
    pub tools: &'a Tools,
}

impl DebateRun<'_> {
    /// Runs the debate of `host` until it ends or is stopped, with `person` in a seat; or starts a
    /// background process that does.
    ///
    /// # Errors
    ///
    /// If it cannot continue, or ends without a verdict.
    pub(crate) async fn run_or_detach(
        &self,
        mut host: FolderHost,
        mut person: Person,
        front: &mut dyn FrontEnd,
    ) -> Result<Outcome, Failure> {
        grants::extend_grant(self.caller, host.folder().path(), host.state());
        if self.options.detach {
            let state = host.state().clone();
            let detached = detach::detach(self.caller, self.options, host);
            if detached.is_err() {
                spending::settle_debate(self.caller, &state);
            }
            return detached;
        }
        let mut is_first = true;
        let mut newer = None;
        loop {
            let tools = newer.as_ref().unwrap_or(self.tools);
            let folder = self.caller.display_path(host.folder().path());
            if !is_first {
                // Reserve again, because the reservation was released when the debate stopped.
                spending::reserve_for_debate(self.caller, host.state(), front)?;
            }
            let ended = self
                .run_until_end_or_person(&mut host, tools, is_first, front)
                .await;
            spending::settle_debate(self.caller, host.state());
            let ended = ended?;
            if ended == RunEnd::Settled
                && let Some(continuation) =
                    lost_seat::continue_after_loss(self.caller, &mut host, front).await?
            {
                grants::extend_grant(self.caller, host.folder().path(), host.state());
                newer = continuation.tools.or(newer);
                is_first = false;
                continue;
            }
            match ended {
                RunEnd::Awaits => {}
                RunEnd::Settled | RunEnd::Stopped => {
                    let verdict = host.verdict().into();
                    let ended = ending::ended_with_verdict(host.state().clone(), folder);
                    if ended.is_err()
                        && let Some(fixed) = fixed_line(host.state())
                    {
                        front.note(&fixed);
                    }
                    let ended = ended?;
                    if front.records_verdict() {
                        record_verdict(self.caller, host.folder().path(), front);
                    }
                    return Ok(Outcome::ended(Ended { verdict, ..ended }));
                }
            }
            is_first = false;
            let (state, verdict) = (host.state().clone(), host.verdict().into());
            match person::ask_awaited_person(self.caller, host, &mut person, front).await? {
                Some(answered) => host = answered,
                None => {
                    let waits = person::describe_awaited(&state, &folder);
                    return Ok(Outcome::ended(Ended {
                        waits,
                        verdict,
                        ..Ended::new(state, folder)
                    }));
                }
            }
        }
    }

    /// Runs the debate until it ends or waits for a person. Introduces the debate only the first
    /// time.
    async fn run_until_end_or_person(
        &self,
        host: &mut FolderHost,
        tools: &Tools,
        is_first: bool,
        front: &mut dyn FrontEnd,
    ) -> Result<RunEnd, Failure> {
        let Self {
            caller, options, ..
        } = self;
        let table = self.run_context(host, tools)?;
        let folder = caller.display_path(host.folder().path());
        let expected = Expectation::estimate(&caller.cwd.join(&options.debates_dir), host.state());
        let cancel = front.begin_debate(&Beginning {
            state: host.state(),
            folder: &folder,
            expected,
            is_first,
        })?;
        let feed = LiveFeed::open(caller, &host.state().spec.ulid.to_string()).map(Arc::new);
        let mut observer = LiveObserver::new(front.observer(), feed.as_ref());
        let ended = run_debate(host, &table, &mut observer, &cancel).await;
        front.end_debate();
        let state = host.state();
        let ended = ended.map_err(run_failure)?;
        // Write duels only: the file for the host program consists of rounds, two sides and a
        // verdict.
        if state.format_rules().judging == Judging::AtTheEnd {
            last_debate::write(caller, &options.debates_dir, state)
                .map_err(|error| store_failure(&error))?;
            untracked::exclude_state_from_git(caller, front).await;
        }
        match ended {
            RunEnd::Stopped => Err(stopped_failure(state)),
            RunEnd::Awaits | RunEnd::Settled => Ok(ended),
        }
    }

    /// Returns the tools to call and the source of citations.
    fn run_context(&self, host: &FolderHost, tools: &Tools) -> Result<RunContext, Failure> {
        let caller = self.caller;
        let agents = tools.agents_of_debate(host.state())?;
        let watch = with_guard(caller, host.process_watch());
        let table = RunContext::new(agents, Arc::new(Redactor::new()), watch);
        let mut table = table.with_ask_timeout(self.options.timeout);
        if let Some(source) = sources::reopen(caller, host.folder().path(), host.state())? {
            table = source.attach_to(table, caller, host.state(), tools);
        }
        Ok(table.with_traced_content(is_content_traced(caller)))
    }
}

/// Returns whether traces include prompts and replies, redacted.
fn is_content_traced(caller: &Caller) -> bool {
    let set = caller
        .vars
        .get("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT");
    set.is_some_and(|set| {
        let set = set.trim().to_ascii_lowercase();
        matches!(set.as_str(), "true" | "span_only" | "span_and_event")
    })
}

/// Returns everybody who may be called: seats and substitutes.
pub(crate) fn all_seatings(state: &State) -> impl Iterator<Item = &Seating> {
    state.seats.values().chain(state.all_substitutes())
}

/// Returns the folder of debates that contains the debate in `path`.
pub(crate) fn parent_of(path: &Path) -> PathBuf {
    // Make the path absolute first, because `.` has no parent.
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real.parent().map(ToOwned::to_owned).unwrap_or_default()
}
