//! What comes of a debate that was asked for.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use agon_caller::Failure;
use agon_record::authority::Authority;
use agon_record::id::Seat;
use agon_record::precedent::Precedent;
use agon_record::spec::ReplacedDoc;
use agon_record::spec::{Caps, Seating, Spec};
use agon_record::state::State;
use agon_rules::expected::Expected;
use agon_rules::format::remaining_calls;
use agon_verdict::result::{ResultDoc, result_document};
use agon_verdict::status::{StartedDoc, started_document};
use agon_verdict::verdict::{Verdict, verdict};
use schemars::JsonSchema;
use serde::Serialize;

use crate::limits::expectation::Expectation;

/// What comes of a debate that was asked for.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was only to be shown.
    Planned(Box<Planned>),
    /// It runs by itself.
    Started(Box<Started>),
    /// It is over as far as it goes now.
    Ended(Box<Ended>),
}

impl Outcome {
    pub(crate) fn ended(ended: Ended) -> Self {
        Self::Ended(Box::new(ended))
    }
}

/// A debate that runs no further now: there is a verdict, or it waits for a person.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The debate.
    pub state: State,
    /// Its folder, as it is shown.
    pub folder: String,
    /// The authority of its verdict, once it has one; a formal debate has none.
    pub authority: Option<Authority>,
    /// Whether it was started before.
    pub is_reused: bool,
    /// Whom it waits for, and what they do.
    pub waits: Vec<String>,
    /// Why there is no verdict, where the debate was not run now.
    pub failure: Option<Failure>,
    /// The verdict on it, once it is asked for.
    pub(crate) verdict: OnceLock<Option<Arc<Verdict>>>,
}

impl Ended {
    /// A debate with nothing else to tell of it.
    pub(crate) fn new(state: State, folder: String) -> Self {
        Self {
            state,
            folder,
            authority: None,
            is_reused: false,
            waits: Vec::new(),
            failure: None,
            verdict: OnceLock::new(),
        }
    }

    /// The verdict on it.
    pub fn verdict(&self) -> Option<&Verdict> {
        let find = || verdict(&self.state).map(Arc::new);
        self.verdict.get_or_init(find).as_deref()
    }

    /// The document for a program that wants to start it: it was started before, or needs no wait.
    pub fn started_document(&self) -> StartedDoc {
        started_document(&self.state, &self.folder, false, self.is_reused)
    }

    /// The document for programs.
    pub fn document(&self) -> ResultDoc {
        ResultDoc {
            reused: self.is_reused,
            ..result_document(&self.state, self.verdict(), &self.folder)
        }
    }
}

/// A debate that runs by itself, or was found when it was started again.
#[derive(Clone, Debug)]
pub struct Started {
    /// The debate.
    pub state: State,
    /// Its folder, as it is shown.
    pub folder: String,
    /// Whether a process is at it.
    pub is_live: bool,
    /// Whether it was started before.
    pub is_reused: bool,
    /// What it is expected to take.
    pub expected: Expectation,
}

impl Started {
    /// The document for programs.
    pub fn document(&self) -> StartedDoc {
        let mut document =
            started_document(&self.state, &self.folder, self.is_live, self.is_reused);
        if let (true, Some(expected)) = (self.is_live, &self.expected.takes) {
            document.eta_s = expected.eta_seconds();
        }
        document
    }
}

/// A debate as it would run.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The debate as it would begin, or go on.
    pub state: State,
    /// Its folder, as it is shown.
    pub folder: String,
    /// Whether it was opened before.
    pub is_open: bool,
    /// What it is expected to take.
    pub expected: Expectation,
}

impl Planned {
    /// The document for programs.
    pub fn document(&self) -> impl Serialize + '_ {
        let Self { state, .. } = self;
        let spec = &state.spec;
        let expected = self.expected.takes.as_ref().map(ExpectedDoc::of);
        let cost_usd = self.expected.cost.map(round_to_cents);
        match self.is_open {
            false => PlanDoc {
                expected,
                cost_usd,
                ..PlanDoc::of(spec)
            },
            true => PlanDoc {
                seats: &state.seats,
                rounds: state.through.unwrap_or(state.planned_rounds()),
                calls: remaining_calls(state),
                caps: state.caps,
                expected,
                cost_usd,
                ..PlanDoc::of(spec)
            },
        }
    }
}

/// What a debate would be, for a program.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PlanDoc<'a> {
    schema: &'static str,
    topic: &'a str,
    #[schemars(with = "BTreeMap<String, Seating>")]
    seats: &'a BTreeMap<Seat, Seating>,
    substitutes: &'a [Seating],
    /// The substitutes of each side, in order.
    #[schemars(with = "BTreeMap<String, Vec<Seating>>")]
    side_substitutes: &'a BTreeMap<Seat, Vec<Seating>>,
    /// The tools that substitutes replaced.
    replaced: Vec<ReplacedDoc>,
    rounds: u16,
    blind: bool,
    swap: bool,
    calls: u32,
    caps: Caps,
    /// Earlier verdicts that every seat is told of.
    precedents: &'a [Precedent],
    /// What it will take, by what earlier calls here took; null where too little is known.
    expected: Option<ExpectedDoc>,
    /// What models behind API keys are charged with, in US dollars; null where none sits, or a price
    /// is not known.
    cost_usd: Option<f64>,
}

/// To cents, which is finer than the guess.
fn round_to_cents(dollars: f64) -> f64 {
    (dollars * 100.0).round() / 100.0
}

impl<'a> PlanDoc<'a> {
    fn of(spec: &'a Spec) -> Self {
        Self {
            schema: "agon.plan/1",
            topic: &spec.topic,
            seats: &spec.seats,
            substitutes: spec.substitutes(),
            side_substitutes: &spec.standby.substitutes,
            replaced: spec
                .standby
                .replaced
                .iter()
                .map(ReplacedDoc::from)
                .collect(),
            rounds: spec.planned_rounds(),
            blind: spec.has_blind_round(),
            swap: spec.has_swap(),
            calls: spec.planned_calls(),
            caps: spec.caps,
            precedents: &spec.precedents,
            expected: None,
            cost_usd: None,
        }
    }
}

/// What a debate will take, for a program.
#[derive(Serialize, JsonSchema)]
struct ExpectedDoc {
    eta_s: u64,
    seconds: [u64; 2],
    tokens: [u64; 2],
}

impl ExpectedDoc {
    fn of(expected: &Expected) -> Self {
        let (low, high) = (expected.low, expected.high);
        Self {
            eta_s: expected.eta_seconds(),
            seconds: [low.ms, high.ms].map(|ms| ms.div_ceil(1_000)),
            tokens: [low.tokens, high.tokens],
        }
    }
}
